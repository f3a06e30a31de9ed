from datetime import UTC, datetime

from astrbot_plugin_ltm.long_term_memory.text_analysis.values import missing_value
from hypothesis import given
from hypothesis import strategies as st

from tests.text_analysis.written import FULL_DATES

WEDNESDAY = datetime(2026, 11, 25, 20, tzinfo=UTC)

EXAMPLES = [
    ("User has 2 kids", ["I have two kids"], ""),
    ("User has two kids", ["I have 2 kids"], ""),
    ("User has 3 kids", ["I have two kids"], "3"),
    ("User earns $85,000 a year", ["I make 85k"], ""),
    ("User earns $2,500", ["it's 2500 a month"], ""),
    ("The wedding costs R32 500", ["i said 32500"], ""),
    ("The wedding costs R32 500", ["now it is R32 500 in all"], ""),
    ("The wedding costs R32 501", ["i said 32500"], "32 501"),
    ("User pays Rs 1,250 and kr 900", ["1250 here", "900 there"], ""),
    ("User pays R85k to R8500-9000", ["85k at first", "8500 to 9000 then"], ""),
    ("User drives an R33", ["i drive an r32"], "R33"),
    ("User pays RM12.50, EUR5 and R2.5m", ["12.50, 5 euros", "2.5 million"], ""),
    ("User's locker is RM12", ["12 people in my room"], "RM12"),
    ("User lives in room B12", ["in room 12"], "B12"),
    ("User's budget is 2.5 million", ["about 2,500,000 I guess"], ""),
    ("User's budget is $18,000", ["around $8,000-10,000"], "18,000"),
    ("User's phone number is (503) 555-8924", ["503 555 8924"], ""),
    ("User's phone number is 503-555-8942", ["503-555-8924"], "503-555-8942"),
    ("User's email is mrobertson85@email.com", ["MRobertson85@email.com"], ""),
    ("User's email is m.roberts@email.com", ["mrobertson85@email.com"], "m.roberts@email.com"),
    ("User's card is [secret:card]", ["it is [secret:card]"], ""),
    ("User's card is [secret:card]", ["it is [secret:pin]"], "[secret:card]"),
    ("User's exam is on 2026-11-26", ["my exam is tomorrow"], ""),
    ("User's exam is on November 27", ["my exam is tomorrow"], "November 27"),
    ("User flies on 2026-12-05", ["I fly on December 5th"], ""),
    ("User was born on March 15, 1985", ["March 15th, 1985."], ""),
    ("User was born on March 15, 1985", ["March 15th"], "March 15, 1985"),
    ("User bought the Tesla on October 5th", ["October 10th, just five days ago."], "October 5th"),
    ("The cottage is booked 9th to 16th October", ["in october? booked 9th to 16th"], ""),
    ("The cottage is booked 9th to 17th October", ["in october? booked 9th to 16th"], "17th October"),
    ("The cottage is booked 9th to 16th May", ["I may book 9th to 16th, in october"], "16th May"),
    ("User started on November 25", ["I started my job today"], ""),
    ("User meets Bob at 9 AM", ["at nine"], ""),
    ("User meets Bob at 15:00", ["3 pm works"], ""),
    ("User pays 15% tax", ["fifteen percent"], ""),
    ("User has been there 30 months", ["two and a half years"], "30"),
    ("用户有两个孩子", ["我有2个孩子"], ""),
    ("交流会的规模是六百人", ["交流会的规模是六千人"], "600"),
    ("用户月薪30000元", ["我月薪三万"], ""),
    ("用户的会在15:30", ["下午三点半开会"], ""),
    ("用户12月2日考试", ["下周三考试"], ""),
    ("用户12月3日考试", ["下周三考试"], "12月3日"),
    ("用户的手机号是13800138000", ["138 0013 8000"], ""),
    ("用户的奶奶12月20八十大寿", ["我奶奶八十大寿是12月20"], ""),
    ("用户的奶奶12月20七十大寿", ["我奶奶八十大寿是12月20"], "70"),
    ("用户订了双床,18到20,268一晚", ["268 也是18到20"], ""),
    ("用户订了双床,18到20,269一晚", ["268 也是18到20"], "20,269"),
    ("用户订了268一晚的房", ["18到20，268一晚"], ""),
    ("用户订了18600的房,10月8号到期", ["房租18600,10月8号之前打"], ""),
    ("用户卖房的底线是88万", ["挂98万", "底线88。低于88我就不卖了"], ""),
    ("用户卖房的底线是88万", ["挂九十八万", "底线八十八"], ""),
    ("用户卖房的底线是86万", ["挂98万", "底线88。低于88我就不卖了"], "860000"),
    ("用户卖房的底线是88万", ["挂牌价再说", "底线88。低于88我就不卖了"], "880000"),
    ("User will not sell below 350000", ["they offer 340k", "not below 350"], ""),
    ("User will not sell below 3500000", ["they offer 3m", "not below 350"], "3500000"),
    ("周一到周五八点到十二点来", ["周一到周五。八点到十二点"], ""),
    ("周一到周五九点到十二点来", ["周一到周五。八点到十二点"], "9"),
    ("用户周五十点开会", ["周五上午10点开会"], ""),
    ("用户一周五十个单子", ["一周50个单子"], ""),
    ("用户一周五天班", ["一周上5天班"], ""),
    ("用户一周四十个单子", ["一周50个单子"], "40"),
    ("User flies at 6.40am", ["the flight is 6.40am"], ""),
    ("User flies at 6:40 AM", ["640am from leeds"], ""),
    ("User flies at 6:50 AM", ["640am from leeds"], "6:50"),
    ("Nutzer hat 2 Kinder", ["Ich habe zwei Kinder und einen Hund"], ""),
    ("Nutzer zahlt 2.500 Euro Miete", ["Ich zahle 2500 Euro im Monat"], ""),
    ("Nutzer zahlt 3.500 Euro Miete", ["Ich zahle 2500 Euro im Monat"], "3.500"),
    ("User's flight is on March 5", ["Mein Flug geht am 5. März"], ""),
    ("User works on floor 16", ["the 16th floor"], ""),
    ("User's website is https://anna.dev/blog", ["anna.dev/blog"], ""),
    ("User's order is AB-1234-X9", ["order ab1234x9"], ""),
    ("User's order is AB-1243-X9", ["order ab1234x9"], "AB-1243-X9"),
    ("User had COVID-19", ["I had covid"], ""),
    ("User had COVID-19", ["I had the flu"], "COVID-19"),
    ("User gets up at 5:45 AM", ["quarter to six"], ""),
    ("User gets up at 5:45", ["quarter to seven"], "5:45"),
    ("User gets up at 5:45", ["I get up at six"], "5:45"),
    ("User's train leaves at 5:50", ["ten to six"], ""),
    ("用户5:45起床", ["差一刻六点"], ""),
    ("User meets Bob at 5:30", ["halb sechs"], ""),
    ("User has type 2 diabetes", ["type II diabetes"], ""),
    ("User runs 5 km", ["I run 5k"], ""),
    ("User runs 6 km", ["I run 5k"], "6"),
    ("User paid $2,000", ["two grand"], ""),
    ("用户月薪35000元", ["我月薪3.5w"], ""),
    ("User has a 60 W bulb", ["60 watt bulb"], ""),
    ("用户身高1.8米", ["我一米八"], ""),
    ("用户身高175厘米", ["一米七五"], ""),
    ("用户身高176厘米", ["一米七五"], "176"),
    ("User was born in 1985", ["born in '85"], ""),
    ("User was born in 1986", ["born in '85"], "1986"),
    ("User loves the 1980s", ["I love the 80s"], ""),
    ("User is paid every 2 weeks", ["biweekly"], ""),
    ("User has 3 babies", ["triplets"], ""),
    ("User has 3 babies", ["twins"], "3"),
    ("User has 2 kids", ["both of them"], ""),
    ("User drinks 1.2 litres", ["one point two litres"], ""),
    ("User got engaged on December 31", ["on New Year's Eve"], ""),
    ("User got engaged on December 30", ["on New Year's Eve"], "December 30"),
    ("用户1月1日结婚", ["元旦结婚"], ""),
    ("User has 2 bikes", ["I repair a bike"], "2"),
    ("User has 2 dogs", ["dogs bother me"], "2"),
    ("User eats at 12", ["I eat in the afternoon"], "12"),
    ("User works 3.5 hours", ["on behalf of my 3 kids"], "3.5"),
    ("User likes tea", ["I like tea"], ""),
    ("User has 12 employees", ["a dozen people work for me"], ""),
    ("User is 34", ["I'm thirty-four"], ""),
    ("User is 35", ["I'm thirty-four"], "35"),
    ("User owes $250", ["two hundred and fifty dollars"], ""),
    ("User owes $250,000", ["it's a quarter million"], "250,000"),
    ("User's rent is $1,850.50", ["1850.50"], ""),
    ("User lives at 1847 Maple Street, 97205", ["1847 Maple St, 97205 Portland"], ""),
    ("User lives at 1874 Maple Street", ["1847 Maple St"], "1874"),
    ("User's confirmation number is TRV-88291", ["bot: your number is TRV 88291"], ""),
    ("User's confirmation number is TRV-88219", ["bot: your number is TRV 88291"], "TRV-88219"),
    ("User's IP is 192.168.0.1", ["it's 192.168.0.1"], ""),
    ("User's PIN is [secret:pin]", ["my pin is 4827"], "[secret:pin]"),
    ("User moved in 2024", ["I moved two years ago"], ""),
    ("User moved in 2023", ["I moved two years ago"], "2023"),
    ("User flies next month (December 2026)", ["next month I fly"], ""),
    ("User flies on the 26th", ["flying tomorrow"], ""),
    ("User stays from December 5 to December 9", ["from 5 to 9 December"], ""),
    ("User's appointment is on 2026-10-14", ["It's on 10/14/2026"], ""),
    ("User's passport expires in July 2027", ["about 8 months from now"], "July 2027"),
    ("User's wedding is on June 12, 2027", ["the wedding is on June 12"], ""),
    ("User's wedding is on June 12, 2029", ["the wedding is on June 12"], "June 12, 2029"),
    ("User wakes up at 6:30 AM", ["half past six"], ""),
    ("User eats lunch at 12 PM", ["lunch at noon"], ""),
    ("User's meeting is at 4 PM", ["at 5pm please"], "4"),
    ("User's son is 1 year old", ["my son is one"], ""),
    ("User walks 10,000 steps", ["ten thousand steps"], ""),
    ("用户今年三十五岁", ["我35了"], ""),
    ("用户今年三十六岁", ["我35了"], "36"),
    ("用户存款2.5万", ["我有两万五"], ""),
    ("用户住在三楼", ["我住3楼"], ""),
    ("用户的航班是CA1831", ["航班号CA1831"], ""),
    ("用户生日是5月20日", ["我五月二十号生日"], ""),
    ("用户9点上班", ["早上九点"], ""),
    ("L'utilisateur habite au 12 rue Victor", ["J'habite au 12 rue Victor"], ""),
    ("El usuario vuela el 5 de marzo de 2027", ["vuelo el 5 de marzo de 2027"], ""),
    ("El usuario vuela el 15 de marzo", ["vuelo el 5 de marzo"], "15"),
    ("ユーザーは3人の子供がいる", ["子供が三人います"], ""),
    ("ユーザーの誕生日は5月3日", ["誕生日は5月3日です"], ""),
    ("User pays 1.234,50 EUR", ["1234,50 Euro"], ""),
    ("User's email is john.doe@gmail.com", ["it's john dot doe at gmail dot com"], ""),
    ("User flies to Tokyo tomorrow (2026-11-26)", ["I fly to Tokyo tomorrow"], ""),
    ("用户下周三（2026年12月2日）考试", ["下周三考试"], ""),
    ("User's last four digits are 8924", ["my number is 503-555-8924"], ""),
    ("User's hotel costs $189 a night, $567 for 3 nights", ["it's $189", "3 nights please"], "567"),
    ("User's VIN is 5YJ3E7EB8PF445882", ["5YJ3E7EB8PF445892"], "5YJ3E7EB8PF445882"),
    ("User's appointment is on November 26 at 10:15", ["tomorrow, quarter past ten"], ""),
    ("L'utilisateur a rendez-vous à 14h30", ["rendez-vous demain à 14h30"], ""),
    ("L'utilisateur gagne 3 500 €", ["je gagne 2500 euros par mois"], "3 500"),
    ("El usuario tiene 3 hijos", ["tengo tres hijos y una perra"], ""),
    ("ユーザーは12月6日に東京へ行く", ["12月5日に東京へ行きます"], "12月6日"),
]
"""A fact, what was said, and the value that nobody said."""


