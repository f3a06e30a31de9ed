"""Stage 2, extract: lease a batch, reserve its tokens, ask the model."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo

from ..domain.chat import Access
from ..domain.enums import Extraction, MemoryType, Role, Scope
from ..domain.memory import Event, Item
from ..domain.writing import Grounded, Segment, TokenReservation
from ..policies.token_cap import DAILY_CAP, next_day
from ..prompts.extraction import ParsedAnswer, extraction_prompt, parse
from ..prompts.transcript import MAX_EARLIER, MAX_KNOWN, segment_lines
from ..prompts.verification import MAX_SHOWN
from ..text_analysis.tokens import tokens
from .protocols import WriteTransaction
from .stages import WriterParts
from .token_budget import LEAST_CAP, TokenBudget


@dataclass(frozen=True, kw_only=True)
class LeasedBatch:
    """A leased batch, and its question with reserved tokens."""

    segment: Segment
    lease: str
    prompt: str
    reservation: TokenReservation

    @property
    def event_ids(self) -> list[str]:
        """The ids of its events."""
        return [event.event_id for event in self.segment.events]


def affordable(events: Sequence[Event], cap: int, zone: tzinfo = UTC) -> tuple[Sequence[Event], str] | None:
    """The longest of the batch, its first half and so on that fits the cap, and its prompt lines."""
    while events:
        text = segment_lines(events, zone)
        if LEAST_CAP + tokens(text) < cap:
            return events, text
        events = events[: len(events) // 2]
    return None


async def claim_batch(
    tx: WriteTransaction, events: Sequence[Event], conversation: str, parts: WriterParts, *, provider: str
) -> LeasedBatch | None:
    """Lease a batch, write the prompt around its lines and reserve the tokens, in one transaction.

    None when the batch has changed, the chat is leased, no person spoke, or the tokens of the day are spent.
    What is known and was said before is left out where it would cost more than a whole day's.
    """
    now, name, budget = parts.clock(), parts.make_id(), parts.budget
    ids = [event.event_id for event in events]
    if not await tx.claim(events, lease=name, now=now):
        return None
    said = [event for event in events if event.role is Role.USER]
    if not said:
        await tx.mark_events(ids, Extraction.SKIPPED)
        return None
    earlier = await tx.before(events[0], limit=MAX_EARLIER)
    segment = Segment(events=tuple(events), earlier=tuple(earlier))
    segment = replace(segment, known=await _known(tx, said, segment))
    reservation = budget.price(provider, prompt := extraction_prompt(segment, conversation))
    if reservation.total > budget.cap:
        segment = Segment(events=tuple(events))
        reservation = budget.price(provider, prompt := extraction_prompt(segment, conversation))
    if not await budget.book(tx, reservation):
        await tx.postpone(ids, until=next_day(now), error=DAILY_CAP, attempted=False, lease=name)
        return None
    return LeasedBatch(segment=segment, lease=name, prompt=prompt, reservation=reservation)


async def extract(leased: LeasedBatch, budget: TokenBudget) -> ParsedAnswer:
    """Ask the model once, outside of any transaction. Raises UnavailableError, and AnswerError."""
    answer = await budget.complete(leased.reservation, umo=leased.segment.events[0].umo, prompt=leased.prompt)
    known = tuple(item.memory_id for item in leased.segment.known)
    return await asyncio.to_thread(parse, answer, known)


async def _known(tx: WriteTransaction, said: Sequence[Event], segment: Segment) -> tuple[Item, ...]:
    """Facts nearest to each message with its reply, open tasks first, without those of the rules in these.

    The bot names what an answer ("the second one") only points at.
    """
    texts = [" ".join(event.text for event in segment.earlier)]
    for event in segment.events:
        if event.role is Role.USER:
            texts.append(event.text)
        elif event.role is Role.ASSISTANT:
            texts[-1] += f" {event.text}"
    found = await tx.known(_access(said), [*texts[1:], texts[0]], limit=MAX_KNOWN)
    own = {item.memory_id for item in await tx.extracted_by_rules([event.event_id for event in said])}
    known = [item for item in found if item.memory_id not in own]
    return tuple(sorted(known, key=lambda item: item.type is not MemoryType.TASK_STATE))


async def with_known_of(tx: WriteTransaction, facts: Sequence[Grounded], segment: Segment) -> Segment:
    """The segment with what is known nearest to the facts first, by tags and words; not what they replace."""
    replaced = {each for fact in facts for each in fact.candidate.replaces}
    texts = [str(fact.candidate.meta.get("tags", "")) for fact in facts]
    texts += [fact.candidate.fact for fact in facts]
    said = [event for event in segment.events if event.role is Role.USER]
    found = await tx.known(_access(said), texts, limit=MAX_SHOWN + len(replaced))
    own = {item.memory_id for item in await tx.extracted_by_rules([event.event_id for event in said])}
    first = (item for item in found if item.memory_id not in replaced | own)
    known = {item.memory_id: item for item in (*first, *segment.known)}
    return replace(segment, known=tuple(known.values()))


def _access(said: Sequence[Event]) -> Access:
    """Read access for the prompt: the speakers' own scopes and the chat's, at the batch's level."""
    first = said[0]
    here = first.at_scope
    group = here if here.scope is Scope.GROUP else None
    return Access(
        umo=first.umo,
        private=group is None,
        level=first.level,
        owner=first.owner,
        group=group,
        readable=tuple(dict.fromkeys([*(event.owner for event in said), here])),
    )
