import asyncio
import gc
import threading
import weakref
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.errors import ClosedError, UnavailableError
from astrbot_plugin_ltm.long_term_memory.domain.words import Level, Scope, Status
from astrbot_plugin_ltm.long_term_memory.models import EVENTS, EVIDENCE, ITEMS
from astrbot_plugin_ltm.long_term_memory.storage import evidence
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.slices.cache import Slices
from astrbot_plugin_ltm.long_term_memory.storage.slices.documents import Documents, Wanted
from astrbot_plugin_ltm.long_term_memory.storage.slices.entry import MOST_TOUCHED, ONE_BY_ONE, Entry
from astrbot_plugin_ltm.long_term_memory.storage.slices.loading import Items
from astrbot_plugin_ltm.long_term_memory.storage.slices.memory import SlicedMemory
from astrbot_plugin_ltm.long_term_memory.storage.slices.sights import ItemSight
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.vectors import Embedded
from sqlalchemy import Connection, text

from tests.storage.slices.looking import MODEL, asked, facts, look, of_each
from tests.storage.slices.papers import Paper, a_slice
from tests.stores import ALICE, BOB, GROUP, NOW, an_access, an_event, an_evidence, an_item, keep, opened

OF_BOTH = an_access(readable=(ALICE, BOB))
IN_GROUP = an_access(private=False, level=Level.PUBLIC, group=GROUP, readable=(ALICE,))
A_WHILE = 10.0


class WatchedItems(Items):
    """Tells what is loaded, and may be held up after it has read and before it is done."""

    def __init__(self) -> None:
        self.loads: list[tuple[ScopeRef, frozenset[int] | None]] = []
        self.has_read = threading.Event()
        self.may_go = threading.Event()
        self.may_go.set()
        self.failures = 0

    def load(self, connection: Connection, sight: ItemSight, wanted: Wanted) -> Documents:
        self.loads.append((sight.ref, None if wanted.only is None else frozenset(wanted.only)))
        if self.failures:
            self.failures -= 1
            raise UnavailableError("not now")
        found = super().load(connection, sight, wanted)
        self.has_read.set()
        assert self.may_go.wait(A_WHILE)
        return found

    def hold(self) -> None:
        self.has_read.clear()
        self.may_go.clear()

    async def reading(self) -> None:
        """Wait until a load has read what it wanted."""
        async with asyncio.timeout(A_WHILE):
            while not self.has_read.is_set():
                await asyncio.sleep(0)


class Desk:
    """A memory whose loads are watched."""

    def __init__(self, database: Database, **limits: int) -> None:
        self.database = database
        self.store = Store(database, lambda: NOW)
        self.source = WatchedItems()
        self.slices = Slices(database, self.source, **limits)
        self.memory = SlicedMemory(self.slices, lambda: MODEL)

    def loads(self) -> list[tuple[ScopeRef, frozenset[int] | None]]:
        """Those since the last call."""
        loads, self.source.loads = self.source.loads, []
        return loads

    async def facts(self, access: Access | None = None) -> list[str]:
        return facts(await look(self.memory, "tea", access))

    def soon(self, access: Access | None = None) -> asyncio.Task[list[str]]:
        return asyncio.ensure_future(self.facts(access))  # pyright: ignore[reportReturnType] - of a coroutine it is a task


@pytest.fixture
async def database(file: Path) -> AsyncGenerator[Database]:
    async with opened(file) as database:
        yield database


@pytest.fixture
async def desk(database: Database) -> AsyncGenerator[Desk]:
    desk = Desk(database)
    yield desk
    desk.source.may_go.set()
    desk.slices.close()


async def test_a_scope_in_use_is_answered_without_the_database(desk: Desk) -> None:
    await keep(desk.store, an_item("likes tea"))
    await desk.memory.warm(an_access(), now=NOW, min_confidence=0.5)
    read = desk.database.read
    async with read(), read(), read(), asyncio.timeout(A_WHILE):
        assert await desk.facts() == ["likes tea"]
    assert desk.loads() == [(ALICE, None)]


async def test_other_words_are_looked_up_in_the_rows_that_were_seen(desk: Desk) -> None:
    await keep(desk.store, an_item("likes tea"), an_item("likes coffee"))
    before = (await look(desk.memory, "tea")).signals.words.tolist()
    seen = await look(desk.memory, "coffee")
    await keep(desk.store, an_item("drinks tea"))
    assert seen.words_of(asked("tea")).tolist() == before
    assert before != seen.signals.words.tolist()


async def test_all_scopes_of_an_access_are_loaded_in_one_snapshot(desk: Desk) -> None:
    await keep(desk.store, an_item("likes tea"), an_item("likes coffee", owner=BOB))
    desk.source.hold()
    both = desk.soon(OF_BOTH)
    await desk.source.reading()
    await keep(desk.store, an_item("keeps bees", owner=BOB))
    desk.source.may_go.set()
    assert await both == ["likes coffee", "likes tea"]
    assert await desk.facts(OF_BOTH) == ["keeps bees", "likes coffee", "likes tea"]


