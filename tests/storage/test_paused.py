import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Scope
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.storage.changes import MOST
from astrbot_plugin_ltm.long_term_memory.storage.connection import Connection
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.stores import ALICE, BOB, GROUP, NOW

ALICE_TOO = ScopeRef(scope=Scope.USER, scope_id="qq:alice")


class SlowDatabase(Database):
    """A real one that counts its reads, and may keep them open for long, or fail."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.reads = 0
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.has_read = asyncio.Event()
        self.broken = False

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[Connection]:
        if self.broken:
            raise UnavailableError("the database is locked")
        self.reads += 1
        async with super().read() as connection:
            yield connection
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


async def pause(store: Store, *refs: ScopeRef, actor: str = "telegram:alice") -> bool:
    async with store.transaction() as transaction:
        return await transaction.pause(*refs, actor=actor)


async def resume(store: Store, *refs: ScopeRef) -> bool:
    async with store.transaction() as transaction:
        return await transaction.resume(*refs)


async def test_nobody_is_paused_in_a_new_store(store: Store) -> None:
    assert not await store.paused(ALICE, BOB, GROUP)
    assert await store.paused_counts() == (0, 0)


async def test_a_pause_holds_for_its_scope_alone(store: Store) -> None:
    assert await pause(store, ALICE)
    assert await store.paused(ALICE)
    assert await store.paused(BOB, ALICE)
    assert not await store.paused(BOB, GROUP)
    async with store.transaction() as transaction:
        assert await transaction.paused(ALICE)
        assert not await transaction.paused(BOB)


async def test_no_scope_at_all_is_not_paused(store: Store) -> None:
    await pause(store, ALICE)
    assert not await store.paused()


async def test_a_scope_of_another_kind_with_the_same_id_is_not_paused(store: Store) -> None:
    await pause(store, ALICE)
    assert not await store.paused(ScopeRef(scope=Scope.GROUP, scope_id=ALICE.scope_id))


async def test_a_second_pause_and_a_second_resume_change_nothing(store: Store) -> None:
    assert await pause(store, ALICE)
    assert not await pause(store, ALICE)
    assert await pause(store, ALICE, ALICE_TOO)
    assert await resume(store, ALICE, ALICE_TOO)
    assert not await resume(store, ALICE, ALICE_TOO)
    assert not await store.paused(ALICE, ALICE_TOO)


async def test_the_accounts_of_one_person_count_as_one(store: Store) -> None:
    await pause(store, ALICE, ALICE_TOO)
    await pause(store, BOB, actor="qq:bob")
    await pause(store, GROUP, actor="operator:qq:root")
    assert await store.paused_counts() == (2, 1)


async def test_an_operator_s_pause_takes_the_place_of_the_person_s_own_and_not_the_other_way_round(
    store: Store,
) -> None:
    await pause(store, ALICE)
    assert not await store.paused_by_operator(ALICE)
    assert await pause(store, ALICE, actor="operator:root")
    assert await store.paused_by_operator(BOB, ALICE)
    assert not await pause(store, ALICE, actor="operator:another")
    assert not await pause(store, ALICE)
    assert await store.paused_by_operator(ALICE)
    await resume(store, ALICE)
    assert not await store.paused_by_operator(ALICE)


async def test_somebody_on_a_platform_called_operator_is_none(store: Store) -> None:
    one = ScopeRef(scope=Scope.USER, scope_id="operator:bob")
    await pause(store, one, actor="operator:bob")
    assert not await store.paused_by_operator(one)


async def test_whom_one_operator_paused_at_one_moment_is_one_person_by_all_accounts(store: Store) -> None:
    await pause(store, ALICE, ALICE_TOO, actor="operator:root")
    await pause(store, BOB, actor="qq:bob")
    assert await store.paused_counts() == (2, 0)


async def test_a_pause_that_was_undone_never_holds(store: Store) -> None:
    async def change_ones_mind() -> None:
        async with store.transaction() as transaction:
            await transaction.pause(ALICE, actor="telegram:alice")
            raise ZeroDivisionError

    assert not await store.paused(ALICE)
    with pytest.raises(ZeroDivisionError):
        await change_ones_mind()
    assert not await store.paused(ALICE)


async def test_a_pause_and_a_resume_hold_from_the_moment_they_are_done(store: Store) -> None:
    for _ in range(2):
        assert not await store.paused(ALICE, GROUP)
        await pause(store, GROUP)
        assert await store.paused(ALICE, GROUP)
        await resume(store, GROUP)


async def test_pauses_are_read_once_whoever_asks_and_whatever_else_is_written(
    database: SlowDatabase, store: Store
) -> None:
    await pause(store, ALICE)
    for _ in range(3):
        assert await store.paused(BOB, ALICE)
        assert not await store.paused(BOB, GROUP)
        await store.policies.record({"mode": "auto"}, actor="system")
        async with store.transaction() as transaction:
            await transaction.put_links({"qq:alice": "telegram:alice"})
    assert database.reads == 1


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


async def test_a_change_of_more_rows_than_are_told_singly_is_seen_too(store: Store) -> None:
    assert not await store.paused(ALICE)
    everybody = [ScopeRef(scope=Scope.USER, scope_id=str(number)) for number in range(MOST)]
    async with store.transaction() as transaction:
        for start in range(0, MOST, 1_000):
            await transaction.pause(*everybody[start : start + 1_000], actor="somebody")
        await transaction.pause(ALICE, actor="somebody")
    assert await store.paused(ALICE)


async def test_while_pauses_cannot_be_read_nobody_counts_as_resumed(
    database: SlowDatabase, store: Store
) -> None:
    await pause(store, ALICE)
    database.broken = True
    with pytest.raises(UnavailableError):
        await store.paused(ALICE)
    database.broken = False
    assert await store.paused(ALICE)
