"""The worker, its leases, and what stands in their way."""

import asyncio
import logging
from datetime import timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import StoreUnavailableError
from astrbot_plugin_ltm.long_term_memory.models import EVENTS
from astrbot_plugin_ltm.long_term_memory.policies.back_off import LEASE
from astrbot_plugin_ltm.long_term_memory.settings import ExtractionSettings
from astrbot_plugin_ltm.long_term_memory.storage.event_queue import REST
from astrbot_plugin_ltm.long_term_memory.write.batches import KEEP_AGAIN

from tests.write.desk import Desk, OpenDesk, answer
from tests.write.fakes import GatedChatModel, HangingChatModel, ScriptedChatModel

IDLE = timedelta(minutes=2)
TEA = answer("User drinks tea daily", quote="I drink tea daily")
LOCKED = StoreUnavailableError("the database is locked")


async def leases(desk: Desk) -> set[str]:
    return {row["lease"] for row in await desk.rows(EVENTS)}


async def test_two_workers_on_one_store_ask_about_a_chat_once(open_desk: OpenDesk) -> None:
    model = GatedChatModel()
    desk = await open_desk(model)
    await desk.say("I drink tea daily")
    desk.clock.move(IDLE)
    async with asyncio.TaskGroup() as chats:
        rounds = [chats.create_task(worker.begin(chats)) for worker in (desk.worker, desk.another_worker())]
        await model.asked_about(1)
        await asyncio.gather(*rounds)
        await desk.say("And coffee", message_id="m2")
        assert await desk.another_worker().begin(chats) is not None
        assert len(model.prompts) == 1
        model.gate.set()
    await desk.work(REST * IDLE)
    assert len(model.prompts) == 2
    assert model.most_at_once == 1
    assert set(await desk.states()) == {"done"}


async def test_an_answer_that_comes_after_the_lease_was_taken_over_counts_for_nothing(
    open_desk: OpenDesk,
) -> None:
    model = ScriptedChatModel(TEA)
    desk = await open_desk(model)
    await desk.say("I drink tea daily")
    desk.clock.move(IDLE)
    first = True

    async def dawdle() -> None:
        nonlocal first
        if first:
            first = False
            desk.clock.move(LEASE)
            async with asyncio.TaskGroup() as chats:
                await desk.another_worker().begin(chats)
            assert await desk.active_facts() == ["User drinks tea daily"]

    model.during = dawdle
    await desk.work()
    assert len(model.prompts) == 2
    assert (await desk.item()).evidence_count == 1
    assert len(await desk.evidence()) == 1
    assert await desk.states() == ["done", "done"]


async def test_what_a_killed_process_was_at_waits_for_the_lease_or_for_a_start(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel(TEA))
    await desk.say("I drink tea daily")
    due = await desk.store.events.due(
        settings=ExtractionSettings(batch_turns=2, idle=IDLE), now=desk.clock() + IDLE, limit=40
    )
    assert due.batch is not None
    await desk.writer.lease(due.batch, "gpt")
    desk.start_again()
    desk.clock.move(IDLE)
    assert await desk.work() == LEASE - IDLE
    await desk.store.events.release_all()
    await desk.work()
    assert await desk.active_facts() == ["User drinks tea daily"]


async def test_a_cancelled_question_frees_its_chat_at_once(open_desk: OpenDesk) -> None:
    model = HangingChatModel()
    desk = await open_desk(model)
    await desk.say("I drink tea daily")
    desk.clock.move(IDLE)
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(desk.worker.run())
        await model.asked.wait()
        assert await leases(desk) != {""}
        running.cancel()
    assert await leases(desk) == {""}
    desk.model = ScriptedChatModel(TEA)
    desk.start_again()
    await desk.work()
    assert await desk.active_facts() == ["User drinks tea daily"]


