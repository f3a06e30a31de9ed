"""Before a model is asked: the batch is leased, the question written and its price booked, all at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from enum import StrEnum

from ..domain.chat import Access
from ..domain.memory import Event, Item
from ..domain.words import Extraction, MemoryType, Role, Scope
from ..domain.writing import Booking, Segment
from ..policies.spending import ANSWER_ALLOWANCE, DAILY_CAP, next_day
from ..prompts.extraction import SYSTEM, TASK, with_task
from ..prompts.transcript import MAX_EARLIER, MAX_KNOWN, segment_lines
from ..text_analysis.tokens import tokens
from .meter import Meter
from .protocols import WriteTransaction

LEAST_CAP = tokens(SYSTEM) + tokens(TASK) + ANSWER_ALLOWANCE
"""A daily cap that is not above this has no room for any question."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A batch that nobody else works on while the lease runs, and the question that is paid for."""

    segment: Segment
    lease: str
    prompt: str
    booking: Booking

    @property
    def events(self) -> Sequence[Event]:
        """The messages of the batch."""
        return self.segment.events

    @property
    def known(self) -> tuple[str, ...]:
        """Memory ids of the items that the prompt labels K1, K2 and so on."""
        return tuple(item.memory_id for item in self.segment.known)

    @property
    def umo(self) -> str:
        """The chat."""
        return self.events[0].umo

    @property
    def event_ids(self) -> list[str]:
        """Of all its events."""
        return [event.event_id for event in self.events]


class NotClaimed(StrEnum):
    """Why there is nothing to ask."""

    GONE = "gone"
    """The batch has changed since, or somebody else is at work on the chat."""
    SKIPPED = "skipped"
    """Nobody said anything in it."""
    CAPPED = "capped"
    """It waits until the next day's tokens can pay for it."""


@dataclass(frozen=True, kw_only=True)
class Draft:
    """As many events of a batch as one day can pay for, and how they read."""

    events: Sequence[Event]
    conversation: str


def drafted(events: Sequence[Event], cap: int, zone: tzinfo = UTC) -> Draft | None:
    """The largest of the batch, its half, a quarter and so on that fits a day; None when one event does not.

    `zone` is where its days begin. Texts may be long: leave the event loop alone.
    """
    while events:
        text = segment_lines(events, zone)
        if LEAST_CAP + tokens(text) + 1 <= cap:
            return Draft(events=events, conversation=text)
        events = events[: len(events) // 2]
    return None


async def claim(
    tx: WriteTransaction, draft: Draft, meter: Meter, *, provider: str, lease: str, now: datetime
) -> Claim | NotClaimed:
    """Lease, write and book in one transaction; what is known is as it stands then."""
    events = draft.events
    ids = [event.event_id for event in events]
    if not await tx.claim(events, lease=lease, now=now):
        return NotClaimed.GONE
    said = [event for event in events if event.role is Role.USER]
    if not said:
        await tx.mark_events(ids, Extraction.SKIPPED)
        return NotClaimed.SKIPPED
    earlier = await tx.before(events[0], limit=MAX_EARLIER)
    segment = Segment(events=tuple(events), earlier=tuple(earlier), known=await _known(tx, said, earlier))
    prompt = with_task(segment, draft.conversation)
    booking = meter.price(provider, prompt)
    if booking.total > meter.cap:
        segment = Segment(events=tuple(events))
        prompt = with_task(segment, draft.conversation)
        booking = meter.price(provider, prompt)
    if not await meter.book(tx, booking):
        await tx.postpone(ids, until=next_day(now), error=DAILY_CAP, lease=lease)
        return NotClaimed.CAPPED
    return Claim(segment=segment, lease=lease, prompt=prompt, booking=booking)


async def _known(tx: WriteTransaction, said: Sequence[Event], earlier: Sequence[Event]) -> tuple[Item, ...]:
    """The facts that have to do with the segment, open tasks first; not what the rules have made of it."""
    words = " ".join(event.text for event in (*said, *earlier))
    found = await tx.known(_access(said), words, limit=MAX_KNOWN)
    own = await tx.provisional([event.event_id for event in said])
    known = [item for item in found if item.memory_id not in {each.memory_id for each in own}]
    return tuple(sorted(known, key=lambda item: item.type is not MemoryType.TASK_STATE))


def _access(said: Sequence[Event]) -> Access:
    """What these speakers may all be told here: their own scopes and the chat's, at the batch's level."""
    first = said[0]
    here = first.at_scope
    group = here if here.scope is Scope.GROUP else None
    owners = dict.fromkeys(event.owner for event in said)
    return Access(
        umo=first.umo,
        private=group is None,
        level=first.level,
        owner=first.owner,
        group=group,
        readable=tuple(dict.fromkeys((*owners, here))),
    )
