"""The whole memory without a host: what people say comes back to them, and to nobody else."""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from itertools import islice, product
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Mode, Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import (
    AmbiguousError,
    InvalidInputError,
    NotFoundError,
    RefusedError,
)
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item, ItemFilter
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.operations import BATCH_SIZE

from tests.running import PATIENCE, World, group, outcome, private, settings

ALICE = private("alice")


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "host.db")


@pytest.fixture
async def memory(world: World) -> AsyncGenerator[LTMManager]:
    async with world.memory(settings()) as manager:
        yield manager


async def items_of(memory: LTMManager, chat: Chat, number: int) -> list[Item]:
    """Somebody's own items, once there are so many."""
    async with asyncio.timeout(PATIENCE):
        while True:
            page = await memory.own_items(chat, kind=None, page=1, page_size=100)
            if len(page.rows) == number:
                return list(page.rows)
            await asyncio.sleep(0.005)


async def block_for(memory: LTMManager, chat: Chat, text: str = "Hello") -> str:
    return (await memory.recall(chat, text)).block


async def test_what_a_person_says_is_recalled_with_its_words(world: World, memory: LTMManager) -> None:
    await world.tell(memory, ALICE, "My name is Alice")
    (item,) = await items_of(memory, ALICE, 1)
    assert "- [profile] User's name is Alice" in await block_for(memory, ALICE)
    explained = await memory.why(ALICE, item.memory_id)
    assert [one.quote for one in explained.evidence] == ["My name is Alice"]


async def test_what_was_injected_is_counted_and_nothing_else(world: World, memory: LTMManager) -> None:
    await world.tell(memory, ALICE, "My name is Alice. I like green tea")
    before = {item.fact: item for item in await items_of(memory, ALICE, 2)}
    question = "What is the capital of Norway?"
    memory.log_recall(ALICE, question, await memory.recall(ALICE, question), sent=True)
    async with asyncio.timeout(PATIENCE):
        while sum(item.access_count for item in await items_of(memory, ALICE, 2)) == 0:
            await asyncio.sleep(0.005)
    after = {item.fact: item for item in await items_of(memory, ALICE, 2)}
    assert {fact for fact, item in after.items() if item.access_count} == {"User's name is Alice"}
    assert all(after[fact].updated_at == item.updated_at for fact, item in before.items())


async def test_what_answers_a_question_is_found_among_much_else_that_was_saved(
    world: World, memory: LTMManager
) -> None:
    named = ("my wife is called Ada", "my son is called Max", "my dog is called Rex", "my cat is called Tom")
    for fact in ("I work as a nurse", *named, "my boss is called Bob", "my brother is called Jim"):
        await world.tell(memory, ALICE, f"Remember that {fact}")
        world.clock.move(timedelta(days=1))
    assert "nurse" not in await block_for(memory, ALICE, "Do you like your job?")
    for question in ("What is my job?", "What do I do for a living?", "我是做什么工作的"):
        assert "nurse" in await block_for(memory, ALICE, question)


async def test_a_day_that_a_memory_names_without_a_year_is_found_by_a_question_about_days_around_it(
    memory: LTMManager,
) -> None:
    for fact in ("the plumber comes on 14 July", "水管工7月14号来"):
        await memory.save(ALICE, fact=fact, said=fact, message_id=fact)
    for question in ("Can I be away 12 to 16 July?", "7月12号到16号我能出门吗"):
        block = await block_for(memory, ALICE, question)
        assert ("plumber" in block, "水管工" in block) == (True, True), question
    assert "plumber" not in await block_for(memory, ALICE, "Can I be away 2 to 6 July?")
    away = await memory.save(ALICE, fact="8月10日到20日在三亚", said="8月10日到20日在三亚", message_id="away")
    assert away.item.expires_at == datetime(
        2025, 8, 21, 12, tzinfo=UTC
    )  # once it is over, not on its second day
    assert "三亚" in await block_for(memory, ALICE, "8月15号我有空吗")


async def test_an_explicit_save_is_active_in_shadow_mode(world: World) -> None:
    async with world.memory(settings({})) as memory:
        saved = await memory.save(
            ALICE, fact="my bike is blue", said="ltm add my bike is blue", message_id="1"
        )
        assert saved.item.status is Status.ACTIVE
        assert "my bike is blue" in await block_for(memory, ALICE, "Which colour has my bike?")
        again = await memory.save(
            ALICE, fact="my bike is blue", said="ltm add my bike is blue", message_id="2"
        )
        assert (again.known, again.item.memory_id) == (True, saved.item.memory_id)
        with pytest.raises(InvalidInputError, match="fact"):
            await memory.save(ALICE, fact="  ", said="ltm add", message_id="3")


