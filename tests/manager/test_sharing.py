"""Sharing where two things happen at once."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef, Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Audience, Level, Scope, Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import NotFoundError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item, ItemFilter
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.sharing import NotSharedError
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.running import World, group, private, record, settings
from tests.stores import an_event, an_evidence, an_item, keep, opened

ALICE = private("alice")


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "host.db")


@pytest.fixture
async def memory(world: World) -> AsyncGenerator[LTMManager]:
    async with world.memory(settings()) as memory:
        yield memory


async def put(world: World, *items: Item) -> None:
    """Store items with their words, as somebody else would."""
    async with opened(world.file) as database:
        await keep(Store(database, world.clock), *items)


async def saved(memory: LTMManager, fact: str = "my bike is blue") -> str:
    kept = await memory.save(ALICE, fact=fact, said=f"ltm add {fact}", message_id="1")
    return kept.item.memory_id


@pytest.mark.parametrize("first", ["forget", "share"])
async def test_what_is_forgotten_at_the_moment_it_is_shared_stays_forgotten(
    memory: LTMManager, first: str
) -> None:
    memory_id = await saved(memory)
    verbs = [memory.forget(ALICE, memory_id), memory.sharing.own(ALICE, memory_id, on=True)]
    results = await asyncio.gather(*(verbs if first == "forget" else verbs[::-1]), return_exceptions=True)
    assert all(not isinstance(one, BaseException) or isinstance(one, NotFoundError) for one in results)
    [item] = (await memory.browsing.items(ItemFilter())).rows
    assert item.status is Status.DELETED
    assert not (await memory.recall(group("alice"), "Which colour has my bike?")).block


async def test_of_two_who_share_at_once_one_is_told_that_it_is_shared_already(memory: LTMManager) -> None:
    memory_id = await saved(memory)
    sharing = (memory.sharing.own(ALICE, memory_id, on=True) for _ in range(2))
    both = await asyncio.gather(*sharing, return_exceptions=True)
    assert sorted(type(one).__name__ for one in both) == ["Item", "NotSharedError"]
    assert [one.why for one in both if isinstance(one, NotSharedError)] == ["already"]


async def test_in_a_group_not_even_the_item_is_handed_out(memory: LTMManager) -> None:
    memory_id = await saved(memory)
    for on in (True, False):
        for asked in (memory_id, "ffffffff", ""):
            with pytest.raises(NotSharedError) as refused:
                await memory.sharing.own(group("alice"), asked, on=on)
            assert (refused.value.why, refused.value.item) == ("in_group", None)


async def test_an_item_can_be_shared_and_taken_back_time_and_again(memory: LTMManager) -> None:
    memory_id = await saved(memory)
    before = (await memory.browsing.items(ItemFilter())).rows[0]
    for _ in range(3):
        await memory.sharing.own(ALICE, memory_id, on=True)
        await memory.sharing.own(ALICE, memory_id, on=False)
    assert (await memory.browsing.items(ItemFilter())).rows == [before]


async def test_its_creator_shares_what_is_a_projects_and_nobody_shares_what_is_a_groups_or_everybodys(
    world: World, memory: LTMManager
) -> None:
    project = ScopeRef(scope=Scope.PROJECT, scope_id="plat:boat")
    kitchen = ScopeRef(scope=Scope.GROUP, scope_id="plat:GroupMessage:kitchen")
    everybody = ScopeRef(scope=Scope.GLOBAL, scope_id="global")
    plan, *others = [
        an_item(f"The hull of number {number} is painted", owner=owner, origin_umo=ALICE.umo)
        for number, owner in enumerate((project, kitchen, everybody))
    ]
    await put(world, plan, *others)
    inside = replace(ALICE, project_id="boat")
    shared = await memory.sharing.own(inside, plan.memory_id, on=True)
    assert (shared.owner, shared.level) == (project, Level.PUBLIC)
    with pytest.raises(NotFoundError):
        await memory.sharing.own(ALICE, plan.memory_id, on=False)
    for other in others:
        with pytest.raises(NotFoundError):
            await memory.sharing.own(inside, other.memory_id, on=True)


async def test_what_is_above_the_chats_level_is_not_there_to_be_shared(
    world: World, memory: LTMManager
) -> None:
    owner = ScopeRef(scope=Scope.USER, scope_id="plat:alice")
    secret = an_item("The safe is behind the mirror", owner=owner, level=Level.CONFIDENTIAL)
    await put(world, secret)
    with pytest.raises(NotFoundError):
        await memory.sharing.own(ALICE, secret.memory_id, on=True)


async def test_what_is_taken_back_has_the_highest_level_its_words_were_said_at(
    world: World, memory: LTMManager
) -> None:
    owner = ScopeRef(scope=Scope.USER, scope_id="plat:alice")
    item = an_item("Alice sails", owner=owner, level=Level.PUBLIC, audience=Audience.EVERYWHERE)
    await put(world, item)
    async with opened(world.file) as database, Store(database, world.clock).transaction() as tx:
        said = an_event("I sail", owner=owner, level=Level.CONFIDENTIAL)
        await tx.add_events([said])
        await tx.update_item(item, [an_evidence(item, said)])
    kept = await memory.sharing.own(ALICE, item.memory_id, on=False)
    assert kept.level is Level.CONFIDENTIAL
    with pytest.raises(NotFoundError):
        await memory.why(ALICE, item.memory_id)


@pytest.mark.parametrize(
    ("status", "reason", "left"),
    [
        (Status.ACTIVE, "", [Status.ACTIVE, Status.SUPERSEDED]),
        (Status.PENDING, "quote", [Status.SUPERSEDED, Status.ACTIVE]),
        (Status.DISABLED, "", [Status.DISABLED, Status.SUPERSEDED]),
    ],
)
async def test_what_is_taken_back_leaves_only_for_what_does_not_wait(
    world: World, memory: LTMManager, status: Status, reason: str, left: list[Status]
) -> None:
    owner = ScopeRef(scope=Scope.USER, scope_id="plat:alice")
    shared = await saved(memory)
    await memory.sharing.own(ALICE, shared, on=True)
    again = an_item("my bike is blue", owner=owner, level=Level.INTERNAL, status=status, reason=reason)
    await put(world, again)
    kept = await memory.sharing.own(ALICE, shared, on=False)
    assert (kept.memory_id, kept.status) == (shared, left[1])
    found = {item.memory_id: item.status for item in (await memory.browsing.items(ItemFilter())).rows}
    assert [found[again.memory_id], found[shared]] == left


async def test_what_an_operator_switched_off_does_not_come_back_as_a_shared_version(
    world: World, memory: LTMManager
) -> None:
    owner = ScopeRef(scope=Scope.USER, scope_id="plat:alice")
    off = an_item("my bike is blue", owner=owner, level=Level.PUBLIC, status=Status.DISABLED)
    mine = an_item("my bike is blue", owner=owner, level=Level.INTERNAL)
    await put(world, off, mine)
    before = (await memory.browsing.items(ItemFilter())).rows
    with pytest.raises(NotSharedError) as refused:
        await memory.sharing.own(ALICE, mine.memory_id, on=True)
    assert (refused.value.why, refused.value.item) == ("not_in_use", off)
    assert (await memory.browsing.items(ItemFilter())).rows == before


async def test_what_was_saved_after_a_tool_was_used_is_taken_back_to_the_level_of_the_tool(
    world: World, memory: LTMManager
) -> None:
    said = "Please remember: my salary is 90k"
    turn = Turn(chat=ALICE, message_id="m1", user_text=said, reply_text="", at=world.clock())
    await record(memory, turn)
    raised = replace(ALICE, raised=Level.CONFIDENTIAL)
    saved = await memory.tool_memories.save(replace(turn, chat=raised), "salary", "User's salary is 90k")
    await memory.sharing.own(raised, saved.item.memory_id, on=True)
    kept = await memory.sharing.own(raised, saved.item.memory_id, on=False)
    assert kept.level is Level.CONFIDENTIAL


async def test_what_one_persona_keeps_is_shared_while_another_answers(world: World) -> None:
    raw = {"write_policy": {"mode": "auto"}, "identity": {"per_persona": True}}
    async with world.memory(settings(raw)) as memory:
        with_pirate = replace(ALICE, persona_id="pirate")
        kept = await memory.save(with_pirate, fact="my bike is blue", said="my bike is blue", message_id="1")
        await memory.sharing.own(ALICE, kept.item.memory_id, on=True)
        await memory.sharing.own(ALICE, kept.item.memory_id, on=False)
        assert [one.item for one in await memory.export_own(ALICE)] == [kept.item]


FACTS = ("my bike is blue", "my car is red", "my boat is green")
PLACES = (ALICE, group("alice"))


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_is_done_another_group_knows_what_is_shared_and_nothing_else(
    memory: LTMManager, seed: int
) -> None:
    random = Random(seed)  # noqa: S311 - to be the same each time is what it is for
    for number in range(40):
        items = (await memory.browsing.items(ItemFilter())).rows
        one = random.choice(items).memory_id if items else "ffffffff"
        with suppress(NotFoundError, NotSharedError):
            match random.randrange(5):
                case 0 | 1:
                    fact, place = random.choice(FACTS), random.choice(PLACES)
                    await memory.save(place, fact=fact, said=fact, message_id=str(number))
                case 2:
                    await memory.sharing.own(ALICE, one, on=True)
                case 3:
                    await memory.sharing.own(ALICE, one, on=False)
                case _:
                    await memory.forget(ALICE, one)
        await check(memory)


async def check(memory: LTMManager) -> None:
    """Shared is public, and in a group where nothing was said only what is shared is known."""
    items = [one for one in (await memory.browsing.items(ItemFilter())).rows if one.status is Status.ACTIVE]
    shared = [one for one in items if one.audience is Audience.EVERYWHERE]
    assert {one.level for one in shared} <= {Level.PUBLIC}
    office = group("alice", "office")
    listed = await memory.own_items(office, kind=None, page=1, page_size=50)
    assert sorted(one.memory_id for one in listed.rows) == sorted(one.memory_id for one in shared)
    block = (await memory.recall(office, "Which colours have bike, car and boat?")).block
    assert {fact for fact in FACTS if fact in block} == {one.fact for one in shared}
