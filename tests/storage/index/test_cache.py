import asyncio
import gc
import threading
from collections.abc import AsyncGenerator, Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import ClassVar, override
from weakref import ref

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, Scope, Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import ClosedError, UnavailableError
from astrbot_plugin_ltm.long_term_memory.models import EVENTS, ITEMS
from astrbot_plugin_ltm.long_term_memory.storage.changes import MOST
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.index.cache import MAX_BYTES, MAX_TOUCHED, IndexCache
from astrbot_plugin_ltm.long_term_memory.storage.index.scope_index import ScopeIndex
from astrbot_plugin_ltm.long_term_memory.storage.index.search import IndexedMemory
from astrbot_plugin_ltm.long_term_memory.storage.index.visible_documents import Items, ItemView, item_views
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from sqlalchemy import Connection, text

from tests.storage.index.looking import MODEL, asked, facts, look
from tests.stores import ALICE, BOB, NOW, an_access, an_item, keep, opened

A_WHILE = 10.0


class Watch:
    """What is loaded; a load may be held up after it has read and before it is done."""

    def __init__(self) -> None:
        self.loads = list[tuple[ScopeRef, frozenset[int] | None]]()
        self.has_read = threading.Event()
        self.may_go = threading.Event()
        self.may_go.set()
        self.failures = 0

    def hold(self) -> None:
        self.has_read.clear()
        self.may_go.clear()

    async def reading(self) -> None:
        """Wait until a load has read what it wanted."""
        async with asyncio.timeout(A_WHILE):
            while not self.has_read.is_set():
                await asyncio.sleep(0)


@dataclass(frozen=True, kw_only=True)
class WatchedItems(ItemView):
    watch: ClassVar[Watch]

    @override
    def load(self, connection: Connection, now: datetime, only: Collection[int] | None) -> ScopeIndex:
        self.watch.loads.append((self.ref, None if only is None else frozenset(only)))
        if self.watch.failures:
            self.watch.failures -= 1
            raise UnavailableError("not now")
        found = super().load(connection, now, only)
        self.watch.has_read.set()
        assert self.watch.may_go.wait(A_WHILE)
        return found


class Desk:
    """A cache whose loads are watched."""

    def __init__(self, database: Database, max_bytes: int = MAX_BYTES) -> None:
        self.database = database
        self.store = Store(database, lambda: NOW)
        self.watch = WatchedItems.watch = Watch()
        self.cache = IndexCache(database, max_bytes=max_bytes)

    def loads(self) -> list[tuple[ScopeRef, frozenset[int] | None]]:
        """Those since the last call."""
        loads, self.watch.loads = self.watch.loads, []
        return loads

    async def facts(self, *owners: ScopeRef, now: datetime = NOW) -> list[str]:
        views = item_views(an_access(readable=owners or (ALICE,)), 0.5)
        keys = [WatchedItems(ref=view.ref, access=view.access, min_confidence=0.5) for view in views]
        indexes = await self.cache.get(keys, now)
        return sorted(item.fact for index in indexes for item in Items(index.columns["row"]))

    def soon(self, *owners: ScopeRef) -> asyncio.Task[list[str]]:
        return asyncio.ensure_future(self.facts(*owners))  # pyright: ignore[reportReturnType] - of a coroutine it is a task


@pytest.fixture
async def database(file: Path) -> AsyncGenerator[Database]:
    async with opened(file) as database:
        yield database


@pytest.fixture
async def desk(database: Database) -> AsyncGenerator[Desk]:
    desk = Desk(database)
    yield desk
    desk.watch.may_go.set()
    desk.cache.close()


async def test_a_scope_in_use_is_answered_without_the_database(desk: Desk) -> None:
    memory = IndexedMemory(desk.cache, lambda: MODEL)
    await keep(desk.store, an_item("likes tea"))
    await memory.warm(an_access(), now=NOW, min_confidence=0.5)
    read = desk.database.read
    async with read(), read(), read(), asyncio.timeout(A_WHILE):
        assert facts(await look(memory, "tea", point=(1, 0))) == ["likes tea"]


async def test_other_words_are_looked_up_in_the_rows_that_were_seen(desk: Desk) -> None:
    memory = IndexedMemory(desk.cache, lambda: MODEL)
    await keep(desk.store, an_item("likes tea"), an_item("likes coffee"))
    before = (await look(memory, "tea")).signals.words.tolist()
    seen = await look(memory, "coffee")
    await keep(desk.store, an_item("drinks tea"))
    assert seen.words_of(asked("tea")).tolist() == before
    assert before != seen.signals.words.tolist()


async def test_an_index_that_was_replaced_goes_at_once(desk: Desk) -> None:
    memory, views = IndexedMemory(desk.cache, lambda: MODEL), item_views(an_access(readable=(ALICE,)), 0.5)
    await keep(desk.store, an_item("likes tea"))
    await look(memory, "tea", an_access(readable=(ALICE,)))
    old = ref((await desk.cache.get(views, NOW))[0])
    await keep(desk.store, an_item("drinks tea"))
    gc.disable()
    try:
        await look(memory, "tea", an_access(readable=(ALICE,)))
        assert old() is None
    finally:
        gc.enable()


async def test_what_several_ask_for_at_once_is_loaded_once(desk: Desk) -> None:
    await keep(desk.store, an_item("likes tea"))
    found = await asyncio.gather(desk.facts(), desk.facts(), desk.facts(ALICE, BOB))
    assert found == [["likes tea"]] * 3
    assert desk.loads() == [(ALICE, None), (BOB, None)]


