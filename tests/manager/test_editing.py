"""What operators change about a memory holds at once, loses nothing and leaves one value in one place."""

from collections import Counter
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import (
    LIVE_STATUSES,
    Level,
    MemoryType,
    Mode,
    Origin,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError, LtmError, RefusedError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item, ItemFilter
from astrbot_plugin_ltm.long_term_memory.domain.writing import AuditEntry, AuditFilter
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.editing import Edit
from astrbot_plugin_ltm.long_term_memory.policies.keys import waiting_key
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.running import World, private, record, settings
from tests.stores import NOW, an_item, keep, opened

ADA = "operator:ada"
CHAT = replace(private("alice"), umo="telegram:FriendMessage:alice", platform_id="telegram")
OSLO, BERGEN = "User lives in Oslo", "User lives in Bergen"
DAY = timedelta(days=1)
QUIET = {"extraction": {"daily_token_cap": 0}, "write_policy": {"mode": "auto"}}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "host.db")


@pytest.fixture
async def memory(world: World) -> AsyncGenerator[LTMManager]:
    async with world.memory(settings(QUIET)) as memory:
        yield memory


async def put(world: World, *items: Item) -> None:
    """Store items with their words, as somebody else would."""
    async with opened(world.file) as database:
        await keep(Store(database, world.clock), *items)


def home(fact: str, **changes: object) -> Item:
    return an_item(fact, memory_id=fact.rpartition(" ")[2], slot="home_city", **changes)


async def edit(memory: LTMManager, memory_id: str, **wanted: object) -> Item:
    wanted_edit = Edit(**wanted)  # pyright: ignore[reportArgumentType] - as named
    return (await memory.review.edit_one(memory_id, wanted_edit, actor=ADA)).item


async def block(memory: LTMManager) -> str:
    return (await memory.recall(CHAT, "Where do I live?")).block


async def statuses(memory: LTMManager) -> dict[str, Status]:
    return {item.memory_id: item.status for item in (await memory.browsing.items(ItemFilter())).rows}


async def told(world: World, memory: LTMManager, words: str, mode: Mode) -> Item:
    """What is learnt of these words in this mode."""
    await memory.policy_changes.set_mode(mode, actor=ADA)
    await world.tell(memory, CHAT, words)
    [item] = (await memory.browsing.items(ItemFilter())).rows
    return item


async def actions(memory: LTMManager, memory_id: str) -> list[str]:
    return [line.action for line in (await memory.browsing.item(memory_id)).audit][::-1]


async def test_a_fact_in_other_words_is_recalled_at_once_and_its_history_loses_nothing(
    world: World, memory: LTMManager
) -> None:
    await put(world, home(OSLO))
    assert OSLO in await block(memory)
    edited = await edit(memory, "Oslo", fact=BERGEN)
    recalled = await block(memory)
    assert BERGEN in recalled
    assert OSLO not in recalled
    shown = await memory.browsing.item("Oslo")
    [earlier] = shown.older
    assert (edited.memory_id, edited.fact_key, edited.slot) == ("Oslo", "user lives in bergen", "home_city")
    assert (earlier.fact, earlier.fact_key) == (OSLO, "user lives in oslo")
    assert (earlier.status, earlier.reason, earlier.superseded_by) == (Status.SUPERSEDED, "edited", "Oslo")
    kept = await memory.browsing.item(earlier.memory_id)
    words = [[(one.event_id, one.quote) for one in each.evidence] for each in (kept, shown)]
    assert words[0] == words[1] != []


async def test_what_an_operator_wrote_is_not_told_as_the_persons_words_until_they_say_it(
    world: World, memory: LTMManager
) -> None:
    async def told() -> str:
        return (await memory.recall(CHAT, "What is my shoe size?")).block.splitlines()[1]

    note = (
        await memory.save(CHAT, fact="my shoe size is 45", said="my shoe size is 45", message_id="1")
    ).item
    said = "- [episode] User said: my shoe size is {} (said 2025-06-01) (confidence: 1.00)"
    assert await told() == said.format(45)
    world.clock.move(timedelta(minutes=1))
    for size in (46, 44):
        await edit(memory, note.memory_id, fact=f"my shoe size is {size}")
    edited = "- [episode] my shoe size is 44 (said 2025-06-01 in other words) (edited by an admin)"
    assert await told() == edited
    await edit(memory, note.memory_id, fact="my shoe size is 45")
    assert await told() == said.format(45)
    await edit(memory, note.memory_id, fact="my shoe size is 44")
    assert await told() == edited
    world.clock.move(timedelta(minutes=1))
    await memory.save(CHAT, fact="my shoe size is 44", said="my shoe size is 44", message_id="2")
    assert await told() == said.format(44)


