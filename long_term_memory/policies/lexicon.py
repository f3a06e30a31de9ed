"""Everyday words in both languages, so that a fact written in one can be held against words in the other.

What is made of "我对花生过敏" may be written in English, and it must say peanuts, not cats (design 5.3). The
list is short on purpose: it need not translate, only recognise what people tell of themselves. What it does
not know is not recognised, and the fact waits for a person.
"""

import re
import unicodedata

from .numbers import with_digits
from .relevance import content_words

_TABLE = """
peanut=花生 | nut=坚果 | milk dairy=牛奶 奶 乳 | lactose=乳糖 | egg=鸡蛋 蛋 | fish=鱼 | shrimp prawn=虾
seafood shellfish=海鲜 贝类
crab=蟹 | soy=大豆 黄豆 | wheat=小麦 | gluten=麸质 | pollen=花粉 | penicillin=青霉素 | aspirin=阿司匹林
dust=灰尘 尘螨 | mango=芒果
strawberry=草莓 | apple=苹果 | banana=香蕉 | peach=桃 | fruit=水果 | vegetable=蔬菜 | meat=肉 | pork=猪肉
beef=牛肉 | lamb mutton=羊肉
chicken=鸡 | rice=米饭 | noodle=面条 面 | bread=面包 | cheese=奶酪 芝士 | chocolate=巧克力 | sugar=糖
cilantro coriander=香菜
garlic=大蒜 蒜 | onion=洋葱 | pepper chili chilli=辣椒 | spicy=辣 | sweet dessert=甜 甜点 甜食
hotpot=火锅 | hot=热 火 | pot=锅 | sushi=寿司
dumpling=饺子 | tofu=豆腐 | coffee=咖啡 | tea=茶 | green=绿 | black=黑 | white=白 | red=红 | blue=蓝
yellow=黄 | beer=啤酒
wine=红酒 葡萄酒 酒 | alcohol liquor=酒 | water=水 | juice=果汁 | food=食物 菜 吃 | breakfast=早饭 早餐
lunch=午饭 午餐 | dinner=晚饭 晚餐
cat=猫 | dog=狗 | rabbit=兔 | bird=鸟 | hamster=仓鼠 | pet=宠物 | horse=马 | snake=蛇 | spider=蜘蛛
beijing=北京 | shanghai=上海 | guangzhou=广州 | shenzhen=深圳 | hangzhou=杭州 | nanjing=南京
chengdu=成都 | wuhan=武汉 | chongqing=重庆
tianjin=天津 | suzhou=苏州 | hong=香港 | kong=香港 | taipei=台北 | taiwan=台湾 | xi'an xian=西安
tokyo=东京 | osaka=大阪 | seoul=首尔
singapore=新加坡 | london=伦敦 | paris=巴黎 | berlin=柏林 | munich=慕尼黑 | rome=罗马 | madrid=马德里
moscow=莫斯科 | sydney=悉尼
york=纽约 | new=新 纽约 | boston=波士顿 | chicago=芝加哥 | angeles=洛杉矶 | los=洛杉矶 | toronto=多伦多
vancouver=温哥华
china chinese=中国 中文 汉语 | japan japanese=日本 日语 | korea korean=韩国 韩语 | america american=美国
usa=美国 | states united=美国 英国
britain british england uk=英国 | english=英语 英文 英国 | france french=法国 法语 法文
germany german=德国 德语 | spain spanish=西班牙
italy italian=意大利 | russia russian=俄罗斯 俄语 俄国 | canada canadian=加拿大
australia australian=澳大利亚 澳洲 | india indian=印度
thailand thai=泰国 泰 | vietnam vietnamese=越南 | portuguese portugal=葡萄牙 | cantonese=粤语 广东话
mandarin=普通话
doctor=医生 大夫 | nurse=护士 | teacher=老师 教师 | student=学生 | engineer=工程师
programmer developer=程序员 开发 | lawyer=律师
designer=设计师 | accountant=会计 | chef cook=厨师 | driver=司机 | writer author=作家 | journalist=记者
scientist=科学家 | artist=画家 艺术家
photographer=摄影师 | police officer=警察 | manager=经理 | boss=老板 上司 | dentist=牙医
salesperson sales=销售 | waiter=服务员
translator=翻译 | farmer=农民 | pilot=飞行员 | freelancer freelance=自由职业 | retired=退休 | unemployed=失业
mother mom mum=妈 母亲 | father dad=爸 父亲 | parent=父母 爸妈 | sister=姐 妹 | brother=哥 弟 兄
older elder=姐 哥 大 老 | younger=妹 弟 小
wife=老婆 妻子 妻 太太 | husband=老公 丈夫 先生 | son=儿子 | daughter=女儿
child children kid=孩子 娃 小孩 | baby=宝宝 | girlfriend=女朋友 女友
boyfriend=男朋友 男友 | friend=朋友 | colleague coworker=同事 | roommate flatmate=室友
grandmother grandma=奶奶 外婆 姥姥 祖母
grandfather grandpa=爷爷 外公 姥爷 祖父 | uncle=叔 舅 伯 | aunt=姨 姑 婶 | family=家 家人
married marry marries=结婚 已婚 | divorced=离婚 离异
single=单身 | engaged=订婚 | twin=双胞胎
allergic allergy allergies=过敏 | intolerant intolerance=不耐 | vegetarian vegan=吃素 素食
diabetes diabetic=糖尿病 | asthma=哮喘
insomnia sleepless=失眠 | headache migraine=头痛 偏头痛 头疼 | pregnant=怀孕 | cold=感冒 冷
glasses=眼镜 | surgery operation=手术
live reside based=住 定居 居住 | work job=工作 上班 任职 就职 | own keep have=有 养 | raise=养
study=学 读 | learn=学 | teach=教 | eat=吃 | drink=喝
play=玩 打 踢 弹 拉 | read=读 看 阅读 | watch=看 | drive=开 驾 | speak=说 会 讲 | run running=跑
swim swimming=游泳 | hike hiking=爬山 徒步 登山
travel trip=旅行 旅游 出差 去 | visit go=去 | move moved=搬 | smoke=抽烟 吸烟 | quit=戒 | wake=起 醒
sleep=睡 | graduate=毕业 | write=写 | draw paint=画
sing=唱 | dance=跳舞 | cook cooking=做饭 烹饪 | buy bought=买 | sell=卖
like enjoy love prefer fond=喜欢 爱 偏好 | hate dislike=讨厌 不喜欢 恨 | like love enjoy=不喜欢
stand=受不了 | want=想 要 | plan=打算 计划 | hope=希望 | need=需要 要 | use=用 | born=生 出生
birthday=生日 | age old=岁 | year=年 岁 | afraid fear=怕
music=音乐 | guitar=吉他 | piano=钢琴 | violin=小提琴 | football soccer=足球 | basketball=篮球
tennis=网球 | badminton=羽毛球 | game gaming=游戏
movie film=电影 | book=书 | novel=小说 | chess=象棋 棋 | photography=摄影 | yoga=瑜伽 | gym=健身
fishing=钓鱼 | history=历史 | math maths=数学
physics=物理 | medicine=医学 | law=法律 | art=艺术 | computer=计算机 电脑 | software=软件 | phone=手机
car=车 | bike bicycle=自行车 单车
house=房子 | apartment flat=公寓 | school=学校 | university college=大学 | company=公司 | bank=银行
hospital=医院 | hometown=家乡 老家 | city=城市 市
from=来自 | come=来自 | favourite favorite=最喜欢 最爱 | color colour=颜色 色 | language=语言 语
name named called=叫 名字 姓名 | nickname=昵称 外号
exam test=考试 | meeting=会议 开会 | interview=面试 | wedding=婚礼 | flight=飞机 航班 | deadline=截止
project=项目 | thesis=论文 | novelist=作家
day daily=天 每天 | week weekly=周 星期 | month=月 | morning=早上 上午 早 | evening night=晚上 晚 夜
weekend=周末 | winter=冬天 | summer=夏天
spring=春天 | autumn=秋天 | sea beach=海 | mountain=山 | rain=雨 | snow=雪 | tall=高 | hair=头发
left=左 | right=右 | hand handed=手 撇子 | once twice=次
monday=周一 星期一 | tuesday=周二 星期二 | wednesday=周三 星期三 | thursday=周四 星期四
friday=周五 星期五 | saturday=周六 星期六
sunday=周日 星期日 周天 星期天
"""
_SKIPPED_EN = frozenset(
    "user prefers wants currently usually really very year old someone person people has is".split()  # noqa: SIM905
)
_SKIPPED_ZH = re.compile(
    r"用户|职业|今年|目前|经常|正在|每天|非常|特别|希望被称为"
    r"|[的了是在一不没个只位名岁条辆对被把和与及也都很常每到去于得着地中里今现人]"
)
_CJK_RUN = re.compile(r"[\u3400-\u9fff]+")
_LONGEST = 4


