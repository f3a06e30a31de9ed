"""What a Chinese statement may name: a name, a place, a thing, and what only looks like it (design 5.2)."""

import re

from ..policies.cities import CITIES, REGIONS
from ..policies.names import SURNAMES
from ..policies.numbers import with_digits

_VAGUE = re.compile(
    r"[我你您他她它们这那哪谁啥咋]|什么|怎么|吗$|时候|期间|如果|所以|因为|但(?![丁泽])|可是|而且|然后|不过$|的话|还是"
)
_NOT_NAMES = re.compile(
    r"^[了过不出来车外做什人上去回一起床睡滚怎干别看买写帮走等如何声的第大小]?$|^(?:外卖|起床|快递|救护|滴滴|出租|"
    r"[了过不出来车外做什去回起睡滚怎干别看买写帮走等如何的第])"
)
_NAME = re.compile(r"[\u4e00-\u9fff·]{2,6}|[A-Z][A-Za-z'-]{0,20}(?: [A-Z][A-Za-z'-]{0,20}){0,2}")
_FAMILY_NAMES = SURNAMES + (
    "于萧程傅曾阎夏方石金白康毛江龙万段雷钱易常武乔赖文庞樊兰殷施洪翟安颜倪牛温芦季俞章鲁葛伍申尤毕聂焦向柳邢岳齐梅庄"
    "辛管祝左涂谷祁耿牟卜路詹关苗凌费纪靳盛童欧甄项曲"
)
_FAMILY_NAME = (
    rf"(?:欧阳|上官|司马|诸葛|司徒|东方|独孤|慕容|夏侯|皇甫|尉迟|公孙|令狐)[\u4e00-\u9fff]{{1,2}}"
    rf"|[{_FAMILY_NAMES}][\u4e00-\u9fff]{{1,2}}|[小阿大老][\u4e00-\u9fff]{{1,2}}|[\u4e00-\u9fff]{{1,4}}·[\u4e00-\u9fff·]{{1,8}}"
    r"|[A-Z][A-Za-z'-]{0,20}(?: [A-Z][A-Za-z'-]{0,20}){0,2}"
)
_CALLED = re.compile(_FAMILY_NAME)
_SOMEBODY = re.compile(
    r"^(?:老师|老板|老婆|老公|老妈|老爸|老外|老人|小孩|小姐|小二|小弟|小妹|小心|小偷|小三|阿姨|阿妈|大夫|大家|大爷|大妈"
    r"|大哥|大姐|小哥|大声|温柔|安静|常常|白痴|金牌|万一|万万|高手|高兴|方便|石头|文盲)"
    r"|[来去吃走起帮做看听给送拿]$"
)
"""Whom or what or how one calls: 我叫老师 is no name nor 我叫小王来."""
_ORDERED = re.compile(
    r"^(?:小(?:龙虾|笼|馄饨|火锅|酥肉|炒|烧烤|蛋糕|面|米粥|吃|食)|大(?:闸蟹|盘鸡|排|餐|碗|饼)|老(?:鸭|干妈)|黄(?:焖|酒|瓜)"
    r"|白(?:粥|酒|切|灼|米饭)|牛[排奶肉杂腩蛙]|金枪鱼|马卡龙|毛(?:肚|血旺)|汤[面包]|苏打|康师傅|江小白|石锅|梅[酒菜干])|[饭面鸡粉汤餐票堡]$"
)
"""Food that is built like a name: 我叫小龙虾 is said by who has it delivered."""
_SECRET = re.compile(
    r"^(?:秘密|未知|保密|随便|没有|空|假|乱|很|真|最|有|机密|隐私|个|网名|英文|中文)|^.$|的$|个字|的谐音|[取起]的"
)
_DEGREE = re.compile(
    r"^(?:有?一?[点些]儿?|非常|比较|十分|严重|轻微|轻度|重度|中度|很(?!多)|过|容易|经常|老是|皮肤|什么)+的?"
)
_NO_ALLERGEN = re.compile(
    r"[不没]|上[班学课]|学习|工作|加班|周一|傻|钱|男人|女人|生活|世界|东西|老板|领导|甲方|前任|数学|早起|起床|开会|作业|考试|运动"
    r"|朋友|同[事学]|室友|邻居|亲戚|家人|老[公婆师]|孩子|儿子|女儿|[爸妈]|爷爷|奶奶|叔叔|阿姨|哥哥|姐姐|弟弟|妹妹|^个|^开$|^时[会常而]?$|时间$"
    r"|^(?:[许好太很]?多|不少|好?[一二两三四五六七八九几\d]种|[各这那某]种|一些|家族|遗传性?|先天性?|慢性|急性|季节性?|换季|接触性?|体质"
    r"|鼻子?|眼睛?|食物|[春夏秋冬][天季]?|小时候|以前|可能)$"
)
"""How much, of what kind or whose it is, and what one is allergic to in jest."""
_MOCKERY = re.compile(r"^[被个不]|屁|鬼$|毛线|(\S)不\1|[会要就]死|就难受|不代表")
_PASSING = re.compile(
    r"^(?:前者|后者|第[一二三四五\d](?!人称)|就[好行]|[上下前后]面的|[左右]边的|晚一?点|早一?点|同一个人$)"
)
"""What is meant in this talk alone."""
_JOBS = re.compile(
    r"[\u4e00-\u9fff]{0,6}?(?:学生|研究生|博士生|医生|护士|药剂师|牙医|兽医|老师|教师|教授|讲师|程序员|工程师|架构师|设计师|建筑师|律师|法官"
    r"|会计|出纳|审计|司机|厨师|警察|消防员|军人|公务员|记者|编辑|作家|翻译|演员|歌手|画家|摄影师|产品经理|项目经理|经理|销售|客服|店员|收银员"
    r"|保安|快递员|外卖员|理发师|农民|工人|科学家|研究员|分析师|咨询师|心理师|自由职业者|飞行员|空姐|导游|教练|会计师)"
)
_NO_JOB = re.compile(
    r"[的和跟与不没假伪]|^(?:前任|退休|退伍|未来|半|冒牌|想|要|来|说|去|找|问|好|坏|差|老|新|小小|这|那|某|真正|合格|失败|第|准|被|怕|恨|见|讨厌"
    r"|打工|灵魂|业余|人生|麦霸|键盘)|家长|代表"
    rf"|^[小老]?[{_FAMILY_NAMES}](?:老师|教授|医生|律师|经理|教练|会计|警官|导游|编辑)$"
)
"""我是王老师 tells a name."""
_JOB_ENDS = re.compile(
    r"(?:[师员家手工生士长官兵警农主匠商医]|经理|助理|主管|总监|总裁|主任|教授|大夫|老板|司机|会计|出纳|审计|记者|编辑|作者|学者|职业者"
    r"|保姆|保安|保洁|顾问|秘书|中介|代理|军人|工人|商人|经纪人|主持人|负责人|销售|客服|运营|运维|测试|开发|前端|后端|全栈|算法|产品"
    r"|财务|法务|人事|行政|采购|翻译|导演|导游|教练|主播|模特|设计|文案|策划)$"
)
"""Many another thing is said of one's work: 一团糟, 朝九晚五, 带孩子."""
_NO_WORKER = re.compile(
    r"好人|路人|过客|普通人|忙|的|失败者|病人|打工|义工|家长|秘密|保密|摸鱼|躺平|(?:[党团学成会]员|[玩独国人大]家|[新老高对]手|[新男女先考]生"
    r"|毕业生|[群房业车楼]主|[乘顾游旅租]客|患者|读者|观众|听众|老人|新人|小白|用户|[网群]友|粉丝|爱好者|主义者|志愿者|[父母]亲|孕妇"
    r"|(?<!全职)妈妈|(?<!全职)爸爸|[男女][人性士孩]|孩子|青年|少年|国人|信徒|公民|消费者|居民|单身|吃货|座|[粉迷控党狗])$"
)
"""Who somebody is beside their work."""
_CITY = re.compile(rf"(?:{CITIES})市?|(?!.*城市)[\u4e00-\u9fff]{{2,4}}[市县]")
_NO_HOME = re.compile(
    r"酒店|宾馆|旅馆|民宿|青旅|医院|楼上|楼下|隔壁|附近|火星|月球|地球|天堂|[梦心]里|回忆|过去|一起$|同一|[很太][远近]|外面$"
    r"|^(?:自己)?家里?$|或|不(?!丹|来梅)|很|[吧过]$|的朋友|段时间|[\d一两二三四五六七八九十几半]个?(?:天|周|星期|月|晚)"
)
_HOME = re.compile(
    rf"(?:{CITIES}|{REGIONS})[市省]?(?:(?![不还开买做卖吃工打租找有没比办读])[\u4e00-\u9fff]){{0,8}}"
    r"|(?![得不进出满惯够过])[\u4e00-\u9fff]{2,6}(?<![城小市郊地])[市县区镇州]|[A-Z][A-Za-z .-]{1,20}"
    r"|(?:农村|乡下|郊区|市区|市中心|县城|山里|海边|校[内外]|国外|(?:学校|员工)?宿舍|(?:单身)?公寓|别墅"
    r"|[\d一二三四五六七八九十]{1,3}[楼层])里?"
)
"""What stands behind a bare 住, 家在 or 定居, which begin as well 住得, 住院, 家在装修 or 定居下来."""
_NO_ORIGIN = re.compile(
    r"未来|过去|火星|月球|外星|宇宙|地[狱球]|天堂|另|心|一个|[部组队科处群店]$|团队|公司|客服|学校|平台|单位|医院|银行|隔壁|世纪|搜索|抖音|知乎"
    r"|微博|小红书|百度|推荐|介绍|广告|远方|五湖四海|阶层"
)
_NUMERAL = r"[\d〇零一二三四五六七八九十正腊冬初廿]"
_DATE = re.compile(
    rf"(?:[是在于\s]|每年|[阳公新]历的?){{0,4}}"
    rf"(?P<date>(?:[农阴旧]历的?\s{{0,3}})?{_NUMERAL}{{1,4}}\s{{0,3}}[年月./-]\s{{0,3}}{_NUMERAL}{{1,3}}"
    rf"(?:\s{{0,3}}[月./-]\s{{0,3}}(?:{_NUMERAL}{{1,3}})?)?\s{{0,3}}[日号]?)(?:凌晨|早上|上午|中午|下午|晚上|半夜)?(?:[在于][\u4e00-\u9fff]{{2,6}})?"
)
_WORKPLACE = re.compile(
    r"(?:公司|银行|医院|学校|大学|中学|小学|集团|厂|研究所|研究院|局|部|店|科技)$|^[A-Z][A-Za-z]+$"
)
_NO_WORKPLACE = re.compile(
    r"(?:一?[家个所]|[大小前老原新私国外某]|上一?家|楼下|世界500强)(?:公司|企业|银行|医院|学校|大学|工?厂|店)"
    r"|WFH|Excel|PPT|Word"
)