async def test_the_audit_of_an_edit_has_no_text(world: World, memory: LTMManager) -> None:
    await put(world, home(OSLO))
    await edit(memory, "Oslo", fact=BERGEN)
    [line] = (await memory.browsing.item("Oslo")).audit
    assert (line.actor, line.action, line.reason) == (ADA, "edit", "fact")
    assert not {"Oslo.", "Bergen"} & set(f"{line}".split())


async def test_what_a_fact_said_stays_as_confidential_as_it_was(world: World, memory: LTMManager) -> None:
    await put(world, home(OSLO))
    edited = await edit(memory, "Oslo", fact="User lives in Norway", level=Level.PUBLIC)
    [earlier] = (await memory.browsing.item("Oslo")).older
    assert (edited.level, earlier.level) == (Level.PUBLIC, Level.INTERNAL)


async def test_an_earlier_text_keeps_its_type_and_is_listed_behind_the_present_one(
    world: World, memory: LTMManager
) -> None:
    await put(world, home(OSLO))
    for fact in (BERGEN, "User lives in Voss"):
        await edit(memory, "Oslo", fact=fact, type=MemoryType.EPISODE)
    assert [(row.fact, row.type.value) for row in (await memory.browsing.items(ItemFilter())).rows] == [
        ("User lives in Voss", "episode"),
        (BERGEN, "episode"),
        (OSLO, "profile"),
    ]


async def test_what_lists_call_a_note_is_one_in_the_audit_and_among_decisions(
    world: World, memory: LTMManager
) -> None:
    asked = an_item("My bike is blue", memory_id="bike", type=MemoryType.EPISODE, origin=Origin.USER_EXPLICIT)
    found = an_item("User went to Rome", memory_id="rome", type=MemoryType.EPISODE, origin=Origin.RULE)
    await put(world, asked, found)
    for memory_id, name in (("bike", "note"), ("rome", "episode")):
        await edit(memory, memory_id, type=MemoryType.PROFILE)
        line = (await memory.browsing.audit(AuditFilter(memory_id=memory_id))).rows[0]
        assert (line.before, line.after) == (name, "profile")
        assert (await memory.review.undoable())[0].changed == {"type": [name, "profile"]}


async def test_an_edit_can_be_taken_back_by_bringing_back_the_earlier_words(
    world: World, memory: LTMManager
) -> None:
    await put(world, home(OSLO))
    await edit(memory, "Oslo", fact=BERGEN)
    [earlier] = (await memory.browsing.item("Oslo")).older
    await edit(memory, earlier.memory_id, status=Status.ACTIVE)
    recalled = await block(memory)
    assert OSLO in recalled
    assert BERGEN not in recalled


async def test_a_secret_in_a_fact_is_masked(world: World, memory: LTMManager) -> None:
    await put(world, home(OSLO))
    edited = await edit(memory, "Oslo", fact="User's key is sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD")
    assert "abcdefghijklmnop" not in edited.fact


@pytest.mark.parametrize(
    ("key", "after"),
    [
        ("user lives in oslo", "user lives in bergen"),
        ("home city", "home city"),
        ("user-home", "user-home"),
        (waiting_key("user-home", OSLO), waiting_key("user-home", BERGEN)),
    ],
)
async def test_a_key_made_of_the_words_follows_them_and_any_other_stays(
    world: World, memory: LTMManager, key: str, after: str
) -> None:
    await put(world, home(OSLO, fact_key=key))
    assert (await edit(memory, "Oslo", fact=BERGEN)).fact_key == after


async def test_a_fact_that_another_memory_states_is_refused_with_all_that_came_with_it(
    world: World, memory: LTMManager
) -> None:
    await put(world, home(OSLO), an_item("User likes tea", memory_id="tea"))
    with pytest.raises(RefusedError, match="taken: the memory Oslo "):
        await edit(memory, "tea", importance=0.9, ttl_days=1, fact=OSLO)
    shown = await memory.browsing.item("tea")
    assert (shown.item.importance, shown.item.ttl_days, shown.audit, shown.older) == (0.5, None, [], [])


