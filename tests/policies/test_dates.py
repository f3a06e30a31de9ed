from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from astrbot_plugin_ltm.long_term_memory.policies.dates import (
    absolute,
    is_ahead,
    tells_a_date,
    without_dates,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.policies.written import FULL_DATES

SUNDAY = datetime(2026, 11, 22, 9, tzinfo=UTC)
FIRST, LAST = SUNDAY.replace(year=1990, tzinfo=None), SUNDAY.replace(year=2090, tzinfo=None)
MONDAY = datetime(2026, 11, 16, 9, tzinfo=UTC)

REWRITTEN = [
    ("User is 30 and 2 years ago moved", "User is 30 and in 2024 moved"),
    ("User moved last year and 3 months ago wed", "User moved in 2025 and in August 2026 wed"),
    ("用户周一，三天前去的", "用户周一，2026年11月19日（周四）去的"),
    ("User has an exam next Wednesday", "User has an exam on Wednesday, 2026-11-25"),
    ("User has an exam next wednesday at 9", "User has an exam on Wednesday, 2026-11-25 at 9"),
    ("User saw Bob last Friday", "User saw Bob on Friday, 2026-11-20"),
    ("User leaves this Friday", "User leaves on Friday, 2026-11-27"),
    ("User missed yesterday's exam", "User missed the 2026-11-21 exam"),
    ("User slept badly because of yesterday's news", "User slept badly because of the 2026-11-21 news"),
    ("User studies for next week's exam", "User studies for the week of 2026-11-23 exam"),
    ("User moved to Rome last month", "User moved to Rome in October 2026"),
    ("User marries next month", "User marries in December 2026"),
    ("User is on leave this month", "User is on leave in November 2026"),
    ("User's flight leaves tomorrow morning", "User's flight leaves on Monday morning, 2026-11-23"),
    ("User met Bob last night", "User met Bob on Saturday night, 2026-11-21"),
    ("User cooks tonight", "User cooks on Sunday night, 2026-11-22"),
    ("User had a test this morning", "User had a test on Sunday morning, 2026-11-22"),
    ("User flies in three days", "User flies on Wednesday, 2026-11-25"),
    ("User flew 3 days ago", "User flew on Thursday, 2026-11-19"),
    ("User flew a day ago", "User flew on Saturday, 2026-11-21"),
    ("User broke a leg two weeks ago", "User broke a leg around 2026-11-08"),
    ("User marries in two months", "User marries in January 2027"),
    ("User married 3 years ago", "User married in 2023"),
    ("User married about 3 years ago", "User married about 2023"),
    ("User worries about tomorrow", "User worries about Monday, 2026-11-23"),
    ("User goes hiking this weekend", "User goes hiking on the weekend of 2026-11-21"),
    ("User starts a job next week", "User starts a job in the week of 2026-11-23"),
    ("User turns 40 next year", "User turns 40 in 2027"),
    ("User moved here the day before yesterday", "User moved here on Friday, 2026-11-20"),
    ("User flies the day after tomorrow", "User flies on Tuesday, 2026-11-24"),
    ("User has to pay by tomorrow", "User has to pay by Monday, 2026-11-23"),
    ("User is ill since last month", "User is ill since October 2026"),
    ("Tomorrow is User's birthday", "Monday, 2026-11-23 is User's birthday"),
    ("Tomorrow User flies", "On Monday, 2026-11-23 User flies"),
    ("User rested. Yesterday User ran", "User rested. On Saturday, 2026-11-21 User ran"),
    ("用户下周三有考试", "用户2026年11月25日（周三）有考试"),
    ("用户下下周三有考试", "用户2026年12月2日（周三）有考试"),
    ("用户上个星期天有考试", "用户2026年11月15日（周日）有考试"),
    ("用户本周六有考试", "用户2026年11月21日（周六）有考试"),
    ("用户明天早上飞北京", "用户2026年11月23日（周一）早上飞北京"),
    ("用户前天到家", "用户2026年11月20日（周五）到家"),
    ("用户大后天考试", "用户2026年11月25日（周三）考试"),
    ("用户今晚有约", "用户2026年11月22日（周日）晚有约"),
    ("用户上个月搬到上海", "用户2026年10月搬到上海"),
    ("用户下个月5号考试", "用户2026年12月5号考试"),
    ("用户三天后出发", "用户2026年11月25日（周三）出发"),
    ("用户一个月后出发", "用户2026年12月出发"),
    ("用户两周前摔断了腿", "用户2026年11月8日左右摔断了腿"),
    ("用户十年前结婚", "用户2016年结婚"),
    ("用户去年结婚", "用户2025年结婚"),
    ("用户明年3月毕业", "用户2027年3月毕业"),
    ("用户这个周末去爬山", "用户2026年11月21日的周末去爬山"),
    ("用户下周出差", "用户2026年11月23日那一周出差"),
]
KEPT = [
    "User moved a hundred and two days ago",
    "User will visit soon",
    "User moved half a year ago",
    "User moved half of a year ago",
    "User moved 1.5 years ago",
    "User moved 2-3 years ago",
    "User moved 2 – 3 years ago",
    "User moved 2 to 3 years ago",
    "User moved 2, 3 years ago",
    "User moved two or three years ago",
    "User moved two, three years ago",
    "User moved two to three weeks ago",
    "User moved a year and a half ago",
    "User moved 2 years and 3 months ago",
    "User moved two months, 3 weeks ago",
    "User moved three and a half years ago",
    "User moved a day or two ago",
    "User read a book of a hundred and five years ago",
    "User moved twenty five years ago",
    "User moved twenty-five years ago",
    "User moved over three years ago",
    "User moved more than 3 years ago",
    "User moved almost two years ago",
    "User moved at least two weeks ago",
    "User moved ~3 years ago",
    "User moved three years ago or so",
    "User flies in a day or two",
    "User flies in two or three days",
    "User flies in 2-3 days",
    "User flies in 1.5 years",
    "User flies in two weeks or so",
    "User flies in a year and a half",
    "User has an exam on Friday",
    "User has worked there for the last year",
    "User finished the book in three days",
    "User likes the song Yesterday",
    "User likes the song yesterday",
    "Yesterday is User's favourite song",
    "User reads USA Today",
    'User wrote "see you tomorrow"',
    "User goes hiking on weekends",
    "User has an exam on 2026-11-25",
    "用户喜欢明天会更好",
    "用户喜欢《昨天今天明天》",
    "用户最近很累",
    "用户两三天后出发",
    "用户一两个月前搬家",
    "用户三五天后出发",
    "用户七八年前毕业",
    "用户二三十年前毕业",
    "用户十五六天前搬家",
    "用户十几天前搬家",
    "用户在 2 - 3 天后出发",
    "用户2,3天后出发",
    "用户两，三天后出发",
    "用户两到三天后出发",
    "用户1.5年前毕业",
    "用户半年前毕业",
    "用户一年半前毕业",
    "用户三天左右后出发",
    "用户后天失明",
    "用户周末喜欢爬山",
    "用户毕业三年后结婚",
    "用户玩明日方舟",
    "用户以后天天跑步",
    "用户住在学校这周边",
    "用户在天上月亮下",
    "",
]


@pytest.mark.parametrize(("fact", "dated"), REWRITTEN)
def test_a_relative_date_becomes_the_day_it_meant(fact: str, dated: str) -> None:
    assert absolute(fact, SUNDAY) == dated


@pytest.mark.parametrize("fact", KEPT)
def test_what_is_ambiguous_or_a_name_stays(fact: str) -> None:
    assert absolute(fact, SUNDAY) == fact


@pytest.mark.parametrize(
    ("words", "dated"),
    [
        ("my exam is next Wednesday", "my exam is next Wednesday (2026-11-25)"),
        ("I moved last month", "I moved last month (October 2026)"),
        ("I fell two weeks ago", "I fell two weeks ago (2026-11-08)"),
        ("my exam is next week", "my exam is next week (the week of 2026-11-23)"),
        ("我下周三考试", "我下周三（2026年11月25日）考试"),
        ("我去年结婚", "我去年（2025年）结婚"),
    ],
)
def test_a_persons_own_words_get_the_date_in_brackets(words: str, dated: str) -> None:
    assert absolute(words, SUNDAY, keep_words=True) == dated
    assert absolute(dated, SUNDAY, keep_words=True) == dated


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("moved in 2023", "I moved two or three years ago"),
        ("moved in 2025", "I moved half a year ago"),
        ("flies on 2026-11-23", "I fly in a day or two"),
        ("2026年12月15日出发", "我两三天后出发"),
        ("2025年11月搬家", "我一两个月前搬家"),
        ("1948年毕业", "我七八年前毕业"),
    ],
)
def test_no_date_follows_from_a_vague_distance(fact: str, text: str) -> None:
    assert any(char.isdigit() for char in without_dates(fact, text, SUNDAY))


