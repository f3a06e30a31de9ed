from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction, Level, Role
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event
from astrbot_plugin_ltm.long_term_memory.policies.back_off import LEASE
from astrbot_plugin_ltm.long_term_memory.policies.token_cap import DAILY_CAP, DAY
from astrbot_plugin_ltm.long_term_memory.settings import ExtractionSettings
from astrbot_plugin_ltm.long_term_memory.storage.event_queue import QUIET, REST
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.stores import NOW, an_event

IDLE = timedelta(minutes=5)
MINUTE = timedelta(minutes=1)


async def add(store: Store, *events: Event) -> None:
    async with store.transaction() as transaction:
        await transaction.add_events(events)


async def due(store: Store, now: datetime = NOW, limit: int = 99) -> Sequence[Event] | None:
    return (
        await store.events.due(settings=ExtractionSettings(batch_turns=2, idle=IDLE), now=now, limit=limit)
    ).batch or None


async def due_at(store: Store, now: datetime = NOW) -> datetime | None:
    return (
        await store.events.due(settings=ExtractionSettings(batch_turns=2, idle=IDLE), now=now, limit=99)
    ).at


async def claim(store: Store, *events: Event, lease: str = "mine", now: datetime = NOW) -> bool:
    async with store.transaction() as transaction:
        return await transaction.claim(events, lease=lease, now=now)


async def give_up(store: Store, event: Event, error: str) -> None:
    await claim(store, event)
    await store.events.give_up([event.event_id], error=error, lease="mine")


def texts(events: Sequence[Event]) -> list[str]:
    return [event.text for event in events]


async def test_an_empty_queue_has_nothing_due(store: Store) -> None:
    assert await due(store) is None
    assert await due_at(store) is None


async def test_a_chat_is_due_when_it_has_been_idle_long_enough(store: Store) -> None:
    event = an_event("hello")
    await add(store, event)
    assert await due(store, NOW + IDLE - timedelta(microseconds=1)) is None
    assert await due(store, NOW + IDLE) == [event]
    assert await due_at(store) == NOW + IDLE


async def test_a_new_event_starts_the_idle_time_anew(store: Store) -> None:
    await add(store, an_event(), an_event(role=Role.ASSISTANT, created_at=NOW + MINUTE))
    assert await due_at(store) == NOW + MINUTE + IDLE


async def test_a_chat_is_due_at_once_when_enough_user_messages_wait(store: Store) -> None:
    await add(store, an_event("a"), an_event("b", role=Role.ASSISTANT, created_at=NOW + MINUTE))
    assert await due(store, NOW + MINUTE) is None
    await add(store, an_event("c", created_at=NOW + 2 * MINUTE))
    batch = await due(store, NOW + 2 * MINUTE)
    assert batch is not None
    assert texts(batch) == ["a", "b", "c"]
    assert await due_at(store) == NOW + 2 * MINUTE


async def test_chats_do_not_mix_and_the_one_waiting_longest_comes_first(store: Store) -> None:
    await add(
        store,
        an_event("late", umo="b", created_at=NOW + MINUTE),
        an_event("early", umo="a"),
        an_event("latest", umo="a", created_at=NOW + 2 * MINUTE),
    )
    batch = await due(store, NOW + 2 * IDLE)
    assert batch is not None
    assert (batch[0].umo, texts(batch)) == ("a", ["early", "latest"])
    assert await due_at(store) == NOW + 2 * MINUTE  # two messages wait in a, and b is idle later


async def test_a_batch_holds_the_oldest_events_up_to_its_limit(store: Store) -> None:
    await add(store, *(an_event(str(minute), created_at=NOW + minute * MINUTE) for minute in (3, 1, 2, 0)))
    batch = await due(store, NOW + IDLE, limit=3)
    assert batch is not None
    assert texts(batch) == ["0", "1", "2"]


async def test_only_pending_events_wait(store: Store) -> None:
    await add(store, *(an_event(state, extraction=state) for state in Extraction))
    batch = await due(store, NOW + IDLE)
    assert batch is not None
    assert texts(batch) == ["pending"]


