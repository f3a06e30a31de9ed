"""`forget all` and `erase`: of one person nothing is left, of the others everything."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncGenerator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ScopeRef, ToolUse, Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Scope
from astrbot_plugin_ltm.long_term_memory.domain.errors import NotFoundError, RefusedError, UnavailableError
from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager, erasing
from astrbot_plugin_ltm.long_term_memory.manager.erasing import Erased
from astrbot_plugin_ltm.long_term_memory.storage.scrub import Scrubber
from astrbot_plugin_ltm.long_term_memory.storage.snapshots import Snapshots

from tests.running import AUTO, PATIENCE, ScriptedChatModel, World, group, private, record, settings
from tests.stores import an_event, an_evidence, an_item
from tests.verifying import second_answer

ALICE, BOB = private("alice"), private("bob")
KITCHEN, BOB_IN_KITCHEN = group("alice"), group("bob")
SETTINGS = {**AUTO, "identity": {"per_persona": True, "cross_platform_aliases": ["plat:ally=plat:alice"]}}
ROWS = """
    SELECT scope, scope_id, fact, evidence_count, updated_at FROM ltm_items
    UNION ALL SELECT owner_scope, owner_scope_id, content, level, created_at FROM ltm_events
    UNION ALL SELECT owner_scope, owner_scope_id, query, level, created_at FROM ltm_recalls
"""
HERS = (
    ALICE,
    KITCHEN,
    private("ally"),
    replace(ALICE, persona_id="pirate", conversation_id="c2"),
    replace(KITCHEN, persona_id="pirate", conversation_id="g2"),
)
A_MOMENT = timedelta(seconds=1)


@dataclass(frozen=True, kw_only=True)
class Told:
    """What somebody tells of themselves, and words of it that nobody else says."""

    added: str
    said: str
    words: tuple[str, ...]


EN = Told(
    added="I keep a quokka named Xylonbert",
    said="My favorite drink is vermouthiana with jujubequartz",
    words=("quokka", "ylonbert", "vermouthiana", "jujubequartz"),
)
ZH = Told(
    added="我养了一只猞猁叫麒麟貔貅",
    said="我喜欢喝饕餮牌醪糟",
    words=("猞猁", "麒麟", "貔貅", "饕餮", "醪糟"),
)
told = pytest.mark.parametrize("told", [EN, ZH], ids=["en", "zh"])


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "host.db")


@pytest.fixture
async def memory(world: World) -> AsyncGenerator[LTMManager]:
    async with world.memory(settings(SETTINGS)) as manager:
        yield manager


def bytes_kept(world: World) -> bytes:
    """The database file, its log, and the plugin's folder."""
    folder = world.file.with_name("plugin_data")
    files = [*world.file.parent.glob(f"{world.file.name}*"), *folder.rglob("*")]
    return b"\n".join(file.read_bytes() for file in files if file.is_file())


def found_in(world: World, words: Sequence[str]) -> set[str]:
    """Which of the words stand anywhere on the disk."""
    kept = bytes_kept(world).lower()
    return {word for word in words if word.encode() in kept}


def rows(world: World, query: str, *parameters: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(world.file)) as connection:
        return connection.execute(query, parameters).fetchall()


async def tell_all(world: World, memory: LTMManager, chat: Chat, told: Told, number: str = "1") -> None:
    """A save, a turn, a tool result and a recall."""
    await memory.save(chat, fact=told.added, said=f"/ltm add {told.added}", message_id=f"m{number}")
    await world.tell(memory, chat, told.said, reply=f"Noted: {told.said}")
    await record(
        memory, ToolUse(chat=chat, message_id=f"t{number}", tool="web", result=told.said, at=world.clock())
    )
    asked = f"What do you know? {told.added}"
    memory.log_recall(chat, asked, await memory.recall(chat, asked), sent=True)
    await memory._components.recall_log.settle()  # pyright: ignore[reportPrivateUsage] - what the log waits for


async def own_facts(memory: LTMManager, chat: Chat) -> set[str]:
    page = await memory.own_items(chat, kind=None, page=1, page_size=50)
    return {item.fact for item in page.rows}


@told
async def test_of_a_person_who_forgets_all_no_byte_is_left(
    world: World, memory: LTMManager, told: Told
) -> None:
    for chat in HERS:
        await tell_all(world, memory, chat, told, chat.umo + chat.persona_id)
    assert found_in(world, told.words) == set(told.words)
    erased = await memory.erasing.own(ALICE)
    assert found_in(world, told.words) == set()
    assert erased.overwritten
    assert erased.items >= 3
    assert erased.events >= 20


