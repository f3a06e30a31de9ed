from dataclasses import replace
from datetime import timedelta

from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import MemoryReadPolicy
from astrbot_plugin_ltm.long_term_memory.read.diversify import diversify
from astrbot_plugin_ltm.long_term_memory.read.private_details import is_beside_the_point
from astrbot_plugin_ltm.long_term_memory.text_analysis.terms import index_terms

from tests.cpu_limit import cpu_limit

from .fakes import in_this_order, item

TASK = MemoryType.TASK_STATE


def left_out(
    fact: str, question: str, kind: MemoryType = MemoryType.PROFILE, *, person: str = "", slot: str = ""
) -> bool:
    """Whether a question with these words goes without the fact."""
    memory = replace(item("m", fact, kind), person=person, slot=slot)
    return is_beside_the_point(memory, frozenset(index_terms(question)), question)


def test_what_somebody_takes_is_told_where_health_or_food_is_asked_about() -> None:
    for fact, fitting, other in (
        ("User takes sertraline 50 mg every morning", "which pills am i on?", "name our new wifi"),
        (
            "User is on sertraline 50 mg, at night so the day is clear",
            "is it fine for my health?",
            "a day at work",
        ),
        ("User takes apixaban twice daily", "what must my doctor know?", "who has the tractor?"),
        ("用户每天吃50毫克舍曲林", "手术前要跟大夫讲什么", "给新家起个名字"),
        ("用户每晚吃一片安定", "端碗汤圆给他尝尝行吗", "明天几点"),
    ):
        assert left_out(fact, other), fact
        assert not left_out(fact, fitting), fact
    for fact in (
        "User takes German twice a week",
        "User takes ballet once a week",
        "用户每天画两片叶子",
        "用户吃两片面包",
    ):
        assert not left_out(fact, "what hobbies do i have?"), fact
    for question in ("尝试写一个爬虫", "技术前景怎么样", "学术后续"):
        assert left_out("用户查出糖尿病", question), question


def test_a_private_detail_is_left_out_of_what_does_not_ask_for_it() -> None:
    for fact in (
        "User's date of birth is July 2nd, 1991",
        "User was born on 1991-07-02",
        "用户的生日是七月二日",
        "User's passport number is 553120987",
        "User's phone number is 020 7946 0958-11, ext. 20794609",
        "User's e-mail address is ann@example.org",
        "User is a member of the library, card LIB-4471920",
        "User's salary is $88,000",
        "User pays 1,300 a month for the mortgage",
        "用户的月薪是两万3千",
        "User's library number is 485 777 3456",
        "User's parking badge is KT7Q2X",
        "User has $41,000 in savings",
        "User's credit score is 731",
        "用户每月公积金到账3100元",
        "用户新房密码锁的临时密码是880316",
        "User has a debit card, last four digits 8823",
        "User's insurance number is QQ 48 21 93 C",
        "User made about $88,000 before taxes",
        "User set aside £1,200 for the boat",
        "User's medical bills come to $4,270",
        "User's mother has her hip replaced on May 8",
        "User has carpal tunnel syndrome",
        "User gets migraines",
        "用户颈椎不好，每周三晚上去推拿",
        "用户每月到手一万四",
        "User weighs 84 kg",
        "用户身高163，体重61公斤",
        "用户的身高是163",
        "用户的生理期在每月14号左右",
    ):
        assert left_out(fact, "Recommend a film for tonight"), fact
        assert left_out(fact, ""), fact
    for question in (
        "Write an essay on the bill of rights",
        "Bill called, what did he want?",
        "送她什么花好",
    ):
        assert left_out("User's salary is $88,000", question), question


def test_days_and_measures_behind_a_policy_or_a_card_are_no_codes() -> None:
    for fact in (
        "User's policy is paid by autopay on the 22nd",
        "User's card expires in 2027",
        "User's policy was renewed on 2026-05-26",
        "User's account opens at 10am",
    ):
        assert not left_out(fact, "what hits this weekend?"), fact
    assert left_out("User's policy is LM-6174", "what hits this weekend?")