async def test_a_chat_in_back_off_waits_with_all_its_events(store: Store) -> None:
    first = an_event("first")
    await add(store, first)
    retry_at = NOW + 10 * IDLE
    await store.events.postpone([first.event_id], until=retry_at, error="no answer")
    await add(store, an_event("second"), an_event("elsewhere", umo="b", created_at=NOW + IDLE))
    assert await due(store, NOW + IDLE) is None
    assert await due_at(store) == NOW + 2 * IDLE
    batch = await due(store, NOW + 2 * IDLE)
    assert batch is not None
    assert texts(batch) == ["elsewhere"]
    await give_up(store, batch[0], "no")
    assert await due_at(store) == retry_at
    again = await due(store, retry_at)
    assert again is not None
    assert [(event.text, event.attempts) for event in again] == [("first", 1), ("second", 0)]
    assert again[0].last_error == "no answer"


async def test_waiting_without_a_try_counts_no_attempt(store: Store) -> None:
    event = an_event()
    await add(store, event)
    await store.events.postpone([event.event_id], until=NOW, error="no provider", attempted=False)
    batch = await due(store, NOW + IDLE)
    assert batch is not None
    assert batch[0].attempts == 0


async def test_an_event_that_is_given_up_is_failed_and_says_why(store: Store) -> None:
    event, other = an_event(), an_event(created_at=NOW - IDLE)
    await add(store, event, other)
    await give_up(store, event, "garbage")
    await store.events.postpone([other.event_id], until=NOW, error="an older event's")
    counts = await store.events.counts()
    assert (counts.events[Extraction.FAILED], counts.events[Extraction.PENDING]) == (1, 1)
    assert counts.last_error == "garbage"


async def test_an_error_that_was_overcome_is_no_longer_reported(store: Store) -> None:
    event = an_event()
    await add(store, event)
    await store.events.postpone([event.event_id], until=NOW, error="no answer")
    assert (await store.events.counts()).last_error == "no answer"
    async with store.transaction() as transaction:
        await transaction.mark_events([event.event_id], Extraction.DONE)
    assert (await store.events.counts()).last_error == ""


async def test_waiting_for_the_next_days_tokens_is_no_failure(store: Store) -> None:
    failed, capped = an_event(), an_event(umo="b", created_at=NOW + MINUTE)
    await add(store, failed, capped)
    await store.events.postpone([failed.event_id], until=NOW, error="no answer")
    await store.events.postpone([capped.event_id], until=NOW + DAY, error=DAILY_CAP, attempted=False)
    assert (await store.events.counts()).last_error == "no answer"


async def test_a_chat_that_is_asked_to_remember_is_due_at_once(store: Store) -> None:
    await add(store, an_event("hello", umo="b"), an_event("remember it", urgent=True))
    batch = await due(store)
    assert batch is not None
    assert texts(batch) == ["remember it"]
    assert batch[0].urgent


async def test_a_batch_ends_where_the_level_changes(store: Store) -> None:
    later = {"created_at": NOW + MINUTE}
    await add(store, an_event("low"), an_event("high", level=Level.RESTRICTED, **later))
    batch = await due(store, NOW + 2 * IDLE)
    assert batch is not None
    assert texts(batch) == ["low"]
    async with store.transaction() as transaction:
        await transaction.mark_events([batch[0].event_id], Extraction.DONE)
    batch = await due(store, NOW + REST * IDLE)
    assert batch is not None
    assert texts(batch) == ["high"]


async def test_a_chat_that_was_read_rests_until_a_batch_is_full(store: Store) -> None:
    await add(store, an_event("read", extraction=Extraction.DONE), an_event("new", created_at=NOW + MINUTE))
    rested = NOW + MINUTE + QUIET
    assert await due_at(store, NOW + MINUTE) == rested
    assert await due(store, rested - MINUTE) is None
    assert await due(store, rested) is not None
    await add(store, an_event("and more", created_at=NOW + 2 * MINUTE))
    batch = await due(store, NOW + 2 * MINUTE)
    assert batch is not None
    assert texts(batch) == ["new", "and more"]


