"""What is lost, halved, doubled or nobody's is found, and only what a reload may have cost is not."""

from collections.abc import Sequence

import pytest

from tests.host.harness.people import Person
from tests.host.harness.recorded import RecordedRequest
from tests.torture.lifecycle.crowd import Held
from tests.torture.lifecycle.kept import Rows, amiss, cut, during

pytestmark = pytest.mark.torture

ANN = Person("ann0")
GAPS = [(10.0, 12.0), (20.0, 22.0)]


def held(said: str, began: float, ended: float, way: str = "plain", answer: str = "") -> Held:
    """One turn, whose id is what was said."""
    answer = answer or f"You said: {said}"
    return Held(message_id=said, person=ANN, said=said, answer=answer, began=began, ended=ended, way=way)


def asked(said: str, at: float) -> RecordedRequest:
    return RecordedRequest(
        kind="chat", body={"messages": [{"role": "user", "content": said}]}, received_at=at
    )


def whole(said: str) -> list[tuple[str, str]]:
    return [("assistant", f"You said: {said}"), ("user", said)]


BEFORE, AFTER = held("before", 5, 9), held("after", 11, 14)
ACROSS, WITHIN = held("across", 9, 13), held("within", 10.5, 11)
COMMAND = held("/ltm list", 5, 6, "command", "I have no memories")
UNKNOWN = held("/ltm why", 11, 12, "command", "You said: ltm why")
NOTHING: list[tuple[str, str]] = []
TURNS = [BEFORE, AFTER, ACROSS, WITHIN, COMMAND, UNKNOWN]
REQUESTS = [
    asked("across", 9.5),
    asked("before", 6),
    asked("after", 11.5),
    asked("after", 12.5),
    asked("within", 10.6),
]


def judged(**instead: Sequence[tuple[str, str]]) -> list[str]:
    """Whose turns are found amiss when some rows are others than those of every turn."""
    rows: Rows = {turn.said: whole(turn.said) for turn in (BEFORE, AFTER, ACROSS, WITHIN)} | instead
    found = amiss(rows, TURNS, cut(during(TURNS, GAPS), REQUESTS, GAPS))
    return [what.split(" in ")[0] for what in found]


def test_a_turn_may_be_missing_if_the_model_was_asked_last_before_the_gap_ended_and_it_went_on_into_it() -> (
    None
):
    assert during(TURNS, GAPS) == [AFTER, ACROSS, WITHIN]
    assert cut(during(TURNS, GAPS), REQUESTS, GAPS) == {"across", "within"}
    assert judged() == judged(across=NOTHING, within=NOTHING) == []


@pytest.mark.parametrize("said", ["before", "after"])
def test_any_other_must_be_recorded(said: str) -> None:
    assert judged(**{said: NOTHING}) == [said]


@pytest.mark.parametrize("said", ["before", "after", "across", "within"])
@pytest.mark.parametrize("rows", [whole("x")[:1], whole("x")[1:], whole("x") * 2, whole("y")])
def test_half_a_turn_twice_a_turn_and_other_words_are_found(
    said: str, rows: Sequence[tuple[str, str]]
) -> None:
    assert judged(**{said: [(role, text.replace("x", said)) for role, text in rows]}) == [said]


def test_a_command_is_recorded_only_as_the_message_that_the_model_has_answered() -> None:
    assert judged(**{"/ltm list": whole("ltm list")}) == ["/ltm list"]
    assert judged(**{"/ltm why": whole("/ltm why")}) == ["/ltm why"]
    assert judged(**{"/ltm why": whole("ltm why")}) == []


def test_what_was_said_in_no_turn_is_found() -> None:
    assert judged(another=whole("before")) == ["another"]
    assert judged(another=whole("of somebody else")) == []
