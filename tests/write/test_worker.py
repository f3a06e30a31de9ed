import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import NoProviderError, UnavailableError
from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion
from astrbot_plugin_ltm.long_term_memory.models import EVENTS
from astrbot_plugin_ltm.long_term_memory.policies.back_off import (
    LONGEST_REST,
    MAX_ATTEMPTS,
)
from astrbot_plugin_ltm.long_term_memory.settings import ExtractionSettings
from astrbot_plugin_ltm.long_term_memory.write.batches import NO_PROVIDER_PAUSE
from astrbot_plugin_ltm.long_term_memory.write.worker import (
    MAX_BATCH,
    MAX_CONCURRENT,
    SETTLE,
    STORE_PAUSE,
    until_set,
)

from tests.running import until
from tests.write.desk import Desk, OpenDesk, answer
from tests.write.fakes import (
    FakeClock,
    GatedChatModel,
    HangingChatModel,
    ScriptedChatModel,
    access,
    chat,
    completion,
    turn,
)

IDLE = timedelta(minutes=2)
DAY = timedelta(days=1)
TEA = answer("User drinks tea daily", quote="I drink tea daily")
DOWN = UnavailableError("chat provider: down")
PROSE = "I'm sorry, I cannot help."


class Moody:
    """A provider for all chats, and one of its own for the chat `down_for`, which is out."""

    def __init__(self, *, refused: str = "\0", down_for: str = "") -> None:
        self.refused = refused
        self.down_for = down_for
        self.down = False
        self.asked: list[tuple[datetime, str]] = []
        self.clock = FakeClock()

    async def provider_id(self, umo: str) -> str:
        return "other" if umo == self.down_for else "provider"

    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        assert system
        said = prompt.partition("<<<conversation>>>")[2]
        self.asked.append((self.clock(), said))
        if self.down or umo == self.down_for or self.refused in said:
            raise UnavailableError("down")
        return completion("[]")


class Unsure(ScriptedChatModel):
    """Does not know which provider answers."""

    def __init__(self, error: Exception | None) -> None:
        super().__init__("[]")
        self.error = error

    async def provider_id(self, umo: str) -> str:
        if self.error:
            raise self.error
        return await super().provider_id(umo)


async def say_in_chat(desk: Desk, name: str, text: str) -> None:
    there = replace(turn(text, message_id=name, at=desk.clock()), chat=chat(name, f"qq:FriendMessage:{name}"))
    await desk.writer.record(there, access())


async def with_a_provider_that_is_out(open_desk: OpenDesk) -> tuple[Desk, Moody]:
    model = Moody()
    desk = await open_desk(model)
    model.down, model.clock = True, desk.clock
    return desk, model


async def test_with_nothing_to_do_it_waits_for_news(open_desk: OpenDesk) -> None:
    assert await (await open_desk()).work() is None