def test_the_values_that_nobody_said_are_told() -> None:
    found = [(fact, said, missing, missing_value(fact, said, WEDNESDAY)) for fact, said, missing in EXAMPLES]
    assert [one for one in found if one[2] != one[3]] == []


def test_a_number_in_the_form_of_another_language_is_said_in_the_same_form() -> None:
    said = [
        "d'Hausbank bucht seit August 1.145,50 ab, der Elektriker kommt am 27.7. um 7.30 Uhr",
        "$720.000; seña del 50 %, $360.000",
    ]
    true = (
        "Die Hausbank bucht seit August 1.145,50 € im Monat ab",
        "Der Elektriker kommt am Montag, 27.7., um 7.30 Uhr",
        "User pide $720.000; seña $360.000 (50 %)",
    )
    assert [missing_value(fact, said, WEDNESDAY) for fact in true] == ["", "", ""]
    false = ("Die Hausbank bucht 1.146,50 ab", "Der Elektriker kommt um 7.45 Uhr", "User pide $720.500")
    assert all(missing_value(fact, said, WEDNESDAY) for fact in false)
    scales = (
        ("1.5 million", "1.5"),
        ("1.5 million", "1.5 thousand"),
        ("2.5 thousand", "2.5 million"),
        ("1.5 万", "1.5 亿"),
        ("1.5 亿", "1.5 万"),
    )
    assert all(missing_value(f"User has {one}", [f"I have {other}"], WEDNESDAY) for one, other in scales)
    assert not missing_value("User had 980,000 and 88万", ["98万, 花到88"], WEDNESDAY)


