"""Mistakes made on purpose, each of which a real memory could make: the trial has to see every one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import override

from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, Chat, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Audience, Level, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Evidence, Item
from astrbot_plugin_ltm.long_term_memory.domain.transfer import ImportResult, Kind
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.access_resolver import AccessResolver
from astrbot_plugin_ltm.long_term_memory.models import IMPORTED_ITEMS, ITEMS
from astrbot_plugin_ltm.long_term_memory.storage.connection import Connection
from astrbot_plugin_ltm.long_term_memory.storage.missing_vectors import Embeddable
from astrbot_plugin_ltm.long_term_memory.storage.store import Store, StoreTransaction
from astrbot_plugin_ltm.long_term_memory.storage.transfers import Transfers
from astrbot_plugin_ltm.long_term_memory.storage.vectors import VectorStore
from sqlalchemy import select, text

from tests.faults.story import Front
from tests.torture.model.life import FIRST_MODEL


class Unaware(StoreTransaction):
    """Knows nothing of what was deleted, so that it is learnt again."""

    @override
    async def find_item(self, owner: ScopeRef, level: Level, fact_key: str, person: str) -> Item | None:
        found = await super().find_item(owner, level, fact_key, person)
        return None if found and found.status is Status.DELETED else found

    @override
    async def similar(self, owner: ScopeRef, level: Level | None, text: str, *, limit: int) -> Sequence[Item]:
        found = await super().similar(owner, level, text, limit=limit)
        return [one for one in found if one.status is not Status.DELETED]

    @override
    async def deleted_on(self, event_id: str) -> Sequence[Item]:
        return ()


class Careless(StoreTransaction):
    """Counts the words a fact rests on, and forgets to link them."""

    @override
    async def update_item(self, item: Item, evidence: Sequence[Evidence] = ()) -> None:
        await super().update_item(item)


class Unindexed(StoreTransaction):
    """Takes what it stores out of the full-text index."""

    @override
    async def insert_item(self, item: Item, evidence: Sequence[Evidence]) -> None:
        await super().insert_item(item, evidence)
        await self._unindex(item)

    @override
    async def update_item(self, item: Item, evidence: Sequence[Evidence] = ()) -> None:
        await super().update_item(item, evidence)
        await self._unindex(item)

    async def _unindex(self, item: Item) -> None:
        statement = text("DELETE FROM ltm_fts WHERE rowid = (SELECT id FROM ltm_items WHERE memory_id = :of)")
        await self._connection.change(statement, {"of": item.memory_id})


class Hoarding(StoreTransaction):
    """Never sees that a fact answers what another one answers."""

    @override
    async def same_slot(self, owner: ScopeRef, level: Level, slot: str, person: str) -> Sequence[Item]:
        return ()


class Tireless(StoreTransaction):
    """Learns from whoever is paused."""

    @override
    async def paused(self, *refs: ScopeRef) -> bool:
        return False


class Ageless(StoreTransaction):
    """Stores every fact for ever."""

    @override
    async def insert_item(self, item: Item, evidence: Sequence[Evidence]) -> None:
        await super().insert_item(replace(item, expires_at=None), evidence)

    @override
    async def update_item(self, item: Item, evidence: Sequence[Evidence] = ()) -> None:
        await super().update_item(replace(item, expires_at=None), evidence)


class Clinging(StoreTransaction):
    """Never lets go of an audience."""

    @override
    async def update_item(self, item: Item, evidence: Sequence[Evidence] = ()) -> None:
        known = await self.get_item(item.memory_id)
        shared = known is not None and known.audience is Audience.EVERYWHERE
        await super().update_item(replace(item, audience=Audience.EVERYWHERE) if shared else item, evidence)


def with_transactions(kind: type[StoreTransaction]) -> Front:
    """A memory whose store makes the mistake of these transactions."""

    class Mistaken(Store):
        @override
        def _begun(self, connection: Connection) -> StoreTransaction:
            return kind(connection, self._clock, self._erased)

    def front(memory: LTMManager) -> LTMManager:
        memory._components.store.__class__ = Mistaken  # pyright: ignore[reportPrivateUsage] - what it is made of
        return memory

    return front


class _Indiscreet(AccessResolver):
    """Takes every chat for a private one."""

    @override
    def access(self, chat: Chat) -> Access:
        return replace(super().access(chat), private=True)


def indiscreet(memory: LTMManager) -> LTMManager:
    """What was said in one group surfaces in the other."""
    memory._components.resolver.__class__ = _Indiscreet  # pyright: ignore[reportPrivateUsage] - what it is made of
    return memory


def forgetful(memory: LTMManager) -> LTMManager:
    """Knows only of pauses that have begun since it was started."""
    begun: set[ScopeRef] = set()

    class Transaction(StoreTransaction):
        @override
        async def pause(self, *refs: ScopeRef, actor: str) -> bool:
            begun.update(refs)
            return await super().pause(*refs, actor=actor)

        @override
        async def paused(self, *refs: ScopeRef) -> bool:
            return await super().paused(*begun.intersection(refs))

    class Forgetful(Store):
        @override
        def _begun(self, connection: Connection) -> StoreTransaction:
            return Transaction(connection, self._clock, self._erased)

        @override
        async def paused(self, *refs: ScopeRef) -> bool:
            return await super().paused(*begun.intersection(refs))

    memory._components.store.__class__ = Forgetful  # pyright: ignore[reportPrivateUsage] - as above
    return memory


class _Generous(Transfers):
    """Counts what the memories of an import rest on once more."""

    @override
    async def bring_in(
        self, file: Path, *, import_id: str, kind: Kind, actor: str, name: str = ""
    ) -> ImportResult:
        arrived = await super().bring_in(file, import_id=import_id, kind=kind, actor=actor, name=name)
        brought = select(IMPORTED_ITEMS.c.memory_id).where(IMPORTED_ITEMS.c.import_id == import_id)
        twice = ITEMS.update().where(ITEMS.c.memory_id.in_(brought))
        async with self._database.write() as seat:
            await seat.change(twice.values(evidence_count=2 * ITEMS.c.evidence_count))
        return arrived


def generous(memory: LTMManager) -> LTMManager:
    """What is imported seems to rest on more words than it does."""
    memory._components.store.transfers.__class__ = _Generous  # pyright: ignore[reportPrivateUsage] - as above
    return memory


class _Settled(VectorStore):
    """Takes what one model has embedded for embedded."""

    @override
    async def items_without(self, model_id: str, limit: int) -> Sequence[Embeddable]:
        return await super().items_without(model_id, limit) if model_id == FIRST_MODEL else ()


def settled(memory: LTMManager) -> LTMManager:
    """Another embedding model finds nothing to do."""
    memory._components.store.vectors.__class__ = _Settled  # pyright: ignore[reportPrivateUsage] - as above
    return memory


class _Inseparable(AccessResolver):
    """Takes over links, but not that there are none any more."""

    @override
    async def load(self) -> None:
        if await self._store.links():
            await super().load()


def inseparable(memory: LTMManager) -> LTMManager:
    """Accounts that were parted are one person until the next start."""
    memory._components.resolver.__class__ = _Inseparable  # pyright: ignore[reportPrivateUsage] - as above
    return memory


MISTAKES: Mapping[str, Front] = {
    "what was forgotten is learnt again": with_transactions(Unaware),
    "a confirmation is counted and not linked": with_transactions(Careless),
    "the index is not written": with_transactions(Unindexed),
    "an old answer stays beside the new one": with_transactions(Hoarding),
    "a pause is not heeded": with_transactions(Tireless),
    "nothing ever ends": with_transactions(Ageless),
    "one group hears what another was told": indiscreet,
    "what was shared stays so": with_transactions(Clinging),
    "a reload ends every pause": forgetful,
    "an import counts twice what it rests on": generous,
    "another embedding model finds nothing to do": settled,
    "accounts that were parted stay one person": inseparable,
}
