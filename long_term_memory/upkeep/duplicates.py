"""Makes one of active items that say the same, which rests on all their words.

Merging does so when a fact is heard; this finds what it could not see then: items whose vectors came later,
or that an approval made active. Nothing comes to light where it was not before: a person's own item surfaces
in the groups its words were said in, so only two that were said in the same groups become one.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import datetime

from ..domain.enums import BY_ITSELF, Origin, Scope, Status
from ..domain.memory import Item
from ..domain.time import Clock, MakeId
from ..policies.keys import is_chosen
from ..policies.retention import retention_score
from ..policies.succession import left
from ..storage.store import Store
from ..text_analysis.fact_relation import Relation, relation, relation_of_near
from ..text_analysis.word_forms import same_words
from ..write.stages import NEAR, averaged
from ..write.transitions import Decision, audit_line
from .housekeeping import Breathe

DUPLICATE = "duplicate"
BATCH_SIZE = 50
MAX_BATCHES = 10
"""Of these in one round; the next goes on from there."""
MAX_NEAR = 20
"""Neighbours by words that one item is compared with, and as many by vectors."""


@dataclass
class Duplicates:
    """Looks through the active items in the order in which they changed; after a restart, at all again."""

    store: Store
    _: KW_ONLY
    model_id: Callable[[], str | None]
    """Names the embedding model of the moment; without one, words alone decide."""
    clock: Clock
    make_id: MakeId
    breathe: Breathe
    _mark: tuple[datetime, int] | None = field(default=None, init=False)

    async def work(self) -> None:
        """Join what is found, each pair in a transaction of its own."""
        if self._mark and self._mark[0] > self.clock():
            self._mark = None  # the clock was set back: what changes now comes before the mark
        for _ in range(MAX_BATCHES):
            batch = await self.store.changed_items(self.model_id(), after=self._mark, limit=BATCH_SIZE)
            # Before it is looked at: one that cannot be joined must not keep the others waiting.
            for item, self._mark in batch:
                near = await self.store.near_items(item, self.model_id(), cosine=NEAR, limit=MAX_NEAR)
                for other, cosine in near:
                    if say_the_same(item.fact, other.fact, cosine):
                        await self._join(item, other)
            if len(batch) < BATCH_SIZE:
                return
            await self.breathe()

    async def _join(self, one: Item, other: Item) -> None:
        """Make them one unless they changed since they were compared, but for having been recalled."""
        decision = Decision(actor=BY_ITSELF, now=self.clock())
        async with self.store.transaction() as tx:
            first, second = [await tx.get_item(item.memory_id) for item in (one, other)]
            if not (first and second and _is_unchanged(first, one) and _is_unchanged(second, other)):
                return
            pair = paired(first, second, now=decision.now)
            # Both come to light in the same groups, also once they are taken back if they are shared.
            own = first.owner.scope is Scope.USER
            if not pair or (own and await tx.said_in(one.memory_id) != await tx.said_in(other.memory_id)):
                return
            keeper, gone = pair
            known = await tx.links_of(keeper.memory_id)
            events = {link.event_id for link in known}
            # The other keeps its own evidence, as its history.
            new = [
                replace(link, evidence_id=self.make_id(), memory_id=keeper.memory_id)
                for link in await tx.links_of(gone.memory_id)
                if link.event_id not in events
            ]
            over = left(gone, Status.SUPERSEDED, DUPLICATE, now=decision.now, by=keeper.memory_id)
            kept = joined(*pair, len(known) + len(new), now=decision.now)
            await tx.update_item(over)
            await tx.update_item(kept, new)
            for before, after in ((gone, over), (keeper, kept)):
                await tx.audit(audit_line(decision, "join", before, after, reason=DUPLICATE))


def _is_unchanged(item: Item, before: Item) -> bool:
    recalled = {"access_count": item.access_count, "last_accessed_at": item.last_accessed_at}
    return item == replace(before, **recalled)


def say_the_same(fact: str, other: str, cosine: float | None) -> bool:
    """Whether two facts are one: by their words, or by vectors when no name, number or denial differs."""
    is_near = cosine is not None and cosine > NEAR
    return (relation_of_near if is_near else relation)(fact, other) is Relation.SAME


def paired(one: Item, other: Item, *, now: datetime) -> tuple[Item, Item] | None:
    """Which of two items of a family that say the same stays, and which goes; None when neither may.

    What a person saved in their own words always stays, so two of those stay two. Else the one stays that is
    more worth keeping.
    """
    is_over = any(item.expires_at is not None and item.expires_at <= now for item in (one, other))
    if is_over or not (_fits(one.relationship, other.relationship) and _fits(one.slot, other.slot)):
        return None
    gone, keeper = sorted(
        (one, other), key=lambda item: (_is_explicit(item), retention_score(item, now=now), item.memory_id)
    )
    return None if _is_explicit(gone) else (keeper, gone)


def joined(item: Item, other: Item, evidence_count: int, *, now: datetime) -> Item:
    """The one that stays, once it has what the other had."""
    one = averaged(0.0, 0, item.confidence, item.evidence_count)
    ends = (item.expires_at, other.expires_at)
    return replace(
        item,
        confidence=averaged(one, item.evidence_count, other.confidence, other.evidence_count),
        importance=max(item.importance, other.importance),
        emotion=max(item.emotion, other.emotion),
        last_confirmed_at=max(item.last_confirmed_at, other.last_confirmed_at),
        relationship=item.relationship or other.relationship,
        backstory=item.backstory or other.backstory,
        slot=item.slot or other.slot,
        evidence_count=evidence_count,
        access_count=item.access_count + other.access_count,
        updated_at=now,
        last_accessed_at=max(filter(None, (item.last_accessed_at, other.last_accessed_at)), default=None),
        expires_at=None if None in ends else max(filter(None, ends)),
    )


def _fits(text: str, other: str) -> bool:
    return not text or not other or same_words(text, other)


def _is_explicit(item: Item) -> bool:
    """Whether somebody saved it: under a key of their choice it must be found again, asked for or not."""
    return item.origin is Origin.USER_EXPLICIT or is_chosen(item.fact_key)