def test_a_value_may_be_said_in_several_texts() -> None:
    said = ["next month", "on the 5th", "at 9"]
    assert missing_value("User flies on December 5 at 9 AM", said, WEDNESDAY) == ""
    assert missing_value("User flies on December 6 at 9 AM", said, WEDNESDAY) == "December 6"


def test_a_year_or_a_month_that_contradicts_the_words_is_missing() -> None:
    assert missing_value("on June 12, 2027", ["on June 12, 2029"], WEDNESDAY) == "June 12, 2027"
    assert missing_value("on October 5th", ["October 10th, just five days ago."], WEDNESDAY) == "October 5th"
    assert missing_value("on October 14, 2026", ["on 10/14", "I give it 7/10"], WEDNESDAY) == ""
    assert missing_value("on October 14", ["am 14.10. um acht"], WEDNESDAY) == ""
    assert missing_value("gives it 8/10", ["I give it 7/10"], WEDNESDAY) == "8"


def test_where_nothing_is_said_any_value_is_missing() -> None:
    assert missing_value("User has 3 kids", [], WEDNESDAY) == "3"
    assert missing_value("User likes tea", [], WEDNESDAY) == ""


@given(st.text(alphabet="0123456789 .,-/:()@aAkm年月日三百[]'th", max_size=80) | FULL_DATES)
def test_a_text_says_all_values_of_its_own(text: str) -> None:
    assert missing_value(text, [text], WEDNESDAY) == ""