async def test_rules_read_at_once_and_the_model_when_the_chat_is_idle(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel(TEA)
    desk = await open_desk(model)
    await desk.say("My name is Alice. I drink tea daily")
    assert await desk.active_facts() == ["User's name is Alice"]
    assert await desk.work() == IDLE
    assert model.prompts == []
    await desk.work(IDLE)
    assert "User drinks tea daily" in await desk.active_facts()
    assert await desk.work() is None


async def test_enough_turns_are_due_at_once(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel(TEA))
    for _ in range(2):
        await desk.say("I drink tea daily", message_id="")
        desk.clock.move(timedelta(seconds=1))
    await desk.work()
    assert set(await desk.states()) == {"done"}


async def test_changed_settings_count_from_the_next_round_on(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel(TEA))
    await desk.say("I drink tea daily")
    await desk.work()
    assert await desk.states() == ["pending", "pending"]
    desk.settings = ExtractionSettings(batch_turns=1, idle=IDLE)
    await desk.work()
    assert await desk.states() == ["done", "done"]


@pytest.mark.parametrize(
    "bad",
    [
        DOWN,
        RuntimeError("a bug in a provider's client"),
        "I'm sorry, I cannot help.",
        '{"error": "rate limited"}',
        '[{"type": "profile", "fa',
        "",
    ],
)
async def test_events_wait_while_the_model_is_of_no_use_and_are_extracted_when_it_is_back(
    open_desk: OpenDesk,
    bad: str | Exception,
) -> None:
    good = f"Here you are:\n```json\n{TEA}\n```"
    model = ScriptedChatModel(*[bad] * 6, good, "[]")
    desk = await open_desk(model)
    await desk.say("I drink tea daily")
    await desk.work_for(DAY)
    assert await desk.active_facts() == ["User drinks tea daily"]
    assert await desk.states() == ["done", "done"]
    assert (len(model.prompts), len(await desk.evidence())) == (7, 1)


async def test_answers_that_nobody_can_read_are_given_up_visibly(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel(PROSE)
    desk = await open_desk(model)
    await desk.say("I drink tea daily")
    rounds = await desk.work_for(DAY)
    assert len(model.prompts) == MAX_ATTEMPTS
    assert rounds < 3 * MAX_ATTEMPTS
    assert await desk.states() == ["failed", "failed"]
    assert all(e.last_error.startswith("AnswerError: ") for e in await desk.events())


@pytest.mark.parametrize("none", ["{}", "[U1] only greets.\n\n[]"])
async def test_who_says_in_another_way_that_there_is_nothing_is_asked_once(
    open_desk: OpenDesk, none: str
) -> None:
    model = ScriptedChatModel(none)
    desk = await open_desk(model)
    await desk.say("Good morning")
    await desk.work_for(DAY)
    assert (len(model.prompts), await desk.states()) == (1, ["done", "done"])


@pytest.mark.parametrize("hours", [1, 5])
async def test_an_outage_costs_no_message_and_few_questions_however_long_it_is(
    open_desk: OpenDesk, hours: int
) -> None:
    desk, model = await with_a_provider_that_is_out(open_desk)
    people = [f"p{number}" for number in range(8)]
    for name in people:
        await say_in_chat(desk, name, "I drink tea daily")
    await desk.work_for(timedelta(hours=hours))
    assert set(await desk.states()) == {"pending"}
    assert {event.attempts for event in await desk.events()} == {0}
    assert len(model.asked) <= 2 * (6 + 4 * hours) + MAX_CONCURRENT
    assert {e.last_error for e in await desk.events()} == {"UnavailableError: down"}
    model.down = False
    await desk.work_for(LONGEST_REST + timedelta(seconds=1))
    assert set(await desk.states()) == {"done"}


async def test_pauses_grow_while_the_provider_is_out_and_begin_anew_after_its_first_answer(
    open_desk: OpenDesk,
) -> None:
    desk, model = await with_a_provider_that_is_out(open_desk)
    await desk.say("I drink tea daily")
    await desk.work_for(timedelta(hours=2))
    asked = [at for at, text in model.asked if "tea" in text]
    minutes = [(later - at) / timedelta(minutes=1) for at, later in pairwise(asked)]
    assert minutes[:7] == [0.5, 1, 2, 4, 8, 15, 15]
    model.down = False
    await desk.work_for(timedelta(minutes=16))
    model.down, before = True, len(model.asked)
    await desk.say("and coffee", message_id="m2")
    await desk.work_for(timedelta(hours=1))
    asked = [at for at, text in model.asked[before:] if "coffee" in text]
    assert asked[1] - asked[0] == timedelta(seconds=30)


@pytest.mark.parametrize("sign", [(PROSE,), (DOWN, "[]")], ids=["an unreadable answer", "a harmless word"])
async def test_any_answer_ends_an_outage(open_desk: OpenDesk, sign: Sequence[str | Exception]) -> None:
    outage = (DOWN, DOWN)
    desk = await open_desk(ScriptedChatModel(*outage, *outage, *sign, DOWN))
    await desk.say("I drink tea daily")
    pauses: list[timedelta] = []
    await desk.work()
    desk.clock.move(IDLE)
    for _ in range(4):
        pauses.append(await desk.work() or DAY)
        desk.clock.move(pauses[-1])
    assert [pause.total_seconds() for pause in pauses] == [30, 60, 30, 30]


async def test_words_the_provider_will_not_have_are_given_up_even_in_the_only_chat(
    open_desk: OpenDesk,
) -> None:
    model = Moody(refused="forbidden")
    desk = await open_desk(model)
    await desk.say("something forbidden")
    await desk.work_for(DAY)
    assert await desk.states() == ["failed", "failed"]
    assert len([text for _, text in model.asked if "forbidden" in text]) == MAX_ATTEMPTS


async def test_words_the_provider_will_not_have_keep_no_other_chat_waiting(open_desk: OpenDesk) -> None:
    model = Moody(refused="forbidden")
    desk = await open_desk(model)
    for name in ("mallory", "trudy", "alice", "bob"):
        said = "I drink tea daily" if name in {"alice", "bob"} else "something forbidden"
        await say_in_chat(desk, name, said)
    await desk.work()
    await desk.work(IDLE)
    assert sorted(await desk.states()) == ["done"] * 4 + ["pending"] * 4
    await desk.work_for(DAY)
    assert sorted(await desk.states()) == ["done"] * 4 + ["failed"] * 4


async def test_in_an_outage_words_the_provider_will_not_have_count_only_once_it_is_back(
    open_desk: OpenDesk,
) -> None:
    model = Moody(refused="forbidden")
    desk = await open_desk(model)
    model.down, model.clock = True, desk.clock
    await say_in_chat(desk, "mallory", "something forbidden")
    await say_in_chat(desk, "alice", "I drink tea daily")
    await desk.work_for(timedelta(hours=6))
    assert {event.attempts for event in await desk.events()} == {0}
    model.down = False
    await desk.work_for(LONGEST_REST + timedelta(seconds=1))
    assert await desk.states() == ["pending", "pending", "done", "done"]
    await desk.work_for(DAY)
    assert await desk.states() == ["failed", "failed", "done", "done"]


async def test_a_provider_that_is_out_keeps_no_chat_of_another_waiting(open_desk: OpenDesk) -> None:
    model = Moody(down_for="qq:FriendMessage:alice")
    desk = await open_desk(model)
    await say_in_chat(desk, "alice", "I drink tea daily")
    await desk.work_for(timedelta(hours=1))
    await say_in_chat(desk, "bob", "I drink tea daily")
    await desk.work()
    await desk.work(IDLE)
    assert await desk.states() == ["pending", "pending", "done", "done"]
    assert {event.attempts for event in await desk.events()} == {0}


async def test_a_provider_that_is_out_is_known_as_long_as_it_is_asked_and_does_not_answer(
    open_desk: OpenDesk,
) -> None:
    desk, model = await with_a_provider_that_is_out(open_desk)
    await desk.say("I drink tea daily")
    await desk.work()
    assert desk.worker.providers.outages == []
    desk.clock.move(IDLE)
    began = desk.clock()
    await desk.work_for(timedelta(hours=1))
    [outage] = desk.worker.providers.outages
    assert outage.since == began
    assert outage.until > desk.clock() - LONGEST_REST
    desk.clock.move(timedelta(hours=1))
    assert desk.worker.providers.outages == []
    await desk.work()
    assert [each.since for each in desk.worker.providers.outages] == [began]
    model.down = False
    await desk.work(LONGEST_REST)
    assert desk.worker.providers.outages == []


async def test_a_clock_that_is_set_back_keeps_nothing_waiting(open_desk: OpenDesk) -> None:
    desk, model = await with_a_provider_that_is_out(open_desk)
    await desk.say("I drink tea daily")
    await desk.work_for(timedelta(hours=1))
    model.down = False
    desk.clock.move(-12 * timedelta(hours=1))
    assert await desk.work_for(timedelta(hours=1)) < 5
    assert await desk.states() == ["done", "done"]


async def test_messages_that_came_later_are_not_given_up_with_the_old_ones(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel(*[PROSE] * MAX_ATTEMPTS, "[]"))
    await desk.say("I drink tea daily")
    while max(event.attempts for event in await desk.events()) < MAX_ATTEMPTS - 1:
        desk.clock.move(await desk.work() or DAY)
    await desk.say("One more thing", message_id="m2")
    await desk.work_for(DAY)
    assert await desk.states() == ["failed", "failed", "done", "done"]


async def test_what_foreign_errors_say_is_not_kept(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel(ValueError("prompt was: I drink tea daily")))
    await desk.say("I drink tea daily")
    await desk.work()
    await desk.work(IDLE)
    assert {e.last_error for e in await desk.events()} == {"ValueError"}


async def test_without_a_provider_events_wait_and_it_is_no_attempt(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel(*[NoProviderError("none")] * 60, TEA, "[]")
    desk = await open_desk(model)
    await desk.say("I drink tea daily")
    await desk.work_for(DAY)
    assert await desk.active_facts() == ["User drinks tea daily"]
    assert {event.attempts for event in await desk.events()} == {0}
    # Each time it is asked for a harmless word, too, as one is that is out.
    assert len(model.prompts) == 61


async def test_a_provider_that_failed_for_one_chat_rests_before_the_next_is_tried(
    open_desk: OpenDesk,
) -> None:
    model = ScriptedChatModel(DOWN)
    desk = await open_desk(model)
    for name in ("alice", "bob", "carol"):
        there = turn("I drink tea", message_id=name)
        other = chat(name, f"qq:FriendMessage:{name}")
        await desk.writer.record(replace(there, chat=other), access())
    await desk.work()
    await desk.work(IDLE)
    before = len(model.prompts)
    assert before <= 2 * MAX_CONCURRENT
    await desk.work()
    assert len(model.prompts) == before
    await desk.work(timedelta(minutes=2))
    assert len(model.prompts) == before + 2


async def test_a_few_chats_are_asked_about_at_once_and_the_rest_follow(open_desk: OpenDesk) -> None:
    model = GatedChatModel()
    desk = await open_desk(model)
    for n in range(MAX_CONCURRENT + 2):
        await say_in_chat(desk, f"p{n}", "hello")
    desk.clock.move(IDLE)
    async with asyncio.TaskGroup() as chats:
        assert await desk.worker.begin(chats) is None
        await model.asked_about(MAX_CONCURRENT)
        assert await desk.worker.begin(chats) is None
        assert len(model.prompts) == MAX_CONCURRENT
        model.gate.set()
    assert await desk.work() is None
    assert len(model.prompts) == MAX_CONCURRENT + 2
    assert set(await desk.states()) == {"done"}


async def until_news(wake: asyncio.Event, limit: timedelta | None) -> None:
    """A pause that only news ends, but for the short one after it."""
    if limit != SETTLE:
        await wake.wait()


async def test_a_slow_provider_keeps_no_other_chat_waiting(open_desk: OpenDesk) -> None:
    model = GatedChatModel(slow="qq:FriendMessage:slow")
    desk = await open_desk(model)
    desk.settings = ExtractionSettings(batch_turns=1, idle=IDLE)
    # No time goes by: the lease of the slow chat must not end.
    desk.pause = until_news
    worker = desk.another_worker()
    await say_in_chat(desk, "slow", "I drink tea daily")
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        running = tasks.create_task(worker.run())
        await model.asked_about(1)
        for n in range(5):
            await say_in_chat(desk, f"p{n}", "hello")
            worker.notify()
        await until(lambda: len(model.prompts) == 6)
        while (await desk.states()).count("done") < 10:
            await asyncio.sleep(0.005)
        assert (await desk.states())[:2] == ["pending", "pending"]
        running.cancel()


async def test_a_long_conversation_is_worked_off_in_order_and_one_batch_at_a_time(
    open_desk: OpenDesk,
) -> None:
    model = GatedChatModel()
    model.gate.set()
    desk = await open_desk(model)
    desk.settings = ExtractionSettings()
    for n in range(MAX_BATCH):
        await desk.say(f"message {n:02d}", message_id=f"m{n}")
        desk.clock.move(timedelta(seconds=1))
    await desk.work(desk.settings.idle)
    asked = [
        line.rpartition("message ")[2]
        for text in model.prompts
        for line in text.partition("<<<conversation>>>")[2].splitlines()
        if ": message " in line
    ]
    assert asked == [f"{n:02d}" for n in range(MAX_BATCH)]
    assert len(model.prompts) == 2
    assert model.most_at_once == 1


@pytest.mark.parametrize("minutes", [0.5, 3, 9])
async def test_a_question_is_asked_about_a_batch_an_hour_of_turns_or_a_quiet_chat(
    open_desk: OpenDesk, minutes: float
) -> None:
    model = ScriptedChatModel("[]")
    desk = await open_desk(model)
    desk.settings = ExtractionSettings()
    turns = 5 * desk.settings.batch_turns
    for n in range(turns):
        await desk.say(f"message {n}", message_id=f"m{n}")
        for _ in range(4):
            await desk.work(timedelta(minutes=minutes / 4))
    questions = max(5, int(turns * minutes / 60))
    each = 10 if minutes > 5 else 0  # of the first messages of a day each is read when it is quiet again
    assert len(model.prompts) - questions - each in (-1, 0, 1)


@pytest.mark.parametrize("text", ["Could you please remember the thing about the garage", "记住我喜欢喝茶"])
async def test_the_model_is_asked_at_once_about_what_is_to_be_remembered(
    open_desk: OpenDesk, text: str
) -> None:
    model = ScriptedChatModel("[]")
    desk = await open_desk(model)
    await desk.say(text)
    assert await desk.work() is None
    assert len(model.prompts) == 1


async def test_events_erased_while_the_model_thinks_do_not_make_it_spin(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel(TEA)
    desk = await open_desk(model)
    await desk.say("I drink tea daily")
    model.during = lambda: erase_all(desk)
    await desk.work()
    assert await desk.work(IDLE) is None
    assert await desk.items() == []


async def test_whoever_wants_to_know_hears_of_what_was_learnt(open_desk: OpenDesk) -> None:
    heard: list[str] = []
    desk = await open_desk(ScriptedChatModel(TEA))
    desk.worker = desk.another_worker(lambda: heard.append("learnt"))
    await desk.work()
    assert heard == []
    await desk.say("My name is Alice. I drink tea daily")
    await desk.work()
    desk.clock.move(IDLE)
    await desk.work()
    assert heard == ["learnt"]


async def erase_all(desk: Desk) -> None:
    await desk.erase(*await desk.events())


async def test_what_is_left_of_a_changed_batch_is_asked_about_anew(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel(TEA)
    desk = await open_desk(model)
    desk.settings = ExtractionSettings(batch_turns=9, idle=IDLE)
    await desk.say("I drink tea daily")
    await desk.say("and coffee", "Good.")
    first = (await desk.events())[0]
    model.during = lambda: desk.erase(first)
    await desk.work(IDLE)
    assert len(model.prompts) == 2
    assert "I drink tea daily" not in model.prompts[1]
    assert await desk.states() == ["done"] * 3
    assert await desk.active_facts() == []


async def test_a_read_only_store_costs_no_model_call_and_changes_no_row(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel(TEA)
    desk = await open_desk(model)
    await desk.say("I drink tea daily")
    desk.store.read_only = True
    before = await desk.rows(EVENTS)
    rounds = await desk.work_for(timedelta(hours=2))
    assert (model.prompts, await desk.rows(EVENTS)) == ([], before)
    assert rounds < 40
    desk.store.read_only = False
    await desk.work_for(DAY)
    assert await desk.active_facts() == ["User drinks tea daily"]


async def test_a_commit_that_fails_puts_the_batch_off_and_nothing_is_stored_twice(
    open_desk: OpenDesk,
) -> None:
    desk = await open_desk(ScriptedChatModel(TEA))
    await desk.say("I drink tea daily")
    await desk.work()
    desk.database.broken = UnavailableError("the database is locked")
    await desk.work(IDLE)
    assert await desk.items() == []
    desk.database.broken = None
    desk.start_again()
    await desk.work_for(DAY)
    assert len(await desk.items()) == len(await desk.evidence()) == 1


async def test_a_broken_queue_does_not_end_the_work(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    desk.database.unreadable = UnavailableError("the database is locked")
    assert [await desk.work() for _ in range(3)] == [STORE_PAUSE] * 3 == [timedelta(seconds=30)] * 3
    desk.database.unreadable = None
    assert await desk.work() is None


async def test_a_break_is_logged_once_and_so_is_its_end(
    open_desk: OpenDesk, caplog: pytest.LogCaptureFixture
) -> None:
    desk = await open_desk(ScriptedChatModel(DOWN, DOWN, PROSE, DOWN, "[]"))
    await desk.say("I drink tea daily")
    with caplog.at_level(logging.INFO):
        await desk.work_for(DAY)
    assert [record.getMessage() for record in caplog.records] == [
        "Extraction by provider failed and will be tried again: UnavailableError: chat provider: down",
        "Extraction by provider goes on.",
    ]


async def test_a_restart_goes_on_with_what_is_pending(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel(TEA))
    await desk.say("I drink tea daily. My name is Alice.")
    desk.start_again()
    await desk.work_for(DAY)
    assert await desk.active_facts() == ["User's name is Alice", "User drinks tea daily"]


async def test_cancelling_stops_a_hanging_extraction_and_nothing_is_lost(open_desk: OpenDesk) -> None:
    model = HangingChatModel()
    desk = await open_desk(model)
    await desk.say("I drink tea daily")
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(desk.worker.run())
        await model.asked.wait()
        running.cancel()
    assert running.cancelled()
    assert await desk.states() == ["pending", "pending"]
    desk.model = ScriptedChatModel(TEA)
    desk.start_again()
    await desk.work_for(DAY)
    assert await desk.active_facts() == ["User drinks tea daily"]


async def test_the_loop_sleeps_until_the_next_chat_is_due_and_news_wake_it(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel("[]"))
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(desk.worker.run())
        while desk.pauses != [None]:
            await asyncio.sleep(0)
        await desk.say("hello")
        desk.worker.notify()
        while await desk.states() != ["done", "done"]:
            await asyncio.sleep(0)
        running.cancel()
    assert desk.pauses[:4] == [None, SETTLE, IDLE - SETTLE, SETTLE]


async def test_a_real_pause_ends_with_the_time_or_with_the_event() -> None:
    wake = asyncio.Event()
    await until_set(wake, timedelta(0))
    wake.set()
    await until_set(wake, None)
    await until_set(wake, timedelta(days=1))


@pytest.mark.parametrize("error", [NoProviderError("none"), UnavailableError("down"), RuntimeError("secret")])
async def test_a_chat_whose_provider_cannot_be_told_waits_and_goes_on_by_itself(
    open_desk: OpenDesk, error: Exception
) -> None:
    model = Unsure(error)
    desk = await open_desk(model)
    await desk.say("I drink tea daily")
    assert await desk.work(IDLE) == NO_PROVIDER_PAUSE
    assert await desk.work(NO_PROVIDER_PAUSE) == NO_PROVIDER_PAUSE
    assert {(e.attempts, "secret" in e.last_error) for e in await desk.events()} == {(0, False)}
    model.error = None
    await desk.work(NO_PROVIDER_PAUSE)
    assert await desk.states() == ["done", "done"]


async def test_one_provider_that_is_out_is_told_once_while_another_answers(
    open_desk: OpenDesk, caplog: pytest.LogCaptureFixture
) -> None:
    model = Moody(down_for="qq:FriendMessage:out")
    desk = await open_desk(model)
    model.clock = desk.clock
    with caplog.at_level(logging.INFO):
        for number in range(4):
            await say_in_chat(desk, "out", f"I drink tea {number}")
            await say_in_chat(desk, "in", f"I drink milk {number}")
            await desk.work_for(timedelta(minutes=20))
    told = [record.getMessage() for record in caplog.records if "Extraction" in record.getMessage()]
    assert told == ["Extraction by other failed and will be tried again: UnavailableError: down"]
