import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.domain.words import Scope
from astrbot_plugin_ltm.long_term_memory.storage.changes import MOST
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.seat import Seat
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.stores import ALICE, BOB, GROUP, NOW


class SlowDatabase(Database):
    """A real one that counts how often it is read, and may take long to give its reader back."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.reads = 0
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.has_read = asyncio.Event()
        self.broken = False

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[Seat]:
        if self.broken:
            raise UnavailableError("the database is locked")
        self.reads += 1
        async with super().read() as seat:
            yield seat
            self.has_read.set()
            await self.go_on.wait()


@pytest.fixture
async def database(file: Path) -> AsyncGenerator[SlowDatabase]:
    database = SlowDatabase(file)
    await database.open()
    yield database
    database.go_on.set()
    await database.close()


@pytest.fixture
def store(database: SlowDatabase) -> Store:
    return Store(database, lambda: NOW)


async def pause(store: Store, *refs: ScopeRef) -> None:
    async with store.transaction() as transaction:
        await transaction.pause(*refs, actor="somebody")


async def resume(store: Store, *refs: ScopeRef) -> None:
    async with store.transaction() as transaction:
        await transaction.resume(*refs)


async def test_however_often_somebody_asks_the_database_is_read_once(
    database: SlowDatabase, store: Store
) -> None:
    await pause(store, ALICE)
    for _ in range(3):
        assert await store.paused(BOB, ALICE)
        assert not await store.paused(BOB, GROUP)
    assert database.reads == 1


async def test_a_pause_and_a_resume_hold_from_the_moment_they_are_done(store: Store) -> None:
    for _ in range(2):
        assert not await store.paused(ALICE, GROUP)
        await pause(store, GROUP)
        assert await store.paused(ALICE, GROUP)
        await resume(store, GROUP)


async def test_a_pause_that_was_undone_never_holds(store: Store) -> None:
    async def change_ones_mind() -> None:
        async with store.transaction() as transaction:
            await transaction.pause(ALICE, actor="somebody")
            raise ZeroDivisionError

    assert not await store.paused(ALICE)
    with pytest.raises(ZeroDivisionError):
        await change_ones_mind()
    assert not await store.paused(ALICE)


async def test_a_pause_made_while_the_others_are_being_read_is_not_missed(
    database: SlowDatabase, store: Store
) -> None:
    database.go_on.clear()
    asking = asyncio.ensure_future(store.paused(ALICE))
    await database.has_read.wait()
    await pause(store, ALICE)
    database.go_on.set()
    assert not await asking
    assert await store.paused(ALICE)


async def test_other_writing_does_not_have_the_pauses_read_again(
    database: SlowDatabase, store: Store
) -> None:
    assert not await store.paused(ALICE)
    await store.policies.record({"mode": "auto"}, actor="system")
    async with store.transaction() as transaction:
        await transaction.put_links({"qq:alice": "telegram:alice"})
    assert not await store.paused(ALICE)
    assert database.reads == 1


async def test_a_change_of_more_rows_than_are_told_singly_is_seen_too(store: Store) -> None:
    assert not await store.paused(ALICE)
    everybody = [ScopeRef(scope=Scope.USER, scope_id=str(number)) for number in range(MOST)]
    async with store.transaction() as transaction:
        for start in range(0, MOST, 1_000):
            await transaction.pause(*everybody[start : start + 1_000], actor="somebody")
        await transaction.pause(ALICE, actor="somebody")
    assert await store.paused(ALICE)


async def test_who_cannot_be_told_is_not_taken_for_nobody(database: SlowDatabase, store: Store) -> None:
    await pause(store, ALICE)
    database.broken = True
    with pytest.raises(UnavailableError):
        await store.paused(ALICE)
    database.broken = False
    assert await store.paused(ALICE)