async def test_what_two_ask_for_at_once_is_loaded_once(desk: Desk) -> None:
    await keep(desk.store, an_item("likes tea"))
    found = await asyncio.gather(desk.facts(), desk.facts(), desk.facts(OF_BOTH))
    assert found == [["likes tea"]] * 3
    assert sorted(desk.loads()) == [(BOB, None), (ALICE, None)]  # in whatever order


async def test_a_change_is_looked_at_alone(desk: Desk) -> None:
    one, other, more = an_item("likes tea"), an_item("likes coffee"), an_item("likes bees")
    await keep(desk.store, one, other, more)
    await desk.facts()
    desk.loads()
    async with desk.store.transaction() as tx:
        await tx.update_item(replace(other, status=Status.DISABLED))
    assert await desk.facts() == ["likes bees", "likes tea"]
    assert desk.loads() == [(ALICE, frozenset({2}))]


async def test_what_concerns_another_scope_or_nobody_here_is_not_looked_at(desk: Desk) -> None:
    item = an_item("likes tea")
    await keep(desk.store, item)
    await desk.facts()
    desk.loads()
    await keep(desk.store, an_item("likes coffee", owner=BOB))
    async with desk.store.transaction() as tx:
        await tx.add_events([an_event("hello")])
        await tx.pause(BOB, actor="operator")
    assert await desk.facts() == ["likes tea"]
    assert desk.loads() == []


async def test_a_change_during_a_load_is_not_lost(desk: Desk) -> None:
    item = an_item("likes tea")
    await keep(desk.store, item)
    desk.source.hold()
    first = desk.soon()
    await desk.source.reading()
    async with desk.store.transaction() as tx:
        await tx.update_item(replace(item, fact="likes coffee"))
    later = desk.soon()
    desk.source.may_go.set()
    assert await first == ["likes tea"]
    assert await later == ["likes coffee"]
    assert await desk.facts() == ["likes coffee"]


async def test_an_event_that_changes_during_a_load_is_not_lost(desk: Desk) -> None:
    item = an_item("lives in Berlin")
    await keep(desk.store, item, said="drinks tea at home")
    desk.source.hold()
    first = desk.soon()
    await desk.source.reading()
    async with desk.database.write() as seat:
        await seat.change(EVENTS.update().values(level=Level.RESTRICTED))
    desk.source.may_go.set()
    await first
    assert of_each(await look(desk.memory, "tea"), "words") == {"lives in Berlin": 0.0}


@pytest.mark.parametrize("waits", [True, False])
async def test_a_loader_that_is_called_off_leaves_the_rest_to_the_next(desk: Desk, waits: bool) -> None:
    item = an_item("likes tea")
    await keep(desk.store, item)
    await desk.facts()
    async with desk.store.transaction() as tx:
        await tx.update_item(replace(item, fact="likes coffee"))
    desk.source.hold()
    first = desk.soon()
    await desk.source.reading()
    next_one = desk.soon() if waits else None
    await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    desk.source.may_go.set()
    assert await (next_one or desk.facts()) == ["likes coffee"]


async def test_a_load_that_fails_is_made_up_for(desk: Desk) -> None:
    item = an_item("likes tea")
    await keep(desk.store, item, an_item("keeps bees"))
    await desk.facts()
    async with desk.store.transaction() as tx:
        await tx.update_item(replace(item, fact="likes coffee"))
    desk.source.failures = 2
    for _ in range(2):
        with pytest.raises(UnavailableError):
            await desk.facts()
    assert await desk.facts() == ["keeps bees", "likes coffee"]


async def test_a_commit_too_large_to_be_told_is_taken_for_a_change_of_everything(desk: Desk) -> None:
    await keep(desk.store, an_item("likes tea"))
    await desk.facts(OF_BOTH)
    desk.loads()
    many = """
        WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 10001)
        INSERT INTO ltm_links (account, joined_to, created_at)
        SELECT 'a:' || n, 'b:1', '2025-06-01 00:00:00.000000' FROM number
    """
    async with desk.database.write() as seat:
        await seat.change(text(many))
    assert desk.slices.documents == 0
    assert await desk.facts(OF_BOTH) == ["likes tea"]
    assert desk.loads() == [(ALICE, None), (BOB, None)]