async def test_a_chat_that_was_read_is_due_once_it_is_quiet_or_has_rested(store: Store) -> None:
    async def next_reading(newest: datetime) -> datetime | None:
        queue = store.events
        return (
            await queue.due(settings=ExtractionSettings(batch_turns=9, idle=MINUTE / 2), now=newest, limit=99)
        ).at

    said = [NOW + 4 * MINUTE, NOW + 8 * MINUTE, NOW + 12 * MINUTE]
    await add(store, an_event("read", extraction=Extraction.DONE))
    for at, expected in zip(said, [said[0] + QUIET, said[1] + QUIET, NOW + REST * MINUTE / 2], strict=True):
        await add(store, an_event("new", created_at=at))
        assert await next_reading(at) == expected


async def test_after_ten_messages_of_a_day_quiet_is_no_reason_to_read_fewer_than_six(store: Store) -> None:
    async def next_reading(newest: datetime) -> datetime | None:
        return (
            await store.events.due(
                settings=ExtractionSettings(batch_turns=9, idle=MINUTE), now=newest, limit=99
            )
        ).at

    for n in range(11):
        await add(store, an_event("read", extraction=Extraction.DONE, created_at=NOW - n * MINUTE))
    for n in range(1, 7):
        at = NOW + n * MINUTE
        await add(store, an_event("new", created_at=at))
        assert await next_reading(at) == (NOW + REST * MINUTE if n < 6 else at + QUIET)


@pytest.mark.parametrize(
    ("gap", "most"),
    [(MINUTE, 33), (3 * MINUTE, 33), (QUIET - timedelta(seconds=1), 33), (2 * QUIET, 55)],
)
async def test_a_talk_of_a_hundred_turns_is_read_in_few_batches(
    store: Store, gap: timedelta, most: int
) -> None:
    idle, readings = timedelta(minutes=2), 0
    for turn in range(100):
        said_at = NOW + turn * gap
        await add(store, an_event(created_at=said_at))
        waiting = await store.events.due(
            settings=ExtractionSettings(batch_turns=12, idle=idle), now=said_at, limit=99
        )
        if waiting.at and waiting.at < said_at + gap:
            batch = (
                await store.events.due(
                    settings=ExtractionSettings(batch_turns=12, idle=idle), now=waiting.at, limit=99
                )
            ).batch
            async with store.transaction() as transaction:
                await transaction.mark_events([event.event_id for event in batch], Extraction.DONE)
            readings += 1
    assert 2 * readings <= most  # extraction and verification


async def test_what_others_said_elsewhere_gives_no_chat_a_rest(store: Store) -> None:
    await add(store, an_event("read", umo="b", extraction=Extraction.DONE), an_event("new"))
    assert await due_at(store) == NOW + IDLE


async def test_a_chat_under_a_lease_is_passed_over_until_the_lease_ends(store: Store) -> None:
    first, second = an_event("first"), an_event("second", created_at=NOW + MINUTE)
    await add(store, first, second, an_event("elsewhere", umo="b", created_at=NOW + MINUTE))
    now = NOW + 2 * IDLE
    assert await claim(store, first, now=now)
    batch = await due(store, now)
    assert batch is not None
    assert texts(batch) == ["elsewhere"]
    assert not await claim(store, second, lease="theirs", now=now)
    assert await due_at(store, now) == NOW + IDLE + MINUTE
    batch = await due(store, now + LEASE)
    assert batch is not None
    assert texts(batch) == ["first", "second"]
    assert await claim(store, first, second, lease="theirs", now=now + LEASE)


async def test_a_claim_is_for_all_of_a_batch_or_for_nothing(store: Store) -> None:
    event = an_event()
    await add(store, event)
    assert not await claim(store, event, an_event("erased since"))
    assert await claim(store, event, lease="theirs")


