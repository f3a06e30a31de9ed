from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from astrbot_plugin_ltm.long_term_memory.text_analysis.dates import end_named, last_day, with_days
from hypothesis import given
from hypothesis import strategies as st

from tests.text_analysis.weekdays import RECURRING, RECURRING_ASIDE, SINGLE, SINGLE_ASIDE
from tests.text_analysis.written import FULL_DATES

WEDNESDAY = datetime(2026, 11, 25, 20, tzinfo=UTC)
FIRST, LAST = WEDNESDAY.replace(year=1990, tzinfo=None), WEDNESDAY.replace(year=2090, tzinfo=None)

DATED = [
    ("User flies to Tokyo tomorrow", "User flies to Tokyo tomorrow (2026-11-26)"),
    ("User has an exam next Wednesday at 9", "User has an exam next Wednesday (2026-12-02) at 9"),
    ("User might need to take tomorrow off work", "User might need to take tomorrow (2026-11-26) off work"),
    ("User ran 7 miles last sat", "User ran 7 miles last sat (2026-11-21)"),
    ("User has an exam next tues at 9", "User has an exam next tues (2026-12-01) at 9"),
    ("User starts tmrw", "User starts tmrw (2026-11-26)"),
    ("User marries next month", "User marries next month (December 2026)"),
    ("User had a test this morning", "User had a test this morning (2026-11-25)"),
    ("User is moving in a month", "User is moving in a month (December 2026)"),
    ("User broke a leg two weeks ago", "User broke a leg two weeks ago (around 2026-11-11)"),
    (
        "Yesterday User ran 5 km, and tomorrow User rests",
        "Yesterday (2026-11-24) User ran 5 km, and tomorrow (2026-11-26) User rests",
    ),
    ("User flies tomorrow (Thursday)", "User flies tomorrow (2026-11-26) (Thursday)"),
    ("用户明天周四复诊", "用户明天（2026年11月26日）周四复诊"),
    ("用户下周三考试", "用户下周三（2026年12月2日）考试"),
    ("用户明天早上飞北京", "用户明天（2026年11月26日）早上飞北京"),
    ("用户去年结婚", "用户去年（2025年）结婚"),
    ("用户两周前摔断了腿", "用户两周前（2026年11月11日左右）摔断了腿"),
    ("User's sister visits next weekend", "User's sister visits next weekend (weekend of 2026-12-05)"),
    ("User starts a job next week", "User starts a job next week (week of 2026-11-30)"),
    ("User moved here the day before yesterday", "User moved here the day before yesterday (2026-11-23)"),
    ("User sees the dentist tomorrow at 3 PM", "User sees the dentist tomorrow (2026-11-26) at 3 PM"),
    ("User's lease ends in two months", "User's lease ends in two months (January 2027)"),
    ("User graduated three years ago", "User graduated three years ago (2023)"),
    ("User rests every other day, not today", "User rests every other day, not today (2026-11-25)"),
    ("User cooks tonight", "User cooks tonight (2026-11-25)"),
    ("User has until the end of this year", "User has until the end of this year (2026)"),
    ("用户上个月搬到上海", "用户上个月（2026年10月）搬到上海"),
    ("用户大后天考试", "用户大后天（2026年11月28日）考试"),
    ("用户这个周末去爬山", "用户这个周末（2026年11月28日的周末）去爬山"),
    ("用户三年前毕业", "用户三年前（2023年）毕业"),
]
KEPT = [
    "用户初试是12月19、20号(周六周日)",
    "User sits the exam on the 19th (this Saturday)",
    "User flies tomorrow (Saturday)",
    "用户今天礼拜六，店里没人",
    "用户初试是12月19、20号,周六周日",
    "User sits the exam on Dec 19th, Saturday",
    "User sat last in the row",
    "User's last night at St Annes is the 23rd",
    "User pays the first and last month upfront",
    "User asked for today's rates",
    "User paid two days ago, on the 16th",
    "User flies tomorrow (2026-11-26)",
    "User left the next day",
    "User works over the next week",
    'User loves the song "Yesterday"',
    "User reads USA Today",
    "User lives for today",
    "User always postpones things until tomorrow",
    "User likes to live today rather than tomorrow",
    "用户总是把事情拖到明天",
    "User reads 5 books in a month",
    "User meets Bob on Friday",
    "User ran a week ago yesterday",
    "User enjoyed their last year at school",
    "User leaves on November 26, tomorrow",
    "用户关心今天的汇率",
    "用户明天（11月26日）考试",
    "用户喜欢《明天》这首歌",
    "用户每周五开会",
    "用户11月26日也就是明天出发",
    "User missed yesterday's exam",
    'User said "I fly tomorrow"',
    "User has to pay first/last month of rent",
    "User travelled for the last month",
    "User flew home last night on 2026-11-24",
    "User's flight is tomorrow, November 26th",
    "User bought a car in 3 days",
    "User drinks four coffees in a day",
    "User will call back a week from tomorrow",
    "User moved two or three years ago",
    "User's band is called Tomorrow",
    "User's last day at work is next Friday, the 4th",
    "用户错过了昨天的面试",
    "用户说“我明天走”",
    "用户后天，11月27日，去医院",
    "用户周五去医院",
    "用户两三天前去过",
    "User moved half a year ago",
    "User moved 2-3 years ago",
    "User moved two to three weeks ago",
    "User moved a year and a half ago",
    "User moved twenty-five years ago",
    "User moved over three years ago",
    "User flies in two or three days",
    "Yesterday is User's favourite song",
    "用户喜欢明天会更好",
    "用户以后天天跑步",
    "用户半年前毕业",
    "用户毕业三年后结婚",
    "",
]
ENDS = [
    ("my flight is on Friday", date(2026, 11, 27)),
    ("remember that the meeting is tomorrow at 5", date(2026, 11, 26)),
    ("I'm in Rome until 5 December", date(2026, 12, 5)),
    ("周五下午开会", date(2026, 11, 27)),
    ("my birthday is on 5 December", None),
    ("I moved here yesterday", None),
    ("As of today I'm vegetarian", None),
    ("I go swimming every Friday", None),
    ("my name is Anna", None),
    ("my visa expires on 3 March", date(2027, 3, 3)),
    ("the exam was on 5 November", None),
    ("I started a diet today", None),
    ("我每周五游泳", None),
    ("我的生日是12月5日", None),
    ("从明天起我不喝咖啡了", None),
    ("I am off from 5 to 9 December", date(2026, 12, 9)),
    ("parents visit December", None),
    ("Dentist next Tuesday at 10", date(2026, 12, 1)),
    ("the rent is due the day after tomorrow", date(2026, 11, 27)),
    ("I have a call tonight at 8", date(2026, 11, 25)),
    ("report due by 2026-12-01", date(2026, 12, 1)),
    ("our anniversary is on December 12", None),
    ("I was born on 12 December 1990", None),
    ("I met Bob on Monday", None),
    ("my new job starts on Monday", None),
    ("gym on Fridays", None),
    ("gym on Friday nights", None),
    ("我周五飞成都", date(2026, 11, 27)),
    ("I usually swim on Sunday", None),
    ("I'm in Rome tomorrow and Friday", date(2026, 11, 27)),
    ("a day without coffee is hard", None),
    ("deadline is January 5th", date(2027, 1, 5)),
    ("my sister is coming on wednesday", date(2026, 12, 2)),
    ("我妈周三来看我", date(2026, 12, 2)),
    ("我妈周二来看我", date(2026, 12, 1)),
    ("媽媽週六來看我", date(2026, 11, 28)),
    ("我聽日要去攞藥", date(2026, 11, 26)),
    ("後天面試", date(2026, 11, 27)),
    ("我喜欢听日本歌", None),
    ("记住明天下午三点面试", date(2026, 11, 26)),
    ("我在上海待到12月3日", date(2026, 12, 3)),
    ("下周三考试", date(2026, 12, 2)),
    ("我昨天搬家了", None),
    ("我奶奶的药在冰箱里", None),
    ("我去年12月5日结婚", None),
    ("from December 1 my address is 12 Oak Street", None),
    ("from the 1st of December my address is 12 Oak Street", None),
    ("After December 1 call me at my new number", None),
    ("effective December 1 my address is 12 Oak Street", None),
    ("on December 1 my rent goes up to 1500", None),
    ("I move to Hamburg on December 1", None),
    ("I stop smoking tomorrow", None),
    ("12月1号开始我在华为上班", None),
    ("12月1日以后我的地址是长安街1号", None),
    ("明天开始我吃素", None),
    ("下周一我开始上夜班", None),
    ("12月1号我搬到上海", None),
    ("I don't work on Friday", None),
    ("I take out the trash on Thursday", None),
    ("the shop is closed on Sunday", None),
    ("周日我不上班", None),
    ("我周五不吃肉", None),
    ("I don't work this Friday", date(2026, 11, 27)),
    ("I don't work tomorrow", date(2026, 11, 26)),
    ("I don't have time on Friday", date(2026, 11, 27)),
    ("the meeting moves to Friday", date(2026, 11, 27)),
    ("my son goes to Rome on Friday", date(2026, 11, 27)),
    ("I am off from December 5 to December 9", date(2026, 12, 9)),
    ("周六我不在家", date(2026, 11, 28)),
    ("三天以后考试", date(2026, 11, 28)),
]
WORDS = st.lists(
    st.sampled_from(
        [
            "next",
            "last",
            "Wednesday",
            "in",
            "3",
            "days",
            "ago",
            "tomorrow",
            "tomorrow's",
            "(2026",
            "下周三",
            "三天后",
        ]
    )
    | st.text(max_size=5)
).map(" ".join)


