"""The worker and the day's tokens."""

from dataclasses import replace
from datetime import timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction
from astrbot_plugin_ltm.long_term_memory.domain.errors import NoProviderError, UnavailableError
from astrbot_plugin_ltm.long_term_memory.models import TOKENS
from astrbot_plugin_ltm.long_term_memory.policies.token_cap import DAILY_CAP, day_of
from astrbot_plugin_ltm.long_term_memory.settings import ExtractionSettings
from astrbot_plugin_ltm.long_term_memory.write.token_budget import LEAST_CAP
from astrbot_plugin_ltm.long_term_memory.write.worker import MAX_LOOKS, SHORTEST_PAUSE

from tests.write.desk import Desk, OpenDesk, answer
from tests.write.fakes import ScriptedChatModel, access, chat, turn

IDLE = timedelta(minutes=2)
TEA = answer("User drinks tea daily", quote="I drink tea daily")


def cap(desk: Desk, tokens: int) -> None:
    desk.settings = ExtractionSettings(batch_turns=1, idle=IDLE, daily_token_cap=tokens)


async def spent(desk: Desk) -> int:
    return (await desk.store.events.spent(day_of(desk.clock())))[1]


async def test_a_batch_beyond_the_cap_waits_until_midnight_and_is_asked_about_then(
    open_desk: OpenDesk, caplog: pytest.LogCaptureFixture
) -> None:
    model = ScriptedChatModel(TEA)
    desk = await open_desk(model)
    cap(desk, LEAST_CAP + 200)
    await desk.say("I drink tea daily", message_id="m1")
    assert await desk.work() is None
    await desk.say("And coffee at night", message_id="m2")
    caplog.clear()
    for _ in range(3):
        assert await desk.work() == timedelta(hours=12)
    assert len(model.prompts) == 1
    waiting = (await desk.events())[-2:]
    assert [(event.last_error, event.attempts) for event in waiting] == [(DAILY_CAP, 0)] * 2
    assert len(caplog.records) == 1
    await desk.work(timedelta(hours=12))
    assert len(model.prompts) == 2
    assert set(await desk.states()) == {"done"}


async def test_what_is_said_while_a_chat_waits_for_tokens_joins_it(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel("[]")
    desk = await open_desk(model)
    await desk.say("I drink tea daily", message_id="m1")
    await desk.work()
    price = LEAST_CAP + 150
    cap(desk, price)
    async with desk.store.transaction() as tx:
        await desk.budget.book(tx, desk.budget.price("gpt", "x" * 300))
    await desk.work()
    await desk.say("And coffee", message_id="m2")
    assert await desk.work() == timedelta(hours=12)
    await desk.work(timedelta(hours=12))
    assert len(model.prompts) == 1
    assert "And coffee" in model.prompts[0]


@pytest.mark.parametrize("tokens", [0, LEAST_CAP])
async def test_without_room_for_any_question_messages_are_left_to_the_rules(
    open_desk: OpenDesk, tokens: int
) -> None:
    desk = await open_desk(ScriptedChatModel(NoProviderError("none")))
    cap(desk, tokens)
    for n in range(3):
        await desk.say("My name is Alice", message_id=f"m{n}")
        await desk.work()
    assert await desk.active_facts() == ["User's name is Alice"]
    events = await desk.events()
    assert {(event.extraction, event.last_error) for event in events} == {(Extraction.SKIPPED, DAILY_CAP)}
    assert await desk.rows(TOKENS) == []


async def test_an_outages_questions_and_probes_are_all_booked(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel(UnavailableError("down"))
    desk = await open_desk(model)
    await desk.say("I drink tea daily")
    await desk.work_for(timedelta(hours=1))
    assert (await desk.store.events.spent(day_of(desk.clock())))[0] == len(model.prompts) > 8


async def test_an_outage_in_which_nothing_was_taken_costs_nothing(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel(UnavailableError("refused", cost_nothing=True))
    desk = await open_desk(model)
    await desk.say("I drink tea daily")
    await desk.work_for(timedelta(hours=12))
    assert len(model.prompts) > 40
    assert await spent(desk) == 0
    assert len(desk.worker.providers.outages) == 1


async def test_no_day_costs_more_than_its_cap_whatever_fails(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel(*[UnavailableError("down"), "prose", "[]"] * 200)
    desk = await open_desk(model)
    cap(desk, 5 * LEAST_CAP)
    for hour in range(30):
        await desk.say(f"I drink tea daily at {hour}", message_id=f"m{hour}")
        await desk.work_for(timedelta(minutes=59))
    rows = await desk.rows(TOKENS)
    assert len(rows) >= 2
    for row in rows:
        assert row["prompt_tokens"] + row["answer_tokens"] <= 5 * LEAST_CAP


async def test_what_a_provider_tells_counts_against_the_cap(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel("[]"))
    await desk.say("I drink tea daily")
    await desk.work(IDLE)
    assert await spent(desk) == 100


async def test_a_great_many_chats_are_left_to_the_rules_a_few_at_a_time(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    cap(desk, 0)
    for n in range(MAX_LOOKS + 1):
        there = replace(turn("hello", message_id=f"m{n}"), chat=chat("alice", f"qq:FriendMessage:{n}"))
        await desk.writer.record(there, access())
    assert await desk.work() == SHORTEST_PAUSE
    assert (await desk.states()).count("pending") == 2
    assert await desk.work() is None
