from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.errors import (
    AnswerError,
    InvalidInputError,
    RefusedError,
    UnavailableError,
)
from astrbot_plugin_ltm.long_term_memory.domain.memory import Evidence, Item
from astrbot_plugin_ltm.long_term_memory.domain.words import (
    Audience,
    Level,
    MemoryType,
    Mode,
    Origin,
    Role,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.domain.writing import PendingBatch, Usage
from hypothesis import given
from hypothesis import strategies as st

from tests.write.desk import Desk, answer
from tests.write.fakes import (
    ALICE,
    GROUP,
    START,
    InMemoryStore,
    ScriptedChatModel,
    access,
    tool_use,
    turn,
)
from tests.write.made import an_item


def batch(desk: Desk) -> PendingBatch:
    return PendingBatch(umo="qq:FriendMessage:alice", events=tuple(desk.store.events.values()), attempts=0)


async def save(desk: Desk, fact: str, message_id: str = "m9", said: str = "") -> object:
    command = turn(said or f"/ltm add {fact}", "", message_id=message_id)
    return await desk.writer.save_explicit(command, access(), fact)


async def test_a_recorded_turn_is_in_the_store_once_however_often_it_is_recorded() -> None:
    desk = Desk()
    for _ in range(2):
        await desk.say("hi", message_id="m1")
    await desk.writer.record_tool(tool_use("42"), access())
    await desk.writer.record(turn("", ""), access())
    assert [event.role for event in desk.store.events.values()] == [Role.USER, Role.ASSISTANT, Role.TOOL]


async def test_rules_make_a_message_a_memory_without_any_model() -> None:
    desk = Desk()
    await desk.say("My name is Alice and I'm allergic to peanuts")
    assert desk.store.active_facts() == ["User's name is Alice", "User is allergic to peanuts"]
    item = next(iter(desk.store.items.values()))
    assert (item.owner, item.level, item.audience, item.origin) == (
        ALICE,
        Level.INTERNAL,
        Audience.CHAT,
        Origin.RULE,
    )
    assert (item.slot, item.origin_umo, item.expires_at) == ("name", "qq:FriendMessage:alice", None)
    assert item.confidence == pytest.approx(0.855)
    (name, _) = desk.store.evidence
    assert (name.quote, name.method, name.meta) == ("My name is Alice", Origin.RULE, {"confidence": 0.9})


async def test_what_the_rules_have_read_is_still_there_for_the_model() -> None:
    desk = Desk()
    await desk.say("我叫小明")
    assert desk.store.states() == ["pending", "pending"]


async def test_reading_a_message_twice_adds_nothing() -> None:
    desk = Desk()
    await desk.say("我叫小明", message_id="1")
    before = (dict(desk.store.items), list(desk.store.evidence))
    await desk.say("我叫小明", message_id="1")
    assert (desk.store.items, desk.store.evidence) == before


async def test_a_long_message_is_read_by_the_rules_too() -> None:
    desk = Desk()
    await desk.say("The weather was nice. " * 40 + "My name is Alice.")
    assert desk.store.active_facts() == ["User's name is Alice"]


class StoreWithoutItems(InMemoryStore):
    """Takes events, and breaks on every item."""

    async def insert_item(self, item: Item, evidence: Sequence[Evidence]) -> None:  # noqa: ARG002  as asked
        raise ValueError("no items today")


async def test_what_the_rules_break_on_is_kept_without_them(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk(store=StoreWithoutItems())
    await desk.say("My name is Alice")
    assert [event.text for event in desk.store.events.values()] == ["My name is Alice", "Fine."]
    assert "kept without them" in caplog.text


async def test_a_store_that_cannot_be_written_is_no_fault_of_the_rules() -> None:
    desk = Desk()
    desk.store.broken = UnavailableError("the database is locked")
    with pytest.raises(UnavailableError):
        await desk.say("My name is Alice")
    assert desk.store.events == {}


@pytest.mark.parametrize("first", ["Remember that I live in Rome", "I live in Rome"])
async def test_what_is_asked_to_be_kept_and_plainly_said_is_one_fact(first: str) -> None:
    desk = Desk()
    await desk.say(first)
    await desk.say("I live in Rome." if first.startswith("Remember") else "Remember that I live in Rome")
    (item,) = desk.store.items.values()
    assert (item.evidence_count, item.status, item.origin) == (2, Status.ACTIVE, Origin.USER_EXPLICIT)


async def test_an_explicit_request_in_chat_is_active_even_in_shadow_mode() -> None:
    desk = Desk(mode=Mode.SHADOW)
    await desk.say("Remember that I like tea. My name is Alice.")
    assert desk.store.facts() == {"I like tea": "active:", "User's name is Alice": "shadow:mode"}


async def test_saying_it_again_confirms_it() -> None:
    desk = Desk(min_evidence_count=2)
    await desk.say("I live in Rome")
    assert desk.store.facts() == {"User lives in Rome": "shadow:min_evidence_count"}
    desk.clock.move(timedelta(days=1))
    await desk.say("I live in Rome")
    (item,) = desk.store.items.values()
    assert (item.status, item.reason, item.evidence_count) == (Status.ACTIVE, "", 2)
    assert item.last_confirmed_at == START + timedelta(days=1)
    assert item.confidence > 0.855
    assert [entry.action for entry in desk.store.audits] == ["add", "confirm"]
    assert (desk.store.audits[1].before, desk.store.audits[1].after) == ("shadow", "active")


async def test_a_confirmation_makes_a_memory_live_longer() -> None:
    desk = Desk()
    await desk.say("I like tea")
    (item,) = desk.store.items.values()
    assert (item.ttl_days, item.expires_at) == (90, START + timedelta(days=90))
    desk.clock.move(timedelta(days=10))
    await desk.say("I like tea")
    (item,) = desk.store.items.values()
    assert item.expires_at == START + timedelta(days=100)


async def test_an_explicit_save_is_kept_with_the_command_as_its_evidence() -> None:
    desk = Desk(mode=Mode.SHADOW)
    saved = await desk.writer.save_explicit(
        turn("/ltm add I live in Rome.", ""), access(group=GROUP), "I live in Rome."
    )
    assert (saved.item.fact, saved.item.status, saved.known) == ("I live in Rome", Status.ACTIVE, False)
    assert (saved.item.owner, saved.item.confidence, saved.item.slot) == (ALICE, 1.0, "home_city")
    (evidence,) = desk.store.evidence
    assert evidence.quote == "I live in Rome."
    assert desk.store.states() == ["skipped"]
    assert desk.store.audits[0].actor == ALICE.scope_id


async def test_an_explicit_save_keeps_no_secret() -> None:
    desk = Desk()
    fact = "my wifi password is sunflower22"
    saved = await desk.writer.save_explicit(turn(f"/ltm add {fact}", ""), access(), fact)
    assert saved.item.fact == "my wifi password is [secret:password]"
    assert [evidence.quote for evidence in desk.store.evidence] == [saved.item.fact]
    assert "sunflower" not in str(desk.store.events)


async def test_saving_what_is_known_says_so() -> None:
    desk = Desk()
    first = await desk.writer.save_explicit(turn("add tea time", ""), access(), "tea time")
    again = await desk.writer.save_explicit(turn("add tea time", ""), access(), "tea time")
    later = await desk.writer.save_explicit(turn("please add tea time", ""), access(), "Tea time!")
    assert (first.known, again.known, later.known) == (False, True, True)
    assert len(desk.store.items) == 1
    assert len(desk.store.evidence) == 2


async def test_saving_what_waits_frees_it_and_makes_it_the_persons_own() -> None:
    desk = Desk(mode=Mode.MANUAL)
    desk.store.items = {
        "m1": an_item(status=Status.PENDING, reason="mode", fact="tea time", fact_key="tea time")
    }
    saved = await desk.writer.save_explicit(turn("add tea time", ""), access(), "tea time")
    assert (saved.item.status, saved.item.origin, saved.known) == (Status.ACTIVE, Origin.USER_EXPLICIT, False)


async def test_an_explicit_save_of_a_type_that_needs_approval_waits_and_says_so() -> None:
    desk = Desk(require_approval_types=frozenset({MemoryType.CONSTRAINT}))
    saved = await desk.writer.save_explicit(turn("add never use sudo", ""), access(), "never use sudo")
    assert (saved.item.status, saved.item.reason) == (Status.PENDING, "require_approval_types")


@pytest.mark.parametrize(("said", "fact"), [("/ltm add", " . "), (" ", "tea")])
async def test_an_empty_save_is_refused(said: str, fact: str) -> None:
    with pytest.raises(InvalidInputError):
        await Desk().writer.save_explicit(turn(said, ""), access(), fact)


async def test_a_command_delivered_twice_does_not_bring_back_what_was_deleted_between() -> None:
    desk = Desk()
    await save(desk, "tea time")
    (item,) = desk.store.items.values()
    desk.store.items = {item.memory_id: replace(item, status=Status.DELETED)}
    with pytest.raises(RefusedError, match="known"):
        await save(desk, "tea time")


async def test_a_deleted_memory_comes_back_only_when_it_is_saved_again_and_only_here() -> None:
    desk = Desk()
    await desk.say("I live in Rome")
    (item,) = desk.store.items.values()
    gone = replace(
        item,
        status=Status.DELETED,
        deleted_at=START,
        audience=Audience.EVERYWHERE,
        origin_umo="elsewhere",
        fact="tea time",
        fact_key="tea time",
    )
    desk.store.items = {item.memory_id: gone}
    desk.clock.move(timedelta(days=1))
    saved = await desk.writer.save_explicit(turn("tea time", ""), access(), "tea time")
    assert (saved.item.status, saved.item.deleted_at) == (Status.ACTIVE, None)
    assert (saved.item.audience, saved.item.origin_umo) == (Audience.CHAT, "qq:FriendMessage:alice")
    assert desk.store.audits[-1].action == "revive"


async def test_a_deleted_fact_said_again_stays_deleted_and_the_audit_says_why() -> None:
    desk = Desk()
    await desk.say("I live in Rome")
    (item,) = desk.store.items.values()
    desk.store.items = {item.memory_id: replace(item, status=Status.DELETED)}
    await desk.say("I live in Rome", message_id="m2")
    assert [i.status for i in desk.store.items.values()] == [Status.DELETED]
    assert (desk.store.audits[-1].action, desk.store.audits[-1].reason) == ("refuse", "tombstone")


async def test_the_evicted_expire_and_may_come_back() -> None:
    desk = Desk(max_items_per_scope=1)
    await desk.say("I like tea")
    await desk.say("My name is Alice")
    assert desk.store.facts() == {
        "User likes tea": "expired:max_items_per_scope",
        "User's name is Alice": "active:",
    }
    assert [entry.action for entry in desk.store.audits] == ["add", "evict", "add"]


class GhostStore(InMemoryStore):
    """Reports a full scope with an item that is not there."""

    async def usage(
        self, owner: ScopeRef, umo: str, *, now: datetime, window: timedelta, full_at: int
    ) -> Usage:
        usage = await super().usage(owner, umo, now=now, window=window, full_at=full_at)
        return replace(usage, live_in_scope=[an_item("ghost", importance=0.0)])


async def test_an_item_that_vanished_needs_no_eviction() -> None:
    desk = Desk(store=GhostStore(), max_items_per_scope=1)
    await desk.say("My name is Alice")
    assert desk.store.active_facts() == ["User's name is Alice"]


async def test_a_model_makes_memories_of_a_batch_and_the_batch_is_done() -> None:
    text = answer(
        "User works in healthcare", quote="I'm a nurse in healthcare", evidence=[1], type="task_state"
    )
    desk = Desk(ScriptedChatModel(text))
    await desk.say("I'm a nurse in healthcare")
    assert await desk.writer.extract(batch(desk))
    assert desk.store.active_facts() == ["User works in healthcare"]
    assert desk.store.states() == ["done", "done"]
    (item,) = desk.store.items.values()
    assert (item.ttl_days, item.expires_at) == (-1, None)


async def test_a_model_repeating_what_the_rules_found_adds_nothing() -> None:
    desk = Desk(ScriptedChatModel(answer("User's name is Alice", fact_key="name", quote="My name is Alice")))
    await desk.say("My name is Alice")
    await desk.writer.extract(batch(desk))
    assert len(desk.store.items) == len(desk.store.evidence) == 1


async def test_every_refusal_is_in_the_audit_with_its_reason_and_without_the_words() -> None:
    text = (
        answer("User is 99 years old", confidence=7)[:-1] + "," + answer("User is tall", confidence=0.1)[1:]
    )
    desk = Desk(ScriptedChatModel(text))
    await desk.say("I am tall")
    await desk.writer.extract(batch(desk))
    assert desk.store.items == {}
    assert [(e.action, e.reason) for e in desk.store.audits] == [
        ("refuse", "confidence: less_than_equal"),
        ("refuse", "min_confidence"),
    ]


async def test_what_the_model_invents_waits_with_its_reason() -> None:
    desk = Desk(ScriptedChatModel(answer("User owns a yacht", "User knows that Bob is Alice", quote="")))
    await desk.say("nice weather", "You own a yacht")
    await desk.writer.extract(batch(desk))
    assert desk.store.active_facts() == []
    assert set(desk.store.facts().values()) == {"pending:ungrounded"}


async def test_the_bots_echo_of_a_memory_is_no_evidence_for_it() -> None:
    desk = Desk(ScriptedChatModel(answer("User's name is Alice", quote="Your name is Alice")))
    desk.store.items = {"m1": an_item(fact="User's name is Alice", fact_key="user s name is alice")}
    await desk.say("hello", "Your name is Alice")
    await desk.writer.extract(batch(desk))
    assert desk.store.items["m1"].evidence_count == 1
    assert desk.store.audits[-1].reason == "quote_not_found"


async def test_a_batch_that_nobody_said_anything_in_costs_no_model_call() -> None:
    model = ScriptedChatModel("[]")
    desk = Desk(model)
    await desk.writer.record(turn("", "Good morning"), access())
    await desk.writer.record_tool(tool_use("42"), access())
    assert await desk.writer.extract(batch(desk))
    assert (model.prompts, desk.store.states()) == ([], ["skipped", "skipped"])


async def test_a_read_only_store_is_found_out_before_the_model_is_asked() -> None:
    model = ScriptedChatModel(answer("User likes tea"))
    desk = Desk(model)
    await desk.say("I like tea")
    desk.store.read_only = True
    with pytest.raises(RefusedError):
        await desk.writer.extract(batch(desk))
    assert model.prompts == []


@pytest.mark.parametrize("when", ["before", "during"])
async def test_an_answer_about_events_that_are_gone_counts_for_nothing(when: str) -> None:
    model = ScriptedChatModel(answer("User drinks tea daily", quote="I drink tea daily"))
    desk = Desk(model)
    await desk.say("I drink tea daily")
    await desk.say("and cake", "Good.")
    work = batch(desk)

    def erase() -> None:
        desk.store.events = dict(list(desk.store.events.items())[2:])

    if when == "before":
        erase()
    else:
        model.during = erase
    assert not await desk.writer.extract(work)
    assert desk.store.items == {}
    assert desk.store.states() == ["pending", "pending"]
    assert len(model.prompts) == (when == "during")


@pytest.mark.parametrize(
    ("said", "error"), [("I cannot do that", AnswerError), (UnavailableError("down"), UnavailableError)]
)
async def test_a_useless_answer_changes_nothing(said: str | Exception, error: type[Exception]) -> None:
    desk = Desk(ScriptedChatModel(said))
    await desk.say("I drink tea daily")
    with pytest.raises(error):
        await desk.writer.extract(batch(desk))
    assert desk.store.states() == ["pending", "pending"]
    assert desk.store.audits == []


async def test_a_crash_at_the_commit_leaves_all_to_be_done_again_once() -> None:
    desk = Desk(ScriptedChatModel(answer("User drinks tea daily", quote="I drink tea daily")))
    await desk.say("I drink tea daily")
    desk.store.broken = OSError("power cut")
    with pytest.raises(OSError, match="power cut"):
        await desk.writer.extract(batch(desk))
    assert (desk.store.items, desk.store.evidence, desk.store.states()) == ({}, [], ["pending", "pending"])
    desk.store.broken = None
    desk.start_again()
    for _ in range(2):
        await desk.writer.extract(batch(desk))
    assert len(desk.store.items) == len(desk.store.evidence) == 1


sayings = st.lists(
    st.sampled_from(
        ["I like tea", "i like TEA!", "I like cake", "我叫小明", "Remember that I like tea", "hello"]
    ),
    max_size=8,
)


@given(sayings)
async def test_working_off_the_same_messages_again_changes_nothing(said: list[str]) -> None:
    desk = Desk(ScriptedChatModel(answer("User likes tea", quote="I like tea")), max_items_per_scope=3)
    for n, text in enumerate(said):
        await desk.say(text, message_id=f"m{n}")
    before = (dict(desk.store.items), list(desk.store.evidence))
    for n, text in enumerate(said):
        await desk.say(text, message_id=f"m{n}")
    assert (desk.store.items, desk.store.evidence) == before
    for item in desk.store.items.values():
        events = {e.event_id for e in desk.store.evidence if e.memory_id == item.memory_id}
        assert item.evidence_count == len(events) >= 1