@told
async def test_of_an_account_that_is_erased_no_byte_is_left(
    world: World, memory: LTMManager, told: Told
) -> None:
    for chat in HERS:
        await tell_all(world, memory, chat, told, chat.umo + chat.persona_id)
    assert found_in(world, told.words) == set(told.words)
    erased = await memory.erasing.of("plat:ally", actor="operator:root")
    assert found_in(world, told.words) == set()
    assert erased.overwritten
    assert await own_facts(memory, ALICE) == set()
    assert (await memory.recall(ALICE, told.added)).block == ""
    assert not await memory.search_transcript(ALICE, told.added)


@told
async def test_what_others_told_stays(world: World, memory: LTMManager, told: Told) -> None:
    await tell_all(world, memory, BOB, told)
    await tell_all(world, memory, BOB_IN_KITCHEN, told, "2")
    await world.tell(memory, ALICE, "I live in Oslo")
    kept = [row for row in rows(world, ROWS) if "plat:alice" not in row]
    await memory.erasing.own(ALICE)
    assert rows(world, ROWS) == kept
    assert found_in(world, told.words) == set(told.words)
    assert await own_facts(memory, BOB)
    assert (await memory.recall(BOB, told.added)).block


async def test_what_was_kept_by_chat_goes_too(world: World) -> None:
    by_chat = {**AUTO, "identity": {"user_scope_strategy": "unified_msg_origin"}}
    async with world.memory(settings(by_chat)) as memory:
        await tell_all(world, memory, ALICE, EN)
        await tell_all(world, memory, KITCHEN, EN, "2")
    async with world.memory(settings()) as memory:
        assert found_in(world, EN.words)
        assert (await memory.erasing.of("plat:alice", actor="operator:root")).items >= 2
        assert found_in(world, EN.words) == set()


@pytest.mark.parametrize("strategy", ["unified_msg_origin", "platform_user"])
@pytest.mark.parametrize("by_operator", [False, True], ids=["own", "operator"])
async def test_of_somebody_with_many_private_chats_the_answers_in_all_of_them_go(
    world: World, strategy: str, *, by_operator: bool
) -> None:
    one, other, bobs = (
        replace(private(name), umo=f"plat:FriendMessage:plat!{name}!{number}")
        for name, number in (("alice", 1), ("alice", 2), ("bob", 3))
    )
    by_chat = {**AUTO, "identity": {"user_scope_strategy": strategy}}
    async with world.memory(settings(by_chat)) as memory:
        await tell_all(world, memory, one, EN)
        await tell_all(world, memory, other, EN, "2")
        await tell_all(world, memory, bobs, ZH, "3")
        kept = [row for row in rows(world, ROWS) if not any(word in str(row).lower() for word in EN.words)]
        erasing = memory.erasing
        await (erasing.of("plat:alice", actor="operator:root") if by_operator else erasing.own(one))
        assert found_in(world, EN.words) == set()
        assert rows(world, ROWS) == kept


async def test_what_was_kept_by_person_goes_too_once_it_is_kept_by_chat(world: World) -> None:
    async with world.memory(settings()) as memory:
        await tell_all(world, memory, ALICE, EN)
    by_chat = {**AUTO, "identity": {"user_scope_strategy": "unified_msg_origin"}}
    async with world.memory(settings(by_chat)) as memory:
        await memory.erasing.own(KITCHEN)
        assert found_in(world, EN.words) == set()


async def test_a_project_goes_with_its_creator(world: World, memory: LTMManager) -> None:
    boat = replace(ALICE, umo="plat:FriendMessage:alice!2", project_id="boat")
    await tell_all(world, memory, boat, EN)
    assert rows(world, "SELECT count(*) FROM ltm_events WHERE scope = 'project'") != [(0,)]
    await memory.erasing.own(ALICE)
    assert found_in(world, EN.words) == set()


