from dataclasses import replace
from datetime import timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.words import (
    LIVE_STATUSES,
    Audience,
    Level,
    MemoryType,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.stores import (
    ALICE,
    BOB,
    GROUP,
    GROUP_CHAT,
    NOW,
    PRIVATE_CHAT,
    an_access,
    an_event,
    an_evidence,
    an_item,
    keep,
)

IN_GROUP = an_access(umo=GROUP_CHAT, private=False, level=Level.PUBLIC, group=GROUP, readable=(ALICE, GROUP))
IN_ANOTHER_GROUP = replace(IN_GROUP, umo="qq:GroupMessage:77", group=None, readable=(ALICE,))


async def test_what_is_visible_comes_whole_and_oldest_first(store: Store) -> None:
    one, two = an_item("one", tags=("a",)), an_item("two")
    await keep(store, one, two, an_item("not yet", status=Status.SHADOW), an_item("theirs", owner=BOB))
    await keep(store, an_item("over", expires_at=NOW), an_item("doubtful", confidence=0.4))
    assert await store.memories.visible_items(an_access(), now=NOW, min_confidence=0.5) == [one, two]


async def test_what_was_injected_is_counted_and_nothing_else_changes(store: Store) -> None:
    used, unused = an_item("used"), an_item("unused")
    await keep(store, used, unused)
    later = NOW + timedelta(hours=1)
    await store.memories.touched([used.memory_id, "gone meanwhile"], at=NOW)
    await store.memories.touched([used.memory_id], at=later)
    await store.memories.touched([], at=later)
    assert await store.item(used.memory_id) == replace(used, access_count=2, last_accessed_at=later)
    assert await store.item(unused.memory_id) == unused


async def own(store: Store, **changes: object) -> list[str]:
    page = await store.memories.own_items([ALICE], an_access(**changes))
    return [item.fact for item in page.items]


async def test_people_list_their_own_live_memories_of_every_kind(store: Store) -> None:
    everything = [an_item(status, status=status) for status in Status]
    await keep(store, *everything, an_item("theirs", owner=BOB), an_item("of all", owner=GROUP))
    assert set(await own(store, readable=(ALICE, GROUP))) == LIVE_STATUSES


async def test_peoples_lists_show_in_a_group_what_was_said_there(store: Store) -> None:
    await keep(
        store,
        an_item("private"),
        an_item("group", origin_umo=GROUP_CHAT, level=Level.PUBLIC),
        an_item("shared", audience=Audience.EVERYWHERE, level=Level.PUBLIC),
    )
    in_group = await store.memories.own_items([ALICE], IN_GROUP)
    assert {item.fact for item in in_group.items} == {"group", "shared"}
    elsewhere = await store.memories.own_items([ALICE], IN_ANOTHER_GROUP)
    assert [item.fact for item in elsewhere.items] == ["shared"]


async def test_a_scope_out_of_reach_gives_nothing_though_it_is_called_ones_own(store: Store) -> None:
    await keep(store, an_item("bob's", owner=BOB))
    assert (await store.memories.own_items([BOB], an_access())).items == []
    assert (await store.memories.own_items([], an_access())).total == 0


async def test_peoples_lists_come_in_pages(store: Store) -> None:
    await keep(store, *(an_item(str(day), updated_at=NOW + timedelta(days=day)) for day in range(5)))
    page = await store.memories.own_items([ALICE], an_access(), page=2, page_size=2)
    assert ([item.fact for item in page.items], page.total) == (["2", "1"], 5)


async def test_an_own_memory_is_told_by_its_id_only_where_it_may_be_seen(store: Store) -> None:
    item = an_item(memory_id="abc-1")
    gone = an_item("gone", memory_id="abc-2", status=Status.DELETED)
    await keep(store, item, gone, an_item("another", memory_id="abd"), an_item("wild", memory_id="%bc"))
    for prefix in ("abc-1", "abc"):
        assert await store.memories.own_matching(prefix, [ALICE], an_access(), limit=2) == [item]
    for prefix, access in (
        ("abc-1", IN_GROUP),
        ("abc-1", an_access(readable=(BOB,), owner=BOB)),
        ("abc-1", an_access(level=Level.PUBLIC)),
        ("abc-2", an_access()),
        ("_bc", an_access()),
    ):
        assert await store.memories.own_matching(prefix, [ALICE, BOB], access, limit=2) == []
        assert await store.memories.own_evidence(prefix, [ALICE, BOB], access) == ()
    assert len(await store.memories.own_matching("ab", [ALICE], an_access(), limit=1)) == 1


async def test_peoples_lists_can_be_of_one_type(store: Store) -> None:
    await keep(store, an_item("profile"), an_item("episode", type=MemoryType.EPISODE))
    page = await store.memories.own_items([ALICE], an_access(), kind=MemoryType.EPISODE)
    assert ([item.fact for item in page.items], page.total) == (["episode"], 1)


@pytest.fixture
async def said_in_two_chats(store: Store) -> Item:
    """Said in the group and again, in other words, in another group."""
    item = an_item("allergic to nuts", origin_umo=GROUP_CHAT, level=Level.PUBLIC)
    here = an_event("no nuts please", umo=GROUP_CHAT, level=Level.PUBLIC)
    there = an_event("in hospital again", umo="qq:GroupMessage:77", level=Level.PUBLIC)
    async with store.transaction() as transaction:
        await transaction.add_events([here, there])
        await transaction.insert_item(item, [an_evidence(item, here)])
        await transaction.update_item(replace(item, evidence_count=2), [an_evidence(item, there)])
    return item


async def test_words_said_in_another_chat_are_not_quoted(store: Store, said_in_two_chats: Item) -> None:
    in_group = await store.memories.own_evidence(said_in_two_chats.memory_id, [ALICE], IN_GROUP)
    assert [one.evidence.quote for one in in_group] == ["no nuts please"]
    in_private = await store.memories.own_evidence(said_in_two_chats.memory_id, [ALICE], an_access())
    assert [one.evidence.quote for one in in_private] == ["no nuts please", "in hospital again"]
    assert PRIVATE_CHAT not in {one.umo for one in in_private}


async def test_words_said_in_another_chat_find_nothing(store: Store, said_in_two_chats: Item) -> None:
    async def found(text: str) -> list[str]:
        return [*await store.memories.word_scores(IN_GROUP, text, now=NOW, min_confidence=0, limit=9)]

    assert await found("nuts please") == [said_in_two_chats.memory_id]
    assert await found("hospital") == []