async def test_a_lease_is_held_until_somebody_else_takes_it_or_an_event_is_gone(store: Store) -> None:
    events = [an_event("a"), an_event("b")]
    ids = [event.event_id for event in events]
    await add(store, *events)
    await claim(store, *events)
    async with store.transaction() as transaction:
        assert await transaction.held(ids, "mine")
        assert not await transaction.held(ids, "theirs")
        assert not await transaction.held([*ids, "erased"], "mine")
    assert await claim(store, *events, lease="theirs", now=NOW + LEASE)
    async with store.transaction() as transaction:
        assert not await transaction.held(ids, "mine")


async def test_a_release_frees_the_chat_at_once_and_only_its_own(store: Store) -> None:
    mine, theirs = an_event("mine"), an_event("theirs", umo="b")
    await add(store, mine, theirs)
    await claim(store, mine)
    await claim(store, theirs, lease="theirs")
    await store.events.release("mine")
    assert await claim(store, mine, lease="another")
    assert not await claim(store, theirs, lease="another")


async def test_a_start_frees_every_chat_and_lets_nothing_wait_for_tokens(store: Store) -> None:
    leased, capped, failed = an_event(), an_event(umo="b"), an_event(umo="c")
    await add(store, leased, capped, failed)
    await claim(store, leased, now=NOW + MINUTE)
    await store.events.postpone([capped.event_id], until=NOW + DAY, error=DAILY_CAP, attempted=False)
    await store.events.postpone([failed.event_id], until=NOW + 2 * IDLE, error="no answer")
    assert await due(store, NOW + IDLE) is None
    await store.events.release_all()
    freed: list[str] = []
    while batch := await due(store, NOW + IDLE):
        freed.append(batch[0].umo)
        await claim(store, *batch, now=NOW + IDLE)
    assert sorted(freed) == ["b", leased.umo]


async def test_what_fails_after_its_lease_was_lost_changes_nothing(store: Store) -> None:
    event = an_event()
    await add(store, event)
    await claim(store, event)
    await claim(store, event, lease="theirs", now=NOW + LEASE)
    await store.events.postpone([event.event_id], until=NOW + DAY, error="late", lease="mine")
    await store.events.give_up([event.event_id], error="late", lease="mine")
    async with store.transaction() as transaction:
        assert await transaction.held([event.event_id], "theirs")
    batch = await due(store, NOW + 3 * LEASE)
    assert batch is not None
    assert (batch[0].attempts, batch[0].last_error) == (0, "")


async def test_what_waits_for_the_next_day_waits_that_long(store: Store) -> None:
    event = an_event()
    await add(store, event)
    await store.events.postpone([event.event_id], until=NOW + DAY, error=DAILY_CAP, attempted=False)
    assert await due(store, NOW + DAY - MINUTE) is None
    assert await due_at(store, NOW) == NOW + DAY
    assert await due(store, NOW + DAY) is not None


@pytest.mark.parametrize("error", ["no answer", DAILY_CAP])
async def test_a_clock_that_is_set_back_keeps_no_chat_waiting(store: Store, error: str) -> None:
    event = an_event()
    await add(store, event)
    await claim(store, event)
    await store.events.postpone([event.event_id], until=NOW + MINUTE, error=error, attempted=False)
    before = NOW - timedelta(days=3)
    assert await due_at(store, before) == before
    assert await due(store, before) is not None
    assert await claim(store, event, lease="theirs", now=before)


async def test_clocks_that_differ_a_little_do_not_hurry_a_chat(store: Store) -> None:
    await add(store, an_event(created_at=NOW + MINUTE))
    assert await due(store, NOW) is None
    assert await due_at(store, NOW) == NOW + MINUTE + IDLE


async def test_what_was_given_up_gets_a_new_start_when_it_is_asked_for(store: Store) -> None:
    failed, done = an_event("failed"), an_event("done", extraction=Extraction.DONE)
    await add(store, failed, done)
    await give_up(store, failed, "garbage")
    for expected in (1, 0):
        async with store.transaction() as transaction:
            assert await transaction.retry_failed() == expected
    batch = await due(store, NOW + IDLE)
    assert batch is not None
    assert texts(batch) == ["failed"]
    assert (batch[0].attempts, batch[0].last_error) == (0, "")
    assert (await store.events.counts()).last_error == ""
