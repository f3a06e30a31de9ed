"""Retry queue: items held back by a rate limit or not verified yet."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from functools import partial

from ..domain.enums import BY_ITSELF, Origin, Role, Stance
from ..domain.memory import Event, Item
from ..domain.writing import Candidate, Grounded, Passage, Segment
from ..policies.admission import RATE_OF_CHAT, admitted, within_rates
from ..policies.succession import RATE_RULES
from ..prompts.verification import Judgement
from .protocols import WriteTransaction
from .stages import WriterParts, paused
from .transitions import Decision, approve, conflicts_of_waiting, reject
from .verify import UNVERIFIED, judged

MOST_AT_ONCE = 20
_BEFORE, _AFTER = 4, 20
"""Messages shown to verification before and after the evidence of an item: later ones may take it back."""


class RetryQueue:
    """Items held back by a rate limit or not verified yet. Every method may raise what the store raises."""

    def __init__(self, parts: WriterParts) -> None:
        self._parts = parts
        self._store = parts.store
        self._asked = set[str]()
        """Ids of the unverified items that were asked about again in this round."""

    async def any_waits(self) -> bool:
        """Whether there are such items."""
        return bool(await self._store.pending_for({*RATE_RULES, UNVERIFIED}, limit=1))

    async def release(self) -> int:
        """Release what the rate limits allow now, oldest first; returns how many."""
        async with self._store.transaction() as tx:
            return await self._release(tx)

    async def recheck(self, provider_of: Callable[[str], Awaitable[str]]) -> bool:
        """Verify the unverified facts of one chat; whether the model settled any.

        When each chat has had its turn, a new round begins. Raises what `provider_of` raises, which names the
        provider of a chat.
        """
        if (verify := self._parts.verify) is None:
            return False
        unasked = partial(_recheck_of, asked=self._asked)
        waiting = await self._store.in_snapshot(unasked)
        if waiting is None:
            self._asked.clear()
            waiting = await self._store.in_snapshot(unasked)
        if waiting is None:
            return False
        segment, found = waiting
        self._asked |= {item.memory_id for item, _ in found}
        provider = await provider_of(found[0][0].origin_umo)
        judgements = await verify(segment, [fact for _, fact in found], provider)
        async with self._store.transaction() as tx:
            for (item, fact), judgement in zip(found, judgements, strict=True):
                await self._settle(tx, segment, item, fact, judgement)
            await self._release(tx)
        return any(judgements)

    async def _release(self, tx: WriteTransaction) -> int:
        policy, decision, released = self._parts.policy(), self._decision(), 0
        now, full_at = decision.now, policy.max_items_per_scope
        for item in await tx.pending_for(RATE_RULES, limit=policy.max_writes_per_session):
            counts = await tx.quota_counts(item.owner, item.origin_umo, now=now, full_at=full_at)
            if counts.new_in_hour >= policy.max_writes_per_hour:
                break
            if not within_rates(counts, policy):
                status = admitted(item.type, item.evidence_count, policy)
                released += bool(await approve(tx, item, decision, action="release", status=status))
        return released

    async def _settle(
        self, tx: WriteTransaction, segment: Segment, item: Item, fact: Grounded, judgement: Judgement | None
    ) -> None:
        """Expire what the model refuses; what it accepts waits for the rates alone."""
        current, decision = await tx.get_item(item.memory_id), self._decision()
        if judgement is None or current is None or current.reason != UNVERIFIED:
            return
        found = judged(fact, judgement, segment)
        if found.refused:
            await reject(tx, item, decision, refused=found.refused)
        elif found.doubt:
            await tx.update_item(replace(current, reason=found.doubt, updated_at=decision.now))
        elif not await paused(tx, fact):
            claim = found.candidate
            accepted = replace(current, slot=claim.slot, supersedes=claim.replaces, reason=RATE_OF_CHAT)
            await tx.update_item(accepted)

    def _decision(self) -> Decision:
        return Decision(actor=BY_ITSELF, now=self._parts.clock())


async def _recheck_of(
    tx: WriteTransaction, asked: Collection[str]
) -> tuple[Segment, Sequence[tuple[Item, Grounded]]] | None:
    """The oldest unverified item of nobody paused that was not `asked` about, with others on its messages."""
    held = await tx.pending_for({UNVERIFIED}, limit=MOST_AT_ONCE + len(asked))
    waiting = [item for item in held if item.memory_id not in asked][:MOST_AT_ONCE]
    rested = [(item, await tx.rests_on(item.memory_id)) for item in waiting]
    found = [
        (item, words, _as_found(item, words, await tx.stance_of(item.memory_id)))
        for item, words in rested
        if any(event.role is Role.USER for event in words)
    ]
    said = [each for each in found if not await paused(tx, each[2])]
    if not said:
        return None
    first, words, _ = said[0]
    before, after = await tx.before(words[0], limit=_BEFORE), await tx.after(words[-1], limit=_AFTER)
    around = {each.event_id: each for each in (*before, *words, *after) if each.at_scope == words[0].at_scope}
    beside = [
        (item, fact)
        for item, words, fact in said
        if item.level == first.level and {event.event_id for event in words} <= {*around}
    ]
    conflicts = [each for item, _ in beside for each in await conflicts_of_waiting(tx, item)]
    events = tuple(sorted(around.values(), key=lambda event: event.created_at))
    known = tuple({each.memory_id: each for each in conflicts}.values())
    return Segment(events=events, known=known), beside


def _as_found(item: Item, events: Sequence[Event], stance: Stance) -> Grounded:
    said = next((event for event in events if event.role is Role.USER), events[0])
    names = ("type", "fact", "confidence", "importance", "origin", "slot")
    same = {name: getattr(item, name) for name in names}
    return Grounded(
        candidate=Candidate(**same, stance=stance, replaces=item.supersedes),
        event=said,
        quote=said.text,
        owner=item.owner,
        person=item.person,
        beside=tuple(Passage(event=event, text=event.text) for event in events if event is not said),
        is_of_bot=item.origin is Origin.CONFIRMED,
    )
