from collections.abc import Sequence
from datetime import datetime, timedelta

from astrbot_plugin_ltm.long_term_memory.domain.memory import Event
from astrbot_plugin_ltm.long_term_memory.domain.words import Extraction, Role
from astrbot_plugin_ltm.long_term_memory.domain.writing import PendingBatch
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.stores import NOW, an_event

IDLE = timedelta(minutes=5)
MINUTE = timedelta(minutes=1)


async def add(store: Store, *events: Event) -> None:
    async with store.transaction() as transaction:
        await transaction.add_events(events)


async def due(store: Store, now: datetime = NOW, limit: int = 99) -> PendingBatch | None:
    return await store.events.due(now=now, batch_turns=2, idle=IDLE, limit=limit)


async def due_at(store: Store) -> datetime | None:
    return await store.events.next_due_at(batch_turns=2, idle=IDLE)


def texts(events: Sequence[Event]) -> list[str]:
    return [event.text for event in events]


async def test_an_empty_queue_has_nothing_due(store: Store) -> None:
    assert await due(store) is None
    assert await due_at(store) is None


async def test_a_chat_is_due_when_it_has_been_idle_long_enough(store: Store) -> None:
    event = an_event("hello")
    await add(store, event)
    assert await due(store, NOW + IDLE - timedelta(microseconds=1)) is None
    assert await due(store, NOW + IDLE) == PendingBatch(umo=event.umo, events=[event], attempts=0)
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
    assert texts(batch.events) == ["a", "b", "c"]
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
    assert (batch.umo, texts(batch.events)) == ("a", ["early", "latest"])
    assert await due_at(store) == NOW + 2 * MINUTE  # two messages wait in a, and b is idle later


async def test_a_batch_holds_the_oldest_events_up_to_its_limit(store: Store) -> None:
    await add(store, *(an_event(str(minute), created_at=NOW + minute * MINUTE) for minute in (3, 1, 2, 0)))
    batch = await due(store, NOW + IDLE, limit=3)
    assert batch is not None
    assert texts(batch.events) == ["0", "1", "2"]


async def test_only_pending_events_wait(store: Store) -> None:
    await add(store, *(an_event(state, extraction=state) for state in Extraction))
    batch = await due(store, NOW + IDLE)
    assert batch is not None
    assert texts(batch.events) == ["pending"]


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
    assert texts(batch.events) == ["elsewhere"]
    await store.events.give_up([batch.events[0].event_id], "no")
    assert await due_at(store) == retry_at
    again = await due(store, retry_at)
    assert again is not None
    assert (texts(again.events), again.attempts) == (["first", "second"], 1)
    assert again.events[0].last_error == "no answer"


async def test_waiting_without_a_try_counts_no_attempt(store: Store) -> None:
    event = an_event()
    await add(store, event)
    await store.events.postpone([event.event_id], until=NOW, error="no provider", attempted=False)
    batch = await due(store, NOW + IDLE)
    assert batch is not None
    assert batch.attempts == 0


async def test_an_event_that_is_given_up_is_failed_and_says_why(store: Store) -> None:
    event, other = an_event(), an_event(created_at=NOW - IDLE)
    await add(store, event, other)
    await store.events.give_up([event.event_id], "garbage")
    await store.events.postpone([other.event_id], until=NOW, error="an older event's")
    counts = await store.events.counts()
    assert (counts.by_state[Extraction.FAILED], counts.by_state[Extraction.PENDING]) == (1, 1)
    assert counts.last_error == "garbage"


async def test_an_error_that_was_overcome_is_no_longer_reported(store: Store) -> None:
    event = an_event()
    await add(store, event)
    await store.events.postpone([event.event_id], until=NOW, error="no answer")
    assert (await store.events.counts()).last_error == "no answer"
    async with store.transaction() as transaction:
        await transaction.mark_events([event.event_id], Extraction.DONE)
    assert (await store.events.counts()).last_error == ""