async def test_a_fact_in_other_words_answers_what_it_answered(world: World, memory: LTMManager) -> None:
    await put(world, home(OSLO))
    assert (await edit(memory, "Oslo", fact=BERGEN)).slot == "home_city"


@pytest.mark.parametrize("fact", [OSLO, BERGEN], ids=["key", "slot"])
async def test_a_level_at_which_another_memory_has_the_place_is_refused(
    world: World, memory: LTMManager, fact: str
) -> None:
    public = replace(home(fact, level=Level.PUBLIC), memory_id="public")
    await put(world, home(OSLO), public)
    with pytest.raises(RefusedError, match="taken: the memory public "):
        await edit(memory, "Oslo", level=Level.PUBLIC)
    assert await actions(memory, "Oslo") == []


async def test_a_level_rises_for_nobody(world: World, memory: LTMManager) -> None:
    await put(world, home(OSLO))
    with pytest.raises(InvalidInputError, match="level: must be at or below INTERNAL"):
        await edit(memory, "Oslo", level=Level.RESTRICTED, importance=0.9)


COMES_BACK = {
    Status.DISABLED: "restore",
    Status.DELETED: "restore",
    Status.EXPIRED: "restore",
    Status.SUPERSEDED: "restore",
    Status.SHADOW: "approve",
    Status.PENDING: "approve",
}


@pytest.mark.parametrize("status", COMES_BACK)
async def test_whatever_became_of_it_a_memory_is_used_again_when_an_operator_says_so(
    world: World, memory: LTMManager, status: Status
) -> None:
    deleted_at = NOW if status is Status.DELETED else None
    await put(world, home(OSLO, status=status, reason="why", ttl_days=2, deleted_at=deleted_at))
    assert OSLO not in await block(memory)
    world.clock.move(10 * DAY)
    active = await edit(memory, "Oslo", status=Status.ACTIVE)
    assert OSLO in await block(memory)
    assert (active.status, active.reason, active.superseded_by) == (Status.ACTIVE, "", None)
    assert (active.deleted_at, active.expires_at) == (None, world.clock() + 2 * DAY)
    assert await actions(memory, "Oslo") == [COMES_BACK[status]]


@pytest.mark.parametrize("end", ["reject", "forgotten", Status.DISABLED])
async def test_what_waited_until_it_ended_waits_again_when_it_is_restored(
    world: World, memory: LTMManager, end: str
) -> None:
    waiting = await told(world, memory, "My name is Alice", Mode.MANUAL)
    if end == "reject":
        await memory.review.reject([waiting.memory_id], actor=ADA)
    else:
        ended = Status.DISABLED if end == Status.DISABLED else Status.DELETED
        await edit(memory, waiting.memory_id, status=ended)
    back = await edit(memory, waiting.memory_id, status=Status.ACTIVE)
    assert (back.status, back.reason, back.deleted_at) == (waiting.status, waiting.reason, None)
    approved = await edit(memory, waiting.memory_id, status=Status.ACTIVE)
    assert approved.status is Status.ACTIVE
    await edit(memory, waiting.memory_id, status=Status.DELETED)
    assert (await edit(memory, waiting.memory_id, status=Status.ACTIVE)).status is Status.ACTIVE


async def test_a_rejection_that_was_taken_back_leaves_the_reason_to_wait(
    world: World, memory: LTMManager
) -> None:
    waiting = await told(world, memory, "My name is Alice", Mode.SHADOW)
    rejected = await memory.review.reject([waiting.memory_id], actor=ADA)
    await memory.review.undo(rejected.decision_id, actor=ADA)
    await memory.review.reject([waiting.memory_id], actor=ADA)
    back = await edit(memory, waiting.memory_id, status=Status.ACTIVE)
    assert (back.status, back.reason) == (Status.SHADOW, waiting.reason)


async def test_the_earlier_words_of_what_waits_wait_too(world: World, memory: LTMManager) -> None:
    waiting = await told(world, memory, "My name is Alice", Mode.SHADOW)
    await edit(memory, waiting.memory_id, fact="User's name is Alicia")
    [earlier] = (await memory.browsing.item(waiting.memory_id)).older
    assert (await edit(memory, earlier.memory_id, status=Status.ACTIVE)).status is Status.SHADOW
    assert (await statuses(memory))[waiting.memory_id] is Status.SUPERSEDED


