"""What is recorded of the turns that people held, and what of them has to be."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from tests.host.harness.recorded import RecordedRequest
from tests.torture.lifecycle.crowd import Held

type Rows = Mapping[str, Sequence[tuple[str, str]]]
"""Role and text of what is recorded of each message, by its id; the bot's first."""
type Spans = Sequence[tuple[float, float]]


def during(turns: Iterable[Held], gaps: Spans) -> list[Held]:
    """The turns that were under way during a gap, without commands."""
    return [turn for turn in turns if turn.way != "command" and turn.is_within(gaps)]


def cut(turns: Iterable[Held], requests: Iterable[RecordedRequest], gaps: Spans) -> set[str]:
    """The ids of those that may be missing: a turn is recorded once the model was asked for the last time."""
    asked = {request.user: request.received_at for request in requests}
    answering = (replace(turn, began=asked[turn.said]) for turn in turns)
    return {turn.message_id for turn in answering if turn.is_within(gaps)}


def amiss(rows: Rows, turns: Sequence[Held], may_be_missing: Collection[str]) -> Mapping[str, object]:
    """What is recorded of turns otherwise than it should be, and what is recorded that nobody has said so.

    A turn that may be missing is recorded as a whole or not at all; a command is not recorded.
    """
    wrong = {
        f"{turn.said} in {turn.message_id}": rows.get(turn.message_id, [])
        for turn in turns
        if rows.get(turn.message_id, []) not in _due(turn, may_be_missing)
    }
    known = {turn.message_id for turn in turns}
    talk = {turn.said for turn in turns if turn.way != "command"}
    strays = {
        message_id: held
        for message_id, held in rows.items()
        if message_id not in known and any(text in talk for _, text in held)
    }
    return wrong | strays


def _due(turn: Held, may_be_missing: Collection[str]) -> Sequence[Sequence[tuple[str, str]]]:
    said = turn.said.removeprefix("/")
    whole = [("assistant", f"You said: {said}"), ("user", said)]
    if turn.way == "command":
        # While the plugin is away nobody knows it, and the model answers it as any other message.
        return [[], whole] if turn.answer == f"You said: {said}" else [[]]
    return [[], whole] if turn.message_id in may_be_missing else [whole]