def test_a_word_that_begins_like_a_month_is_none() -> None:
    assert not tells_a_date("I ran 2 marathons and made 3 decisions, 5 maybe", SUNDAY)
    assert tells_a_date("2 march", SUNDAY)
    assert tells_a_date("on 3 Dec., then", SUNDAY)


def test_next_is_of_next_week_and_last_is_the_latest() -> None:
    assert absolute("User flies next Wednesday", MONDAY).endswith("2026-11-25")
    assert absolute("User flew last Friday", MONDAY).endswith("2026-11-13")
    assert absolute("用户这周三出发", MONDAY) == "用户2026年11月18日（周三）出发"


def test_the_day_is_that_of_the_operators_time_zone() -> None:
    late = datetime(2026, 11, 22, 20, tzinfo=UTC).astimezone(ZoneInfo("Asia/Shanghai"))
    assert absolute("用户明天出发", late) == "用户2026年11月24日（周二）出发"


FOLLOWS = [
    ("exam on 2026-11-25", "exam next Wednesday"),
    ("exam on 2026/11/25", "exam next Wednesday"),
    ("exam on Wednesday, 2026-11-25", "exam next Wednesday"),
    ("exam on November 25th, 2026", "exam next Wednesday"),
    ("exam on the 25th of November 2026", "exam next Wednesday"),
    ("exam on Nov 25", "exam in three days"),
    ("考试11月25日（周三）", "下周三考试"),
    ("exam in November 2026", "exam next Wednesday"),
    ("moved in 2025", "moved last year"),
    ("moved in October 2026", "moved last month"),
    ("moved 2026-11-22", "I moved"),
    ("exam on 2026-11-27", "exam on Friday"),
    ("hike on 2026-11-22", "hike this weekend"),
    ("exam 2026-12-05", "exam on Dec 5th"),
    ("考试2027年1月5日", "1月5号考试"),
    ("born in 1990", "born in 1990"),
]
WRONG = [
    ("exam on 2026-11-26", "exam next Wednesday"),
    ("exam on Nov 26", "exam next Wednesday"),
    ("考试11月26日", "下周三考试"),
    ("exam on 2026-11-22", "exam next Wednesday"),
    ("moved in 2024", "moved last year"),
    ("moved on 2026-10-05", "moved last month"),
    ("born on 2026-05-05", "birthday is May 5"),
    ("exam on 2026-02-29", "exam on Feb 29"),
    ("exam on 2026-11-21", "I have an exam"),
]


