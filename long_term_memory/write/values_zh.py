"""What a Chinese statement may name: a name, a place, a thing, and what only looks like it (design 5.2)."""

import re

from ..policies.numbers import with_digits

_VAGUE = re.compile(
    r"[我你您他她它们这那哪谁啥咋]|什么|怎么|吗$|时候|期间|如果|但是|所以|因为|可是|而且|然后|不过$|的话"
)
_NOT_NAMES = re.compile(
    r"^[了过不出来车外做什人上去回一起床睡滚怎干别看买写帮走等如何声的第大小]?$|^(?:外卖|起床|快递|救护|滴滴|出租|"
    r"[了过不出来车外做什去回起睡滚怎干别看买写帮走等如何的第])"
)
_NAME = re.compile(r"[\u4e00-\u9fff·]{2,6}|[A-Z][A-Za-z'-]{0,20}(?: [A-Z][A-Za-z'-]{0,20}){0,2}")
_SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜"
    "戴夏钟汪田姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪"
    "翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂焦向柳邢岳齐梅莫庄辛管祝左涂谷祁耿牟卜路詹关苗凌费纪靳盛童欧甄项曲"
)
_FAMILY_NAME = (
    rf"(?:欧阳|上官|司马|诸葛|司徒|东方|独孤|慕容|夏侯|皇甫|尉迟|公孙|令狐)[\u4e00-\u9fff]{{1,2}}"
    rf"|[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}|[小阿大老][\u4e00-\u9fff]{{1,2}}|[\u4e00-\u9fff]{{1,4}}·[\u4e00-\u9fff·]{{1,8}}"
    r"|[A-Z][A-Za-z'-]{0,20}(?: [A-Z][A-Za-z'-]{0,20}){0,2}"
)
_CALLED = re.compile(_FAMILY_NAME)
_SOMEBODY = re.compile(
    r"^(?:老师|老板|老婆|老公|老妈|老爸|老外|老人|小孩|小姐|小二|小弟|小妹|小心|小偷|小三|阿姨|阿妈|大夫|大家|大爷|大妈"
    r"|大哥|大姐|大声|温柔|安静|常常|白痴|金牌|万一|万万|高手|高兴|方便|石头|文盲)|[来去吃走起帮做看听给送拿]$"
)
"""Whom or how one calls: 我叫老师 is no name, nor 我叫小王来."""
_SECRET = re.compile(r"^(?:秘密|未知|保密|随便|没有|空|假|乱|很|真|最|有|机密|隐私|个)|^.$")
_DEGREE = re.compile(r"^(?:有?一?[点些]儿?|严重|轻微|轻度|重度|中度|很|过|容易|经常|老|皮肤|什么)的?")
_NO_ALLERGEN = re.compile(r"[不没]|上班|上学|学习|工作|加班|周一|傻|钱|男人|女人|生活|世界")
_MOCKERY = re.compile(r"^[被个不]|屁|鬼$|毛线|(\S)不\1")
_JOBS = re.compile(
    r"[\u4e00-\u9fff]{0,6}?(?:学生|研究生|博士生|医生|护士|药剂师|牙医|兽医|老师|教师|教授|讲师|程序员|工程师|架构师|设计师|建筑师|律师|法官"
    r"|会计|出纳|审计|司机|厨师|警察|消防员|军人|公务员|记者|编辑|作家|翻译|演员|歌手|画家|摄影师|产品经理|项目经理|经理|销售|客服|店员|收银员"
    r"|保安|快递员|外卖员|理发师|农民|工人|科学家|研究员|分析师|咨询师|心理师|自由职业者|飞行员|空姐|导游|教练|会计师)"
)
_NO_JOB = re.compile(
    r"[的和跟与不没假伪]|^(?:前任|退休|未来|半|冒牌|想|要|来|说|去|找|问|好|坏|差|老|新|小小|这|那|某|真正|合格|失败|第)|家长|代表"
)
_CITIES = (
    "北京|上海|天津|重庆|广州|深圳|杭州|南京|苏州|成都|武汉|西安|长沙|郑州|青岛|济南|大连|沈阳|哈尔滨|长春|厦门|福州|宁波|无锡|合肥|南昌|昆明|贵阳"
    "|南宁|海口|三亚|太原|石家庄|兰州|西宁|银川|乌鲁木齐|拉萨|呼和浩特|珠海|东莞|佛山|香港|澳门|台北|高雄|东京|大阪|首尔|新加坡|纽约|伦敦|巴黎"
    "|柏林|洛杉矶|旧金山|多伦多|温哥华|悉尼|墨尔本"
)
_CITY = re.compile(rf"(?:{_CITIES})市?|[\u4e00-\u9fff]{{2,4}}[市县]")
_NO_ORIGIN = re.compile(
    r"未来|过去|火星|月球|外星|宇宙|地[狱球]|天堂|另|心|一个|[部组队科处群店]$|团队|公司|客服|学校|平台|单位|医院|银行"
)
_DATE = re.compile(r"[\d一二三四五六七八九十]{1,4}\s{0,3}[年月./-]\s{0,3}[\d一二三四五六七八九十]{1,3}")
_WORKPLACE = re.compile(
    r"(?:公司|银行|医院|学校|大学|中学|小学|集团|厂|研究所|研究院|局|部|店|科技)$|^[A-Z][A-Za-z]+$"
)


def name(value: str) -> str:
    """A name, in characters or letters."""
    fits = _NAME.fullmatch(value) and not _VAGUE.search(value) and not _NOT_NAMES.search(value)
    return value if fits else ""


def called(value: str) -> str:
    """A name after 我叫, which may as well mean to call somebody: only what is built like a name."""
    return name(value) if _CALLED.fullmatch(value) and not _SOMEBODY.search(value) else ""


def named(value: str) -> str:
    """A name after 我的名字是."""
    return "" if _SECRET.search(value) else name(value)


def allergen(value: str) -> str:
    """What one may be allergic to."""
    found = _DEGREE.sub("", value)
    return "" if _NO_ALLERGEN.search(found) else found and thing(found)


def liked(value: str) -> str:
    """What somebody likes or not."""
    return "" if _MOCKERY.search(value) else thing(value)


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
    return "" if re.search(r"酒店|宾馆|医院|楼上|楼下|隔壁|附近|火星|月球|地球|梦里", value) else thing(value)


def job(value: str) -> str:
    """A line of work."""
    return "" if re.search(r"好人|路人|过客|普通人|忙|的|失败者|病人", value) else thing(value)


def workplace(value: str) -> str:
    """A firm or an institution."""
    return thing(value) if _WORKPLACE.search(value) and len(value) > 2 else ""


def date(value: str) -> str:
    """A day of the calendar."""
    return value if len(value) <= 20 and _DATE.search(value) else ""


def line_of_work(value: str) -> str:
    """A line of work after a bare 我是, known by its last characters."""
    return value if _JOBS.fullmatch(value) and not _NO_JOB.search(value) and thing(value) else ""


def origin(value: str) -> str:
    """Where somebody may come from."""
    return "" if _NO_ORIGIN.search(value) else thing(value)


def city(value: str) -> str:
    """A city known by its name or its last character."""
    return value if _CITY.fullmatch(value) else ""


def age(value: str) -> str:
    """The years of a person, in digits."""
    digits = with_digits(f"{value}岁")[:-1]
    return digits if digits.isdecimal() and 3 <= int(digits) <= 120 else ""


def as_said(value: str) -> str:
    """The words as the pattern has them."""
    return value