def test_dates_and_amounts_are_no_private_numbers_and_what_is_planned_is_no_detail() -> None:
    for fact in (
        "User今早（2026年11月26日）去看了医生,12月7日之前别碰酒",
        "12月5号交4050×3=12150元",
        "User's trip is from 2026-11-26 to 2026-12-01",
        "User has run 10000米",
    ):
        assert not left_out(fact, "Recommend a film for tonight"), fact
    plan = item("m", "新公司月薪28k,11月30日入职", TASK)
    assert not is_beside_the_point(plan, frozenset(), "")


def test_a_private_detail_goes_along_with_what_asks_for_it() -> None:
    for fact, question in (
        ("User's date of birth is July 2nd, 1991", "When was I born?"),
        ("User's date of birth is July 2nd, 1991", "What is my birthday?"),
        ("用户的生日是七月二日", "我哪天出生"),
        ("User's salary is $88,000", "What do I have to pay this month?"),
        ("用户店里小谭的工资从11月起4500", "算个账，到年底还要往外掏哪些钱"),
        ("User's passport number is 553120987", "What is the number of my passport?"),
        ("User's e-mail address is ann@example.org", "Which address do I use for mail?"),
        ("User's salary is $88,000", "How much do I earn?"),
        ("User has $41,000 in savings", "Can we afford the washer?"),
        ("User has a debit card, last four digits 8823", "What should I pay with on the trip?"),
        ("用户的月薪是两万3千", "我的工资是多少"),
        ("User weighs 84 kg", "Which size of shirt should I order?"),
        ("用户身高163，体重61公斤", "这条裤子我穿什么码"),
        ("用户的生理期在每月14号左右", "这个月14号前后肚子疼怎么办"),
        ("User weighs 84 kg", "How many calories do I need?"),
    ):
        assert not left_out(fact, question), fact


def test_a_word_that_many_memories_have_asks_for_no_code() -> None:
    code, question = item("m", "The alarm code of the house is 2917"), "Can the lads empty the house?"
    asked = frozenset(index_terms(question))
    assert is_beside_the_point(code, asked, question, lambda: frozenset(index_terms("house")))
    assert not is_beside_the_point(code, asked, question)
    phones = [
        item(who, f"{who}'s phone number is 020794609{at}8") for at, who in enumerate(("Anna", "Tom", "Mia"))
    ]
    asks = "What is Anna's phone number?"
    assert not [each for each in phones if is_beside_the_point(each, frozenset(["anna"]), asks)]


def test_only_what_is_no_detail_makes_a_word_common() -> None:
    codes = [
        item(f"m{number}", f"The badge of {door} is 44{number}8X")
        for number, door in enumerate(("gate", "shed", "lab"))
    ]
    ranking = replace(in_this_order(codes), question="Which badge?", asked=frozenset(["badg"]))
    assert {rule for _, rule in diversify(ranking, MemoryReadPolicy())} == {""}


def test_the_name_of_a_person_alone_does_not_ask_for_their_details() -> None:
    fact = "Mia Berg, User's niece, was born May 9, 2012"
    assert left_out(fact, "What could I cook for Mia?", person="Mia Berg")
    assert not left_out(fact, "How old is Mia?", person="Mia Berg")
    assert not left_out(fact, "Who is my niece?", person="Mia Berg")


def test_the_slot_asks_for_a_detail_in_both_languages() -> None:
    assert not left_out("User's phone number is 02079460958", "我的手机号码是多少", slot="phone_number")
    assert left_out("User's phone number is 02079460958", "今晚看什么电影", slot="phone_number")


def test_what_holds_no_detail_is_never_left_out_nor_anything_from_a_question_for_everything() -> None:
    for fact in (
        "User likes tea",
        "User lives in Bern since 2019",
        "User owes Tom a coffee",
        "User ran 10,000 m",
        "User plays cards on 3 evenings a week",
        "User collects stamps, about 2,000 by now",
        "User takes the number 12 bus",
        "用户2021年入职腾讯",
        "用户2022年入手了索尼A7M4",
        "用户新买的手机到手3天",
        "用户养了一只体重5公斤的猫",
        "User has a tall bookcase of 2 m in the bedroom",
        "User's daughter is 110 cm tall",
    ):
        assert not left_out(fact, "Recommend a film"), fact
    assert not is_beside_the_point(item("m", "User's salary is $88,000"), None, "")