def name(value: str) -> str:
    """A name, in characters or letters."""
    fits = _NAME.fullmatch(value) and not _VAGUE.search(value) and not _NOT_NAMES.search(value)
    return value if fits else ""


def called(value: str) -> str:
    """A name after 我叫, which may as well mean to call somebody: only what is built like a name."""
    return name(value) if _CALLED.fullmatch(value) and not _SOMEBODY.search(value) else ""


def called_oneself(value: str) -> str:
    """A name after 我叫, which may as well mean to order something."""
    return "" if _ORDERED.search(value) else called(value)


def named(value: str) -> str:
    """A name after 我的名字是."""
    return "" if _SECRET.search(value) else name(value)


def allergen(value: str) -> str:
    """What one may be allergic to."""
    found = _DEGREE.sub("", value)
    return "" if _NO_ALLERGEN.search(found) else found and thing(found)


def liked(value: str) -> str:
    """What somebody likes or not."""
    return "" if _MOCKERY.search(value) or _PASSING.search(value) else thing(value)


def thing(value: str) -> str:
    """A few characters, none of them vague."""
    fits = (
        len(value) <= 30
        and not _VAGUE.search(value)
        and not re.search(r"^(?:的|了|过|上了|到)|[了不没]$", value)
    )
    return value if fits else ""


