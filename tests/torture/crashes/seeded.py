"""Six ways to break the promise, built into the process that is killed: the harness has to find each."""

import asyncio
import importlib
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, override

from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, Chat, ScopeRef, Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction, Level, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.components import Components
from astrbot_plugin_ltm.long_term_memory.manager.pausing import Pausing
from astrbot_plugin_ltm.long_term_memory.manager.sharing import Sharing
from astrbot_plugin_ltm.long_term_memory.manager.undo import Step
from astrbot_plugin_ltm.long_term_memory.storage.keywords import indexed
from astrbot_plugin_ltm.long_term_memory.storage.store import StoreTransaction
from astrbot_plugin_ltm.long_term_memory.write.extract import LeasedBatch
from astrbot_plugin_ltm.long_term_memory.write.record import events_of_turn
from astrbot_plugin_ltm.long_term_memory.write.reverting import PriorStates
from astrbot_plugin_ltm.long_term_memory.write.rules import extract_by_rules
from astrbot_plugin_ltm.long_term_memory.write.stages import store_fact
from astrbot_plugin_ltm.long_term_memory.write.writer import MAX_ADDRESSED_WAITING, Extracted, MemoryWriter
from sqlalchemy import text

from tests.torture.crashes.shim import Control

_PACKAGE = "astrbot_plugin_ltm.long_term_memory"
_INDEX_OF_THE_NEXT = text(
    "insert into ltm_fts(rowid, text) select coalesce(max(id), 0) + 1, :text from ltm_items"
)


class Fault(StrEnum):
    """What is wrong with the memory."""

    ACKNOWLEDGES_TOO_SOON = "it answers before the commit"
    CURSOR_FIRST = "messages are done before their facts are kept"
    TWO_TRANSACTIONS = "a message and its facts are two transactions"
    INDEX_FIRST = "the index is written before the row"
    DELETED_COMES_BACK = "a process that was killed knows nothing of what was deleted"
    NO_LEASE = "a chat may be read twice at the same time"


class Window:
    """Tells between which operations something is half done."""

    def __init__(self, control: Control, tell: Callable[[dict[str, Any]], None]) -> None:
        self._control = control
        self._tell = tell

    @contextmanager
    def open(self) -> Generator[None]:
        """It is half done until the block ends."""
        first = self._control.number
        yield
        self._tell({"window": [first + 1, self._control.number]})


_window: Window


_late: set[asyncio.Future[None]] = set()


def _soon(work: Awaitable[object]) -> None:
    """Have it done, and do not wait for that."""
    doing = asyncio.ensure_future(_half_done(work))
    _late.add(doing)
    doing.add_done_callback(_late.discard)


async def _half_done(work: Awaitable[object]) -> None:
    with _window.open():
        await work


class _Hasty(LTMManager):
    """Acknowledges a turn, a pause and what is shared no longer before that is stored."""

    def __init__(self, parts: Components) -> None:
        super().__init__(parts)
        self.pausing = _HastyPausing(parts)
        self.sharing = _HastySharing(parts)

    @override
    async def record_turn(self, turn: Turn) -> None:
        _soon(super().record_turn(turn))


class _HastyPausing(Pausing):
    @override
    async def own(self, chat: Chat, *, on: bool, undoing: Step | None = None) -> bool:
        _soon(super().own(chat, on=on, undoing=undoing))
        return True


class _HastySharing(Sharing):
    @override
    async def of_anybody(self, memory_id: str, *, on: bool, actor: str) -> Item:
        item = await self._store.item(memory_id)
        assert item is not None
        _soon(super().of_anybody(memory_id, on=on, actor=actor))
        return item


class _CursorFirst(MemoryWriter):
    """Moves the messages on, and then keeps what was found in them."""

    @override
    async def store_facts(self, leased: LeasedBatch, extracted: Extracted) -> bool:
        async with self._store.transaction() as tx:
            if not await tx.held(leased.event_ids, leased.lease):
                return False
            await tx.mark_events(leased.event_ids, Extraction.DONE)
        with _window.open():
            async with self._store.transaction() as tx:
                for grounded in extracted.facts:
                    await store_fact(tx, grounded, self.parts)
        return True


class _Piecemeal(MemoryWriter):
    """Keeps a message, and then the facts that the rules found in it."""

    @override
    async def record(
        self, turn: Turn, access: Access, *, overheard: bool = False
    ) -> Mapping[str, PriorStates]:
        message = events_of_turn(turn, access)
        await self._store.in_transaction(
            lambda tx: self._record_events(tx, message, access, MAX_ADDRESSED_WAITING)
        )
        with _window.open():
            return await super().record(turn, access, overheard=overheard)


class _IndexFirst(MemoryWriter):
    """Writes the words of a fact into the index, and then the row they are of."""

    @override
    async def record(
        self, turn: Turn, access: Access, *, overheard: bool = False
    ) -> Mapping[str, PriorStates]:
        for grounded in extract_by_rules(events_of_turn(turn, access), UTC, asked=not overheard)[1][:1]:

            async def index(tx: Any, fact: str = grounded.candidate.fact) -> None:
                await tx._connection.change(_INDEX_OF_THE_NEXT, {"text": indexed(fact)})

            await self._store.in_transaction(index)
        with _window.open():
            return await super().record(turn, access, overheard=overheard)


class _Forgetful(StoreTransaction):
    """Knows of what was deleted only as long as the process lives."""

    since: datetime | None = None

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        type(self).since = self.since or self._clock()

    def _seen(self, item: Item) -> bool:
        assert self.since is not None
        return item.status is not Status.DELETED or (item.deleted_at or self.since) >= self.since

    @override
    async def find_item(self, owner: ScopeRef, level: Level, fact_key: str, person: str) -> Item | None:
        item = await super().find_item(owner, level, fact_key, person)
        return item if item and self._seen(item) else None

    @override
    async def similar(self, owner: ScopeRef, level: Level | None, text: str, *, limit: int) -> Sequence[Item]:
        return [one for one in await super().similar(owner, level, text, limit=limit) if self._seen(one)]


class _Unleased(StoreTransaction):
    """Takes no lease and asks for none."""

    @override
    async def claim(self, events: Sequence[Event], *, lease: str, now: datetime) -> bool:
        return True

    @override
    async def held(self, event_ids: Sequence[str], lease: str) -> bool:
        return True


_SEAMS: dict[Fault, tuple[str, str, type]] = {
    Fault.ACKNOWLEDGES_TOO_SOON: ("bootstrap", "LTMManager", _Hasty),
    Fault.CURSOR_FIRST: ("manager.components", "MemoryWriter", _CursorFirst),
    Fault.TWO_TRANSACTIONS: ("manager.components", "MemoryWriter", _Piecemeal),
    Fault.INDEX_FIRST: ("manager.components", "MemoryWriter", _IndexFirst),
    Fault.DELETED_COMES_BACK: ("storage.store", "StoreTransaction", _Forgetful),
    Fault.NO_LEASE: ("storage.store", "StoreTransaction", _Unleased),
}
"""Where each takes the place of what is right: in this process alone."""


def build_in(fault: Fault, control: Control, tell: Callable[[dict[str, Any]], None]) -> None:
    """From now on the memories that this process starts have the fault."""
    global _window  # noqa: PLW0603 - a process has one fault at most, and then ends
    _window = Window(control, tell)
    module, name, wrong = _SEAMS[fault]
    seam = importlib.import_module(f"{_PACKAGE}.{module}")
    setattr(seam, name, wrong)