@pytest.mark.parametrize(("fact", "text"), FOLLOWS)
def test_a_date_that_follows_from_the_words_is_left_out(fact: str, text: str) -> None:
    assert not any(char.isdigit() for char in without_dates(fact, text, SUNDAY))


@pytest.mark.parametrize(("fact", "text"), WRONG)
def test_a_date_that_does_not_follow_stays(fact: str, text: str) -> None:
    assert any(char.isdigit() for char in without_dates(fact, text, SUNDAY))


def test_a_wrong_weekday_stays() -> None:
    assert "Thursday" in without_dates("on Thursday, 2026-11-25", "next Wednesday", SUNDAY)


def test_whether_a_text_tells_when() -> None:
    assert tells_a_date("see you tomorrow", SUNDAY)
    assert tells_a_date("on May 5", SUNDAY)
    assert not tells_a_date("see you soon", SUNDAY)


_PIECES = ["next", "last", "Wednesday", "in", "3", "days", "ago", "tomorrow", "tomorrow's", "(2026", "User"]
_MORE = ["下", "周三", "明天", "三天后"]
words = st.lists(st.sampled_from([*_PIECES, *_MORE]) | st.text(max_size=5)).map(" ".join)


@given(words, st.datetimes(FIRST, LAST, timezones=st.just(UTC)))
def test_ones_own_words_get_their_date_once(fact: str, at: datetime) -> None:
    once = absolute(fact, at, keep_words=True)
    assert absolute(once, at, keep_words=True) == once


@given(words, words, st.datetimes(FIRST, LAST, timezones=st.just(UTC)))
def test_no_text_breaks_the_dates(fact: str, text: str, at: datetime) -> None:
    assert without_dates(absolute(fact, at), text, at) is not None


@given(FULL_DATES, FULL_DATES, st.datetimes(FIRST, LAST, timezones=st.just(UTC)))
def test_no_date_breaks_them_whether_there_is_such_a_day_or_not(fact: str, text: str, at: datetime) -> None:
    dated = absolute(fact, at)
    assert without_dates(dated, text, at) is not None
    assert isinstance(is_ahead(dated, at.date()), bool)
    assert isinstance(tells_a_date(text, at), bool)


@pytest.mark.parametrize(
    "fact",
    ["until 2026-06-31", "直到2026年6月31日", "on Feb 29, 2025", "order 1234-56-78", "ready on 0000-01-01"],
)
def test_a_day_that_there_is_not_is_known_by_its_words_alone(fact: str) -> None:
    assert not any(char.isdigit() for char in without_dates(fact, fact, SUNDAY))
    assert any(char.isdigit() for char in without_dates(f"{fact} 2026-06-30", fact, SUNDAY))
    assert "Sunday" in without_dates("due on Sunday", fact, SUNDAY)


@pytest.mark.parametrize(
    "fact",
    [
        "User lives in Oslo from December 2026",
        "User moves on Monday, 2026-11-23",
        "User works at Siemens from 2027",
        "用户2026年12月起住在杭州",
        "用户2026年11月23日（周一）搬家（到2027年）",
    ],
)
def test_what_begins_after_today_is_ahead(fact: str) -> None:
    assert is_ahead(fact, SUNDAY.date())


@pytest.mark.parametrize(
    "fact",
    [
        "User lives in Oslo",
        "User moved on Sunday, 2026-11-22",
        "User has lived in Oslo since November 2026",
        "User works at Siemens until 2027",
        "User's birthday is December 24",
        "User paid on 2027-02-31",
        "用户2025年起住在杭州",
        "用户住在杭州到2027年5月",
    ],
)
def test_what_began_or_only_ends_then_is_not_ahead(fact: str) -> None:
    assert not is_ahead(fact, SUNDAY.date())