async def test_an_account_that_left_takes_what_was_said_by_it_and_nothing_else(
    world: World, memory: LTMManager
) -> None:
    phone = private("alice_phone")
    offer = memory.linking.begin(ALICE)
    assert not isinstance(offer, str)
    memory.linking.enter(phone, offer.code)
    await memory.linking.confirm(ALICE)
    await tell_all(world, memory, phone, EN)
    await world.tell(memory, group("alice_phone"), EN.said, reply="")
    await tell_all(world, memory, ALICE, ZH)
    await memory.linking.leave(phone)
    kept = [row for row in rows(world, ROWS) if not any(word in str(row).lower() for word in EN.words)]
    await memory.erasing.of("plat:alice_phone", actor="operator:root")
    assert found_in(world, EN.words) == set()
    assert found_in(world, ZH.words) == set(ZH.words)
    assert rows(world, ROWS) == kept


async def test_links_go_and_a_pause_stays(world: World, memory: LTMManager) -> None:
    phone = private("alice_phone")
    offer = memory.linking.begin(ALICE)
    assert not isinstance(offer, str)
    memory.linking.enter(phone, offer.code)
    await memory.linking.confirm(ALICE)
    await world.tell(memory, phone, EN.said)
    await memory.pausing.own(ALICE, on=True)
    await memory.erasing.own(ALICE)
    assert found_in(world, EN.words) == set()
    assert rows(world, "SELECT * FROM ltm_links") == []
    assert memory._components.resolver.rules.links == {}  # pyright: ignore[reportPrivateUsage] - what is in force
    assert rows(world, "SELECT count(*) FROM ltm_paused") == [(3,)]


async def test_the_audit_keeps_that_it_happened_and_who_did_it(world: World, memory: LTMManager) -> None:
    await tell_all(world, memory, ALICE, EN)
    first = await memory.erasing.own(ALICE)
    await tell_all(world, memory, ALICE, EN)
    await memory.erasing.of("plat:alice", actor="operator:root")
    lines = "SELECT actor, action, before, reason FROM ltm_audit WHERE action IN ('forget_all', 'erase')"
    counts = f"items={first.items} events={first.events}"
    assert rows(world, lines) == [
        ("plat:alice", "forget_all", "plat:alice", counts),
        ("operator:root", "erase", "plat:alice", counts),
    ]


@pytest.mark.parametrize(
    "account", ["plat:nobody", "nonsense", "plat:", ":alice", "plat:GroupMessage:kitchen"]
)
async def test_an_account_that_nobody_knows_is_not_erased(
    world: World, memory: LTMManager, account: str
) -> None:
    await world.tell(memory, KITCHEN, "I live in Oslo")
    audited = rows(world, "SELECT count(*) FROM ltm_audit")
    with pytest.raises(NotFoundError):
        await memory.erasing.of(account, actor="operator:root")
    assert rows(world, "SELECT count(*) FROM ltm_audit") == audited
    assert rows(world, "SELECT count(*) FROM ltm_events") == [(2,)]


async def test_who_has_told_nothing_forgets_nothing_and_that_is_audited(
    world: World, memory: LTMManager
) -> None:
    assert await memory.erasing.own(ALICE) == Erased(items=0, events=0)
    assert rows(world, "SELECT reason FROM ltm_audit") == [("items=0 events=0",)]


async def test_nothing_is_erased_while_nothing_may_be_written(world: World) -> None:
    async with world.memory(settings()) as memory:
        await tell_all(world, memory, ALICE, EN)
    async with world.memory(settings({"emergency_read_only": True})) as memory:
        with pytest.raises(RefusedError):
            await memory.erasing.own(ALICE)
        assert await own_facts(memory, ALICE)


async def test_what_a_kill_left_in_the_file_is_told_of_until_housekeeping_overwrites_it(world: World) -> None:
    async with world.memory(settings()) as memory:
        await tell_all(world, memory, ALICE, EN)
    with closing(sqlite3.connect(world.file)) as connection:  # what an erasure commits before anything else
        connection.execute("INSERT INTO ltm_meta (name, value) VALUES ('to_scrub', 'mark')")
        connection.execute("DELETE FROM ltm_items")
        connection.execute("DELETE FROM ltm_events")
        connection.execute("DELETE FROM ltm_recalls")
        connection.commit()
    assert found_in(world, EN.words)
    async with world.memory(settings()) as memory:
        assert any("not overwritten" in warning for warning in await memory.warnings())
        await memory._components.scrubbing.work()  # pyright: ignore[reportPrivateUsage] - as housekeeping does
        assert found_in(world, EN.words) == set()
        assert not await memory.warnings()