@pytest.mark.parametrize("failures", [0, 1])
async def test_a_change_of_everything_during_a_load_is_not_lost(desk: Desk, failures: int) -> None:
    item = an_item("likes tea")
    await keep(desk.store, item)
    desk.source.hold()
    first = desk.soon()
    await desk.source.reading()
    numbers = "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 10001)"
    links = "SELECT 'a:' || n, 'b:1', '2025-06-01 00:00:00.000000' FROM number"
    async with desk.database.write() as seat:
        await seat.change(text(f"INSERT INTO ltm_links (account, joined_to, created_at) {numbers} {links}"))
        await seat.change(ITEMS.update().values(fact="likes coffee"))
    desk.source.may_go.set()
    await first
    desk.source.failures = failures
    for _ in range(failures):
        with pytest.raises(UnavailableError):
            await desk.facts()
    assert await desk.facts() == ["likes coffee"]


@pytest.mark.parametrize(("size", "most"), [(1, ONE_BY_ONE), (2 * ONE_BY_ONE + 10, ONE_BY_ONE + 5)])
def test_what_has_changed_by_more_than_half_is_let_go_until_it_is_asked_for(size: int, most: int) -> None:
    entry = Entry[ItemSight, Paper](ItemSight(access=an_access(), min_confidence=0.5), 10_000)
    entry.begin(NOW, MODEL)
    entry.slice = a_slice(*(Paper(name=f"{number}") for number in range(size)))
    assert all(entry.touch(number) for number in range(most))
    assert not entry.touch(most)


async def test_what_is_let_go_is_held_by_nobody(desk: Desk) -> None:
    sight = ItemSight(access=an_access(), min_confidence=0.5)
    await keep(desk.store, *(an_item(f"likes tea {number}") for number in range(ONE_BY_ONE + 1)))
    held = weakref.ref(await desk.slices.get([sight], now=NOW, model_id=None, else_model_id=None))
    assert held() is not None
    async with desk.database.write() as seat:
        await seat.change(ITEMS.update().values(fact="likes coffee"))
    gc.collect()
    assert held() is None


def test_what_changes_during_the_first_load_is_looked_at_again_one_by_one() -> None:
    entry = Entry[ItemSight, Paper](ItemSight(access=an_access(), min_confidence=0.5), 10**6)
    entry.begin(NOW, MODEL)
    for number in range(MOST_TOUCHED):
        entry.touch(number)
    entry.slice = a_slice(*(Paper(name=f"{number}") for number in range(3 * MOST_TOUCHED)))
    assert entry.begin(NOW, MODEL).wanted.only == {*range(MOST_TOUCHED)}


def test_what_has_grown_too_long_is_loaded_anew() -> None:
    sight = ItemSight(access=an_access(), min_confidence=0.5)
    entry = Entry[ItemSight, Paper](sight, 4)
    entry.begin(NOW, MODEL)
    entry.slice = a_slice(*(Paper(name=name) for name in "abc"))
    entry.touch(4)
    load = entry.begin(NOW, MODEL)
    assert load.wanted.only == {4}
    entry.slice = a_slice(*(Paper(name=name) for name in "abcd"))
    entry.touch(5)
    assert entry.begin(NOW, MODEL).wanted.only is None


async def test_an_event_that_goes_to_another_chat_shows_there_what_was_said_in_it(desk: Desk) -> None:
    await keep(desk.store, an_item("likes tea", level=Level.PUBLIC))
    assert await desk.facts(IN_GROUP) == []
    async with desk.database.write() as seat:
        await seat.change(EVENTS.update().values(scope=GROUP.scope, scope_id=GROUP.scope_id))
    assert await desk.facts(IN_GROUP) == ["likes tea"]


async def test_words_said_again_elsewhere_surface_there(desk: Desk) -> None:
    item = an_item("likes tea", level=Level.PUBLIC)
    await keep(desk.store, item)
    assert await desk.facts(IN_GROUP) == []
    event = an_event("tea!", at_scope=GROUP, level=Level.PUBLIC)
    async with desk.store.transaction() as tx:
        await tx.add_events([event])
        await tx.update_item(item, [an_evidence(item, event)])
    assert await desk.facts(IN_GROUP) == ["likes tea"]


async def test_what_expires_goes_at_that_very_moment(desk: Desk) -> None:
    end = NOW + timedelta(minutes=1)
    await keep(desk.store, an_item("likes tea", expires_at=end), an_item("a"), an_item("b"))
    for now, there in ((end - timedelta(microseconds=1), True), (end, False)):
        assert ("likes tea" in facts(await look(desk.memory, now=now))) == there


async def test_vectors_come_with_the_words_and_another_model_is_loaded_when_asked_for(desk: Desk) -> None:
    item = an_item("likes tea")
    await keep(desk.store, item)
    for model_id in (MODEL, "other"):
        embedded = Embedded(memory_id=item.memory_id, fact=item.fact, vector=(0, 1))
        await desk.store.put_vectors(model_id, [embedded])
    await desk.memory.warm(an_access(), now=NOW, min_confidence=0.5)
    assert (await look(desk.memory, point=(0, 1))).vectors
    assert len(desk.loads()) == 1
    assert (await look(desk.memory, point=(0, 1), model_id="other")).vectors
    assert not (await look(desk.memory, "tea")).vectors
    assert (await look(desk.memory, point=(0, 1), model_id="other")).vectors
    assert len(desk.loads()) == 1


