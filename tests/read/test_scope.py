from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.reading import Query
from astrbot_plugin_ltm.long_term_memory.read.query_intent import asks_for_plans, is_due
from astrbot_plugin_ltm.long_term_memory.read.scope import MAX_QUERY_CHARS, bounded, request_of

from .fakes import NOW, alices_access


def test_a_request_carries_its_access_its_text_and_the_terms_that_matter() -> None:
    access = alices_access()
    request = request_of(access, Query(text="  What should I cook?\n", at=NOW), zone=UTC)
    assert (request.access, request.at) == (access, NOW)
    assert request.text == "What should I cook?"
    assert [term.text for term in request.terms] == ["cook"]
    assert request.period is None


def test_a_long_message_keeps_its_two_ends() -> None:
    text = "这段日志说明什么？" + "x" * 90_000 + "请问怎么修复数据库"
    request = request_of(alices_access(), Query(text=text, at=NOW), zone=UTC)
    assert len(request.text) == MAX_QUERY_CHARS
    assert request.text.startswith("这段日志说明什么？")
    assert request.text.endswith("请问怎么修复数据库")
    assert bounded(request.text) == request.text


def test_a_message_without_content_looks_for_no_terms() -> None:
    assert request_of(alices_access(), Query(text="how are you?", at=NOW), zone=UTC).terms == ()


@pytest.mark.parametrize("question", ["What did I eat yesterday?", "我昨天吃了什么？"])
def test_days_begin_where_the_operator_is(question: str) -> None:
    late = datetime(2025, 6, 1, 17, tzinfo=UTC)  # in Shanghai it is the next day
    request = request_of(alices_access(), Query(text=question, at=late), zone=ZoneInfo("Asia/Shanghai"))
    assert request.period is not None
    assert request.period.start == datetime(2025, 5, 31, 16, tzinfo=UTC)
    assert request.period.end == datetime(2025, 6, 1, 16, tzinfo=UTC)


def test_the_words_of_a_date_tell_nothing() -> None:
    request = request_of(
        alices_access(), Query(text="Which hotel did I book last Tuesday?", at=NOW), zone=UTC
    )
    assert {term.text: term.tells for term in request.terms if not term.day} == {
        "hotel": True,
        "book": True,
        "last": False,
        "tuesdai": False,
    }


@pytest.mark.parametrize("question", ["What's on tomorrow?", "明天我有什么安排？"])
def test_a_day_to_come_is_looked_for_by_its_date(question: str) -> None:
    request = request_of(alices_access(), Query(text=question, at=NOW), zone=UTC)
    tomorrow = (NOW + timedelta(days=1)).date()
    assert [term.text for term in request.terms if term.day] == [f"{tomorrow:%Y%m%d}"]
    assert request.period is None


def test_the_same_words_mean_other_days_tomorrow() -> None:
    question = "What did I do yesterday?"
    today, tomorrow = (
        request_of(alices_access(), Query(text=question, at=NOW + timedelta(days=days)), zone=UTC)
        for days in (0, 1)
    )
    assert today.period is not None
    assert tomorrow.period is not None
    assert tomorrow.period.start - today.period.start == timedelta(days=1)
    again = request_of(alices_access(), Query(text=f" {question} ", at=NOW), zone=UTC)
    assert today.terms == again.terms != tomorrow.terms


@pytest.mark.parametrize(
    "question",
    [
        "what do i still have to sort out?",
        "Lay out my next ten days, who is where and when",
        "ok walk me through tomorrow, from the alarm on",
        "Which forms haven't I dealt with yet, and by when?",
        "Write my sister a note of what we are doing each day until Sunday.",
        "下周有什么安排？",
        "我走之前还有哪些没办的，按日子排一下",
        "接下来三天我哪天有空？",
        "明天从早到晚帮我过一遍",
    ],
)
def test_who_asks_what_lies_ahead_asks_for_plans(question: str) -> None:
    assert asks_for_plans(question)


@pytest.mark.parametrize(
    "question",
    [
        "What should I cook for two?",
        "When is my sister's birthday?",
        "Write me a poem for Monday, what goes before the sun?",
        "How long should I let the dough rest before we bake?",
        "我姐生日是哪天来着？",
        "给我讲个小狐狸每天晚上去哪儿的故事",
        "今天这首歌真好听",
        "我什么时候去的日本，去了哪些地方",
        "我还没吃饭，附近有什么好吃的",
        "what have I got in my fridge still",
    ],
)
def test_who_asks_for_one_thing_or_a_text_asks_for_no_plans(question: str) -> None:
    assert not asks_for_plans(question)


@pytest.mark.parametrize(
    "fact", ["User flies at 9", "User moves on Friday", "用户周五搬家", "用户下午三点开会"]
)
def test_a_fact_is_due_by_a_day_or_a_number_or_as_still_to_do(fact: str) -> None:
    assert is_due(fact)
    assert not is_due("User looks for a flat")
    assert not is_due("用户在找房子")