def test_a_relative_date_that_stands_by_itself_gets_its_day_once_and_no_other_does() -> None:
    wanted = {**dict(DATED), **{fact: fact for fact in KEPT}}
    wrong = [
        (fact, with_days(fact, WEDNESDAY))
        for fact, dated in wanted.items()
        if with_days(fact, WEDNESDAY) != dated
    ]
    assert wrong == []
    assert [dated for dated in wanted.values() if with_days(dated, WEDNESDAY) != dated] == []


def test_a_weekday_alone_gets_its_day_where_it_is_known_to_lie_ahead_or_in_the_past() -> None:
    for text, to_come, told in (
        ("User meets Tom on Friday", True, "User meets Tom on Friday (2026-11-27)"),
        ("User turned 41 on tuesday", False, "User turned 41 on tuesday (2026-11-24)"),
        ("User calls on tues", True, "User calls on tues (2026-12-01)"),
        ("User goes on sun holidays", True, "User goes on sun holidays"),
        ("用户周日下午打球", True, "用户周日（2026年11月29日）下午打球"),
        ("用户周日下午打球", None, "用户周日下午打球"),
        ("用户明天周四复诊", True, "用户明天（2026年11月26日）周四复诊"),
        ("用户下周三、周五考试", True, "用户下周三（2026年12月2日）、周五考试"),
        ("用户12月11，星期五考试", True, "用户12月11，星期五考试"),
        ("用户孕6月12周，周日产检", True, "用户孕6月12周，周日（2026年11月29日）产检"),
        (
            "User flies tomorrow, Saturday comes back",
            True,
            "User flies tomorrow (2026-11-26), Saturday comes back",
        ),
        ("用户住3号，明天搬家", True, "用户住3号，明天（2026年11月26日）搬家"),
        ("User came 1st last week", False, "User came 1st last week (week of 2026-11-16)"),
        ("User has yoga every Friday", True, "User has yoga every Friday"),
        ("用户每周日爬山", True, "用户每周日爬山"),
        ("聚会改到十二月六号礼拜天", True, "聚会改到十二月六号礼拜天"),
        ("二十九号礼拜天聚会", True, "二十九号礼拜天聚会"),
        ("聚会定在礼拜天，十二月六号", True, "聚会定在礼拜天，十二月六号"),
        ("User's Friday meeting moves", True, "User's Friday meeting moves"),
    ):
        assert with_days(text, WEDNESDAY, to_come=to_come) == told
        assert with_days(told, WEDNESDAY, to_come=to_come) == told