KEPT_TO_ONESELF = (
    ("User hasn't told his parents that he left college", "What did I not want to tell my parents?"),
    ("User fell out with his sister over the house", "How do I talk to my sister again?"),
    ("User and Jo got divorced in 2022", "When was my divorce?"),
    ("User was diagnosed with a thyroid nodule", "Which doctor do I see next?"),
    ("User was laid off in March", "Which jobs should I apply for?"),
    ("用户没告诉家里人自己辞职了", "我妈要是问起来我怎么说"),
    ("用户和婆婆吵过架，半年没来往", "怎么和老公开口道歉"),
    ("用户2021年离异", "我是哪年离婚的"),
    ("User had a semen analysis with a low count", "Which clinic do I ask about it?"),
    ("用户体检查出尿酸高", "晚上能喝啤酒吗"),
    ("用户去年做过人流", "身体什么时候能恢复锻炼"),
    ("用户妻子上个月被裁员", "她工作找得怎么样"),
)


def test_what_people_keep_to_themselves_is_left_out_unless_the_question_is_about_it() -> None:
    for fact, question in KEPT_TO_ONESELF:
        assert left_out(fact, "Recommend a film for tonight"), fact
        assert left_out(fact, "推荐一部今晚看的电影"), fact
        assert not left_out(fact, question), fact


def test_a_secret_is_kept_also_where_it_is_to_be_heeded() -> None:
    for fact, question in (
        ("用户没有把辞职的事告诉父母，怕他们闹", "我妈要是问起来我怎么说"),
        ("User was off with burnout in 2023 and doesn't want it mentioned", "When was I off with burnout?"),
        ("User and Ana have told nobody but her mother", "Who was told?"),
    ):
        secret = item("m", fact, MemoryType.CONSTRAINT)
        assert is_beside_the_point(secret, frozenset(), "推荐一部电影"), fact
        assert not is_beside_the_point(secret, frozenset(index_terms(question)), question), fact


def test_what_is_not_to_be_told_is_heeded_where_its_matter_is_asked_about() -> None:
    for fact, fitting, other in (
        (
            "User wants the debt of 2023 kept between User and the broker",
            "is my debt paid?",
            "what shoes fit?",
        ),
        (
            "User's tablets stay in the clinic's notes and not on anything posted",
            "which tablets?",
            "any news?",
        ),
        ("Sertraline must not be on anything posted", "is sertraline on it?", "any news?"),
        ("The cause of User's fever is not to be mentioned in the group", "why the fever?", "who drives?"),
        ("The assistant must not bring up the loss in March again unless User does", "my loss", "any tea?"),
        ("The assistant must never mention the miscarriage", "my miscarriage", "any tea?"),
        ("User's new post is kept confidential", "my new post", "any tea?"),
        ("家里不知道用户在看心理医生，不能向家里透露", "怎么跟家里说", "几点开会"),
        ("用户升职的事别告诉老板", "升职的事怎么说", "几点开会"),
        ("用户买房的事别跟我妈提", "买房的钱", "几点开会"),
    ):
        for kind in (MemoryType.CONSTRAINT, TASK):
            assert [left_out(fact, each, kind) for each in (fitting, other)] == [False, True], fact
    for fact in (
        "The assistant must not mention the end of films",
        "User should not be told the answer, only given hints",
        "The assistant must not mention calories unless User asks",
        "User is not on anything else",
        "Bob should not be brought up to speed by mail",
        "不要告诉用户答案，只给提示",
        "不要跟我说英语",
        "别跟我讲大道理",
        "The answers must not be revealed before User tries",
        "The assistant must not mention weight loss",
        "User has a peanut allergy that only Tom knows of",
        "用户对海鲜过敏，没告诉同事",
        "The shop stays open between 9 and 5",
        "The children must be told to wear helmets",
        "User keeps the heating between 18 and 20 degrees",
        "用户不要香菜",
    ):
        assert not left_out(fact, "any tea?", MemoryType.CONSTRAINT), fact