async def test_a_change_is_looked_at_alone_and_what_concerns_others_is_not(desk: Desk) -> None:
    one, other, more = an_item("likes tea"), an_item("likes coffee"), an_item("likes bees")
    await keep(desk.store, one, other, more)
    await desk.facts()
    desk.loads()
    await keep(desk.store, an_item("likes coffee", owner=BOB))
    assert await desk.facts() == ["likes bees", "likes coffee", "likes tea"]
    assert desk.loads() == []
    async with desk.store.transaction() as tx:
        await tx.update_item(replace(other, status=Status.DISABLED))
    assert await desk.facts() == ["likes bees", "likes tea"]
    assert desk.loads() == [(ALICE, frozenset({2}))]


async def test_what_expires_is_no_longer_seen_from_that_moment_on(desk: Desk) -> None:
    end = NOW + timedelta(seconds=1, microseconds=1)
    await keep(desk.store, an_item("likes tea"), an_item("keeps bees", expires_at=end))
    assert await desk.facts(now=end - timedelta(microseconds=1)) == ["keeps bees", "likes tea"]
    desk.loads()
    assert await desk.facts(now=end) == ["likes tea"]
    assert desk.loads() == [(ALICE, frozenset({2}))]  # a reply does not wait for the others


@pytest.mark.parametrize("of_event", [False, True])
async def test_a_change_during_a_load_is_not_lost(desk: Desk, of_event: bool) -> None:
    item = an_item("likes tea")
    await keep(desk.store, item)
    desk.watch.hold()
    first = desk.soon()
    await desk.watch.reading()
    if of_event:
        async with desk.database.write() as seat:
            await seat.change(EVENTS.update().values(level=Level.RESTRICTED))
    else:
        async with desk.store.transaction() as tx:
            await tx.update_item(replace(item, fact="likes coffee"))
    later = desk.soon()
    desk.watch.may_go.set()
    desk.loads()
    assert await first == ["likes tea"]
    assert await later == ["likes tea" if of_event else "likes coffee"]
    assert len(desk.loads()) == 1


@pytest.mark.parametrize("waits", [True, False])
async def test_a_loader_that_is_called_off_leaves_the_rest_to_the_next(desk: Desk, waits: bool) -> None:
    item = an_item("likes tea")
    await keep(desk.store, item)
    await desk.facts()
    async with desk.store.transaction() as tx:
        await tx.update_item(replace(item, fact="likes coffee"))
    desk.watch.hold()
    first = desk.soon()
    await desk.watch.reading()
    next_one = desk.soon() if waits else None
    await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    desk.watch.may_go.set()
    assert await (next_one or desk.facts()) == ["likes coffee"]


async def test_a_load_that_fails_leaves_its_work_to_the_next(desk: Desk) -> None:
    item = an_item("likes tea")
    await keep(desk.store, item)
    await desk.facts()
    async with desk.store.transaction() as tx:
        await tx.update_item(replace(item, fact="likes coffee"))
    desk.watch.failures = 1
    with pytest.raises(UnavailableError):
        await desk.facts()
    assert await desk.facts() == ["likes coffee"]


async def test_what_changes_in_very_many_places_is_let_go(desk: Desk) -> None:
    await keep(desk.store, an_item("likes tea"))
    await desk.facts()
    await keep(desk.store, *(an_item(f"fact {number}") for number in range(MAX_TOUCHED + 1)))
    assert desk.cache.nbytes == 0
    assert len(await desk.facts()) == MAX_TOUCHED + 2


async def test_a_change_of_everything_during_a_load_is_not_lost(desk: Desk) -> None:
    await keep(desk.store, an_item("likes tea"))
    desk.watch.hold()
    first = desk.soon()
    await desk.watch.reading()
    numbers = f"WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n <= {MOST})"  # noqa: S608 - a number
    links = "SELECT 'a:' || n, 'b:1', '2025-06-01 00:00:00.000000' FROM number"
    async with desk.database.write() as seat:
        await seat.change(text(f"INSERT INTO ltm_links (account, joined_to, created_at) {numbers} {links}"))
        await seat.change(ITEMS.update().values(fact="likes coffee"))
    desk.watch.may_go.set()
    assert await first == ["likes tea"]
    assert desk.cache.nbytes == 0
    assert await desk.facts() == ["likes coffee"]


def someone(number: int) -> ScopeRef:
    return ScopeRef(scope=Scope.USER, scope_id=f"plat:{number}")


async def test_the_longest_unused_go_when_there_is_too_much(database: Database) -> None:
    desk = Desk(database, max_bytes=10_500)  # two of them
    for number in range(3):
        await keep(desk.store, *(an_item(f"{number}{n}", owner=someone(number)) for n in range(2)))
    for number in (0, 1, 0, 2):
        await desk.facts(someone(number))
    assert 0 < desk.cache.nbytes <= 10_500
    desk.loads()
    await desk.facts(someone(0))
    await desk.facts(someone(2))
    assert desk.loads() == []
    await keep(desk.store, an_item("14", owner=someone(1)), an_item("04", owner=someone(0)))
    assert await desk.facts(someone(1)) == ["10", "11", "14"]
    assert desk.loads() == [(someone(1), None)]
    everybody = [someone(number) for number in range(3)]
    for _ in range(2):  # what is asked for is kept even if it is too much
        assert len(await desk.facts(*everybody)) == 8
    assert [ref for ref, _ in desk.loads()] == [someone(0)]
    desk.cache.close()
    assert desk.cache.nbytes == 0


async def test_nothing_is_kept_or_heard_of_after_the_close(desk: Desk) -> None:
    await keep(desk.store, an_item("likes tea"))
    await desk.facts()
    desk.cache.close()
    assert desk.cache.nbytes == 0
    await desk.database.close()
    with pytest.raises(ClosedError):
        await desk.facts()