async def test_shadow_items_wait_for_an_approval(world: World) -> None:
    async with world.memory(settings({})) as memory:
        await world.tell(memory, ALICE, "My name is Alice")
        (item,) = await items_of(memory, ALICE, 1)
        assert (item.status, await block_for(memory, ALICE)) == (Status.SHADOW, "")
        approved = (await memory.review.approve_one(item.memory_id, actor="operator:x")).item
        assert (approved.status, approved.reason) == (Status.ACTIVE, "")
        assert "Alice" in await block_for(memory, ALICE)
        with pytest.raises(NotFoundError):
            await memory.review.approve_one(item.memory_id, actor="operator:x")


async def test_approving_all_leaves_what_no_words_bear_out(world: World) -> None:
    world.model.answer = (
        '[{"type": "profile", "fact": "User owns 42 llamas", "fact_key": "llamas", "confidence": 0.9,'
        ' "importance": 0.5}]'
    )
    async with world.memory(settings({"extraction": {"batch_turns": 1, "idle_seconds": 1}})) as memory:
        await world.tell(memory, ALICE, "My name is Alice")
        items = await items_of(memory, ALICE, 2)
        assert {item.status for item in items} == {Status.SHADOW, Status.PENDING}
        assert outcome(await memory.review.approve(None, actor="operator:x")) == (1, 1)
        assert "llamas" not in await block_for(memory, ALICE)
        assert outcome(await memory.review.approve(None, actor="operator:x")) == (0, 1)
        doubtful = next(item for item in items if item.status is Status.PENDING)
        await memory.review.approve_one(doubtful.memory_id, actor="operator:x")
        assert "llamas" in await block_for(memory, ALICE)


async def test_what_is_forgotten_stays_forgotten_until_it_is_asked_for(
    world: World, memory: LTMManager
) -> None:
    await world.tell(memory, ALICE, "My name is Alice")
    (item,) = await items_of(memory, ALICE, 1)
    [gone], _ = await memory.forget(ALICE, item.memory_id[:8])
    assert (gone.status, await block_for(memory, ALICE)) == (Status.DELETED, "")
    with pytest.raises(NotFoundError):
        await memory.forget(ALICE, item.memory_id)
    with pytest.raises(NotFoundError):
        await memory.why(ALICE, item.memory_id)
    await world.tell(memory, ALICE, "My name is Alice")
    await world.tell(memory, ALICE, "I live in Oslo")
    assert [one.fact for one in await items_of(memory, ALICE, 1)] == ["User lives in Oslo"]


async def test_nobody_reaches_the_items_of_another(world: World, memory: LTMManager) -> None:
    await world.tell(memory, ALICE, "My name is Alice")
    (item,) = await items_of(memory, ALICE, 1)
    bob = private("bob")
    assert await block_for(memory, bob) == ""
    for reach in (memory.why, memory.forget):
        with pytest.raises(NotFoundError) as of_another:
            await reach(bob, item.memory_id)
        with pytest.raises(NotFoundError) as of_nobody:
            await reach(bob, "0" * 32)
        assert str(of_another.value) == str(of_nobody.value)


async def test_private_words_stay_out_of_groups_and_a_groups_words_in_it(
    world: World, memory: LTMManager
) -> None:
    await world.tell(memory, ALICE, "I'm allergic to peanuts")
    await world.tell(memory, group("alice", "kitchen"), "I live in Oslo")
    await items_of(memory, ALICE, 2)
    assert "Oslo" in await block_for(memory, group("alice", "kitchen"))
    assert "peanuts" not in await block_for(memory, group("alice", "kitchen"))
    assert await block_for(memory, group("alice", "office")) == ""
    assert await block_for(memory, group("bob", "kitchen")) == ""
    private_block = await block_for(memory, ALICE)
    assert "Oslo" in private_block
    assert "peanuts" in private_block


async def test_a_short_id_must_be_long_enough_and_fit_one(world: World, memory: LTMManager) -> None:
    await world.tell(memory, ALICE, "My name is Alice and I'm allergic to peanuts")
    (first, _) = await items_of(memory, ALICE, 2)
    with pytest.raises(InvalidInputError, match="at least 4"):
        await memory.why(ALICE, "abc")
    with pytest.raises(AmbiguousError):
        await memory.why(ALICE, first.memory_id[:4])
    with pytest.raises(NotFoundError):
        await memory.why(ALICE, "%%%%")


async def test_the_mode_changes_at_once_and_is_kept(world: World) -> None:
    async with world.memory(settings({})) as memory:
        await memory.policy_changes.set_mode(Mode.AUTO, actor="operator:x")
        kept = [policies["write"]["mode"] for policies in world.kept_policies]
        assert (memory.mode, kept) == (Mode.AUTO, ["auto"])
        await world.tell(memory, ALICE, "My name is Alice")
        assert [item.status for item in await items_of(memory, ALICE, 1)] == [Status.ACTIVE]


