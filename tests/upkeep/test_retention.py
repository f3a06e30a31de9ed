"""What is over ends, what is old goes, in short transactions; what memories rest on stays."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from astrbot_plugin_ltm.long_term_memory.bootstrap import housekeeping
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item, ItemFilter
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.upkeep import housekeeping as steps
from astrbot_plugin_ltm.long_term_memory.upkeep.housekeeping import BATCH_SIZE, KEPT, MAX_BATCHES, Step

from tests.running import World, private, settings
from tests.stores import NOW, a_recall, an_event, an_item, keep, opened
from tests.upkeep.fakes import Hands

MONTH, WEEK = timedelta(days=30), timedelta(days=7)
SWEEP = "the sweep of what is over"
PURGE = "the purge of what was deleted"
SURPLUS = "the purge of too much that is out of use"
EVENTS = "the dropping of old events"
UNREAD = "the passing over of what waited too long"
COUNTS = "the dropping of old counts"
RECALLS = "the dropping of old recalls"
VECTORS = "the dropping of old vectors"
AGES = [timedelta(days=days) for days in (400, 8, 7, 1, 0)]


@dataclass
class Model:
    """The embedding model in use."""

    model_id: str | None = "new"
    given_up: Sequence[object] = ()


def retention(
    store: Any,
    hands: Hands,
    model: Model | None = None,
    *,
    events: timedelta | None = MONTH,
    deleted: timedelta | None = MONTH,
    recalls: timedelta | None = WEEK,
) -> Mapping[str, Step]:
    kept = replace(settings(), event_retention=events, deleted_retention=deleted, recall_log=recalls)
    return steps.retention(store, cast("Any", model or Model()), kept, hands.clock, hands.breathe)


class Endless:
    """A store in which there is always more to do."""

    def __init__(self, breaks_at: int = -1) -> None:
        self.breaks_at = breaks_at
        self.calls: list[dict[str, Any]] = []
        self.sweeps = self.recalls = self.vectors = self

    async def progress(self, model_id: str) -> tuple[int, int]:
        assert model_id == "new"
        return 1, 1

    def __getattr__(self, _: str) -> Callable[..., Awaitable[Any]]:
        async def work(*_: object, limit: int, **said: object) -> Any:
            if len(self.calls) == self.breaks_at:
                raise RuntimeError
            self.calls.append(said)
            return limit

        return work


@pytest.mark.parametrize(
    "step",
    [SWEEP, PURGE, SURPLUS, EVENTS, UNREAD, COUNTS, RECALLS, VECTORS],
)
async def test_a_round_is_bounded_and_others_may_write_between_its_batches(hands: Hands, step: str) -> None:
    endless = Endless()
    await retention(endless, hands)[step]()
    assert (len(endless.calls), hands.breaths) == (MAX_BATCHES, MAX_BATCHES)


@pytest.mark.parametrize("step", [PURGE, EVENTS, UNREAD])
async def test_for_ever_is_for_ever(store: Store, hands: Hands, step: str) -> None:
    ages_ago = NOW - 40_000 * timedelta(days=1)
    gone = an_item(status=Status.DELETED, deleted_at=ages_ago)
    await keep(store, gone)
    async with store.transaction() as tx:
        await tx.add_events([an_event("old", created_at=ages_ago)])
    await retention(store, hands, events=None, deleted=None)[step]()
    assert await store.item(gone.memory_id) == gone
    assert (await store.events.counts()).events[Extraction.PENDING] == 2


async def test_all_that_is_over_ends_and_doing_it_again_changes_nothing(store: Store, hands: Hands) -> None:
    items = [an_item(str(n), expires_at=NOW - timedelta(days=n)) for n in (1, 2)]
    await keep(store, *items, an_item("lives on"))
    job = retention(store, hands)
    await job[SWEEP]()
    counts = await store.item_counts()
    assert {status: number for (status, _), number in counts.items()} == {
        Status.EXPIRED: 2,
        Status.ACTIVE: 1,
    }
    histories = [await store.history(item.memory_id) for item in items]
    await job[SWEEP]()
    assert [await store.history(item.memory_id) for item in items] == histories


async def items_by_fact(memory: LTMManager) -> dict[str, tuple[Status, int]]:
    page = await memory.browsing.items(ItemFilter())
    return {item.fact: (item.status, item.evidence_count) for item in page.rows}


@pytest.mark.parametrize(
    ("said", "again", "fact"),
    [
        ("I like green tea", "I like green tea!", "User likes green tea"),
        ("我喜欢绿茶", "我喜欢绿茶。", "用户喜欢绿茶"),
    ],
)
async def test_a_preference_not_heard_for_ninety_days_ends_and_comes_back_when_it_is_said_again(
    tmp_path: Path, said: str, again: str, fact: str
) -> None:
    world, alice, hands = World(tmp_path / "host.db"), private("alice"), Hands()
    async with world.memory(settings()) as memory, opened(world.file) as database:
        hands.clock = world.clock
        job = retention(Store(database, world.clock), hands)
        await world.tell(memory, alice, said)
        world.clock.move(timedelta(days=60))
        await world.tell(memory, alice, again)
        world.clock.move(timedelta(days=89))
        await job[SWEEP]()
        assert await items_by_fact(memory) == {fact: (Status.ACTIVE, 2)}
        world.clock.move(timedelta(days=1))
        await job[SWEEP]()
        assert await items_by_fact(memory) == {fact: (Status.EXPIRED, 2)}
        assert fact not in (await memory.recall(alice, said)).block
        await world.tell(memory, alice, again)
        assert await items_by_fact(memory) == {fact: (Status.ACTIVE, 3)}
        assert fact in (await memory.recall(alice, said)).block


async def test_what_was_deleted_long_ago_goes_and_the_rest_stays(store: Store, hands: Hands) -> None:
    old, new = (
        an_item(text, status=Status.DELETED, deleted_at=NOW - timedelta(days=days))
        for text, days in (("old", 31), ("new", 29))
    )
    live = an_item("live", created_at=NOW - timedelta(days=99))
    await keep(store, old, new, live)
    await retention(store, hands)[PURGE]()
    assert await store.item(old.memory_id) is None
    assert [await store.item(item.memory_id) for item in (new, live)] == [new, live]


@pytest.mark.parametrize(("days", "left"), [(3, 0), (-1, 1)])
async def test_housekeeping_removes_what_a_person_forgot(tmp_path: Path, days: int, left: int) -> None:
    world = World(tmp_path / "host.db")
    async with world.memory(settings({"deleted_retention_days": days})) as memory:
        saved = await memory.save(private(), fact="I have a cat", said="I have a cat", message_id="1")
        await memory.forget(private(), saved.item.memory_id)
        world.clock.move(timedelta(days=4))
        parts = memory._components  # pyright: ignore[reportPrivateUsage] - its steps, without waits
        ports = world._ports()  # pyright: ignore[reportPrivateUsage] - what those are made with
        await housekeeping(parts, ports).work()
        assert sum((await parts.store.item_counts()).values()) == left


def over(number: int) -> Item:
    """An item that went out of use so many days ago, by turns in one of two ways."""
    status = (Status.EXPIRED, Status.SUPERSEDED)[number % 2]
    return an_item(f"fact {number}", status=status, updated_at=NOW - timedelta(days=number))


async def test_housekeeping_keeps_a_scope_from_growing_for_ever(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db")
    async with world.memory(settings({})) as memory:
        parts = memory._components  # pyright: ignore[reportPrivateUsage] - its steps, without waits
        await keep(parts.store, *(over(number) for number in range(KEPT + BATCH_SIZE + 1)))
        await housekeeping(parts, world._ports()).work()  # pyright: ignore[reportPrivateUsage] - the same
        counts = await parts.store.item_counts()
        assert sum(counts.values()) == KEPT


async def test_what_waits_for_a_model_is_passed_over_and_then_dropped_and_both_are_logged(
    store: Store, hands: Hands, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    events = [an_event(str(n), created_at=NOW - 2 * MONTH) for n in range(3)]
    async with store.transaction() as tx:
        await tx.add_events(events)
    job = retention(store, hands)
    await job[EVENTS]()
    await job[UNREAD]()
    assert (await store.events.counts()).events[Extraction.SKIPPED] == 3
    await job[EVENTS]()
    assert sum((await store.events.counts()).events.values()) == 0
    assert [record.getMessage() for record in caplog.records] == [
        "3 messages that no model read in time are passed over.",
        "3 old messages on which no memory rests are dropped.",
    ]


async def test_how_many_are_dropped_is_logged_once_a_round_also_when_it_breaks(
    hands: Hands, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    endless = Endless(breaks_at=2)
    with pytest.raises(RuntimeError):
        await retention(endless, hands)[EVENTS]()
    assert [record.args for record in caplog.records] == [(2 * BATCH_SIZE,)]


async def test_the_ledger_remembers_a_year_and_a_month(hands: Hands) -> None:
    endless = Endless()
    await retention(endless, hands)[COUNTS]()
    assert endless.calls[0] == {"before": date(2024, 4, 27)}


async def left(store: Store) -> int:
    return (await store.recalls.counts(since=NOW - timedelta(days=1_000)))[0]


@pytest.mark.parametrize(("keep_for", "expected"), [(WEEK, 3), (timedelta(0), 0), (None, 5)])
async def test_recalls_stay_as_long_as_they_are_to_be_kept(
    store: Store, hands: Hands, keep_for: timedelta | None, expected: int
) -> None:
    await store.recalls.noted([a_recall(at=NOW - age) for age in AGES], kept=True)
    await retention(store, hands, recalls=keep_for)[RECALLS]()
    assert await left(store) == expected


async def test_where_there_are_too_many_recalls_the_newest_stay_however_long_they_may(
    store: Store, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "MAX_RECALLS", 7)
    await store.recalls.noted([a_recall(query=str(n)) for n in range(10)], kept=True)
    await retention(store, hands, recalls=None)[RECALLS]()
    assert await left(store) == 7


@pytest.mark.parametrize(
    ("model", "done", "total", "goes"),
    [
        (Model(), 10, 10, True),
        (Model(given_up=range(2)), 8, 10, True),
        (Model(), 9, 10, False),
        (Model(given_up=range(10)), 0, 10, False),
        (Model(), 0, 0, False),
        (Model(model_id=None), 10, 10, False),
    ],
    ids=[
        "complete",
        "but for what it does not take",
        "not yet",
        "takes nothing",
        "nothing to do",
        "no model",
    ],
)
async def test_old_vectors_go_when_the_model_in_use_has_embedded_all(
    hands: Hands, model: Model, done: int, total: int, *, goes: bool
) -> None:
    class Store(Endless):
        async def progress(self, model_id: str) -> tuple[int, int]:
            assert model_id == "new"
            return done, total

    store = Store()
    await retention(store, hands, model)[VECTORS]()
    assert bool(store.calls) is goes
