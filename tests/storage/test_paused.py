from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.words import Scope
from astrbot_plugin_ltm.long_term_memory.storage.paused import PausedCounts
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.stores import ALICE, BOB, GROUP

ALICE_TOO = ScopeRef(scope=Scope.USER, scope_id="qq:alice")


async def pause(store: Store, *refs: ScopeRef, actor: str = "telegram:alice") -> bool:
    async with store.transaction() as transaction:
        return await transaction.pause(*refs, actor=actor)


async def resume(store: Store, *refs: ScopeRef) -> bool:
    async with store.transaction() as transaction:
        return await transaction.resume(*refs)


async def test_nobody_is_paused_in_a_new_store(store: Store) -> None:
    assert not await store.paused(ALICE, BOB, GROUP)
    assert await store.paused_counts() == PausedCounts(people=0, groups=0)


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
    assert await store.paused_counts() == PausedCounts(people=2, groups=1)