async def test_read_only_recalls_and_changes_no_row(world: World) -> None:
    async with world.memory(settings()) as memory:
        await world.tell(memory, ALICE, "My name is Alice")
        (item,) = await items_of(memory, ALICE, 1)
    async with world.memory(settings({"emergency_read_only": True})) as memory:
        before = await memory.status.counts()
        assert before.read_only
        await world.tell(memory, ALICE, "I live in Oslo")
        recall = await memory.recall(ALICE, "Hello")
        memory.log_recall(ALICE, "Hello", recall, sent=True)
        assert "Alice" in recall.block
        for refused in (
            memory.save(ALICE, fact="x y z", said="ltm add x y z", message_id="9"),
            memory.forget(ALICE, item.memory_id),
            memory.policy_changes.set_mode(Mode.SHADOW, actor="operator:x"),
            memory.review.approve(None, actor="operator:x"),
        ):
            with pytest.raises(RefusedError, match="emergency_read_only"):
                await refused
        assert (await memory.status.counts()).events == before.events
        assert world.kept_policies == []
    assert (await items_after(world))[0].access_count == 0


async def items_after(world: World) -> list[Item]:
    async with world.memory(settings({"emergency_read_only": True})) as memory:
        return list((await memory.browsing.items(ItemFilter())).rows)


async def test_a_restart_goes_on_with_what_was_waiting(world: World) -> None:
    patient = settings(
        {"write_policy": {"mode": "auto"}, "extraction": {"batch_turns": 50, "idle_seconds": 60}}
    )
    async with world.memory(patient) as memory:
        await world.tell(memory, ALICE, "The weather is nice, isn't it")
    assert world.model.prompts == []
    world.clock.move(timedelta(seconds=61))
    async with world.memory(patient) as memory, asyncio.timeout(PATIENCE):
        while (await memory.status.counts()).events["done"] < 2:
            await asyncio.sleep(0.005)
    assert len(world.model.prompts) == 1


async def audited(file: Path) -> list[tuple[str, ...]]:
    """The lines of audit that are about no memory: who, what, before, after, why."""
    with closing(sqlite3.connect(file)) as store:
        columns = "actor, action, before, after, reason"
        return store.execute(f"SELECT {columns} FROM ltm_audit WHERE memory_id = ''").fetchall()  # noqa: S608


async def test_who_pauses_and_resumes_what_is_on_record_once(world: World, memory: LTMManager) -> None:
    kitchen = group("root", "kitchen")
    for _ in range(2):
        await memory.pausing.own(ALICE, on=True)
        await memory.pausing.group(kitchen, on=True, actor="operator:x")
    for _ in range(2):
        await memory.pausing.own(ALICE, on=False)
        await memory.pausing.group(kitchen, on=False, actor="operator:x")
    assert await audited(world.file) == [
        ("plat:alice", "pause", "", "paused", ""),
        ("operator:x", "pause", "", "paused", "plat:GroupMessage:kitchen"),
        ("plat:alice", "resume", "paused", "", ""),
        ("operator:x", "resume", "paused", "", "plat:GroupMessage:kitchen"),
    ]
    with pytest.raises(InvalidInputError, match="group"):
        await memory.pausing.group(ALICE, on=True, actor="operator:x")


async def test_a_pause_outlives_a_restart(world: World) -> None:
    async with world.memory(settings()) as memory:
        await world.tell(memory, ALICE, "My name is Alice")
        await memory.pausing.own(ALICE, on=True)
    async with world.memory(settings()) as memory:
        assert await block_for(memory, ALICE) == ""
        assert (await memory.status.counts()).paused_people == 1
        with pytest.raises(RefusedError, match="paused"):
            await memory.save(ALICE, fact="x is y", said="ltm add x is y", message_id="2")
        await memory.pausing.own(ALICE, on=False)
        assert "Alice" in await block_for(memory, ALICE)


async def test_words_of_the_group_itself_are_shown_to_its_admin_there_and_no_others(world: World) -> None:
    kitchen = group("alice", "kitchen")
    world.model.answer = (
        '[{"type": "profile", "fact": "Bob owns a boat", "about": "Bob", "person": "Bob", "confidence": 0.9,'
        ' "importance": 0.5, "quote": "Bob owns a boat"}]'
    )
    async with world.memory(settings({"extraction": {"batch_turns": 1, "idle_seconds": 1}})) as memory:
        await world.tell(memory, kitchen, "By the way, Bob owns a boat")
        async with asyncio.timeout(PATIENCE):
            while not (await memory.status.counts()).waiting:
                await asyncio.sleep(0.005)
        here = await memory.review.waiting_for(group("root", "kitchen"), page=1, page_size=5)
        assert [(item.person, item.teller) for item in (row.item for row in here.found.rows)] == [
            ("Bob", "Alice")
        ]
        assert here.readable == {here.found.rows[0].item.memory_id}
        elsewhere = await memory.review.waiting_for(group("root", "office"), page=1, page_size=5)
        assert elsewhere.readable == frozenset()
        in_private = await memory.review.waiting_for(private("root"), page=1, page_size=5)
        assert in_private.readable == here.readable