async def test_a_store_that_is_locked_for_a_while_costs_no_second_question(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel(TEA)
    desk = await open_desk(model)
    desk.verify = False  # the second question needs the store before there is anything to keep
    await desk.say("I drink tea daily")

    async def lock() -> None:
        desk.database.broken = LOCKED

    async def unlock_later(wake: asyncio.Event, limit: timedelta | None) -> None:
        assert not wake.is_set()
        desk.pauses.append(limit)
        if limit == timedelta(seconds=KEEP_AGAIN[-1]):
            desk.database.broken = None

    model.during = lock
    desk.pause = unlock_later
    desk.start_again()
    await desk.work(IDLE)
    assert desk.pauses == [timedelta(seconds=seconds) for seconds in KEEP_AGAIN]
    assert len(model.prompts) == 1
    assert await desk.active_facts() == ["User drinks tea daily"]


async def test_a_store_that_stays_locked_costs_no_probe_and_no_attempt(
    open_desk: OpenDesk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    model = ScriptedChatModel(TEA)
    desk = await open_desk(model)
    await desk.say("I drink tea daily")

    async def lock() -> None:
        desk.database.broken = LOCKED

    model.during = lock
    desk.clock.move(IDLE)
    async with asyncio.TaskGroup() as chats:
        await desk.worker.begin(chats)
    await desk.work()
    broke = [f"Saving what a model found failed and will be tried again: StoreUnavailableError: {LOCKED}"]
    assert [each for each in caplog.messages if each.startswith(("Saving", "The queue"))] == broke
    assert len(model.prompts) == 1
    desk.database.broken = None
    model.during = desk.nothing
    assert {event.attempts for event in await desk.events()} == {0}
    await desk.work_for(2 * LEASE)
    assert len(model.prompts) == 2
    assert await desk.active_facts() == ["User drinks tea daily"]
    assert caplog.messages[-1] == "Saving what a model found goes on."


async def test_facts_that_a_locked_store_keeps_from_verification_are_asked_for_again(
    open_desk: OpenDesk,
) -> None:
    model = ScriptedChatModel(TEA)
    desk = await open_desk(model)
    await desk.say("I drink tea daily")

    async def lock_once() -> None:
        model.during = desk.nothing
        # The cost of the answer is noted, then nothing can be reserved for the second question.
        desk.database.broken, desk.database.good_commits, desk.database.bad_commits = LOCKED, 1, 1

    model.during = lock_once
    await desk.work(IDLE)
    assert await desk.items() == []
    await desk.work_for(2 * LEASE)
    assert await desk.active_facts() == ["User drinks tea daily"]


@pytest.mark.parametrize("good_commits", [0, 1])
async def test_an_answer_that_cannot_be_kept_is_an_attempt(open_desk: OpenDesk, good_commits: int) -> None:
    model = ScriptedChatModel(TEA)
    desk = await open_desk(model)
    desk.verify = False
    desk.start_again()
    await desk.say("I drink tea daily")

    async def breaks() -> None:
        await asyncio.sleep(0.1)  # until the loop has nothing more to ask of the store
        desk.database.broken = RuntimeError("a bug")
        desk.database.good_commits = good_commits
        desk.database.bad_commits = 1

    model.during = breaks
    await desk.work(IDLE)
    model.during = desk.nothing
    assert {event.attempts for event in await desk.events()} == {1}
    assert {event.last_error for event in await desk.events()} == {"RuntimeError"}
    assert await leases(desk) == {""}
    await desk.work_for(timedelta(hours=1))
    assert await desk.active_facts() == ["User drinks tea daily"]


async def test_what_was_given_up_is_learnt_when_an_operator_asks_for_it(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel("prose"))
    await desk.say("I drink tea daily")
    await desk.work_for(timedelta(days=1))
    assert await desk.states() == ["failed", "failed"]
    desk.model = ScriptedChatModel(TEA)
    desk.start_again()
    async with desk.store.transaction() as tx:
        assert await tx.retry_failed() == 2
    await desk.work()
    assert await desk.active_facts() == ["User drinks tea daily"]
