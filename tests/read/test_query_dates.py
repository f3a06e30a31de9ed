from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from astrbot_plugin_ltm.long_term_memory.read.query_dates import LOOKED_AT, MAX_DAYS, query_dates
from hypothesis import given
from hypothesis import strategies as st

from tests.text_analysis.written import FULL_DATES

ZONE = ZoneInfo("Asia/Shanghai")
WEDNESDAY = datetime(2025, 6, 4, 10, tzinfo=ZONE)

UNDERSTOOD = [
    ("What did I do yesterday?", "2025-06-03", "2025-06-04"),
    ("What happened the day before yesterday?", "2025-06-02", "2025-06-03"),
    ("What did I say this morning?", "2025-06-04", "2025-06-05"),
    ("Where was I last week?", "2025-05-26", "2025-06-02"),
    ("Where was I last weekend?", "2025-05-31", "2025-06-02"),
    ("What did I buy last month?", "2025-05-01", "2025-06-01"),
    ("What did I plan last year?", "2024-01-01", "2025-01-01"),
    ("Whom did I meet on Friday?", "2025-05-30", "2025-05-31"),
    ("Whom did I meet last Friday?", "2025-05-30", "2025-05-31"),
    ("What did I do last May?", "2025-05-01", "2025-06-01"),
    ("What did I do last June?", "2024-06-01", "2024-07-01"),
    ("What did I do in June?", "2025-06-01", "2025-07-01"),
    ("What did I do in December?", "2024-12-01", "2025-01-01"),
    ("What did I do in May last year?", "2024-05-01", "2024-06-01"),
    ("What did I do in May of this year?", "2025-05-01", "2025-06-01"),
    ("What happened in 2023?", "2023-01-01", "2024-01-01"),
    ("What happened in March 2024?", "2024-03-01", "2024-04-01"),
    ("Where was I on 3 March?", "2025-03-03", "2025-03-04"),
    ("Where was I on October 5th?", "2024-10-05", "2024-10-06"),
    ("Where was I on 2025-03-03?", "2025-03-03", "2025-03-04"),
    ("Where was I on Feb 29?", "2024-02-29", "2024-03-01"),
    ("What did I eat three days ago?", "2025-06-01", "2025-06-02"),
    ("What did I read two weeks ago?", "2025-05-18", "2025-05-25"),
    ("What did I read two months ago?", "2025-04-01", "2025-05-01"),
    ("What did I read a few weeks ago?", "2025-03-26", "2025-05-29"),
    ("What did I read the other day?", "2025-05-25", "2025-06-04"),
    ("What did I read in the last 3 months?", "2025-03-06", "2025-06-05"),
    ("What did I read over the past week?", "2025-05-28", "2025-06-05"),
    ("What did I read in the past few days?", "2025-05-30", "2025-06-05"),
    ("between March 2024 and May 2024", "2024-03-01", "2024-06-01"),
    ("Where was I from 3 to 5 March?", "2025-03-03", "2025-03-06"),
    ("Where was I March 3rd-5th?", "2025-03-03", "2025-03-06"),
    ("What came on the 2nd?", "2025-06-02", "2025-06-03"),
    ("What did I eat 1 to 10 June?", "2025-06-01", "2025-06-11"),
    ("from the 2nd to the 3rd", "2025-06-02", "2025-06-04"),
    ("from 5 March to 7th April", "2025-03-05", "2025-04-08"),
    ("March 5 to 10 people", "2025-03-05", "2025-03-06"),
    ("March 5 and 10 more things", "2025-03-05", "2025-03-06"),
    ("between March 5 and 10", "2025-03-05", "2025-03-11"),
    ("Between March 5 and 10", "2025-03-05", "2025-03-11"),
    ("Between 5 March and 10 March, where was I?", "2025-03-05", "2025-03-11"),
    ("between 5 March and 10 March", "2025-03-05", "2025-03-11"),
    ("from 28 April to 3 May", "2025-04-28", "2025-05-04"),
    ("4月28号到5月3号我在哪里", "2025-04-28", "2025-05-04"),
    ("Where was I March 3-5, 2024?", "2024-03-03", "2024-03-06"),
    ("3月3-5号我在哪里", "2025-03-03", "2025-03-06"),
    ("does the 2nd work for me?", "2025-06-02", "2025-06-03"),
    ("WAS I HERE LAST FRI", "2025-05-30", "2025-05-31"),
    ("am i free on sat for lunch", "2025-05-31", "2025-06-01"),
    ("Whom did I meet last fri", "2025-05-30", "2025-05-31"),
    ("What was there to eat fri night", "2025-05-30", "2025-05-31"),
    ("3月3号到5号我在哪里", "2025-03-03", "2025-03-06"),
    ("我昨天做了什么", "2025-06-03", "2025-06-04"),
    ("前天晚上吃了什么", "2025-06-02", "2025-06-03"),
    ("上周我做了什么", "2025-05-26", "2025-06-02"),
    ("上周五我见了谁", "2025-05-30", "2025-05-31"),
    ("周五我见了谁", "2025-05-30", "2025-05-31"),
    ("上个月买了什么", "2025-05-01", "2025-06-01"),
    ("去年我在哪里", "2024-01-01", "2025-01-01"),
    ("去年五月我在哪里", "2024-05-01", "2024-06-01"),
    ("今年3月5号我在哪里", "2025-03-05", "2025-03-06"),
    ("五月份我在哪里", "2025-05-01", "2025-06-01"),
    ("3月5号我在哪里", "2025-03-05", "2025-03-06"),
    ("十二月二十五号我在哪里", "2024-12-25", "2024-12-26"),
    ("2023年我在哪里", "2023-01-01", "2024-01-01"),
    ("2023年5月8日发生了什么", "2023-05-08", "2023-05-09"),
    ("一月我在哪里", "2025-01-01", "2025-02-01"),
    ("三天前吃了什么", "2025-06-01", "2025-06-02"),
    ("两个月前我说过什么", "2025-04-01", "2025-05-01"),
    ("两年前我在哪里", "2023-01-01", "2024-01-01"),
    ("前几天我说过什么", "2025-05-25", "2025-06-04"),
    ("几个月前我说过什么", "2024-08-08", "2025-05-06"),
    ("最近两三天我读了什么", "2025-06-01", "2025-06-05"),
    ("最近二三十天我读了什么", "2025-05-05", "2025-06-05"),
    ("最近十五六天我读了什么", "2025-05-19", "2025-06-05"),
    ("最近三个月我读了什么", "2025-03-06", "2025-06-05"),
    ("最近几天我读了什么", "2025-05-30", "2025-06-05"),
    ("过去一周我读了什么", "2025-05-28", "2025-06-05"),
    ("最近一两年我去过哪里", "2023-06-05", "2025-06-05"),
    ("近一两周我读了什么", "2025-05-21", "2025-06-05"),
    ("最近一二天我读了什么", "2025-06-02", "2025-06-05"),
    ("最近三五天我读了什么", "2025-05-30", "2025-06-05"),
    ("最近七八天我读了什么", "2025-05-27", "2025-06-05"),
    ("过去一二十年我住在哪里", "2005-06-09", "2025-06-05"),
    ("近十几年我住在哪里", "2005-06-09", "2025-06-05"),
    ("最近十七八天我读了什么", "2025-05-17", "2025-06-05"),
    ("最近二十几天我读了什么", "2025-05-05", "2025-06-05"),
    ("最近八三天我读了什么", "2025-05-30", "2025-06-05"),
    ("What did I read in the last couple\nof weeks?", "2025-04-30", "2025-06-05"),
    ("What did I read in the last\tfew\u3000days?", "2025-05-30", "2025-06-05"),
    ("两三天前吃了什么", "2025-06-01", "2025-06-03"),
    ("前两三天吃了什么", "2025-05-25", "2025-06-04"),
    ("两三个月前我说过什么", "2025-03-06", "2025-04-06"),
    ("一两年前我在哪里", "2023-06-05", "2024-06-05"),
    ("十几年前我在哪里", "2005-06-09", "2015-06-08"),
    ("几十年前我在哪里", "1935-06-27", "2005-06-10"),
    ("十二年前我在哪里", "2013-01-01", "2014-01-01"),
    ("What did I read two or three weeks ago?", "2025-05-14", "2025-05-22"),
    ("What did I read in the last Jan", "2025-01-01", "2025-02-01"),
    ("What happened from Jan to May?", "2025-01-01", "2025-02-01"),
    ("五月天气怎么样", "2025-05-01", "2025-06-01"),
]
NO_DATES = [
    "May I ask you something?",
    "I may go",
    "march on",
    "my 2 decisions",
    "What did I read half a year ago?",
    "on 30 February",
    "from 2 to 5",
    "my 2nd and 3rd time",
    "the 3rd floor",
    "he sat down",
    "my last SAT score",
    "next sat nav",
    "the 2nd interview",
    "the 19th-century house",
    "28 to 31 April",
    "Am I free 5 to 30 February?",
    "三个月",
    "最近怎么样",
    "五月天有什么歌",
    "a gift from Jan",
    "Recommend 3 novels",
    "2 decades of war",
    "ran 10 marathons",
    "the 3 juniors",
    "market 5",
    "Marathon 2",
    "明天会更好",
    "in 9999",
    "",
]


