import re
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product

from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType
from astrbot_plugin_ltm.long_term_memory.write.rules import (
    ATTITUDE,
    MAX_MESSAGE,
    MAX_SENTENCE,
    compiled,
    explicit_fact,
    read_statements,
)
from astrbot_plugin_ltm.long_term_memory.write.rules import CHINESE as CHINESE_RULES
from astrbot_plugin_ltm.long_term_memory.write.rules import ENGLISH as ENGLISH_RULES
from hypothesis import given
from hypothesis import strategies as st

from tests.cpu_limit import cpu_limit
from tests.write.everyday import CHINESE, ENGLISH, FIGURES_OF_SPEECH, NOTHING, STATED
from tests.write.fakes import event


def _facts(text: str) -> list[str]:
    return [statement.fact for statement in read_statements(text)]


def _parted(line: str) -> tuple[str, list[str]]:
    text, *facts = line.split(" | ")
    return text.rstrip(" |"), [fact for fact in facts if fact]


def test_at_least_half_of_what_people_say_in_passing_is_found_and_nothing_else() -> None:
    for lines in (ENGLISH[::2], ENGLISH[1::2], CHINESE[::2], CHINESE[1::2]):
        told = [_parted(line) for line in lines]
        found = [(text, fact) for text, _ in told for fact in _facts(text)]
        meant = [(text, fact) for text, facts in told for fact in facts]
        assert set(found) <= set(meant), set(found) - set(meant)
        assert len(found) >= len(meant) / 2


def test_each_pattern_names_known_words_and_fills_each_place_of_its_fact() -> None:
    for rule, said in (*ENGLISH_RULES, *CHINESE_RULES):
        pattern = compiled(rule)
        assert not re.search(r"[&@]\w+", pattern.pattern), pattern.pattern
        assert set(re.findall(r"{(\w+)}", said.fact)) <= pattern.groupindex.keys(), said.fact


def test_a_plain_statement_becomes_a_compact_fact() -> None:
    told = [(*_parted(line), _facts(_parted(line)[0])) for line in STATED]
    assert [(text, found) for text, facts, found in told if found != facts] == []


def test_what_somebody_asks_to_keep_loses_no_number_and_gets_the_day_of_its_weekday() -> None:
    for words, kept in (
        ("I take 20 mg lisinopril every morning", "I take 20 mg lisinopril every morning"),
        ("I take lisinopril", "User takes lisinopril"),
        ("I'm 34", "User is 34 years old"),
        ("the dinner with Joe is on Friday", "the dinner with Joe is on Friday (2026-11-27)"),
        ("我周五要去看牙", "我周五（2026年11月27日）要去看牙"),
        ("I go swimming on Fridays", "I go swimming on Fridays"),
        ("I swim every Friday", "I swim every Friday"),
        (
            "I broke my leg on Monday and I am in hospital until 5 December",
            "I broke my leg on Monday and I am in hospital until 5 December",
        ),
    ):
        said = replace(event(words), created_at=datetime(2026, 11, 25, 12, tzinfo=UTC))
        assert explicit_fact(words, said, UTC).candidate.fact == kept


def test_what_states_nothing_plainly_gives_no_fact() -> None:
    assert [(text, _facts(text)) for text in (*NOTHING, *FIGURES_OF_SPEECH) if read_statements(text)] == []


def test_no_statement_is_read_over_lines_in_quotations_and_in_code() -> None:
    texts = [
        "> I live in Oslo",
        "```\nmy name is Bob\n```",
        'She told me "I live in Rome"',
        "“我叫小红”",
        "1\n2\n3\n我叫小红",
    ]
    assert [text for text in texts if read_statements(text)] == []


def test_a_statement_beside_a_question_counts_and_one_that_asks_does_not() -> None:
    assert _facts("im vegan, any ideas?") == ["User is vegan"]
    assert _facts("我对花生过敏，能推荐零食吗？") == ["用户对花生过敏"]
    assert _facts("any ideas, im vegan?") == _facts("我吃素？") == _facts("im vegan, right?") == []


def test_the_quote_is_the_exact_clause() -> None:
    text = "Hi! I’m vegan 😀 and my name is Alice."
    found = read_statements(text)
    assert [statement.quote for statement in found] == ["I’m vegan", "my name is Alice"]
    assert [text[: statement.end][-len(statement.quote) :] for statement in found] == [s.quote for s in found]


def test_what_can_have_one_value_only_names_its_slot() -> None:
    slots = {
        "My name is Alice. I'm allergic to nuts. I live in Rome.": ["name", "", "home_city"],
        "我今年30岁。我是学生。我的生日是5月20日。": ["age", "job", "birthday"],
        "call me Al. I work at Siemens. I'm vegan": ["nickname", "employer", "diet"],
    }
    assert {text: [statement.slot for statement in read_statements(text)] for text in slots} == slots


def test_an_attitude_has_the_slot_of_its_object_whichever_it_is() -> None:
    for about, texts in (
        ("cats", ("I like Cats", "I hate cats", "i cant stand cats")),
        ("火锅", ("我爱吃火锅", "我讨厌火锅", "我不喜欢火锅")),
        ("pork", ("I love pork", "I don't eat pork")),
        ("dark_chocolate", ("I prefer dark chocolate",)),
    ):
        (found,) = {(said.slot, said.type) for text in texts for said in read_statements(text)}
        assert found == (ATTITUDE + about, MemoryType.PREFERENCE)


def test_long_messages_and_long_sentences_are_not_read() -> None:
    filler = "The weather was nice. " * (MAX_MESSAGE // 22)
    assert read_statements("I live in Rome. " + filler[: MAX_MESSAGE - 16])
    assert not read_statements("I live in Rome. " + filler + filler)
    assert not read_statements("I live in Rome, " + "word " * (MAX_SENTENCE // 5))


def test_one_message_gives_a_bounded_number_of_facts() -> None:
    assert len(read_statements("I like tea. " * 40)) == 10


UNITS = """
a,| |'a |“|(|我|我叫|我喜欢|我对虾、|and i |hi |please |I like a and |lol |I'm |i am really |I live in New |
allergic to nuts, |a nurse, |三|北京|2020年5月|call me Al |嗯|唉|哎|呜"""


def test_no_message_takes_long_to_read() -> None:
    openings = ("", "I like ", "I live in ", "I'm allergic to ", "我叫", "我住")
    lengths = (MAX_SENTENCE - 10, MAX_MESSAGE - 10, 8_000)
    with cpu_limit():
        for opening, unit, length in product(openings, UNITS.replace("\n", "").split("|"), lengths):
            read_statements((opening + unit * 8_000)[:length])


@given(st.text(max_size=100))
def test_any_text_can_be_read(text: str) -> None:
    assert all(
        statement.quote == text[: statement.end][-len(statement.quote) :]
        for statement in read_statements(text)
    )
