"""The stages from merge to persist over the real store, told one fact after another."""

import itertools
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType, Mode, Origin, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item, ItemFilter
from astrbot_plugin_ltm.long_term_memory.domain.writing import Candidate, Grounded, Merged
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import MemoryWritePolicy
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.write.merge import merge
from astrbot_plugin_ltm.long_term_memory.write.persist import WriteContext, persist
from astrbot_plugin_ltm.long_term_memory.write.stages import gate, score
from astrbot_plugin_ltm.long_term_memory.write.transitions import Decision, approve, reject

from tests.stores import NOW, an_event, migrated, opened

MINUTE = timedelta(minutes=1)
RETENTION = {
    MemoryType.PROFILE: None,
    MemoryType.PREFERENCE: 90,
    MemoryType.TASK_STATE: 7,
    MemoryType.EPISODE: 30,
}


class Mind:
    """What a bot makes of the facts it is told; each is said a minute after the one before."""

    def __init__(self, database: Database, **policy: Any) -> None:
        self.now = NOW
        self.store = Store(database, lambda: self.now)
        self.policy = replace(
            MemoryWritePolicy(mode=Mode.AUTO, max_writes_per_session=99, max_writes_per_hour=99), **policy
        )
        self.rule = ""
        """The rule that decided on the fact told last."""
        self._ids = (f"m{n}" for n in itertools.count(1))

    def event(self, text: str = "words", **changes: Any) -> Event:
        self.now += MINUTE
        return an_event(text, **({"created_at": self.now} | changes))

    async def hear(
        self,
        fact: str,
        *,
        event: Event | None = None,
        near: Sequence[str] = (),
        by_rules: Sequence[Item] = (),
        person: str = "",
        doubt: str = "",
        quote: str = "",
        **changes: Any,
    ) -> Item | None:
        """Take a fact in beside what rules made of it (`by_rules`); returns the item as it stands then."""
        grounded = self.grounded(fact, event=event, person=person, doubt=doubt, quote=quote, **changes)
        async with self.store.transaction() as tx:
            await tx.add_events([grounded.event])
            found = score(await merge(tx, replace(grounded, near=tuple(near)), by_rules, now=self.now))
            verdict = await gate(tx, found, self.policy, now=self.now)
            item = await persist(tx, found, verdict, self._context())
        self.rule = verdict.rule
        return item

    async def heard(self, fact: str, **changes: Any) -> Item:
        """Take a fact in that is not refused."""
        item = await self.hear(fact, **changes)
        assert item is not None
        return item

    def grounded(
        self,
        fact: str,
        *,
        event: Event | None = None,
        person: str = "",
        doubt: str = "",
        quote: str = "",
        owner: ScopeRef | None = None,
        **changes: Any,
    ) -> Grounded:
        event = event or self.event(quote or fact)
        values: dict[str, Any] = {
            "type": MemoryType.PROFILE,
            "fact": fact,
            "confidence": 1.0,
            "importance": 0.5,
            "origin": Origin.RULE,
            "meta": {"stance": changes["stance"]} if "stance" in changes else {},
        }
        return Grounded(
            candidate=Candidate(**(values | changes)),
            event=event,
            quote=quote or fact,
            owner=owner or event.owner,
            person=person,
            doubt=doubt,
        )

    async def merge(self, fact: str, *, near: Sequence[str] = (), **changes: Any) -> Merged:
        """Only look what a fact would be."""
        grounded = self.grounded(fact, **changes)
        async with self.store.transaction() as tx:
            return await merge(tx, replace(grounded, near=tuple(near)), now=self.now)

    async def approve(self, memory_id: str) -> Item | None:
        async with self.store.transaction() as tx:
            return await approve(tx, await self.item(memory_id), self._decision())

    async def reject(self, memory_id: str) -> Item | None:
        async with self.store.transaction() as tx:
            return await reject(tx, await self.item(memory_id), self._decision())

    async def change(self, memory_id: str, **changes: Any) -> None:
        """Let time or somebody change an item."""
        async with self.store.transaction() as tx:
            await tx.update_item(replace(await self.item(memory_id), **changes))

    async def item(self, memory_id: str) -> Item:
        item = await self.store.item(memory_id)
        assert item is not None
        return item

    async def all(self) -> list[Item]:
        items = (await self.store.browsing.items(ItemFilter(page_size=999))).rows
        return sorted(items, key=lambda item: int(item.memory_id[1:]))

    async def facts(self, status: Status = Status.ACTIVE) -> list[str]:
        """The facts of this status, in the order in which they were first heard."""
        return [item.fact for item in await self.all() if item.status is status]

    async def path(self, memory_id: str) -> list[str]:
        """What the audit says became of an item."""
        return [entry.action for _, entry in await self.store.history(memory_id)]

    def _context(self) -> WriteContext:
        return WriteContext(
            now=self.now, make_id=lambda: next(self._ids), retention=RETENTION, actor="system"
        )

    def _decision(self) -> Decision:
        return Decision(actor="operator:x", now=self.now)


@asynccontextmanager
async def a_mind(folder: Path, **policy: Any) -> AsyncGenerator[Mind]:
    """A new one with nothing in it."""
    async with opened(migrated(Path(mkdtemp(dir=folder)) / "mind.db")) as database:
        yield Mind(database, **policy)


def said_at(instant: datetime, **changes: Any) -> Event:
    """What Alice said then."""
    return an_event("words", created_at=instant, **changes)
