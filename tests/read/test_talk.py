"""What was said, in order for a question."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import numpy as np
import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Role
from astrbot_plugin_ltm.long_term_memory.domain.reading import Period, Request, Term, UnrelatedCosines
from astrbot_plugin_ltm.long_term_memory.read.protocols import ROLES, Heard, Signals
from astrbot_plugin_ltm.long_term_memory.read.relevance import NEAR
from astrbot_plugin_ltm.long_term_memory.read.transcript import PAUSE, ranked
from hypothesis import given
from hypothesis import strategies as st

from tests.read.fakes import NOW, alices_access

TELLING, IDLE = Term("cat"), Term("good", tells=False)
UNRELATED = UnrelatedCosines(mean=0.1, spread=0.1)


@dataclass(frozen=True)
class Line:
    """One message, as the store would tell of it."""

    name: str
    words: float = 0.0
    cosine: float = math.nan
    named: bool = False
    role: Role = Role.USER
    at: float = 0.0
    """Seconds."""
    thread: int = 0


def heard(lines: Sequence[Line]) -> Heard:
    words = np.array([line.words for line in lines], np.float64)
    nothing = np.zeros(len(lines))
    said = np.array([NOW.timestamp() + line.at for line in lines], np.float64)
    return Heard(
        signals=Signals(
            words=words,
            coverage=np.minimum(words, 1.0),
            cosine=np.array([line.cosine for line in lines], np.float64),
            named=np.array([line.named for line in lines], np.bool_),
            kinds=np.array([ROLES.index(line.role) for line in lines], np.int8),
            shadowed=np.zeros(len(lines), np.bool_),
            importance=nothing,
            said=said,
            confirmed=said,
        ),
        threads=np.array([line.thread for line in lines], np.int64),
        event_ids=[line.name for line in lines],
    )


def found(
    *lines: Line,
    terms: Sequence[Term] = (TELLING,),
    period: Period | None = None,
    unrelated: UnrelatedCosines | None = None,
    before: float | None = None,
    most: int = 99,
) -> list[str]:
    request = Request(access=alices_access(), at=NOW, text="?", terms=terms, period=period)
    until = None if before is None else NOW.timestamp() + before
    places = ranked(heard(lines), request, unrelated, before=until, most=most)
    return [lines[row].name for row in places]


def apart(*lines: Line) -> list[Line]:
    """The same, each in a talk of its own."""
    return [replace(line, thread=number) for number, line in enumerate(lines)]


def test_what_has_more_of_the_words_comes_first() -> None:
    lines = apart(Line("little", 0.5), Line("much", 2.0), Line("none"))
    assert found(*lines) == ["much", "little"]


def test_nothing_answers_a_question_that_has_nothing_to_do_with_it() -> None:
    assert found(Line("one"), Line("other", cosine=0.3)) == []
    assert found() == []


def test_one_message_alone_may_be_the_answer() -> None:
    assert found(Line("one", 1.0)) == ["one"]


def test_what_was_said_beside_a_find_is_found_too() -> None:
    lines = [Line(f"{number}", 2.0 if number == 3 else 0.0, at=number) for number in range(8)]
    order = found(*lines)
    assert [order[0], set(order[1:3]), set(order[3:])] == ["3", {"2", "4"}, {"1", "5"}]


def test_two_finds_together_stand_before_one_alone() -> None:
    lines = [
        Line("alone", 2.0, thread=1),
        Line("question", 1.9, at=1),
        Line("answer", 1.9, at=2),
        *(Line(f"{number}", thread=number) for number in range(2, 9)),
    ]
    assert found(*lines)[:3] == ["answer", "question", "alone"]


@pytest.mark.parametrize(
    "other",
    [Line("other", thread=1), Line("other", at=PAUSE + 1), Line("other", role=Role.TOOL)],
    ids=["of another talk", "after a long silence", "of a tool"],
)
def test_nothing_is_passed_on_to_what_is_no_part_of_the_talk(other: Line) -> None:
    assert found(Line("one", 1.0), other, *apart(*[Line("x")] * 4)[2:]) == ["one"]


def test_what_a_tool_gave_does_not_part_a_talk() -> None:
    lines = [Line("one", 1.0), *(Line("tool", role=Role.TOOL, at=1) for _ in range(3)), Line("two", at=2)]
    assert found(*lines) == ["one", "two"]


def test_a_silence_parts_those_on_its_sides_for_good() -> None:
    lines = [Line("one", 1.0), Line("two", at=PAUSE), Line("three", at=2 * PAUSE + 1)]
    assert found(*lines) == ["one", "two"]


def test_the_order_of_the_rows_is_not_the_order_of_the_talk() -> None:
    lines = [Line("late", at=50), Line("first", 1.0), Line("second", at=1), Line("third", at=2)]
    assert found(*lines) == ["first", "second", "third"]


def test_a_question_stands_before_its_answer_though_both_are_of_one_instant() -> None:
    answers = [Line("answer", role=Role.ASSISTANT), Line("asked", 1.0)]
    later = [Line("answer 2", role=Role.ASSISTANT, at=1), Line("asked 2", at=1)]
    assert found(*later, *answers) == ["asked", "answer", "asked 2"]


def test_what_says_nothing_is_looked_for_only_where_nothing_else_is() -> None:
    lines = [Line("one", 1.0)]
    assert found(*lines, terms=(IDLE,)) == ["one"]
    silent = heard(lines)
    silent.signals.coverage[:] = 0
    request = Request(access=alices_access(), at=NOW, text="?", terms=(TELLING, IDLE))
    assert ranked(silent, request, None, before=None, most=9) == {}


def test_who_is_named_comes_first() -> None:
    lines = apart(Line("Bob", 1.0, named=True), Line("Alice", 1.1), *[Line("x")] * 4)
    assert found(*lines) == ["Bob", "Alice"]


def test_the_days_a_question_names_count() -> None:
    day = Period(start=NOW - timedelta(days=1), end=NOW)
    lines = apart(Line("now", 1.05), Line("then", 1.0, at=-3600.0), *[Line("x")] * 4)
    assert found(*lines) == ["now", "then"]
    assert found(*lines, period=day) == ["then", "now"]


def test_where_a_question_names_days_alone_all_that_was_said_in_them_is_found_the_newest_first() -> None:
    day = Period(start=NOW - timedelta(days=1), end=NOW)
    lines = apart(Line("now"), Line("then", at=-7200.0), Line("later", at=-3600.0))
    assert found(*lines, period=day, terms=(IDLE,)) == ["later", "then"]


def test_what_is_much_nearer_than_unrelated_texts_is_found_without_words() -> None:
    near, far = 0.1 + 0.1 * NEAR, 0.05 + 0.1 * NEAR
    lines = apart(Line("near", cosine=near + 0.01), Line("far", cosine=far), Line("none"))
    assert found(*lines, unrelated=UNRELATED) == ["near"]
    assert found(*lines, unrelated=None) == []


def test_words_and_vectors_count_together() -> None:
    words, both, vector = Line("words", 1.0, 0.0), Line("both", 0.9, 0.8), Line("vector", 0.0, 0.9)
    lines = apart(words, both, vector, *[Line("x", cosine=0.0)] * 6)
    assert found(*lines, unrelated=UNRELATED) == ["both", "words", "vector"]


def test_what_has_no_vector_yet_is_ordered_by_its_words() -> None:
    lines = apart(Line("new", 2.0), Line("old", 1.0, 0.1), *[Line("x", cosine=0.0)] * 6)
    assert found(*lines)[0] == "new"


def test_what_is_being_answered_is_no_answer_and_lends_nothing() -> None:
    lines = [Line("before", at=-1), Line("the question", 3.0), Line("a tool", 1.0, role=Role.TOOL)]
    assert found(*lines, before=0) == []
    assert found(Line("known", 1.0, at=-2), *lines, before=0) == ["known", "before"]


def test_so_many_are_found_at_most_and_the_best() -> None:
    lines = apart(*(Line(f"{number}", number + 1.0) for number in range(9)))
    assert found(*lines, most=2) == ["8", "7"]


def test_of_many_that_answer_as_well_the_newest_are_taken() -> None:
    day = Period(start=NOW - timedelta(days=1), end=NOW)
    lines = apart(*(Line(f"{number}", at=-60.0 * (number * 7 % 50 + 1)) for number in range(50)))
    newest = sorted(lines, key=lambda line: -line.at)[:5]
    assert found(*lines, period=day, terms=(IDLE,), most=5) == [line.name for line in newest]


@given(st.lists(st.builds(Line, st.text(), st.floats(0, 9), st.floats(-1, 1), st.booleans()), max_size=30))
def test_scores_fall_from_one_to_nothing(lines: list[Line]) -> None:
    request = Request(access=alices_access(), at=NOW, text="?", terms=(TELLING,))
    places = ranked(heard(lines), request, None, before=None, most=20)
    scores = [*places.values()]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