async def test_an_operator_sees_what_a_memory_took_the_place_of(world: World, memory: LTMManager) -> None:
    await world.tell(memory, ALICE, "I live in Oslo")
    world.clock.move(timedelta(days=1))
    await world.tell(memory, ALICE, "I live in Berlin")
    (item,) = await items_of(memory, ALICE, 1)
    assert [one.fact for one in (await memory.browsing.item(item.memory_id)).older] == ["User lives in Oslo"]


async def test_the_operators_list_and_one_item(world: World, memory: LTMManager) -> None:
    await world.tell(memory, ALICE, "My name is Alice")
    (item,) = await items_of(memory, ALICE, 1)
    assert [one.memory_id for one in (await memory.browsing.items(ItemFilter(query="alice"))).rows] == [
        item.memory_id
    ]
    assert (await memory.browsing.item(item.memory_id)).evidence[0].quote == "My name is Alice"
    with pytest.raises(NotFoundError):
        await memory.browsing.item("nothing")


async def locked_by(other: sqlite3.Connection) -> None:
    """Take the lock as soon as nothing of the memory's own is being written."""
    async with asyncio.timeout(PATIENCE):
        while not other.in_transaction:
            with suppress(sqlite3.OperationalError):
                other.execute("BEGIN IMMEDIATE")
            await asyncio.sleep(0)


async def test_a_turn_outlives_a_lock_of_any_length_and_is_learnt_from(
    world: World, memory: LTMManager
) -> None:
    loop = asyncio.get_running_loop()
    with closing(sqlite3.connect(world.file, isolation_level=None, timeout=0)) as other:
        await locked_by(other)
        began = loop.time()
        for text in ("My name is Alice", "I live in Oslo"):
            turn = Turn(chat=ALICE, message_id=text, user_text=text, reply_text="I see.", at=world.clock())
            await memory.record_turn(turn)
        assert loop.time() - began < 7  # two waits of a second; SQLite would wait for five each time
        while loop.time() - began < 7:  # longer than SQLite itself waits
            await asyncio.sleep(0.1)
        during = await memory.status.counts()
        assert (during.late_writes, during.events["pending"]) == (2, 0)
        other.execute("ROLLBACK")
    items = await items_of(memory, ALICE, 2)
    assert {item.fact for item in items} == {"User's name is Alice", "User lives in Oslo"}
    assert {item.evidence_count for item in items} == {1}
    after = await memory.status.counts()
    assert (after.late_writes, after.events["pending"], memory.failures) == (0, 4, {})


async def test_approval_renews_the_time_an_item_lives(world: World) -> None:
    short_lived = settings({"retention_days": {"preference": 1}})
    async with world.memory(short_lived) as memory:
        await world.tell(memory, ALICE, "I like green tea. My name is Alice")
        await items_of(memory, ALICE, 2)
        world.clock.move(timedelta(days=2))
        assert outcome(await memory.review.approve(None, actor="operator:x")) == (2, 0)
        assert "green tea" in await block_for(memory, ALICE, "Which tea do I like?")
        ends = {item.fact: item.expires_at for item in await items_of(memory, ALICE, 2)}
        assert ends == {
            "User likes green tea": world.clock() + timedelta(days=1),
            "User's name is Alice": None,
        }
        world.clock.move(timedelta(days=2))
        assert "green tea" not in await block_for(memory, ALICE, "Which tea do I like?")


async def test_while_many_items_are_approved_others_write(world: World) -> None:
    plenty = {"max_writes_per_session": 10_000, "max_writes_per_hour": 10_000, "max_items_per_scope": 10_000}
    async with world.memory(settings({"write_policy": plenty})) as memory:
        number = 2 * BATCH_SIZE + 10
        for first, vowel, last in islice(product("bdgklmnprt", "aeiou", "bdgklmnprt"), number):
            await world.tell(memory, ALICE, f"I like {first}{vowel}{last}{vowel}")
        assert (await memory.status.counts()).items == {"shadow": number}
        approving = asyncio.ensure_future(memory.review.approve(None, actor="operator:x"))
        while not (active := (await memory.status.counts()).items.get("active", 0)):
            await asyncio.sleep(0)
        assert active == BATCH_SIZE
        await world.tell(memory, private("bob"), "My name is Bob")
        assert not approving.done()
        assert outcome(await approving) == (number, 0)