async def test_what_waits_again_takes_the_place_of_nothing_in_use(world: World, memory: LTMManager) -> None:
    await put(world, home(OSLO, status=Status.PENDING, reason="min_evidence_count"))
    await edit(memory, "Oslo", status=Status.DELETED)
    await put(world, replace(home(OSLO), memory_id="used"))
    with pytest.raises(RefusedError, match="taken: the memory used "):
        await edit(memory, "Oslo", status=Status.ACTIVE)
    assert await statuses(memory) == {"Oslo": Status.DELETED, "used": Status.ACTIVE}


async def test_what_a_store_says_was_sent_back_waits_for_an_operator(
    world: World, memory: LTMManager
) -> None:
    await put(world, home(OSLO, status=Status.PENDING, reason="sent_back"))
    async with opened(world.file) as database, Store(database, world.clock).transaction() as tx:
        back = AuditEntry(actor=ADA, action="send_back", memory_id="Oslo", before="active", after="pending")
        await tx.audit(replace(back, reason="sent_back"))
    assert OSLO not in await block(memory)
    assert not (await memory.keep_all(CHAT))[0].used
    assert not (await memory.review.approve(None, actor=ADA)).done
    await edit(memory, "Oslo", status=Status.DISABLED)
    assert (await edit(memory, "Oslo", status=Status.ACTIVE)).status is Status.PENDING
    await memory.review.approve(["Oslo"], actor=ADA)
    assert OSLO in await block(memory)


@pytest.mark.parametrize("status", [Status.SUPERSEDED, Status.DELETED, Status.EXPIRED, Status.DISABLED])
async def test_who_answers_the_same_leaves_for_what_comes_back(
    world: World, memory: LTMManager, status: Status
) -> None:
    await put(world, home(BERGEN), home(OSLO, status=status))
    await edit(memory, "Oslo", status=Status.ACTIVE)
    assert await statuses(memory) == {"Oslo": Status.ACTIVE, "Bergen": Status.SUPERSEDED}
    bergen = await memory.browsing.item("Bergen")
    assert bergen.item.superseded_by == "Oslo"
    assert [item.memory_id for item in (await memory.browsing.item("Oslo")).older] == ["Bergen"]
    await edit(memory, "Bergen", status=Status.ACTIVE)
    assert await statuses(memory) == {"Oslo": Status.SUPERSEDED, "Bergen": Status.ACTIVE}


async def test_who_has_its_key_leaves_and_who_took_its_place_through_others(
    world: World, memory: LTMManager
) -> None:
    def tea(name: str, **changes: object) -> Item:
        return an_item(f"User drinks {name}", memory_id=name, **changes)

    await put(
        world,
        tea("latest"),
        tea("later", status=Status.SUPERSEDED, superseded_by="latest"),
        tea("first", status=Status.SUPERSEDED, superseded_by="later", fact_key="what"),
        tea("holder", status=Status.SHADOW, fact_key="what"),
    )
    await edit(memory, "first", status=Status.ACTIVE)
    assert await statuses(memory) == {
        "first": Status.ACTIVE,
        "later": Status.SUPERSEDED,
        "latest": Status.SUPERSEDED,
        "holder": Status.SUPERSEDED,
    }


async def test_what_an_operator_switched_off_is_displaced_by_nobody(world: World, memory: LTMManager) -> None:
    off = replace(home(OSLO, status=Status.DISABLED), memory_id="off")
    await put(world, off, home(OSLO, status=Status.SUPERSEDED))
    with pytest.raises(RefusedError, match="taken: the memory off "):
        await edit(memory, "Oslo", status=Status.ACTIVE)
    assert await statuses(memory) == {"off": Status.DISABLED, "Oslo": Status.SUPERSEDED}


async def test_a_memory_switched_off_is_not_recalled_and_keeps_its_place(
    world: World, memory: LTMManager
) -> None:
    await put(world, home(OSLO))
    assert OSLO in await block(memory)
    for _ in range(2):
        assert (await edit(memory, "Oslo", status=Status.DISABLED)).status is Status.DISABLED
    assert OSLO not in await block(memory)
    assert await actions(memory, "Oslo") == ["disable"]


@pytest.mark.parametrize("status", sorted(set(Status) - LIVE_STATUSES))
async def test_what_is_over_is_neither_switched_off_nor_changed(
    world: World, memory: LTMManager, status: Status
) -> None:
    await put(world, home(OSLO, status=status))
    for wanted in ({"status": Status.DISABLED}, {"importance": 0.9}, {"fact": BERGEN}):
        with pytest.raises(RefusedError, match=f"not_in_use: this memory is {status}"):
            await edit(memory, "Oslo", **wanted)
    changed = await edit(memory, "Oslo", importance=0.9, fact=BERGEN, status=Status.ACTIVE)
    assert (changed.importance, changed.fact, changed.status) == (0.9, BERGEN, Status.ACTIVE)