@dataclass
class SlowLook:
    """The look for somebody in the snapshots: it has begun, and it may end."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    may_end: asyncio.Event = field(default_factory=asyncio.Event)


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch) -> SlowLook:
    slow, forget = SlowLook(), Snapshots.forget

    async def late(self: Snapshots, *of: Any) -> int:
        slow.begun.set()
        await slow.may_end.wait()
        return await forget(self, *of)

    monkeypatch.setattr(Snapshots, "forget", late)
    return slow


@pytest.mark.parametrize("ends", ["cancelled while it erases", "cancelled while it looks", "impatient"])
async def test_bytes_are_overwritten_whatever_becomes_of_the_caller(
    world: World, memory: LTMManager, look: SlowLook, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    await tell_all(world, memory, ALICE, EN)
    await memory.transferring.snapshot(actor="operator")
    if ends == "impatient":
        monkeypatch.setattr(erasing, "PATIENCE", timedelta(milliseconds=50))
    async with asyncio.timeout(PATIENCE):
        call = asyncio.ensure_future(memory.erasing.own(ALICE))
        await (asyncio.sleep(0) if ends == "cancelled while it erases" else look.begun.wait())
        if ends == "impatient":
            assert not (await call).overwritten
        else:
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
        look.may_end.set()
        while found_in(world, EN.words) or rows(world, "SELECT 1 FROM ltm_meta WHERE name = 'to_scrub'"):
            await asyncio.sleep(0.01)


async def test_an_export_that_ends_during_an_erasure_is_not_handed_out(
    world: World, memory: LTMManager, look: SlowLook, monkeypatch: pytest.MonkeyPatch
) -> None:
    await tell_all(world, memory, ALICE, EN)
    transfers = memory._components.store.transfers  # pyright: ignore[reportPrivateUsage] - made slow
    export, written = transfers.export, asyncio.Event()

    async def slow(*of: Any, **more: Any) -> None:
        await export(*of, **more)
        written.set()
        await look.begun.wait()

    monkeypatch.setattr(transfers, "export", slow)
    async with asyncio.timeout(PATIENCE):
        exporting = asyncio.ensure_future(memory.transferring.export(None))
        await written.wait()
        call = asyncio.ensure_future(memory.erasing.own(ALICE))
        with pytest.raises(UnavailableError):
            await exporting
        look.may_end.set()
        assert (await call).overwritten
    assert found_in(world, EN.words) == set()


async def test_what_was_deleted_through_the_host_goes_from_its_snapshot_too(world: World) -> None:
    async with world.memory(settings()) as memory:
        await tell_all(world, memory, ALICE, EN)
    world.markers.places = [None, None]
    async with world.memory(settings()) as memory:
        assert not await own_facts(memory, ALICE)
        (kept,) = (await memory.transferring.snapshots()).snapshots
        assert kept.items
        await memory.erasing.own(ALICE)
        assert not (await memory.transferring.snapshots()).snapshots


async def test_words_that_others_quoted_go_with_them(world: World, memory: LTMManager) -> None:
    await world.tell(memory, KITCHEN, EN.said, reply="The bot says jujubequartz.")
    answers = [
        ("Alice", EN.said),
        ("Alice", "something else"),
        ("Bot", "The bot says jujubequartz."),
        ("", ""),
        ("Carol", "Carol's words"),
    ]
    for number, (name, words) in enumerate(answers):
        turn = Turn(
            chat=BOB_IN_KITCHEN,
            message_id=str(number),
            user_text=f"I agree {number}",
            reply_text="",
            at=world.clock(),
            quoted=words,
            quoted_from=name,
        )
        await record(memory, turn)
    await memory.erasing.own(ALICE)
    assert found_in(world, EN.words) == set()
    quoted = rows(world, "SELECT json_extract(content, '$.quoted') FROM ltm_events ORDER BY id")
    assert [words for (words,) in quoted] == ["", "", "", "", "Carol: Carol's words"]


async def test_what_others_quoted_of_an_account_goes_wherever_that_is(
    world: World, memory: LTMManager
) -> None:
    """She never spoke to the bot, and under another name."""
    elsewhere = replace(BOB_IN_KITCHEN, umo="plat:GroupMessage:attic", group_id="attic")
    quotes = [
        (BOB_IN_KITCHEN, "alice", EN.said),
        (BOB, "alice", EN.added),
        (elsewhere, "ally", EN.said),
        (elsewhere, "carol", "My boat is red"),
    ]
    for number, (chat, sender, words) in enumerate(quotes):
        turn = Turn(
            chat=chat,
            message_id=str(number),
            user_text=f"I own boat {number}",
            reply_text="",
            at=world.clock(),
            quoted=words,
            quoted_from="Someone",
            quoted_sender=sender,
        )
        await record(memory, turn)
    assert await memory.erasing.knows("plat:alice")
    await memory.erasing.of("plat:alice", actor="operator")
    assert found_in(world, EN.words) == set()
    query = "SELECT json_extract(content, '$.quoted', '$.quoted_sender') FROM ltm_events ORDER BY id"
    kept = [json.loads(words) for (words,) in rows(world, query)]
    assert kept == [["", ""], ["", ""], ["", ""], ["Someone: My boat is red", "carol"]]
    assert not await memory.erasing.knows("plat:alice")


async def test_what_was_said_before_and_is_written_late_is_not_kept(world: World, memory: LTMManager) -> None:
    said_at = world.clock()
    asked = await memory.recall(ALICE, EN.said)
    memory.log_recall(ALICE, EN.said, asked, sent=True)
    world.clock.move(A_MOMENT)
    await memory.erasing.own(ALICE)
    memory.log_recall(ALICE, EN.said, asked, sent=True, asked_at=said_at)
    turn = Turn(chat=ALICE, message_id="1", user_text=EN.said, reply_text=EN.said, at=said_at)
    await record(memory, turn)
    await memory.record_heard(replace(turn, chat=KITCHEN), addressed=False)
    await record(memory, ToolUse(chat=ALICE, message_id="1", tool="web", result=EN.said, at=said_at))
    await memory._components.recall_log.settle()  # pyright: ignore[reportPrivateUsage] - what the log waits for
    await memory._components.store.paused_counts()  # pyright: ignore[reportPrivateUsage] - after what is queued
    assert found_in(world, EN.words) == set()
    assert rows(world, "SELECT count(*) FROM ltm_events") == [(0,)]
    await record(memory, replace(turn, at=world.clock()))
    assert rows(world, "SELECT count(*) FROM ltm_events") == [(2,)]


@dataclass
class SlowModel(ScriptedChatModel):
    """Answers when it is let."""

    asked: asyncio.Event = field(default_factory=asyncio.Event)
    may_answer: asyncio.Event = field(default_factory=asyncio.Event)

    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        if verdicts := second_answer(system, prompt):
            return verdicts
        answer = await super().complete(umo=umo, system=system, prompt=prompt)
        self.answer = "[]"
        self.asked.set()
        await self.may_answer.wait()
        return answer


ANSWER = (
    '[{"type": "profile", "fact": "Alice restores vermouthiana presses", "fact_key": "press",'
    ' "confidence": 0.95, "importance": 0.7, "evidence": [1], "quote": "I restore vermouthiana presses"}]'
)


@pytest.mark.parametrize("of_alice", [True, False], ids=["of her words", "of others beside her words"])
async def test_the_answer_of_a_model_that_was_asked_before_brings_nothing_back(
    world: World, of_alice: bool
) -> None:
    model = world.model = SlowModel(answer=ANSWER)
    eager = {**AUTO, "extraction": {"batch_turns": 1}}
    async with world.memory(settings(eager)) as memory:
        if of_alice:
            await world.tell(memory, KITCHEN, "Lately I restore vermouthiana presses")
        await world.tell(memory, BOB_IN_KITCHEN, "Lately I restore old clocks")
        async with asyncio.timeout(PATIENCE):
            await model.asked.wait()
        await memory.erasing.own(KITCHEN)
        model.may_answer.set()
        async with asyncio.timeout(PATIENCE):  # what Bob said is asked about again
            while len(model.prompts) < 2:
                await asyncio.sleep(0.01)
            assert "vermouthiana" not in model.prompts[-1]
            while rows(world, "SELECT DISTINCT extraction FROM ltm_events") != [("done",)]:
                await asyncio.sleep(0.01)
        assert found_in(world, EN.words) == set()
        assert rows(world, "SELECT count(*) FROM ltm_items") == [(0,)]


async def test_a_groups_item_rests_on_the_words_of_others_from_then_on(
    world: World, memory: LTMManager
) -> None:
    store = memory._components.store  # pyright: ignore[reportPrivateUsage] - rows that many talks would make
    await world.tell(memory, KITCHEN, "Carol won the jujubequartz cup, 3 gold coins", reply="")
    await world.tell(memory, BOB_IN_KITCHEN, "Carol won a cup", reply="")
    await world.tell(memory, KITCHEN, "Dave lost the vermouthiana cup", reply="")
    events = [event for (event,) in rows(world, "SELECT event_id FROM ltm_events ORDER BY id")]
    scope = ScopeRef(scope=Scope.GROUP, scope_id=KITCHEN.umo)
    both = an_item(
        "Carol won a cup",
        owner=scope,
        person="Carol",
        teller="Alice",
        backstory="jujubequartz",
        relationship="quokka",
        evidence_count=2,
        origin_umo=KITCHEN.umo,
    )
    hers = an_item("Dave lost the vermouthiana cup", owner=scope, person="Dave", origin_umo=KITCHEN.umo)
    links = [
        replace(an_evidence(both, an_event(event_id=events[0])), quote="won the jujubequartz cup"),
        replace(an_evidence(both, an_event(event_id=events[1])), quote="Carol won a cup"),
        replace(an_evidence(hers, an_event(event_id=events[2])), quote="lost the vermouthiana cup"),
    ]
    async with store.transaction() as tx:
        await tx.insert_item(both, links[:2])
        await tx.insert_item(hers, links[2:])
    erased = await memory.erasing.of("plat:alice", actor="operator:root")
    assert (erased.items, erased.events) == (1, 2)
    (left,) = rows(world, "SELECT fact, teller, backstory, relationship, evidence_count FROM ltm_items")
    assert left == ("Carol won a cup", "Bob", "", "", 1)
    assert rows(world, "SELECT quote FROM ltm_evidence") == [("Carol won a cup",)]
    assert found_in(world, EN.words) == set()


async def test_what_is_written_late_quotes_nobody_who_was_erased_meanwhile(
    world: World, memory: LTMManager
) -> None:
    said = Turn(
        chat=BOB_IN_KITCHEN,
        message_id="late",
        user_text="I own a boat",
        reply_text="",
        at=world.clock(),
        quoted=EN.said,
        quoted_from="Someone",
        quoted_sender="alice",
    )
    world.clock.move(A_MOMENT)
    await memory.erasing.own(ALICE)
    await record(memory, said)
    assert found_in(world, EN.words) == set()
    world.clock.move(A_MOMENT)
    await record(memory, replace(said, message_id="later", at=world.clock()))
    assert found_in(world, EN.words) != set()


@pytest.fixture
def rewritten(monkeypatch: pytest.MonkeyPatch) -> list[Scrubber]:
    """One for each time that the tables are written anew."""
    done = list[Scrubber]()
    rewrite = Scrubber.rewrite

    async def counted(self: Scrubber) -> None:
        done.append(self)
        await rewrite(self)

    monkeypatch.setattr(Scrubber, "rewrite", counted)
    return done


async def test_nothing_is_overwritten_for_somebody_of_whom_nothing_is_kept(
    world: World, memory: LTMManager, rewritten: list[Scrubber]
) -> None:
    await world.tell(memory, BOB, "I live in Oslo")
    for _ in range(2):
        assert await memory.erasing.own(ALICE) == Erased(items=0, events=0)
    assert rewritten == []
    await memory.erasing.own(BOB)
    assert len(rewritten) == 1


@pytest.mark.parametrize("what", ["events", "items", "recalls"])
async def test_what_housekeeping_dropped_of_somebody_is_overwritten_once_they_ask(
    world: World, memory: LTMManager, rewritten: list[Scrubber], what: str
) -> None:
    await tell_all(world, memory, ALICE, EN)
    store = memory._components.store  # pyright: ignore[reportPrivateUsage] - what housekeeping does
    with closing(sqlite3.connect(world.file)) as connection:
        connection.execute("UPDATE ltm_events SET extraction = 'skipped'")
        connection.execute("UPDATE ltm_items SET status = 'expired'")
        kept = [table for table in ("recalls", "items", "events") if table != what]
        for table in kept:
            connection.execute(f"DELETE FROM ltm_{table}")  # noqa: S608 - our own names
        connection.commit()
    later = world.clock() + timedelta(days=1)
    if what == "events":
        await store.sweeps.drop_events(before=later, limit=99)
    elif what == "items":
        await store.sweeps.purge_surplus(keep=0, limit=99)
    else:
        await store.recalls.drop_old(before=later, keep=0, limit=99)
    for _ in range(2):
        assert await memory.erasing.own(ALICE) == Erased(items=0, events=0)
    assert len(rewritten) == 1