@pytest.mark.parametrize(("question", "first", "after"), UNDERSTOOD)
def test_the_days_of_a_question_are_understood(question: str, first: str, after: str) -> None:
    period = query_dates(question, WEDNESDAY).period
    assert period is not None
    assert (period.start.date(), period.end.date()) == (date.fromisoformat(first), date.fromisoformat(after))
    assert period.start.tzinfo is ZONE


@pytest.mark.parametrize("question", NO_DATES)
def test_what_is_no_date_is_left_alone(question: str) -> None:
    found = query_dates(question, WEDNESDAY)
    assert (found.period, found.rest) == (None, question)


@pytest.mark.parametrize("question", ["What do I do tomorrow?", "下周我要做什么", "next year"])
def test_in_days_to_come_nothing_was_told(question: str) -> None:
    assert query_dates(question, WEDNESDAY).period is None


def test_the_words_of_a_date_are_taken_out_of_the_rest() -> None:
    found = query_dates("What did I eat last week in Rome?", WEDNESDAY)
    assert found.said == "last week"
    assert found.rest.split() == ["What", "did", "I", "eat", "in", "Rome?"]
    assert query_dates("去年五月我在哪里", WEDNESDAY).said == "去年五月"


def test_what_was_pasted_before_a_question_dates_nothing() -> None:
    log = "2024-01-05 12:00 started\n" * 40
    question = "x" * LOOKED_AT + " yesterday"
    assert query_dates(log + "y" * LOOKED_AT, WEDNESDAY).period is None
    period = query_dates(log + question, WEDNESDAY).period
    assert period is not None
    assert period.end - period.start == timedelta(days=1)