def test_a_task_that_holds_a_secret_goes_along_with_a_question_for_plans() -> None:
    fact = "User has not told the bank about the move and must call on Friday"
    assert not left_out(fact, "what do i still have to do this week?", TASK)
    assert left_out(fact, "any tea?", TASK)


def test_what_somebody_owes_is_told_where_money_or_plans_are_asked_about() -> None:
    for fact in (
        "User owes Boeta Mo R9000 and pays it back in December",
        "User is paying off a loan of 4,000 at ninety a month",
        "用户找舅子借的五万还剩三万",
    ):
        for question, is_left_out in (
            ("what do i still owe?", False),
            ("what are my open tasks?", False),
            ("我这周还有什么要做", False),
            ("手上的钱够不够", False),
            ("who has the key of the shed?", True),
            ("晚上看什么电影", True),
        ):
            assert left_out(fact, question, TASK) is is_left_out, (fact, question)
    for fact in (
        "User owes the editor a draft by Friday",
        "User borrowed Tom's ladder and must return it on Friday",
        "User is to reduce technical debt in the API by Friday",
        "Carla still owes User 19500",
        "用户找小王借车，周五还",
    ):
        assert not left_out(fact, "any tea?", TASK), fact


def test_medicine_that_must_be_heeded_is_told_where_health_is_asked_about() -> None:
    for fact in (
        "User has the irregular heartbeat and has taken apixaban for it, morning and night",
        "User is on sertraline, 50 mg",
        "用户在吃艾司西酞普兰，刚从5毫克加到10",
    ):
        for question, is_left_out in (
            ("i have a headache, what can i take?", False),
            ("which painkiller goes with my tablets", False),
            ("头疼能吃布洛芬吗", False),
            ("a recipe with blue cheese please", False),
            ("晚饭做什么好", False),
            ("who has the key of the shed?", True),
            ("明天几点开会", True),
        ):
            assert left_out(fact, question, MemoryType.CONSTRAINT) is is_left_out, (fact, question)
    for fact in (
        "User cannot take ibuprofen since an ulcer",
        "User is allergic to penicillin, any tablet of it",
        "The cat takes half a tablet every morning",
        "用户对青霉素过敏，不能吃药片",
        "User takes the bus every day",
        "User takes the dog out twice a day",
        "User takes notes on two tablets",
        "用户早上吃两片吐司",
        "用户爱吃药膳",
    ):
        assert not left_out(fact, "any tea?", MemoryType.CONSTRAINT), fact


def test_what_merely_sounds_like_it_is_nothing_that_is_kept_to_oneself() -> None:
    for fact in (
        "User does not speak French",
        "User keeps kosher and buys meat from Katz",
        "User keeps bees from Italy",
        "User doesn't know how to swim",
        "User works as a speech therapist",
        "User is a divorce lawyer",
        "User is a firefighter who fought wildfires",
        "User loves fight scenes",
        "User's secret ingredient is miso",
        "User was told about it by nobody at work",
        "User made 20 jars of jam",
        "用户是心理咨询师",
        "用户喜欢背着相机到处走",
        "用户被告知签证要等三周",
        "用户喜欢看世界遗产",
        "用户目前任职于腾讯",
        "用户目前夫妻俩住在上海",
        "用户家电费偏高",
        "用户签了保密协议",
    ):
        assert not left_out(fact, "Recommend a film for tonight"), fact


def test_what_a_question_about_the_matter_itself_asks_for() -> None:
    for fact, question in (
        ("User has high blood pressure", "Recommend a dinner for me tonight"),
        ("User is pregnant", "Plan a trip to Japan"),
        ("用户没告诉家里人自己辞职了", "这事怎么说才好"),
    ):
        assert not left_out(fact, question), fact
    for question in ("推荐一本小说", "你知道今晚有什么好电影吗", "讲个笑话"):
        assert left_out("用户没告诉家里人自己辞职了", question), question
    assert left_out("User's address is 12 Elm Street", "推荐一家店")
    told = [item(f"m{number}", f"User's biopsy {number} was fine", MemoryType.EPISODE) for number in range(4)]
    ranking = replace(
        in_this_order(told), asked=frozenset(index_terms("biopsy")), question="What did the biopsy show?"
    )
    assert not any(rule == "private" for _, rule in diversify(ranking, MemoryReadPolicy()))


