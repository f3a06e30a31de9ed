"""Retry queue: items held back by a rate limit or not verified yet."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ..domain.memory import Event, Item
from ..domain.words import Origin, Role, Stance, Status
from ..domain.writing import Candidate, Grounded, Passage, Segment
from ..policies.admission import RATE_OF_CHAT, RATE_WINDOW, admitted, within_rates
from ..policies.memory_policies import MemoryWritePolicy
from ..policies.succession import RATE_RULES
from ..prompts.verification import Judgement
from .gate import paused
from .protocols import WriteTransaction
from .rivals import rivals_of
from .transitions import Decision, approve, reject
from .verify import UNVERIFIED, judged

MOST_AT_ONCE = 20
_BEFORE, _AFTER = 4, 20
"""Messages shown to verification before and after the evidence of an item: later ones may take it back."""


@dataclass(frozen=True, kw_only=True)
class Recheck:
    """Unverified items of one chat as a question for verification."""

    items: Sequence[Item]
    segment: Segment
    facts: Sequence[Grounded]


async def release_by_rate(tx: WriteTransaction, policy: MemoryWritePolicy, decision: Decision) -> int:
    """Release what the rate limits allow now, oldest first; returns how many."""
    now, full_at, released = decision.now, policy.max_items_per_scope, 0
    for item in await tx.held_back(RATE_RULES, limit=policy.max_writes_per_session):
        usage = await tx.usage(item.owner, item.origin_umo, now=now, window=RATE_WINDOW, full_at=full_at)
        if usage.new_in_hour >= policy.max_writes_per_hour:
            break
        if not within_rates(usage, policy):
            status = admitted(item.type, item.evidence_count, policy)
            released += bool(await approve(tx, item, decision, action="release", status=status))
    return released


async def recheck_of(tx: WriteTransaction, asked: Collection[str] = ()) -> Recheck | None:
    """The oldest unverified item of nobody paused that was not `asked` about, with others on its messages."""
    held = await tx.held_back({UNVERIFIED}, limit=MOST_AT_ONCE + len(asked))
    waiting = [item for item in held if item.memory_id not in asked][:MOST_AT_ONCE]
    rested = [(item, await tx.rests_on(item.memory_id)) for item in waiting]
    found = [
        (item, told, _as_found(item, told, await tx.stance_of(item.memory_id)))
        for item, told in rested
        if any(event.role is Role.USER for event in told)
    ]
    said = [each for each in found if not await paused(tx, each[2])]
    if not said:
        return None
    first, told, _ = said[0]
    before, after = await tx.before(told[0], limit=_BEFORE), await tx.after(told[-1], limit=_AFTER)
    around = {each.event_id: each for each in (*before, *told, *after) if each.at_scope == told[0].at_scope}
    beside = [
        (item, fact)
        for item, told, fact in said
        if item.level == first.level and {event.event_id for event in told} <= {*around}
    ]
    rivals: list[Item] = []
    for item, fact in beside:
        rivals += await rivals_of(tx, item, [await tx.get_item(each) for each in fact.candidate.replaces])
    return Recheck(
        items=[item for item, _ in beside],
        segment=Segment(
            events=tuple(sorted(around.values(), key=lambda event: event.created_at)),
            known=tuple({each.memory_id: each for each in rivals}.values()),
        ),
        facts=[fact for _, fact in beside],
    )


async def settle(
    tx: WriteTransaction,
    recheck: Recheck,
    judgements: Sequence[Judgement | None],
    policy: MemoryWritePolicy,
    decision: Decision,
) -> bool:
    """Release what the model accepts as the rates allow, expire what it refuses; True when it settled any."""
    for item, fact, judgement in zip(recheck.items, recheck.facts, judgements, strict=True):
        current = await tx.get_item(item.memory_id)
        if judgement is None or current is None or current.reason != UNVERIFIED:
            continue
        found = judged(fact, judgement, recheck.segment)
        if found.refused:
            await reject(tx, item, decision, reason=found.refused, status=Status.EXPIRED)
        elif found.doubt:
            await tx.update_item(replace(current, reason=found.doubt, updated_at=decision.now))
        elif not await paused(tx, fact):
            told = found.candidate
            accepted = replace(current, slot=told.slot, supersedes=told.replaces, reason=RATE_OF_CHAT)
            await tx.update_item(accepted)
    await release_by_rate(tx, policy, decision)
    return any(judgements)


def _as_found(item: Item, events: Sequence[Event], stance: Stance) -> Grounded:
    said = next((event for event in events if event.role is Role.USER), events[0])
    candidate = Candidate(
        type=item.type,
        fact=item.fact,
        confidence=item.confidence,
        importance=item.importance,
        origin=item.origin,
        stance=stance,
        slot=item.slot,
        replaces=item.supersedes,
    )
    return Grounded(
        candidate=candidate,
        event=said,
        quote=said.text,
        owner=item.owner,
        person=item.person,
        beside=tuple(Passage(event=event, text=event.text) for event in events if event is not said),
        is_of_bot=item.origin is Origin.CONFIRMED,
    )