async def test_a_vector_that_comes_or_goes_is_seen_at_once(desk: Desk) -> None:
    item = an_item("likes tea")
    await keep(desk.store, item)
    embedded = Embedded(memory_id=item.memory_id, fact=item.fact, vector=(0, 1))
    assert not (await look(desk.memory, point=(0, 1))).vectors
    await desk.store.put_vectors(MODEL, [embedded])
    assert (await look(desk.memory, point=(0, 1))).vectors
    await desk.store.vectors.drop(MODEL, limit=9)
    assert not (await look(desk.memory, point=(0, 1))).vectors


async def test_evidence_alone_brings_what_it_was_said_in_to_light(desk: Desk) -> None:
    item, event = (
        an_item("likes tea", level=Level.PUBLIC),
        an_event("tea!", at_scope=GROUP, level=Level.PUBLIC),
    )
    await keep(desk.store, item)
    async with desk.store.transaction() as tx:
        await tx.add_events([event])
    assert await desk.facts(IN_GROUP) == []
    async with desk.database.write() as seat:
        await seat.change(EVIDENCE.insert(), evidence.values_of(an_evidence(item, event)))
    assert await desk.facts(IN_GROUP) == ["likes tea"]
    async with desk.database.write() as seat:
        await seat.change(EVIDENCE.delete().where(EVIDENCE.c.event_id == event.event_id))
    assert await desk.facts(IN_GROUP) == []


def someone(number: int) -> ScopeRef:
    return ScopeRef(scope=Scope.USER, scope_id=f"plat:{number}")


@pytest.mark.parametrize("limits", [{"max_slices": 2}, {"max_documents": 4}])
async def test_the_longest_unused_go_when_there_are_too_many(
    database: Database, limits: dict[str, int]
) -> None:
    desk = Desk(database, **limits)
    for number in range(3):
        await keep(desk.store, *(an_item(f"{number}{n}", owner=someone(number)) for n in range(2)))
    accesses = [an_access(readable=(someone(number),)) for number in range(3)]
    for number in (0, 1, 0, 2):
        await desk.facts(accesses[number])
    assert desk.slices.documents == 4
    desk.loads()
    await desk.facts(accesses[0])
    await desk.facts(accesses[2])
    assert desk.loads() == []
    await keep(desk.store, an_item("14", owner=someone(1)), an_item("04", owner=someone(0)))
    assert await desk.facts(accesses[1]) == ["10", "11", "14"]
    assert desk.loads() == [(someone(1), None)]
    desk.slices.close()


async def test_what_could_not_be_loaded_goes_too(database: Database) -> None:
    desk = Desk(database, max_slices=1)
    await desk.facts(an_access(readable=(someone(0),)))
    desk.source.failures = 3
    for number in (1, 2, 3):
        with pytest.raises(UnavailableError):
            await desk.facts(an_access(readable=(someone(number),)))
    desk.loads()
    await desk.facts(an_access(readable=(someone(0),)))
    assert desk.loads() == [(someone(0), None)]
    desk.slices.close()


async def test_what_is_asked_for_is_kept_even_if_it_is_too_much(database: Database) -> None:
    desk = Desk(database, max_documents=1, max_slices=1)
    await keep(desk.store, an_item("likes tea"), an_item("keeps bees"), an_item("likes coffee", owner=BOB))
    for _ in range(2):
        assert await desk.facts(OF_BOTH) == ["keeps bees", "likes coffee", "likes tea"]
    assert len(desk.loads()) == 2
    desk.slices.close()


async def test_a_slice_that_is_being_loaded_is_not_let_go(database: Database) -> None:
    desk = Desk(database, max_documents=1, max_slices=1)
    await keep(desk.store, an_item("likes tea"), an_item("likes coffee", owner=BOB))
    desk.source.hold()
    first = desk.soon()
    await desk.source.reading()
    second = desk.soon(an_access(readable=(BOB,)))
    desk.source.may_go.set()
    assert (await first, await second) == (["likes tea"], ["likes coffee"])
    assert desk.slices.documents == 1
    desk.slices.close()


async def test_nothing_is_kept_or_heard_of_after_the_close(desk: Desk) -> None:
    await keep(desk.store, an_item("likes tea"))
    await desk.facts()
    desk.slices.close()
    assert desk.slices.documents == 0
    await keep(desk.store, an_item("keeps bees"))
    await desk.database.close()
    with pytest.raises(ClosedError):
        await desk.facts()
