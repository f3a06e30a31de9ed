from dataclasses import replace
from datetime import timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access
from astrbot_plugin_ltm.long_term_memory.domain.enums import (
    LIVE_STATUSES,
    Audience,
    Extraction,
    Level,
    MemoryType,
    Role,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item, Paging
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


async def own(store: Store, **changes: object) -> list[str]:
    page = await store.memories.own_items(an_access(**changes), Paging())
    return [item.fact for item in page.rows]


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
    in_group = await store.memories.own_items(IN_GROUP, Paging())
    assert {item.fact for item in in_group.rows} == {"group", "shared"}
    elsewhere = await store.memories.own_items(IN_ANOTHER_GROUP, Paging())
    assert [item.fact for item in elsewhere.rows] == ["shared"]


async def test_a_scope_out_of_reach_gives_nothing_though_it_is_called_ones_own(store: Store) -> None:
    item = an_item("bob's", owner=BOB)
    await keep(store, item)
    for access, found in (
        (an_access(level=item.level), []),
        (an_access(level=item.level, readable=(BOB,)), [item]),
    ):
        assert await store.memories.own_with_key(item.fact_key, [BOB], access) == found
        assert (await store.memories.own_items(access, Paging())).rows == found
    assert (await store.memories.own_items(an_access(readable=()), Paging())).total == 0


async def test_peoples_lists_come_in_pages(store: Store) -> None:
    await keep(store, *(an_item(str(day), updated_at=NOW + timedelta(days=day)) for day in range(5)))
    page = await store.memories.own_items(an_access(), Paging(page=2, page_size=2))
    assert ([item.fact for item in page.rows], page.total) == (["2", "1"], 5)


async def test_an_own_memory_is_told_by_its_id_only_where_it_may_be_seen(store: Store) -> None:
    item = an_item(memory_id="abc-1")
    gone = an_item("gone", memory_id="abc-2", status=Status.DELETED)
    await keep(store, item, gone, *(an_item(each, memory_id=each) for each in ("abd", "abe", "%bc")))
    for prefix in ("abc-1", "abc"):
        assert await store.memories.own_matching(prefix, an_access()) == [item]
    for prefix, access in (
        ("abc-1", IN_GROUP),
        ("abc-1", an_access(readable=(BOB,), owner=BOB)),
        ("abc-1", an_access(level=Level.PUBLIC)),
        ("abc-2", an_access()),
        ("_bc", an_access()),
    ):
        assert await store.memories.own_matching(prefix, access) == []
        assert await store.memories.own_evidence(prefix, access) == ()
    assert len(await store.memories.own_matching("ab", an_access())) == 2


async def test_peoples_lists_can_be_of_one_type(store: Store) -> None:
    await keep(store, an_item("profile"), an_item("episode", type=MemoryType.EPISODE))
    page = await store.memories.own_items(an_access(), Paging(), kind=MemoryType.EPISODE)
    assert ([item.fact for item in page.rows], page.total) == (["episode"], 1)


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
    in_group = await store.memories.own_evidence(said_in_two_chats.memory_id, IN_GROUP)
    assert [one.quote for one in in_group] == ["no nuts please"]
    in_private = await store.memories.own_evidence(said_in_two_chats.memory_id, an_access())
    assert [one.quote for one in in_private] == ["no nuts please", "in hospital again"]
    assert PRIVATE_CHAT not in {one.umo for one in in_private}


async def kept(
    store: Store, text: str = "", *, access: Access | None = None, limit: int = 9
) -> dict[str, list[str]]:
    found = await store.memories.own_kept(text, access or an_access(), limit=limit)
    return {item.fact: [one.quote for one in said] for item, said in found.values()}


async def test_all_of_ones_own_is_told_with_its_words(store: Store) -> None:
    await keep(store, *(an_item(status, status=status) for status in Status), an_item("bob's", owner=BOB))
    assert await kept(store) == {status: [status] for status in Status}


async def test_the_nearest_are_told_beside_those_that_changed_last(store: Store) -> None:
    old = [an_item(f"{what} tea", updated_at=NOW - timedelta(days=9)) for what in ("green", "black")]
    await keep(store, *old, an_item("one"), an_item("two"))
    assert set(await kept(store, "black tea", limit=1)) == {"black tea", "two"}


async def test_beside_them_are_told_those_that_answer_a_question_in_other_words(store: Store) -> None:
    old = NOW - timedelta(days=9)
    job = an_item("is a nurse", slot="job", updated_at=old)
    await keep(store, job, an_item("drinks tea", updated_at=old), an_item("new"))
    assert set(await kept(store, "profession", limit=1)) == {"is a nurse", "new"}


async def test_ones_own_is_told_only_as_far_as_this_chat_may_show_it(
    store: Store, said_in_two_chats: Item
) -> None:
    await keep(store, an_item("private"))
    fact = said_in_two_chats.fact
    assert await kept(store, access=IN_GROUP) == {fact: ["no nuts please"]}
    assert await kept(store, access=IN_ANOTHER_GROUP) == {}
    assert await kept(store) == {fact: ["no nuts please", "in hospital again"], "private": ["private"]}
    here = [said_in_two_chats.memory_id]
    assert list(await store.memories.own_by_id(here, IN_GROUP)) == here
    assert await store.memories.own_by_id(here, IN_ANOTHER_GROUP) == {}
    assert await store.memories.own_by_id(here, replace(IN_GROUP, readable=(BOB,))) == {}
    assert await store.memories.own_by_id([], IN_GROUP) == {}


async def test_ones_own_messages_are_counted_while_they_wait_as_far_as_the_chat_may_know(
    store: Store,
) -> None:
    async with store.transaction() as transaction:
        await transaction.add_events(
            [
                an_event("one"),
                an_event("two"),
                an_event("read", extraction=Extraction.DONE),
                an_event("answer", role=Role.ASSISTANT),
                an_event("elsewhere", umo=GROUP_CHAT),
                an_event("bob's", owner=BOB),
            ]
        )
    assert sorted(await store.memories.own_unread(an_access())) == [
        (GROUP_CHAT, GROUP_CHAT),
        (PRIVATE_CHAT, "telegram:alice"),
        (PRIVATE_CHAT, "telegram:alice"),
    ]
    assert await store.memories.own_unread(replace(IN_GROUP, level=Level.INTERNAL)) == [
        (GROUP_CHAT, GROUP_CHAT)
    ]
    assert await store.memories.own_unread(an_access(readable=())) == []


async def test_messages_above_the_level_of_the_chat_are_not_counted_there(store: Store) -> None:
    async with store.transaction() as transaction:
        await transaction.add_events([an_event(level.name, level=level) for level in Level])
    for level in Level:
        assert len(await store.memories.own_unread(an_access(level=level))) == level


async def test_of_a_fact_in_use_at_several_levels_the_highest_that_may_be_shown_is_listed(
    store: Store,
) -> None:
    said = {level: an_item(level.name, fact_key="home", level=level) for level in Level}
    await keep(store, *said.values(), an_item("other person", fact_key="home", person="Bob"))
    for level in Level:
        assert set(await own(store, level=level)) == {
            level.name,
            *(["other person"] if level >= Level.INTERNAL else []),
        }
    access = an_access(level=Level.RESTRICTED)
    hidden = await store.memories.own_matching(said[Level.PUBLIC].memory_id, access)
    assert [item.fact for item in hidden] == ["PUBLIC"]


async def test_only_a_version_in_use_and_to_be_seen_here_hides_one_in_use(store: Store) -> None:
    await keep(
        store,
        an_item("in use", fact_key="home", level=Level.PUBLIC),
        an_item("waits", fact_key="home", status=Status.PENDING),
        an_item("waits below", fact_key="tea", level=Level.PUBLIC, status=Status.PENDING),
        an_item("in use above", fact_key="tea"),
        an_item("in the group", fact_key="cat", level=Level.PUBLIC, origin_umo=GROUP_CHAT),
        an_item("in private", fact_key="cat"),
        an_item("anothers", fact_key="dog", level=Level.PUBLIC),
        an_item("not theirs", fact_key="dog", owner=BOB),
    )
    assert set(await own(store)) == {
        "in use",
        "waits",
        "waits below",
        "in use above",
        "in private",
        "anothers",
    }
    confidential_group = replace(IN_GROUP, level=Level.CONFIDENTIAL)
    page = await store.memories.own_items(confidential_group, Paging())
    assert ([item.fact for item in page.rows], page.total) == (["in the group"], 1)