def test_a_finding_that_nobody_knows_of_needs_a_question_about_itself() -> None:
    for fact, asking in (
        ("User is 14 weeks pregnant and only Sam knows", "How many weeks pregnant am I?"),
        ("用户查出甲状腺结节，还没告诉家里人", "我的结节要不要复查"),
    ):
        assert left_out(fact, "Which health insurance did I choose?"), fact
        assert left_out(fact, "体检中心几点开门"), fact
        assert not left_out(fact, asking), fact


def test_what_has_to_be_heeded_or_done_is_nothing_that_is_kept_to_oneself() -> None:
    for fact, kind in (
        ("User is allergic to peanuts, diagnosed in 2019", MemoryType.CONSTRAINT),
        ("用户有高血压，不能喝酒", MemoryType.CONSTRAINT),
        ("User still has to tell his sister about the party", TASK),
        ("User hasn't told the doctor about the nightmares", MemoryType.EPISODE),
        ("用户还没跟医生说孩子做噩梦", MemoryType.EPISODE),
        ("User visited the cancer ward's fair", TASK),
        ("用户参观了肿瘤医院", MemoryType.EPISODE),
    ):
        memory = item("m", fact, kind)
        assert not is_beside_the_point(memory, frozenset(), "Recommend a film"), fact


def test_a_word_that_many_memories_have_asks_for_no_quarrel() -> None:
    row = item("row", "User had a row with Priya about the dog", MemoryType.EPISODE)
    others = [item(each, f"User's dog {each}", MemoryType.EPISODE) for each in ("barks", "eats", "naps")]
    for question, rule in (("Which food for the dog?", "private"), ("Why was Priya cross?", "")):
        ranking = replace(
            in_this_order([*others, row]), asked=frozenset(index_terms(question)), question=question
        )
        assert [rule for _, rule in diversify(ranking, MemoryReadPolicy())][-1] == rule, question


def test_a_hostile_fact_costs_little() -> None:
    with cpu_limit():
        for unit in (
            "1",
            "1a",
            "1111aaaaaa ",
            "loan ",
            "a@",
            "-",
            "card ",
            "密码 ",
            "ending ",
            "没把",
            "kept ",
            "paid $1 ",
            "lives at ",
            "address ",
        ):
            left_out((unit * 80_000)[:80_000] + "1", "loan")
        for unit in ("May 1, ", "moved to May 1 and ", "6月1日改到6月2日，"):
            fact = (unit * 80_000)[:80_000]
            told_anew(fact, f"x {fact}")


def state(memory_id: str, fact: str, *, days_old: float, kind: MemoryType = TASK) -> Item:
    memory = item(memory_id, fact, kind)
    return replace(memory, last_confirmed_at=memory.last_confirmed_at - timedelta(days=days_old))


OPEN = state("open", "User might fly to Lisbon for the spring fair", days_old=9)
BOOKED = state("booked", "User booked the flight to Lisbon for the spring fair, on May 4", days_old=1)


def test_both_are_told_by_their_rules() -> None:
    number = item("number", "User's passport number is 553120987")
    ranking = in_this_order([number, OPEN, BOOKED])
    rules = {
        ranking.visible.items[row].memory_id: rule for row, rule in diversify(ranking, MemoryReadPolicy())
    }
    assert rules == {"number": "private", "open": "earlier_state", "booked": ""}


OTHERS = [
    state(f"other {number}", f"User's {one} is in the {other}", days_old=5, kind=MemoryType.PROFILE)
    for number, (one, other) in enumerate(
        zip(
            "piano violin kettle ladder tent kayak drill sofa lamp globe".split(),  # noqa: SIM905
            "attic cellar garage pantry shed loft barn hall annex porch".split(),  # noqa: SIM905
            strict=True,
        )
    )
]


