from datetime import timedelta

from astrbot_plugin_ltm.long_term_memory.domain.chat import Access
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.storage.items import MAX_OLDER
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.stores import BOB, GROUP_CHAT, NOW, an_access, an_item, keep


def older_item(fact: str, newer: Item, day: int, **changes: object) -> Item:
    """An item whose place `newer` took on this day."""
    return an_item(
        fact,
        status=Status.SUPERSEDED,
        superseded_by=newer.memory_id,
        updated_at=NOW + timedelta(days=day),
        **changes,
    )


async def facts(store: Store, item: Item, access: Access | None = None) -> list[str]:
    if access is None:
        [replaced] = (await store.older([item.memory_id])).values()
        return [one.fact for one in replaced]
    older = await store.memories.own_older([item.memory_id], access)
    return [one.fact for one in older[item.memory_id]]


async def test_an_item_that_replaced_nothing_has_no_history(store: Store) -> None:
    item = an_item("lives in Rome")
    await keep(store, item)
    assert await facts(store, item) == []


async def test_the_whole_path_is_found_latest_first(store: Store) -> None:
    rome = an_item("lives in Rome")
    oslo = older_item("lives in Oslo", rome, 2)
    kyiv = older_item("lives in Kyiv", oslo, 1)
    await keep(store, rome, oslo, kyiv, an_item("likes tea"))
    assert await facts(store, rome) == ["lives in Oslo", "lives in Kyiv"]
    assert await facts(store, oslo) == ["lives in Kyiv"]
    assert await facts(store, rome, an_access()) == ["lives in Oslo", "lives in Kyiv"]
    together = await store.memories.own_older([kyiv.memory_id, rome.memory_id, oslo.memory_id], an_access())
    found = {key: [one.fact for one in older] for key, older in together.items()}
    assert found == {
        kyiv.memory_id: [],
        rome.memory_id: ["lives in Oslo", "lives in Kyiv"],
        oslo.memory_id: ["lives in Kyiv"],
    }


async def test_going_back_and_forth_is_walked_once(store: Store) -> None:
    rome = an_item("lives in Rome")
    oslo = older_item("lives in Oslo", rome, 2)
    circle = older_item("lived in Rome", oslo, 1)
    await keep(store, rome, oslo, circle)
    async with store.transaction() as transaction:
        await transaction.update_item(older_item("lives in Rome", oslo, 3, memory_id=rome.memory_id))
    assert await facts(store, rome) == ["lives in Oslo", "lived in Rome"]


async def test_what_was_deleted_since_is_not_shown(store: Store) -> None:
    rome = an_item("lives in Rome")
    gone = an_item("lives in Oslo", status=Status.DELETED, superseded_by=rome.memory_id)
    await keep(store, rome, gone)
    assert await facts(store, rome) == []


async def test_a_person_sees_only_what_this_chat_may_show_of_it(store: Store) -> None:
    rome = an_item("lives in Rome")
    of_bob = older_item("lives in Oslo", rome, 1, owner=BOB)
    too_high = older_item("lives in Kyiv", rome, 2, level=Level.RESTRICTED)
    in_group = older_item("lives in Lima", rome, 3, level=Level.PUBLIC, origin_umo=GROUP_CHAT)
    await keep(store, rome, of_bob, too_high, in_group)
    assert await facts(store, rome, an_access()) == ["lives in Lima"]
    assert await facts(store, rome) == ["lives in Lima", "lives in Kyiv", "lives in Oslo"]


async def test_a_long_history_is_bounded(store: Store) -> None:
    rome = an_item("lives in Rome")
    many = [older_item(f"lives in place {day}", rome, day) for day in range(MAX_OLDER + 5)]
    await keep(store, rome, *many)
    assert len(await facts(store, rome)) == MAX_OLDER


async def test_the_long_history_of_one_leaves_that_of_another_whole(store: Store) -> None:
    rome, tea = an_item("lives in Rome"), an_item("likes tea")
    many = (older_item(f"lives in {day}", rome, day) for day in range(2 * MAX_OLDER))
    await keep(store, rome, tea, *many, older_item("likes coffee", tea, 0))
    found = await store.memories.own_older([rome.memory_id, tea.memory_id], an_access())
    assert [one.fact for one in found[tea.memory_id]] == ["likes coffee"]
    assert [one.fact for one in found[rome.memory_id]][:2] == ["lives in 99", "lives in 98"]