PIECE = st.sampled_from(
    [
        *(
            "last",
            "May",
            "in",
            "2023",
            "3",
            "月",
            "年",
            "日",
            "5",
            "前",
            "天",
            "周",
            "去年",
            "99",
            " ",
            "一",
            "几",
        ),
        *(
            "ago",
            "week",
            "the past",
            "few",
            "months",
            "999",
            "9999年",
            "0000年",
            "13月",
            "32号",
            "昨天",
            "十",
            "两",
            "三",
            "最近",
            "个",
        ),
        *("Friday", "on", "the"),
        *("最近", "近", "过去", "一两", "两三", "三五", "十几", "两", "八"),
        *("couple\nof", "couple of", "or", "two", "\n", "\u3000", "weeks"),
    ]
)
PIECES = st.lists(PIECE, max_size=10)


@given(PIECES.map(" ".join) | PIECES.map("".join) | st.text(max_size=60) | FULL_DATES)
def test_any_text_is_read_and_nothing_of_it_is_lost(text: str) -> None:
    found = query_dates(text, WEDNESDAY)
    assert sorted("".join((found.rest + found.said).split())) == sorted("".join(text.split()))
    if found.period:
        assert found.period.start < found.period.end
        assert found.period.start <= WEDNESDAY


@given(
    st.sampled_from(["最近", "近", "过去", "过去这", "the last ", "the past\n", "前", ""]),
    st.text("一两二三四五六七八九十几3", min_size=1, max_size=4)
    | st.sampled_from(["few ", "couple\nof ", "couple\u3000of ", "ten or two "]),
    st.sampled_from(["天", "个月", "周", "年", "weeks"]),
    st.sampled_from(["", "前", "以前", " ago"]),
)
def test_however_a_count_is_said_a_question_is_read(before: str, count: str, unit: str, after: str) -> None:
    period = query_dates(before + count + unit + after, WEDNESDAY).period
    assert period is None or period.start < period.end


NAMED: list[tuple[str, list[str]]] = [
    ("What's on tomorrow?", ["2025-06-05"]),
    ("明天我有什么安排", ["2025-06-05"]),
    ("What's on Monday?", ["2025-06-02", "2025-06-09"]),
    ("下周三我要做什么", ["2025-06-11"]),
    ("Anything on Dec 3?", ["2024-12-03", "2025-12-03"]),
    ("3月5号有什么安排", ["2025-03-05", "2026-03-05"]),
    ("What's on 2025-07-01?", ["2025-07-01"]),
    ("What did I do yesterday?", ["2025-06-03"]),
    ("What happened in 2023?", []),
    ("What is my name?", []),
]


@pytest.mark.parametrize(("question", "days"), NAMED)
def test_each_day_a_question_may_mean_is_named_whether_it_is_over_or_to_come(
    question: str, days: list[str]
) -> None:
    found = [day.isoformat() for day in query_dates(question, WEDNESDAY).days]
    assert [day for day in days if day in found] == days
    assert len(found) <= len(days) + 1


def test_a_month_is_looked_for_day_by_day_and_no_more_days_than_that() -> None:
    days = query_dates("What is planned in July and in August and in September?", WEDNESDAY).days
    assert len(days) == MAX_DAYS
    assert list(days) == sorted(set(days))


def test_a_day_of_the_month_alone_is_the_last_such_day_and_the_next() -> None:
    at = datetime(2026, 3, 10, 12, tzinfo=ZONE)
    for said, days in (
        ("30号要带点啥", [date(2026, 3, 30)]),
        ("5号的事", [date(2026, 3, 5), date(2026, 4, 5)]),
        ("十号晚上", [date(2026, 3, 10), date(2026, 4, 10)]),
        ("31号呢", [date(2026, 3, 31)]),
        ("3号线怎么走", []),
        ("第5号染色体", []),
    ):
        assert list(query_dates(said, at).days) == days, said


def test_a_span_of_days_to_come_names_each_of_them() -> None:
    for question in (
        "Can I be away 29 to 30 June?",
        "June 29 until 30?",
        "6月29号到30号我有空吗",
        "29 June to 2 July",
    ):
        days = query_dates(question, WEDNESDAY).days
        assert {date(2025, 6, 29), date(2025, 6, 30)} <= {*days}, question
    assert date(2025, 6, 3) in query_dates("from 28 to 3 June", WEDNESDAY).days  # no span of one month
