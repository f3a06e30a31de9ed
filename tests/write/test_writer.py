import asyncio
import json
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import (
    LIVE_STATUSES,
    Audience,
    Extraction,
    Level,
    MemoryType,
    Mode,
    Origin,
    Role,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.domain.errors import (
    AnswerError,
    InvalidInputError,
    RefusedError,
    UnavailableError,
)
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Evidence, Item
from astrbot_plugin_ltm.long_term_memory.domain.writing import QuotaCounts
from astrbot_plugin_ltm.long_term_memory.manager.operations import forget_item
from astrbot_plugin_ltm.long_term_memory.models import EVENTS
from astrbot_plugin_ltm.long_term_memory.storage.connection import Connection
from astrbot_plugin_ltm.long_term_memory.storage.database import READERS
from astrbot_plugin_ltm.long_term_memory.storage.store import Store, StoreTransaction
from astrbot_plugin_ltm.long_term_memory.write.tool_save import ToolSave
from astrbot_plugin_ltm.long_term_memory.write.transitions import Decision, reject
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.running import PATIENCE
from tests.write.desk import Desk, OpenDesk, a_desk, answer
from tests.write.fakes import (
    ALICE,
    BOB,
    GROUP,
    START,
    ScriptedChatModel,
    access,
    tool_use,
    turn,
)
from tests.write.made import an_item


async def pending(desk: Desk) -> list[Event]:
    return [event for event in await desk.events() if event.extraction is Extraction.PENDING]


async def extract(desk: Desk, work: Sequence[Event] | None = None) -> bool:
    """Lease, ask and keep, as the worker does; whether the batch is worked off."""
    work = work or await batch(desk)
    leased = await desk.writer.lease(work, "provider")
    if leased:
        return await desk.writer.store_facts(leased, await desk.writer.ask(leased))
    ids = {event.event_id for event in work}
    return {e.extraction for e in await desk.events() if e.event_id in ids} == {Extraction.SKIPPED}


async def batch(desk: Desk) -> Sequence[Event]:
    return await pending(desk)


async def save(desk: Desk, fact: str, message_id: str = "m9", said: str = "") -> object:
    command = turn(said or f"/ltm add {fact}", "", message_id=message_id)
    return await desk.writer.save_explicit(command, access(), fact)


async def test_a_recorded_turn_is_in_the_store_once_however_often_it_is_recorded(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    for _ in range(2):
        await desk.say("hi", message_id="m1")
    await desk.writer.record_tool(tool_use("42"), access())
    await desk.writer.record(turn("", ""), access())
    assert [event.role for event in await desk.events()] == [Role.USER, Role.ASSISTANT, Role.TOOL]


async def test_rules_make_a_message_a_memory_without_any_model(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.say("My name is Alice and I'm allergic to peanuts")
    assert await desk.active_facts() == ["User's name is Alice", "User is allergic to peanuts"]
    item = (await desk.items())[0]
    assert (item.owner, item.level, item.audience, item.origin) == (
        ALICE,
        Level.INTERNAL,
        Audience.CHAT,
        Origin.RULE,
    )
    assert (item.slot, item.origin_umo, item.expires_at) == ("name", "qq:FriendMessage:alice", None)
    assert item.confidence == pytest.approx(0.855)
    (name, _) = await desk.evidence()
    assert (name.quote, name.extraction_method, name.extraction_meta) == (
        "My name is Alice",
        Origin.RULE,
        {"confidence": 0.9},
    )


async def test_what_the_rules_have_read_is_still_there_for_the_model(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.say("我叫小明")
    assert await desk.states() == ["pending", "pending"]


class Without(StoreTransaction):
    """Takes events, and breaks on every item."""

    async def insert_item(self, item: Item, evidence: Sequence[Evidence]) -> None:  # noqa: ARG002  as asked
        raise ValueError("no items today")


class Ghost(StoreTransaction):
    """Reports a full scope with an item that is not there."""

    async def quota_counts(self, owner: ScopeRef, umo: str, *, now: datetime, full_at: int) -> QuotaCounts:
        counts = await super().quota_counts(owner, umo, now=now, full_at=full_at)
        return replace(counts, live_in_scope=[an_item("ghost", importance=0.0)])


class OddStore(Store):
    """A real one whose transactions are of another kind."""

    def __init__(self, desk: Desk, kind: type[StoreTransaction]) -> None:
        super().__init__(desk.database, desk.clock)
        self._kind = kind
        self._desk = desk

    def _begun(self, connection: Connection) -> StoreTransaction:
        return self._kind(connection, self._desk.clock, self._erased)


def make_odd(desk: Desk, kind: type[StoreTransaction]) -> None:
    desk.store = OddStore(desk, kind)
    desk.start_again()


async def test_what_the_rules_break_on_is_kept_without_them(
    open_desk: OpenDesk, caplog: pytest.LogCaptureFixture
) -> None:
    desk = await open_desk()
    make_odd(desk, Without)
    await desk.say("My name is Alice")
    assert [event.text for event in await desk.events()] == ["My name is Alice", "Fine."]
    assert "the rules are left out" in caplog.text


async def test_what_the_rules_break_on_once_is_read_by_them_the_second_time(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    desk.database.broken, desk.database.bad_commits = RuntimeError("a bug"), 1
    await desk.say("Remember that I live in Rome")
    assert await desk.active_facts() == ["User lives in Rome"]


async def test_however_much_is_said_at_once_others_read_the_store_meanwhile(open_desk: OpenDesk) -> None:
    class Slow(StoreTransaction):
        async def asked_before(self, umo: str, scope_id: str, *, before: datetime) -> str:
            begun.set()
            assert go_on.wait(PATIENCE)
            return await super().asked_before(umo, scope_id, before=before)

    desk, begun, go_on = await open_desk(), threading.Event(), threading.Event()
    make_odd(desk, Slow)
    talk = asyncio.gather(*(desk.say(f"It rains for the {n}th day") for n in range(READERS)))
    assert await asyncio.to_thread(begun.wait, PATIENCE)
    try:
        async with asyncio.timeout(PATIENCE / 2):
            assert await desk.store.memory_ids([1]) == {}
    finally:
        go_on.set()
        await talk
    assert sum(event.role is Role.USER for event in await desk.events()) == READERS


async def test_a_store_that_cannot_be_written_is_no_fault_of_the_rules(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    desk.database.broken = UnavailableError("the database is locked")
    with pytest.raises(UnavailableError):
        await desk.say("My name is Alice")
    assert await desk.events() == []


@pytest.mark.parametrize("first", ["Remember that I live in Rome", "I live in Rome"])
async def test_what_is_asked_to_be_kept_and_plainly_said_is_one_fact(open_desk: OpenDesk, first: str) -> None:
    desk = await open_desk()
    await desk.say(first)
    await desk.say("I live in Rome." if first.startswith("Remember") else "Remember that I live in Rome")
    item = await desk.item()
    assert (item.evidence_count, item.status, item.origin) == (2, Status.ACTIVE, Origin.USER_EXPLICIT)


async def test_an_explicit_request_in_chat_is_active_even_in_shadow_mode(open_desk: OpenDesk) -> None:
    desk = await open_desk(mode=Mode.SHADOW)
    await desk.say("Remember that I like tea.", message_id="1")
    await desk.say("My name is Alice.", message_id="2")
    assert await desk.facts() == {"User likes tea": "active:", "User's name is Alice": "shadow:mode"}


async def test_saying_it_again_confirms_it(open_desk: OpenDesk) -> None:
    desk = await open_desk(min_evidence_count=2)
    await desk.say("I live in Rome")
    assert await desk.facts() == {"User lives in Rome": "shadow:min_evidence_count"}
    desk.clock.move(timedelta(days=1))
    await desk.say("I live in Rome")
    item = await desk.item()
    assert (item.status, item.reason, item.evidence_count) == (Status.ACTIVE, "", 2)
    assert item.last_confirmed_at == START + timedelta(days=1)
    assert item.confidence > 0.855
    assert [entry.action for entry in await desk.audits()] == ["add", "confirm"]
    assert ((await desk.audits())[1].before, (await desk.audits())[1].after) == ("shadow", "active")


async def test_a_fact_is_as_late_as_its_words_however_late_they_are_read(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.hear("Oslo is where I have my flat", "User lives in Oslo")
    item = await desk.item()
    assert (item.last_confirmed_at, item.created_at > START) == (START, True)


async def test_a_confirmation_makes_a_memory_live_longer(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.say("I like tea")
    item = await desk.item()
    assert (item.ttl_days, item.expires_at) == (90, START + timedelta(days=90))
    desk.clock.move(timedelta(days=10))
    await desk.say("I like tea")
    item = await desk.item()
    assert item.expires_at == START + timedelta(days=100)


async def test_an_explicit_save_is_kept_with_the_command_as_its_evidence(open_desk: OpenDesk) -> None:
    desk = await open_desk(mode=Mode.SHADOW)
    saved = await desk.writer.save_explicit(
        turn("/ltm add I live in Rome.", ""), access(group=GROUP), "I live in Rome."
    )
    assert (saved.item.fact, saved.item.status, saved.known) == ("User lives in Rome", Status.ACTIVE, False)
    assert (saved.item.owner, saved.item.confidence, saved.item.slot) == (ALICE, 1.0, "home_city")
    (evidence,) = await desk.evidence()
    assert evidence.quote == "I live in Rome"
    assert await desk.states() == ["skipped"]
    assert (await desk.audits())[0].actor == ALICE.scope_id


@pytest.mark.parametrize("fact", ["my visa ends 2026-06-31", "签证2026年6月31日到期", "order 1234-56-78"])
async def test_a_day_that_there_is_not_can_be_saved(open_desk: OpenDesk, fact: str) -> None:
    desk = await open_desk()
    await save(desk, fact)
    await desk.say(f"Remember that {fact}", message_id="m2")
    assert await desk.active_facts() == [fact]


async def test_an_explicit_save_of_a_secret_is_refused(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    for fact in ("my wifi password is sunflower22", "我的密码是sunflower22"):
        with pytest.raises(RefusedError, match="secret"):
            await save(desk, fact)
        await desk.say(f"Remember that {fact}", message_id=str(len(fact)))
    assert (await desk.items(), "sunflower" in str(await desk.events())) == ([], False)


async def test_saving_what_is_known_says_so(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    first = await desk.writer.save_explicit(turn("add tea time", ""), access(), "tea time")
    again = await desk.writer.save_explicit(turn("add tea time", ""), access(), "tea time")
    later = await desk.writer.save_explicit(turn("please add tea time", ""), access(), "Tea time!")
    assert (first.known, again.known, later.known) == (False, True, True)
    assert len(await desk.items()) == 1
    assert len(await desk.evidence()) == 2


async def test_saving_what_waits_frees_it_and_makes_it_the_persons_own(open_desk: OpenDesk) -> None:
    desk = await open_desk(mode=Mode.MANUAL)
    await desk.keep(an_item(status=Status.PENDING, reason="mode", fact="tea time", fact_key="tea time"))
    saved = await desk.writer.save_explicit(turn("add tea time", ""), access(), "tea time")
    assert (saved.item.status, saved.item.origin, saved.known) == (Status.ACTIVE, Origin.USER_EXPLICIT, False)


async def test_an_explicit_save_of_a_type_that_needs_approval_waits_and_says_so(open_desk: OpenDesk) -> None:
    desk = await open_desk(require_approval_types=frozenset({MemoryType.CONSTRAINT}))
    fact = "I'm allergic to nuts"
    saved = await desk.writer.save_explicit(turn(f"add {fact}", ""), access(), fact)
    assert (saved.item.status, saved.item.reason) == (Status.PENDING, "require_approval_types")


@pytest.mark.parametrize(("said", "fact"), [("/ltm add", " . "), (" ", "tea")])
async def test_an_empty_save_is_refused(open_desk: OpenDesk, said: str, fact: str) -> None:
    desk = await open_desk()
    with pytest.raises(InvalidInputError):
        await desk.writer.save_explicit(turn(said, ""), access(), fact)


async def test_a_command_delivered_twice_does_not_bring_back_what_was_deleted_between(
    open_desk: OpenDesk,
) -> None:
    desk = await open_desk()
    await save(desk, "tea time")
    item = await desk.item()
    await desk.keep(replace(item, status=Status.DELETED))
    with pytest.raises(RefusedError, match="known"):
        await save(desk, "tea time")


async def test_a_deleted_memory_comes_back_only_when_it_is_saved_again_and_only_here(
    open_desk: OpenDesk,
) -> None:
    desk = await open_desk()
    await desk.say("I live in Rome")
    item = await desk.item()
    gone = replace(
        item,
        status=Status.DELETED,
        deleted_at=START,
        audience=Audience.EVERYWHERE,
        origin_umo="elsewhere",
        fact="tea time",
        fact_key="tea time",
    )
    await desk.keep(gone)
    desk.clock.move(timedelta(days=1))
    saved = await desk.writer.save_explicit(turn("tea time", ""), access(), "tea time")
    assert (saved.item.status, saved.item.deleted_at) == (Status.ACTIVE, None)
    assert (saved.item.audience, saved.item.origin_umo) == (Audience.CHAT, "qq:FriendMessage:alice")
    assert (await desk.audits())[-1].action == "revive"


async def test_a_deleted_fact_said_again_stays_deleted_and_the_audit_says_why(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.say("I live in Rome")
    item = await desk.item()
    await desk.keep(replace(item, status=Status.DELETED))
    await desk.say("I live in Rome", message_id="m2")
    assert [i.status for i in await desk.items()] == [Status.DELETED]
    assert ((await desk.audits())[-1].action, (await desk.audits())[-1].reason) == ("refuse", "tombstone")


async def test_the_evicted_expire_and_may_come_back(open_desk: OpenDesk) -> None:
    desk = await open_desk(max_items_per_scope=1)
    await desk.say("I like tea")
    await desk.say("My name is Alice")
    assert await desk.facts() == {
        "User likes tea": "expired:max_items_per_scope",
        "User's name is Alice": "active:",
    }
    assert [entry.action for entry in await desk.audits()] == ["add", "evict", "add"]


async def test_what_leaves_before_it_was_let_in_uses_up_no_rate(open_desk: OpenDesk) -> None:
    desk = await open_desk(max_items_per_scope=2, max_writes_per_session=1)
    await desk.say("My name is Alice")
    await desk.say("I like tea")
    await desk.say("I'm allergic to peanuts")
    assert await desk.facts() == {
        "User's name is Alice": "active:",
        "User likes tea": "expired:max_items_per_scope:max_writes_per_session",
        "User is allergic to peanuts": "pending:max_writes_per_session",
    }
    assert [(entry.action, entry.reason) for entry in await desk.audits()][2:] == [
        ("evict", "max_items_per_scope"),
        ("add", "max_writes_per_session"),
    ]
    assert await let_in(desk) == (1, 1)


async def test_what_gives_way_is_rejected_or_forgotten_before_it_was_let_in_uses_up_no_rate(
    open_desk: OpenDesk,
) -> None:
    desk = await open_desk(max_writes_per_session=1)
    await desk.say("My name is Alice")
    for city in ("Oslo", "Rome", "Lyon"):
        await desk.say(f"I live in {city}")
    await desk.say("I like tea")
    await desk.say("I like chess")
    held = {item.fact: item for item in await desk.items()}
    by_alice = Decision(actor="alice", now=desk.clock())
    async with desk.store.transaction() as tx:
        rejected = await reject(tx, held["User likes tea"], Decision(actor="operator", now=desk.clock()))
        gone = await forget_item(tx, held["User likes chess"], by_alice)
        again = await forget_item(tx, rejected, by_alice) if rejected else None
    assert gone is not None
    assert again is None
    assert await desk.facts() == {
        "User's name is Alice": "active:",
        "User lives in Oslo": "superseded:superseded:max_writes_per_session",
        "User lives in Rome": "superseded:superseded:max_writes_per_session",
        "User lives in Lyon": "pending:max_writes_per_session",
        "User likes tea": "deleted:rejected:max_writes_per_session",
        "User likes chess": "deleted:forgotten:max_writes_per_session",
    }
    assert await let_in(desk) == (1, 1)
    history = held["User lives in Oslo"]
    async with desk.store.transaction() as tx:
        await forget_item(tx, history, by_alice)
    assert (await desk.facts())["User lives in Oslo"] == "deleted:forgotten:max_writes_per_session"
    assert await let_in(desk) == (1, 1)


async def test_what_was_learnt_before_the_clock_was_set_back_fills_no_hour(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.say("My name is Alice")
    assert await let_in(desk) == (1, 1)
    assert await let_in(desk, ago=timedelta(hours=8)) == (0, 0)


async def let_in(desk: Desk, *, ago: timedelta = timedelta(0)) -> tuple[int, int]:
    """How many memories of the chat, and of all, use up the rates of the hour."""
    item, now = (await desk.items())[0], desk.clock() - ago
    async with desk.store.transaction() as tx:
        counts = await tx.quota_counts(item.owner, item.origin_umo, now=now, full_at=2)
    return counts.new_in_chat, counts.new_in_hour


async def test_an_item_that_vanished_needs_no_eviction(open_desk: OpenDesk) -> None:
    desk = await open_desk(max_items_per_scope=1)
    make_odd(desk, Ghost)
    await desk.say("My name is Alice")
    assert await desk.active_facts() == ["User's name is Alice"]


async def test_a_model_makes_memories_of_a_batch_and_the_batch_is_done(open_desk: OpenDesk) -> None:
    text = answer(
        "User works in healthcare", quote="I'm a nurse in healthcare", evidence=[1], type="task_state"
    )
    desk = await open_desk(ScriptedChatModel(text))
    await desk.say("I'm a nurse in healthcare")
    assert await extract(desk)
    assert await desk.active_facts() == ["User works in healthcare"]
    assert await desk.states() == ["done", "done"]
    item = await desk.item()
    assert item.ttl_days == 36_500


async def test_a_model_repeating_what_the_rules_found_adds_nothing(open_desk: OpenDesk) -> None:
    desk = await open_desk(
        ScriptedChatModel(answer("User's name is Alice", fact_key="name", quote="My name is Alice"))
    )
    await desk.say("My name is Alice")
    await extract(desk)
    assert len(await desk.items()) == len(await desk.evidence()) == 1


async def test_every_refusal_is_in_the_audit_with_its_reason_and_without_the_words(
    open_desk: OpenDesk,
) -> None:
    text = (
        answer("User is 99 years old", confidence=7)[:-1] + "," + answer("User is tall", confidence=0.1)[1:]
    )
    desk = await open_desk(ScriptedChatModel(text))
    desk.verify = False
    desk.start_again()
    await desk.say("tall as ever, I am")
    await extract(desk)
    assert await desk.facts() == {}
    assert [(e.action, e.reason) for e in await desk.audits()] == [
        ("refuse", "confidence: less_than_equal"),
        ("refuse", "min_confidence"),
    ]


async def test_a_lease_that_is_called_off_while_the_file_is_locked_holds_nothing(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.say("I am tall")
    work = await batch(desk)
    with closing(sqlite3.connect(desk.database.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        leasing = asyncio.get_running_loop().create_task(desk.writer.lease(work, "provider"))
        # By then its thread stands before the lock; before that, there is nothing to call off.
        await asyncio.sleep(0.05)
        leasing.cancel()
        other.rollback()
    await asyncio.wait([leasing])
    assert await desk.writer.lease(work, "provider")


async def test_a_fact_that_breaks_the_checks_is_refused_and_the_rest_of_the_batch_is_kept(
    open_desk: OpenDesk,
) -> None:
    text = answer("User drinks tea daily", quote="I drink tea daily")
    desk = await open_desk(ScriptedChatModel(text[:-1] + "," + answer("User is tall", quote="I am tall")[1:]))
    desk.verify = False
    desk.start_again()
    await desk.say("I am tall")
    await desk.say("I drink tea daily")
    leased = await desk.writer.lease(await batch(desk), "provider")
    assert leased
    broken: Any = None
    events = (replace(leased.segment.events[0], created_at=broken), *leased.segment.events[1:])
    odd = replace(leased, segment=replace(leased.segment, events=events))
    assert await desk.writer.store_facts(leased, await desk.writer.ask(odd))
    assert await desk.active_facts() == ["User drinks tea daily"]
    assert ("refuse", "not_checked") in [(e.action, e.reason) for e in await desk.audits()]
    assert set(await desk.states()) == {"done"}


async def test_what_the_model_invents_waits_with_its_reason(open_desk: OpenDesk) -> None:
    desk = await open_desk(
        ScriptedChatModel(answer("User owns a yacht", "User knows that Bob is Alice", quote=""))
    )
    await desk.say("nice weather", "You own a yacht")
    await extract(desk)
    assert await desk.active_facts() == []
    assert set((await desk.facts()).values()) == {"pending:no_quote"}


async def test_the_bots_echo_of_a_memory_is_no_evidence_for_it(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel(answer("User's name is Alice", quote="Your name is Alice")))
    await desk.keep(an_item(fact="User's name is Alice", fact_key="user s name is alice"))
    await desk.say("hello", "Your name is Alice")
    await extract(desk)
    assert (await desk.item()).evidence_count == 1
    assert (await desk.audits())[-1].reason == "assistant_words"


async def test_a_read_only_store_is_found_out_before_the_model_is_asked(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel(answer("User likes tea"))
    desk = await open_desk(model)
    await desk.say("I like tea")
    desk.store.read_only = True
    with pytest.raises(RefusedError):
        await extract(desk)
    assert model.prompts == []


@pytest.mark.parametrize("when", ["before", "during"])
async def test_an_answer_about_events_that_are_gone_counts_for_nothing(
    open_desk: OpenDesk, when: str
) -> None:
    model = ScriptedChatModel(answer("User drinks tea daily", quote="I drink tea daily"))
    desk = await open_desk(model)
    await desk.say("I drink tea daily")
    await desk.say("and cake", "Good.")
    work = await batch(desk)

    async def erase() -> None:
        await desk.erase(*work[:2])

    if when == "before":
        await erase()
    else:
        model.during = erase
    assert not await extract(desk, work)
    assert await desk.items() == []
    assert await desk.states() == ["pending", "pending"]
    assert len(model.prompts) == (when == "during")


@pytest.mark.parametrize(
    ("said", "error"), [("I cannot do that", AnswerError), (UnavailableError("down"), UnavailableError)]
)
async def test_a_useless_answer_changes_nothing(
    open_desk: OpenDesk, said: str | Exception, error: type[Exception]
) -> None:
    desk = await open_desk(ScriptedChatModel(said))
    await desk.say("I drink tea daily")
    with pytest.raises(error):
        await extract(desk)
    assert await desk.states() == ["pending", "pending"]
    assert (await desk.audits()) == []


async def test_a_crash_at_the_commit_leaves_all_to_be_done_again_once(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel(answer("User drinks tea daily", quote="I drink tea daily")))
    await desk.say("I drink tea daily")
    desk.database.broken = OSError("power cut")
    with pytest.raises(OSError, match="power cut"):
        await extract(desk)
    assert (await desk.items(), await desk.evidence()) == ([], [])
    assert await desk.states() == ["pending", "pending"]
    desk.database.broken = None
    desk.start_again()
    await extract(desk)
    assert len(await desk.items()) == len(await desk.evidence()) == 1
    assert await desk.states() == ["done", "done"]


# what is not to be kept


async def opt_out(desk: Desk, text: str, where: Access | None = None, sender: str = "alice") -> None:
    """Somebody says it, with the bot's answer, a second later."""
    desk.clock.move(timedelta(seconds=1))
    said = turn(text, "Noted.", message_id=text, at=desk.clock())
    where = where or access()
    said = replace(said, chat=replace(said.chat, umo=where.umo, sender_id=sender))
    await desk.writer.record(said, where)


async def test_what_a_tool_saved_of_a_message_is_not_worded_again_by_the_rules(open_desk: OpenDesk) -> None:
    for text, content in (
        ("Please remember: my cat is called Milo", "User has a cat named Milo"),
        ("My dog is called Biscuit, remember that please", "I have a dog named Biscuit"),
    ):
        desk = await open_desk()
        said = turn(text, "Noted.")
        await desk.writer.save_by_tool(said, access(), ToolSave(key="pet", content=content), actor="model")
        await desk.writer.record(said, access())
        assert await desk.active_facts() == [content]
        await desk.say("My cat is called Tom", message_id="later")
        assert len(await desk.active_facts()) == 2


async def test_what_a_tool_saved_takes_the_type_and_the_words_that_a_model_reads(open_desk: OpenDesk) -> None:
    for text, content, fact, kind in (
        ("I'm so allergic to nuts", "I'm allergic to nuts", "User is allergic to nuts", "constraint"),
        ("my name is Mia", "User's name is Mia", "User's name is Mia", "profile"),
        ("我吃不得花生", "我吃不得花生", "用户吃不得花生", "constraint"),
        ("we have a beagle, Biscuit", "User has a beagle", "User has a beagle, Biscuit", "profile"),
    ):
        desk = await open_desk(ScriptedChatModel(answer(fact, quote=text, type=kind)))
        said = turn(text, "Noted.")
        save = ToolSave(key="the-key", content=content)
        await desk.writer.save_by_tool(said, access(), save, actor="model")
        await desk.writer.record(said, access())
        await desk.work(timedelta(hours=1))
        live = [item for item in await desk.items() if item.status in LIVE_STATUSES]
        assert [(item.fact_key, item.type, item.ttl_days) for item in live] == [("the-key", kind, None)], text


MISTOLD = [
    ("Remember that my wife is allergic to peanuts", "User is allergic to peanuts"),
    ("记住我老婆对花生过敏", "用户对花生过敏"),
    ("Remember that Bob's birthday is May 3", "User's birthday is May 3"),
    ("Remember my sister lives in Oslo", "User lives in Oslo"),
    ("Remember that I used to live in Oslo", "User lives in Oslo"),
    ("Remember that I might move to Rome", "User moved to Rome"),
    ("记住我以前住在上海", "用户住在上海"),
]
WELL_TOLD = [
    ("Remember that my wife is allergic to peanuts", "User's wife is allergic to peanuts"),
    ("Remember that Bob's birthday is May 3", "Bob's birthday is May 3"),
    ("Remember that I used to live in Oslo", "User used to live in Oslo"),
    ("Remember that I moved from Rome to Oslo", "User moved to Oslo"),
    ("I want you to remember that my locker is 12", "User's locker is 12"),
    ("Remember: Python is my favourite language", "User's favourite language is Python"),
    ("Remember my dog Rex needs pills at 8", "Rex needs pills at 8"),
    ("Remember that I will fly to Rome on May 3", "User flies to Rome on May 3"),
    ("Remember that I was born in Oslo", "User was born in Oslo"),
    ("Please keep my locker number 12 in your memory", "User's locker number is 12"),
    ("记住我明天要开会", "用户明天开会"),
]


async def test_a_tool_saves_nothing_of_others_or_of_another_time_as_the_persons_own(
    open_desk: OpenDesk,
) -> None:
    for text, content in (*MISTOLD, *WELL_TOLD):
        desk = await open_desk()
        save = ToolSave(key="k", content=content)
        saved = (await desk.writer.save_by_tool(turn(text), access(), save, actor="model")).item
        found = (saved.status, saved.reason)
        is_mistold = (text, content) in MISTOLD
        assert found == ((Status.PENDING, "unverified") if is_mistold else (Status.ACTIVE, "")), text


async def texts(desk: Desk) -> list[str]:
    return [event.text for event in await desk.events() if event.role is Role.USER]


async def test_what_is_asked_not_to_be_kept_is_not_recorded(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.say("I live in Rome")
    for text in ("Don't save this: I like gin", "Off the record, I like gin", "别记下来，我喜欢喝酒"):
        await opt_out(desk, text)
        with pytest.raises(RefusedError, match="off_the_record"):
            await desk.writer.save_by_tool(
                turn(text), access(), ToolSave(key="gin", content="gin"), actor="model"
            )
    assert (await texts(desk), await desk.active_facts()) == (["I live in Rome"], ["User lives in Rome"])


async def test_a_request_that_points_back_takes_the_exchange_before_it_and_what_rests_on_that_alone(
    open_desk: OpenDesk,
) -> None:
    for text in ("Don't save that", "这句别记", "nicht speichern, bitte das nicht speichern"):
        desk = await open_desk()
        for said in ("I live in Rome", "I like tea", "I live in Rome. I like gin."):
            await opt_out(desk, said)
        await opt_out(desk, text)
        assert await texts(desk) == ["I live in Rome", "I like tea"], text
        assert await desk.active_facts() == ["User lives in Rome", "User likes tea"]
        assert [each.quote for each in await desk.evidence()] == ["I live in Rome", "I like tea"]
        last = (await desk.audits())[-1]
        assert (last.action, last.reason, last.actor) == ("retract", "off_the_record", ALICE.scope_id)


@pytest.mark.parametrize(
    ("said", "asked", "left"),
    [
        (("I like tea", "I live in Rome"), "don't remember that I like tea", {"I live in Rome"}),
        (("I like tea", "I like gin"), "don't remember that I like gin", {"I like tea"}),
        (("我喜欢喝茶", "我喜欢咖啡", "我有两只猫"), "不要记住我喜欢喝茶", {"我喜欢咖啡", "我有两只猫"}),
        (("我住在上海", "我有两只猫"), "别把我有两只猫记下来", {"我住在上海"}),
        (("我有两只猫",), "别记住我", {"我有两只猫"}),
        (("我住在上海", "我怀孕了"), "不要把我怀孕的事记下来", {"我住在上海"}),
        (("我喜欢喝茶", "我有两只猫"), "别记住我喜欢喝茶这件事", {"我有两只猫"}),
        (("我有两只猫", "我住在上海"), "不要记住我告诉你的事", {"我有两只猫"}),
        (("我有两只猫", "我住在上海"), "请别记下我刚刚告诉你的", {"我有两只猫"}),
        (("I have two cats", "I live in Rome"), "Don't save anything", {"I have two cats"}),
        (("I have two cats",), "don't remember me", {"I have two cats"}),
        (("我喜欢高尔夫", "我喜欢爬山", "我喜欢茶"), "别记住我喜欢茶", {"我喜欢高尔夫", "我喜欢爬山"}),
        (("I'm allergic to eggs",), "don't remember that I'm not allergic to eggs", {"I'm allergic to eggs"}),
        (("I like iced tea", "I like tea"), "don't remember that I like tea", {"I like iced tea"}),
        (("I live in York",), "don't remember that I used to live in York", {"I live in York"}),
    ],
)
async def test_only_what_tells_what_is_named_goes_whatever_the_bot_repeats(
    open_desk: OpenDesk, said: tuple[str, ...], asked: str, left: set[str]
) -> None:
    desk = await open_desk()
    for text in (*said, asked):
        desk.clock.move(timedelta(seconds=1))
        repeats = f"I know that {'; '.join(said)}"
        await desk.writer.record(turn(text, repeats, message_id=text, at=desk.clock()), access())
    assert {event.text for event in await desk.events() if event.role is Role.USER} == left


async def test_that_means_what_was_said_just_now(open_desk: OpenDesk) -> None:
    for minutes, paused, left in (
        (9, False, set[str]()),
        (11, False, {"I like tea"}),
        (1, True, {"I like tea"}),
    ):
        desk = await open_desk()
        await opt_out(desk, "I like tea")
        if paused:
            async with desk.store.transaction() as tx:
                await tx.pause(ALICE, actor=ALICE.scope_id)
        desk.clock.move(timedelta(minutes=minutes))
        await opt_out(desk, "don't save that")
        assert await texts(desk) == [*left], (minutes, paused)


async def test_what_the_removed_had_displaced_is_used_or_waits_as_before(
    open_desk: OpenDesk,
) -> None:
    for mode, state in (
        (Mode.AUTO, "active:"),
        (Mode.SHADOW, "shadow:mode"),
        (Mode.MANUAL, "pending:mode"),
    ):
        desk = await open_desk(mode=mode)
        for said in ("I live in Rome", "I live in Oslo", "Don't save that"):
            await opt_out(desk, said)
        assert await desk.facts() == {"User lives in Rome": state}


async def test_what_tools_answered_in_a_turn_off_the_record_is_not_kept_either(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    before = desk.clock() - timedelta(seconds=1)
    await desk.writer.record_tool(replace(tool_use("18 degrees"), at=before), access())
    await desk.writer.record_tool(replace(tool_use("a clinic nearby"), message_id="m2"), access())
    await desk.writer.record(turn("Off the record, where is a clinic?", message_id="m2"), access())
    assert [event.text for event in await desk.events()] == ["18 degrees"]


async def test_what_tools_answered_in_the_exchange_that_is_taken_back_goes_with_it(
    open_desk: OpenDesk,
) -> None:
    for message_id in ("9", ""):
        desk = await open_desk()
        for said, found in (("how warm?", "18 degrees"), ("look up my result", "Alice: HIV positive")):
            desk.clock.move(timedelta(seconds=1))
            use = replace(tool_use(found), message_id=message_id, at=desk.clock())
            await desk.writer.record_tool(use, access())
            await desk.say(said, "There.", message_id)
        await opt_out(desk, "Don't save that")
        assert [event.text for event in await desk.events()] == ["18 degrees", "how warm?", "There."]
        desk.clock.move(timedelta(seconds=1))
        use = replace(tool_use("Alice: HIV positive"), message_id=message_id, at=desk.clock())
        await desk.writer.record_tool(use, access())
        await desk.say("Off the record, what was my result?", "There.", message_id)
        assert len(await desk.events()) == 3


async def test_what_is_named_in_the_request_is_taken_back_where_it_was_said_lately(
    open_desk: OpenDesk,
) -> None:
    desk = await open_desk()
    for said in ("I am pregnant. I live in Rome", "I like tea", "Please don't remember that I'm pregnant"):
        await opt_out(desk, said)
    assert await texts(desk) == ["[…]. I live in Rome", "I like tea"]
    assert await desk.active_facts() == ["User lives in Rome", "User likes tea"]


async def test_a_secret_given_some_turns_after_it_was_asked_for_is_masked_until_another_question(
    open_desk: OpenDesk,
) -> None:
    pin, why = "What PIN would you like?", ("why do you need it", "It is for your card.")
    group = ("ACB44", "And the group number?")
    for question, between, last, kept in (
        (pin, [why], "ok 4827", "ok [secret:password]"),
        (pin, [why, why], "ok 4827", "ok [secret:password]"),
        (pin, [("take 7719", "Done.")], "I paid 4827 for the car", "I paid 4827 for the car"),
        ("Your member ID number?", [group], "Group number is 78845-001.", "Group number is 78845-001."),
    ):
        desk = await open_desk()
        for said, reply in (("I want a new card", question), *between, (last, "Done, 4827 is set.")):
            desk.clock.move(timedelta(seconds=1))
            await desk.say(said, reply)
        assert (await texts(desk))[-1] == kept, between
        assert kept == last or "4827" not in (await desk.events())[-1].text


async def test_a_request_that_is_recorded_twice_takes_one_exchange(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await opt_out(desk, "I live in Rome")
    await opt_out(desk, "I like gin")
    desk.clock.move(timedelta(seconds=1))
    asked = turn("Don't save that", "", message_id="9", at=desk.clock())
    await desk.writer.record(asked, access())
    await desk.writer.record(replace(asked, reply_text="I won't."), access())
    assert await texts(desk) == ["I live in Rome"]


async def test_in_a_group_only_ones_own_words_are_taken_back(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    here = access(group=GROUP, umo=GROUP.scope_id)
    bobs = access(BOB, GROUP, GROUP.scope_id)
    await opt_out(desk, "I live in Rome", here)
    await opt_out(desk, "I like tea", bobs, "bob")
    await opt_out(desk, "Don't save that", here)
    assert await texts(desk) == ["I live in Rome", "I like tea"]
    await opt_out(desk, "Forget what I just said", here)
    assert (await texts(desk), await desk.active_facts()) == (["I like tea"], ["User likes tea"])
    elsewhere = access(BOB, replace(GROUP, scope_id="qq:GroupMessage:g2"), "qq:GroupMessage:g2")
    await opt_out(desk, "Don't save that", elsewhere, "bob")
    assert await texts(desk) == ["I like tea"]


TOLD: dict[str, dict[str, object]] = {
    "I like tea": {"fact": "User loves tea", "type": "preference"},
    "i like TEA!": {"fact": "User drinks tea at four", "type": "preference"},
    "我叫小明": {"fact": "用户的名字是小明", "slot": "name"},
    "I live in Rome": {"fact": "User's home is Rome", "slot": "home_city"},
    "I live in Oslo": {"fact": "User's home is Oslo", "slot": "home_city"},
    "I work at Acme": {"fact": "User works at Acme"},
    "I left Acme": {"fact": "User works at Acme", "stance": "ended"},
    "Remember that I like tea": {"fact": "User likes tea", "type": "preference"},
}


@settings(max_examples=20)
@given(st.lists(st.sampled_from([*TOLD, "hello"]), max_size=8))
async def test_working_off_the_same_messages_again_changes_nothing(said: list[str]) -> None:
    with TemporaryDirectory() as folder:
        async with a_desk(Path(folder), max_items_per_scope=3) as desk:
            await works_off_twice(desk, said)


async def works_off_twice(desk: Desk, said: list[str]) -> None:
    common = {"type": "profile", "confidence": 0.9, "importance": 0.7}
    told = [common | {"quote": text} | TOLD[text] for text in said if text in TOLD]
    desk.model = ScriptedChatModel(json.dumps(told))
    desk.start_again()
    for n, text in enumerate(said):
        desk.clock.move(timedelta(seconds=1))
        await desk.say(text, message_id=f"m{n}")
    await desk.work(timedelta(hours=1))
    before = (await desk.items(), await desk.evidence())
    async with desk.database.write() as seat:
        await seat.change(EVENTS.update().values(extraction=Extraction.PENDING))
    await desk.work(timedelta(hours=1))
    assert {*await desk.states()} <= {Extraction.DONE.value}
    assert (await desk.items(), await desk.evidence()) == before
    for item in await desk.items():
        events = {e.event_id for e in await desk.evidence() if e.memory_id == item.memory_id}
        assert item.evidence_count == len(events) >= 1