def _read_table(table: str) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    to_chinese: dict[str, list[str]] = {}
    to_english: dict[str, list[str]] = {}
    for entry in re.split(r"[|\n]", table.strip()):
        english, _, chinese = entry.strip().partition("=")
        for word in english.split():
            to_chinese.setdefault(word, []).extend(chinese.split())
        for word in chinese.split():
            to_english.setdefault(word, []).extend(english.split())
    return to_chinese, to_english


_TO_CHINESE, _TO_ENGLISH = _read_table(_TABLE)


def unrecognised(fact: str, text: str) -> str:
    """The first content word of a fact that a text in the other language does not have; empty for none.

    Latin names and numbers are looked for as they are.
    """
    plain = with_digits(unicodedata.normalize("NFKC", text)).casefold()
    words = [word for word in re.findall(r"[a-z0-9']+", plain) if word]
    if _CJK_RUN.search(fact):
        return _missing_chinese(fact, plain, words)
    return _missing_english(fact, plain, words)


def in_english(text: str) -> str:
    """What the list knows of a Chinese text, in English words."""
    return " ".join(word for term, words in _TO_ENGLISH.items() if term in text for word in words)


def in_chinese(text: str) -> str:
    """What the list knows of an English text, in Chinese words."""
    return " ".join(word for term in text.split() for word in _TO_CHINESE.get(term, ()))