def told_anew(
    earlier: str, later: str, *, days_old: float = 9, person: str = "", kind: MemoryType = TASK
) -> bool:
    """Whether a later task leaves the earlier one out of a block with other memories."""
    before = state("before", earlier, days_old=days_old)
    after = replace(state("after", later, days_old=1, kind=kind), person=person)
    ranking = in_this_order([before, after, *OTHERS])
    rules = {
        ranking.visible.items[row].memory_id: rule for row, rule in diversify(ranking, MemoryReadPolicy())
    }
    assert rules["after"] == "", later
    return rules["before"] == "earlier_state"


def test_a_task_gives_way_to_a_later_talk_that_tells_its_matter_anew() -> None:
    for earlier, later in (
        (
            "User reserved a furnished flat in Alvalade from August 15th",
            "User signed a lease for an unfurnished flat in Alvalade from August 25th",
        ),
        ("User has twelve paid hours with Bev", "User has two paid hours left with Bev"),
        ("User wants to put the mother's Yaris on DoneDeal", "User sold the mother's Yaris to Cian"),
        ("User's appointment with Dr Lee is on May 2", "The appointment with Dr Lee was postponed to June 4"),
        ("User booked Two Brothers for June 14th", "User rebooked Two Brothers to July 12th at 8 AM"),
        ("冯姐订了150箱礼盒，28日送到", "冯姐的团购改成200箱礼盒，每箱58元，发深圳"),
        ("小满的复诊改到4月19日", "小满的复诊因停诊改到4月26日上午"),
        ("用户打算续租书院路的铺子", "用户退了书院路的铺子，签了高桥的"),
    ):
        assert told_anew(earlier, later), later


def test_a_plan_gives_way_to_what_the_same_talk_tells_came_of_it() -> None:
    for earlier, later in (
        (OPEN.fact, BOOKED.fact),
        ("用户打算五月去里斯本看展", "用户订好了五月去里斯本看展的机票"),
    ):
        assert told_anew(earlier, later, days_old=1.1), later


def test_a_task_stays_beside_what_tells_nothing_else_of_its_matter() -> None:
    earlier = "User reserved a furnished flat in Alvalade from August 15th"
    later = "User signed a lease for an unfurnished flat in Alvalade from August 25th"
    assert not told_anew(earlier, later, days_old=1.1)  # in the same talk
    assert not told_anew(earlier, later, person="Tom")
    assert not told_anew(OPEN.fact, "User booked a table for the evening")
    assert not told_anew(OPEN.fact, "User wants to see Lisbon at the spring fair", days_old=1.1)
    assert not told_anew(OPEN.fact, BOOKED.fact, days_old=0.9)  # told before
    assert not told_anew(OPEN.fact, "User likes Lisbon and the spring fair", kind=MemoryType.PREFERENCE)
    assert not told_anew(later, "User looks forward to the flat in Alvalade")
    assert not told_anew("User's dentist is on May 2, the flight to Rome on May 9", "User flies on June 3")
    assert not told_anew("用户的月租是5200元", "用户的工资涨到9000元")


def test_the_words_that_ask_for_a_detail_are_apart_at_the_ends_of_lines() -> None:
    for word in ("dose", "test", "train", "run"):
        assert not left_out("User had surgery on the left knee", f"which {word} is next?"), word


def test_findings_and_medicines_in_other_languages_are_left_out_where_nobody_asks_for_them() -> None:
    for fact, asks in (
        ("Users Blutdruck liegt jetzt bei 135 zu 85", "Was sagt der Hausarzt zu meinem Blutdruck?"),
        ("Users Vater nimmt jetzt Metformin", "Welche Medikamente nimmt mein Vater?"),
        ("El marido de User va a la psicóloga", "¿Cómo está mi marido de salud?"),
        ("User est enceinte de trois mois", "Quel médecin dois-je voir ?"),
    ):
        assert left_out(fact, "Was für einen Film soll ich schauen?"), fact
        assert not left_out(fact, asks), fact
    for fact in (
        "User can diagnose cars",
        "Users Sternzeichen ist Krebs",
        "User zieht im April um",
        "User toma mate",
        "User est allergique aux noix",
        "User is a divorce lawyer",
    ):
        assert not left_out(fact, "Was für einen Film soll ich schauen?"), fact
