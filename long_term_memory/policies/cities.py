"""Whether words about where somebody lives say in which city (design 5.4)."""

import re

CITIES = (
    "北京|上海|天津|重庆|广州|深圳|杭州|南京|苏州|成都|武汉|西安|长沙|郑州|青岛|济南|大连|沈阳|哈尔滨|长春|厦门|福州|宁波|无锡|合肥|南昌|昆明|贵阳"
    "|南宁|海口|三亚|太原|石家庄|兰州|西宁|银川|乌鲁木齐|拉萨|呼和浩特|珠海|东莞|佛山|香港|澳门|台北|高雄|东京|大阪|首尔|新加坡|纽约|伦敦|巴黎"
    "|柏林|洛杉矶|旧金山|多伦多|温哥华|悉尼|墨尔本"
    "|常州|徐州|南通|扬州|镇江|泰州|盐城|淮安|连云港|嘉兴|湖州|绍兴|金华|台州|温州|衢州|丽水|舟山|义乌|泉州|漳州|莆田|芜湖|蚌埠|安庆|马鞍山"
    "|烟台|威海|潍坊|淄博|济宁|临沂|泰安|洛阳|开封|南阳|新乡|宜昌|襄阳|荆州|黄石|株洲|湘潭|岳阳|衡阳|常德|中山|惠州|江门|汕头|湛江|肇庆|桂林"
    "|柳州|北海|绵阳|德阳|乐山|宜宾|泸州|南充|遵义|大理|丽江|曲靖|咸阳|宝鸡|唐山|保定|秦皇岛|邯郸|廊坊|大同|包头|鞍山|吉林|大庆|赣州|九江|上饶"
)
REGIONS = (
    "河北|山西|辽宁|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州|云南|陕西|甘肃|青海|台湾|内蒙古|广西|西藏|宁夏|新疆"
    "|东北|中国|美国|英国|法国|德国|日本|韩国|加拿大|澳大利亚|澳洲|新西兰"
)
_WORDS = r"(?:(?-i:[a-z'’-]+) ){0,2}?"
"""No name among them: "in the Seattle area" does say it."""
_AT_SOMETHING = re.compile(
    r"\b(?:in|to) (?:an?|the|his|her|their|my|our|[a-z]+(?:['’]s)?) (?:\w+ ){0,2}?(?:flat|apartment|house"
    r"|dorm\w*|hostel|hotel|home|room|building|village|countryside|suburbs?)\b"
    r"|[在到](?:一|公寓|宿舍|别墅|楼|平房|酒店|宾馆|医院|父母|爸|妈|亲戚|朋友|学校|公司|出租)"
    r"|附近|隔壁|楼上|楼下|旁边",
    re.IGNORECASE,
)
_KIND = re.compile(
    rf"\b(?:in|to|on|at) (?:an?|the|his|her|their|my|our) {_WORDS}(?:floor|basement|attic|city|town|area"
    r"|neighbou?rhood|place|outskirts|farm|cabin|condo|studio|trailer|van|car|boat|coast|beach|mountains)\b"
    r"(?!,? (?:of|in|called|named|near)\b)"
    rf"|\b(?:in|to) {_WORDS}(?:housing|accommodations?|apartments|flats|dorms?|dormitor(?:y|ies)|halls"
    r"|hotels|hostels|airbnbs?|barracks|suburbs|suburbia|countryside)\b(?!,? (?:of|in)\b)"
    rf"|\b(?:in|to) {_WORDS}(?:downtown|uptown|town|europe|asia|africa|scandinavia)$|\b(?:abroad|overseas)\b"
    r"|\b(?:in|to) (?:apartment|apt|flat|room|unit|building|block|house|suite) (?:no\.? |number |#)?"
    r"(?:[a-z]?-?\d+[a-z]?|[a-z])\b"
    r"|\bin (?:constant |total |complete )?(?:fear|exile|poverty|luxury|misery|solitude|isolation|darkness"
    r"|denial|chaos|harmony|peace|comfort|hope|sin|style)\b"
    r"|[在到](?:\d+$|老?城[里区中乡]|市[区里]|市中心|(?:大|偏远)?山[里上区]|.{0,8}?(?:楼|对面|宿舍|寝室|公寓|别墅|民宿|旅馆|青旅|房(?!山|县)"
    r"|(?<!古)屋|单间|地下室|小区|单位|工[厂地]|[一二两三四五六七八九十几\d]\s?[层室栋幢环号]|[很挺太]远|离.{1,12}[远近]|地方|城市"
    r"|[妈爸父母婆公奶爷叔姨姑舅哥姐弟妹友戚己老娘]家|郊[区外]|县城|[乡农山]村|村[里子]|乡[下间]|镇上|[海江河湖路街]边|岛上"
    r"|[国校城境]外|[国校境]内|外地|本地|[大小]城|小镇|[东南西北][边面方部]$|[外里]面|车里|船上))"
    r"|住[得院校不]",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(?:in|to) (?!(?:Apartment|Apt|Flat|Room|Unit|Building|Block|House|Suite|Europe|Asia|Africa"
    rf"|Scandinavia)\b)[A-Z]|[在到]了?(?:{CITIES})"
)


def tells_no_city(fact: str) -> bool:
    """Whether a fact says in what kind of place somebody lives, such as "in student housing" or 在三楼."""
    return bool(_AT_SOMETHING.search(fact) or (_KIND.search(fact) and not _NAMED.search(fact)))