def place(value: str) -> str:
    """Where somebody may live."""
    return "" if _NO_HOME.search(value) else thing(value)


def known_place(value: str) -> str:
    """Where somebody may live, where what is said may be something else."""
    return place(value) if _HOME.fullmatch(value) else ""


def job(value: str) -> str:
    """A line of work."""
    return "" if _NO_WORKER.search(value) else thing(value)


def work(value: str) -> str:
    """A line of work after 我的工作是, known by how it ends."""
    return job(value) if _JOB_ENDS.search(value) else ""


def workplace(value: str) -> str:
    """A firm or an institution."""
    fits = _WORKPLACE.search(value) and len(value) > 2 and not _NO_WORKPLACE.fullmatch(value)
    return thing(value) if fits else ""


def date(value: str) -> str:
    """A day of the calendar and nothing else, for 我女儿2020年5月出生 is no birthday of one's own."""
    found = _DATE.fullmatch(value)
    return found["date"].strip() if found else ""


def line_of_work(value: str) -> str:
    """A line of work after a bare 我是, known by its last characters."""
    return value if _JOBS.fullmatch(value) and not _NO_JOB.search(value) and thing(value) else ""


def origin(value: str) -> str:
    """Where somebody may come from."""
    return "" if _NO_ORIGIN.search(value) else thing(value)


def city(value: str) -> str:
    """A city known by its name or its last character."""
    return value if _CITY.fullmatch(value) and not _VAGUE.search(value) else ""


def age(value: str) -> str:
    """The years of a person, in digits."""
    digits = with_digits(f"{value}岁")[:-1]
    return digits if digits.isdecimal() and 3 <= int(digits) <= 120 else ""


def as_said(value: str) -> str:
    """The words as the pattern has them."""
    return value