def test_a_weekday_that_comes_again_gets_no_day_and_a_single_one_does() -> None:
    for text in (*RECURRING, *RECURRING_ASIDE):
        assert with_days(text, WEDNESDAY, to_come=True) == text
    for text, day in (SINGLE | SINGLE_ASIDE).items():
        assert day in with_days(text, WEDNESDAY, to_come=True), text


def test_the_day_is_that_of_the_operators_time_zone() -> None:
    assert (
        with_days("用户明天出发", WEDNESDAY.astimezone(ZoneInfo("Asia/Shanghai")))
        == "用户明天（2026年11月27日）出发"
    )


def test_the_last_day_named_is_the_end_unless_it_is_over_or_a_beginning_or_comes_again() -> None:
    assert [
        (text, end_named(text, WEDNESDAY)) for text, end in ENDS if end_named(text, WEDNESDAY) != end
    ] == []


def test_the_last_day_of_a_plan_is_the_end_of_what_it_names() -> None:
    told = {
        "User's wedding is in June": date(2027, 6, 30),
        "User's appointment was moved to December 9 at 10": date(2026, 12, 9),
        "User flies to Tokyo on 2026-12-20 and back on 2027-01-04": date(2027, 1, 4),
        "User's visa runs until May 2027": date(2027, 5, 31),
        "User moves next month (December 2026)": date(2026, 12, 31),
        "User has an exam next Wednesday (2026-12-02)": date(2026, 12, 2),
        "用户打算3月搬家": date(2027, 3, 31),
        "用户的手术定在12月8日": date(2026, 12, 8),
        "用户的聚会改到十二月六号礼拜天": date(2026, 12, 6),
        "用户明年去日本": date(2027, 12, 31),
        "User's room is 2099, booked in 2019": None,
        "User had surgery on November 2, 2025": None,
        "User is writing a report": None,
    }
    assert {text: last_day(text, WEDNESDAY) for text in told} == told


@given(WORDS, st.datetimes(FIRST, LAST, timezones=st.just(UTC)))
def test_doing_it_twice_changes_nothing_more(text: str, at: datetime) -> None:
    assert with_days(with_days(text, at), at) == with_days(text, at)


@given(FULL_DATES | WORDS, st.datetimes(FIRST, LAST, timezones=st.just(UTC)))
def test_no_end_is_in_the_past_and_no_date_breaks_anything(text: str, at: datetime) -> None:
    for end in (end_named(text, at), last_day(text, at)):
        assert end is None or end >= at.date()