async def test_days_count_from_the_last_confirmation_or_from_when_it_was_let_in(
    world: World, memory: LTMManager
) -> None:
    await put(world, home(OSLO, last_confirmed_at=NOW - DAY), home(BERGEN, status=Status.SHADOW, ttl_days=5))
    assert (await edit(memory, "Oslo", ttl_days=3)).expires_at == NOW + 2 * DAY
    world.clock.move(4 * DAY)
    await edit(memory, "Bergen", status=Status.ACTIVE)
    assert (await edit(memory, "Bergen", ttl_days=3)).expires_at == world.clock() + 3 * DAY


async def test_a_memory_whose_days_are_over_is_not_recalled_any_more(
    world: World, memory: LTMManager
) -> None:
    await put(world, home(OSLO))
    assert OSLO in await block(memory)
    over = await edit(memory, "Oslo", ttl_days=0)
    assert (over.status, over.reason) == (Status.EXPIRED, "ttl")
    assert OSLO not in await block(memory)
    assert await actions(memory, "Oslo") == ["edit", "expire"]


async def test_what_has_ended_unnoticed_lives_again_when_it_is_set_active(
    world: World, memory: LTMManager
) -> None:
    await put(world, home(OSLO, ttl_days=1, expires_at=NOW + DAY))
    world.clock.move(2 * DAY)
    assert OSLO not in await block(memory)
    await edit(memory, "Oslo", status=Status.ACTIVE)
    assert OSLO in await block(memory)


async def test_what_an_operator_deleted_is_not_learnt_again_by_itself(
    world: World, memory: LTMManager
) -> None:
    await world.tell(memory, CHAT, "My name is Alice")
    [item] = (await memory.browsing.items(ItemFilter(status=Status.ACTIVE))).rows
    await memory.review.edit_one(item.memory_id, Edit(status=Status.DELETED), actor=ADA)
    await world.tell(memory, CHAT, "My name is Alice")
    assert set((await statuses(memory)).values()) == {Status.DELETED}


async def test_what_is_said_once_adds_nothing_when_it_is_read_again_after_an_edit(
    world: World, memory: LTMManager
) -> None:
    turn = Turn(chat=CHAT, message_id="1", user_text="My name is Alice", reply_text="Hi.", at=world.clock())
    await record(memory, turn)
    [item] = (await memory.browsing.items(ItemFilter(status=Status.ACTIVE))).rows
    await edit(memory, item.memory_id, fact="User's name is Alicia")
    before = await statuses(memory)
    await record(memory, turn)
    assert await statuses(memory) == before
    assert Counter(before.values()) == {Status.ACTIVE: 1, Status.SUPERSEDED: 1}


@pytest.mark.parametrize("seed", range(12))
async def test_whatever_is_asked_one_value_stands_in_one_place(
    world: World, memory: LTMManager, seed: int
) -> None:
    random = Random(seed)  # noqa: S311 - no secret
    facts = [f"User lives in {city}" for city in ("Oslo", "Bergen", "Voss", "Moss")]
    levels = [Level.INTERNAL, Level.PUBLIC]
    await put(
        world,
        home(facts[0]),
        *(home(fact, status=random.choice([Status.SUPERSEDED, Status.DELETED])) for fact in facts[1:]),
        an_item("User likes tea", memory_id="tea"),
    )
    for _ in range(40):
        items = (await memory.browsing.items(ItemFilter(page_size=200))).rows
        changes = {
            "status": random.choice([Status.ACTIVE, Status.DISABLED, Status.DELETED]),
            "fact": random.choice([*facts, "User likes tea"]),
            "level": random.choice(levels),
            "importance": random.random(),
            "ttl_days": random.choice([0, 3, None]),
        }
        wanted = {name: changes[name] for name in random.sample(sorted(changes), random.randint(1, 3))}
        try:
            await edit(memory, random.choice(items).memory_id, **wanted)
        except LtmError:
            continue
        live = (await memory.browsing.items(ItemFilter(page_size=200))).rows
        active = Counter(
            (item.level, item.slot) for item in live if item.status is Status.ACTIVE and item.slot
        )
        assert set(active.values()) <= {1}, wanted
