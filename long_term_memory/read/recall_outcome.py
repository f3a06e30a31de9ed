"""Why the model was not given a memory: the first thing that stood in its way."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ..domain.memory import Item
from ..domain.recalls import LoggedRecall, NoBlock
from ..domain.words import Status


class RecallOutcome(StrEnum):
    """What became of a memory at the last recall of a chat."""

    HELD = "held"
    """It waits, in shadow or for approval; the item says why."""
    FORGOTTEN = "forgotten"
    """Its person asked for that."""
    REMOVED = "removed"
    """An operator forgot or rejected it."""
    DISABLED = "disabled"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    UNSURE = "unsure"
    """It is less certain than the policy asks for."""
    NO_RECALL = "no_recall"
    """It may be used, and no recall is known."""
    LATER = "later"
    """It was learnt after the last recall."""
    GIVEN = "given"
    LEFT_OUT = "left_out"
    """The detail is the rule."""
    NO_BLOCK = "no_block"
    """Nothing at all was given; the detail is why (`NoBlock`)."""
    CHANGED = "changed"
    """It came into use, or changed, after the last recall."""
    NOT_NEAR = "not_near"
    """So many others were nearer that the log does not name it."""


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """One memory's fate."""

    fate: RecallOutcome
    detail: str = ""
    """Which rule or reason, where the fate has several."""


_OUT_OF_USE = {
    Status.SHADOW: RecallOutcome.HELD,
    Status.PENDING: RecallOutcome.HELD,
    Status.DISABLED: RecallOutcome.DISABLED,
    Status.SUPERSEDED: RecallOutcome.SUPERSEDED,
    Status.EXPIRED: RecallOutcome.EXPIRED,
}
_ALL_OFF = frozenset({NoBlock.PAUSED, NoBlock.READING_OFF})


def explain(item: Item, last: LoggedRecall | None, *, now: datetime, min_confidence: float) -> Explanation:
    """What keeps an item that is not deleted from being used now, else what became of it at the last recall.

    `last` is the latest recall of the chat that asks, for the person who asks; None when none is known.
    """
    if item.status in _OUT_OF_USE:
        return Explanation(fate=_OUT_OF_USE[item.status])
    if item.expires_at is not None and item.expires_at <= now:
        return Explanation(fate=RecallOutcome.EXPIRED)
    if item.confidence < min_confidence:
        return Explanation(fate=RecallOutcome.UNSURE)
    return _at(last, item) if last else Explanation(fate=RecallOutcome.NO_RECALL)


def _at(last: LoggedRecall, item: Item) -> Explanation:
    if any(each.memory_id == item.memory_id for each in last.given):
        return Explanation(fate=RecallOutcome.GIVEN)
    for each in last.left_out:
        if each.memory_id == item.memory_id:
            return Explanation(fate=RecallOutcome.LEFT_OUT, detail=each.rule)
    if item.created_at > last.at:
        return Explanation(fate=RecallOutcome.LATER)
    if item.updated_at > last.at and last.reason not in _ALL_OFF:
        return Explanation(fate=RecallOutcome.CHANGED)
    if last.reason in list(NoBlock):
        return Explanation(fate=RecallOutcome.NO_BLOCK, detail=last.reason)
    return Explanation(fate=RecallOutcome.NOT_NEAR)
