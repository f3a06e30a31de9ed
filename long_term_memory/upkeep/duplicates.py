"""Makes one of active items that say the same (design 5.6): the one that stays rests on all their words.

Merging does so when a fact is heard; this finds what it could not see then: items whose vectors came later,
or that an approval made active.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..domain.memory import Evidence, Item
from ..domain.time import Clock, MakeId
from ..domain.words import Status
from ..domain.writing import AuditEntry
from ..storage.store import Store
from ..storage.transaction import StoreTransaction
from .housekeeping import Breathe
from .joining import DUPLICATE, NEAR, Placed, joined, paired, say_the_same, superseded

if TYPE_CHECKING:
    from ..storage.families import Mark

AT_ONCE = 50
"""Items looked at between two breaths."""
MAX_BATCHES = 10
"""Of these in one round; the next goes on from there."""
MAX_NEAR = 20
"""Neighbours by words that one item is compared with, and as many by vectors."""


class Duplicates:
    """Looks through the active items in the order in which they changed; after a restart, at all again."""

    def __init__(
        self,
        store: Store,
        *,
        model_id: Callable[[], str | None],
        clock: Clock,
        make_id: MakeId,
        breathe: Breathe,
    ) -> None:
        """`model_id` names the embedding model of the moment; without one, words alone decide."""
        self._store = store
        self._model_id = model_id
        self._clock = clock
        self._make_id = make_id
        self._breathe = breathe
        self._mark: Mark | None = None

    async def work(self) -> None:
        """Join what is found, each pair in a transaction of its own."""
        if self._mark and self._mark.changed_at > self._clock():
            self._mark = None  # the clock was set back: what changes now comes before the mark
        for _ in range(MAX_BATCHES):
            batch = await self._store.families.changed(self._model_id(), after=self._mark, limit=AT_ONCE)
            for changed in batch:
                # Before it is looked at: one that cannot be joined must not keep the others waiting.
                self._mark = changed.mark
                await self._settle(changed.item)
            if len(batch) < AT_ONCE:
                return
            await self._breathe()

    async def _settle(self, item: Item) -> None:
        near = await self._store.families.near(item, self._model_id(), cosine=NEAR, limit=MAX_NEAR)
        for other in near:
            if say_the_same(item.fact, other.item.fact, other.cosine):
                await self._join(item, other.item)

    async def _join(self, one: Item, other: Item) -> None:
        """Make them one unless they changed since they were compared."""
        now = self._clock()
        async with self._store.transaction() as tx:
            placed = [await _as_compared(tx, item) for item in (one, other)]
            pair = paired(placed[0], placed[1], now=now) if placed[0] and placed[1] else None
            if pair is None:
                return
            keeper, gone = pair.keeper.item, pair.other.item
            known = await tx.links_of(keeper.memory_id)
            new = self._copied(known, await tx.links_of(gone.memory_id), keeper)
            await tx.update_item(superseded(pair, now=now))
            await tx.update_item(joined(pair, [*known, *new], now=now), new)
            await tx.audit(_line(gone, after=Status.SUPERSEDED))
            await tx.audit(_line(keeper, after=Status.ACTIVE))

    def _copied(self, known: Sequence[Evidence], found: Sequence[Evidence], keeper: Item) -> list[Evidence]:
        """What the other rests on and the keeper does not; the other keeps its own, as its history."""
        events = {link.event_id for link in known}
        return [
            replace(link, evidence_id=self._make_id(), memory_id=keeper.memory_id)
            for link in found
            if link.event_id not in events
        ]


async def _as_compared(tx: StoreTransaction, item: Item) -> Placed | None:
    current = await tx.get_item(item.memory_id)
    if current is None or current.fact != item.fact:
        return None
    return Placed(item=current, said_in=await tx.said_in(item.memory_id))


def _line(item: Item, *, after: Status) -> AuditEntry:
    return AuditEntry(
        actor="system",
        action="join",
        memory_id=item.memory_id,
        before=item.status,
        after=after,
        reason=DUPLICATE,
    )