def _missing_english(fact: str, text: str, words: list[str]) -> str:
    wanted = [word for word in content_words(with_digits(fact)) if word not in _SKIPPED_EN]
    return next((word for word in wanted if not _said_of(word, text, words)), "")


def _said_of(word: str, text: str, words: list[str]) -> bool:
    return word in words or any(term in text for entry in _entries(word) for term in _TO_CHINESE[entry])


def _entries(word: str) -> list[str]:
    """The English entries that a word is a form of: "allergies", "lives", "working"."""
    exact = [word] if word in _TO_CHINESE else []
    forms = {
        word.removesuffix("s"),
        word.removesuffix("es"),
        word.removesuffix("ing"),
        word.removesuffix("ing") + "e",
        word.removesuffix("ed"),
        word.removesuffix("d"),
        re.sub(r"ies$", "y", word),
    }
    return exact + [form for form in forms if form != word and form in _TO_CHINESE]


def _missing_chinese(fact: str, text: str, words: list[str]) -> str:
    latin = re.findall(r"[a-z0-9']+", with_digits(fact).casefold())
    missing = next((word for word in latin if word not in words), "")
    rest = _CJK_RUN.findall(fact)
    return missing or next((term for run in rest for term in _missing_in(run, text, words)), "")


def _missing_in(run: str, text: str, words: list[str]) -> list[str]:
    """The pieces of a run of Chinese that are neither known and said, nor mere grammar."""
    missing: list[str] = []
    at = 0
    while at < len(run):
        skipped = _SKIPPED_ZH.match(run, at)
        term = "" if skipped and len(skipped.group()) > 1 else _term_at(run, at)
        if term and not (term in text or _is_said_in_english(term, words)):
            missing.append(term)
        if not term and not skipped and not with_digits(run[at] + "天")[:-1].isdigit():
            missing.append(run[at])
        at += len(term or (skipped.group() if skipped else run[at]))
    return missing


def _term_at(run: str, at: int) -> str:
    ends = (run[at : at + size] for size in range(_LONGEST, 0, -1))
    return next((piece for piece in ends if piece in _TO_ENGLISH and piece not in "不没"), "")


def _is_said_in_english(term: str, words: list[str]) -> bool:
    known = frozenset(_TO_ENGLISH[term])
    return any(known.intersection(_entries(word)) for word in words)
