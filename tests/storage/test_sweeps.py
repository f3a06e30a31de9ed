"""What housekeeping finds to remove, and what it leaves."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, override

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction, Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import RefusedError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.domain.review import WaitingFilter
from astrbot_plugin_ltm.long_term_memory.domain.writing import AuditEntry
from astrbot_plugin_ltm.long_term_memory.models import EVENTS, TOKENS
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.sweeps import Sweeps
from sqlalchemy import Executable, select

from tests.stores import ALICE, BOB, GROUP, NOW, an_event, an_evidence, an_item, evidence_of, keep

OVER = NOW - timedelta(seconds=1)
DONE = [state for state in Extraction if state is not Extraction.PENDING]
MORTAL = {Status.ACTIVE, Status.SHADOW, Status.PENDING}


async def told(store: Store, *events: Event) -> None:
    async with store.transaction() as tx:
        await tx.add_events(events)


async def texts(store: Store) -> list[str]:
    async with store._database.read() as connection:  # pyright: ignore[reportPrivateUsage] - the rows themselves
        rows = await connection.execute(select(EVENTS.c.content).order_by(EVENTS.c.id))
        return [content["text"] for content in rows.scalars()]


@pytest.mark.parametrize("status", Status)
async def test_only_what_is_used_or_waits_ends_by_itself(store: Store, status: Status) -> None:
    item = an_item(status=status, reason="why", expires_at=OVER)
    await keep(store, item)
    over = await store.sweeps.expire(now=NOW, limit=9)
    assert over == (status in MORTAL)
    kept = await store.item(item.memory_id)
    assert kept
    ended = (Status.EXPIRED, "ttl", NOW)
    assert (kept.status, kept.reason, kept.updated_at) == (ended if over else (status, "why", NOW))
    history = [entry for _, entry in await store.history(item.memory_id)]
    line = AuditEntry(
        actor="system",
        action="expire",
        memory_id=item.memory_id,
        before=status,
        after="expired",
        reason="ttl",
    )
    assert history == ([line] if over else [])


async def ended(store: Store, *items: Item) -> list[str]:
    found = [await store.item(item.memory_id) for item in items]
    return [item.fact for item in found if item and item.status is Status.EXPIRED]


async def test_an_item_ends_at_its_last_instant_and_not_before(store: Store) -> None:
    late, never = an_item("late", expires_at=NOW + timedelta(microseconds=1)), an_item("never")
    now = an_item("now", expires_at=NOW)
    await keep(store, late, never, now)
    assert await store.sweeps.expire(now=NOW, limit=9) == 1
    assert await ended(store, late, never, now) == ["now"]


async def test_what_ended_first_comes_first_and_no_more_than_asked_for(store: Store) -> None:
    items = [an_item(str(days), expires_at=NOW - timedelta(days=days)) for days in (1, 3, 2)]
    await keep(store, *items)
    assert await store.sweeps.expire(now=NOW, limit=2) == 2
    assert await ended(store, *items) == ["3", "2"]


class Between(Sweeps):
    """Something happens between the look and the change."""

    def __init__(self, store: Store, happens: Callable[[], Awaitable[object]]) -> None:
        super().__init__(store._database, lambda: NOW)  # pyright: ignore[reportPrivateUsage] - the same rows
        self._happens = happens

    @override
    async def _column(self, query: Executable) -> Sequence[Any]:
        found = await super()._column(query)
        await self._happens()
        return found


@pytest.mark.parametrize("over", ["expired", "deleted", "superseded"])
async def test_an_item_that_is_in_use_again_since_it_was_looked_at_lives_on(store: Store, over: str) -> None:
    changes: dict[str, dict[str, Any]] = {
        "expired": {"expires_at": OVER},
        "deleted": {"status": Status.DELETED, "deleted_at": OVER},
        "superseded": {"status": Status.SUPERSEDED},
    }
    item = an_item(**changes[over])
    await keep(store, item)

    async def confirm() -> None:
        async with store.transaction() as tx:
            await tx.update_item(replace(item, status=Status.ACTIVE, expires_at=None, deleted_at=None))

    sweeps = Between(store, confirm)
    counts = [
        await sweeps.expire(now=NOW, limit=9),
        await sweeps.purge_deleted(before=NOW, limit=9),
        await sweeps.purge_surplus(keep=0, limit=9),
    ]
    assert counts == [0, 0, 0]
    assert await store.history(item.memory_id) == []


async def test_what_is_purged_takes_its_evidence_along_and_leaves_a_line(store: Store) -> None:
    old = an_item("old", status=Status.DELETED, deleted_at=OVER)
    follower = an_item("outdated", status=Status.SUPERSEDED, superseded_by=old.memory_id)
    await keep(store, old, follower)
    assert await store.sweeps.purge_deleted(before=NOW, limit=9) == 1
    assert (await store.item(old.memory_id), await evidence_of(store, old.memory_id)) == (None, [])
    assert await store.item(follower.memory_id) == replace(follower, superseded_by=None)
    (line,) = [entry for _, entry in await store.history(old.memory_id)]
    assert (line.actor, line.action, line.before, line.after) == ("system", "purge", "deleted", "")


def out_of_use(number: int, **changes: Any) -> Item:
    """An item that went out of use so many days ago, by turns in one of two ways."""
    status = (Status.EXPIRED, Status.SUPERSEDED)[number % 2]
    ended = {"status": status, "updated_at": NOW - timedelta(days=number)}
    return an_item(f"fact {number}", **(ended | changes))


async def test_of_what_is_out_of_use_each_scope_keeps_the_newest(store: Store) -> None:
    items = {
        owner: [out_of_use(number, owner=owner) for number in (2, 5, 1, 4, 3)] for owner in (ALICE, GROUP)
    }
    few = [out_of_use(number, owner=BOB) for number in (9, 8, 7)]
    in_use = (Status.ACTIVE, Status.SHADOW, Status.PENDING, Status.DISABLED, Status.DELETED)
    others = [out_of_use(10 + n, status=status) for n, status in enumerate(in_use)]
    await keep(store, *items[ALICE], *items[GROUP], *few, *others)
    gone = [each.memory_id for n in (1, 3) for each in (items[ALICE][n], items[GROUP][n])]
    assert await store.sweeps.purge_surplus(keep=3, limit=1) == 1
    assert await store.item(gone[0]) is None
    assert await store.sweeps.purge_surplus(keep=3, limit=9) == 3
    assert await store.sweeps.purge_surplus(keep=3, limit=9) == 0
    for memory_id in gone:
        assert (await store.item(memory_id), await evidence_of(store, memory_id)) == (None, [])
    (line,) = [entry for _, entry in await store.history(gone[0])]
    assert (line.action, line.before, line.after, line.reason) == ("purge", "superseded", "", "surplus")
    async with store.transaction() as tx:
        found_by_words = await tx.similar(ALICE, few[0].level, "fact", limit=99)
    assert {item.memory_id for item in found_by_words}.isdisjoint(gone)
    assert len(found_by_words) == 3 + len(others)


async def test_an_event_goes_when_it_is_old_and_nothing_rests_on_it_or_waits_for_it(store: Store) -> None:
    old = NOW - timedelta(days=31)
    states = [an_event(state.value, extraction=state, created_at=old) for state in Extraction]
    await told(store, *states, an_event("new", extraction=Extraction.DONE))
    item, said = an_item(), an_event("said", extraction=Extraction.DONE, created_at=old)
    async with store.transaction() as tx:
        await tx.add_events([said])
        await tx.insert_item(item, [an_evidence(item, said)])
    month = NOW - timedelta(days=30)
    assert await store.sweeps.drop_events(before=month, limit=99) == 3
    assert await texts(store) == ["pending", "new", "said"]
    assert await store.sweeps.drop_events(before=month, limit=99) == 0


async def test_what_waited_for_a_model_too_long_is_passed_over_and_then_goes_unless_it_is_evidence(
    store: Store,
) -> None:
    old, month = NOW - timedelta(days=31), NOW - timedelta(days=30)
    waits, read, said = (an_event(text, created_at=old) for text in ("waits", "read", "said"))
    item = an_item()
    await told(
        store, waits, read, an_event("new"), *(an_event(s, extraction=s, created_at=old) for s in DONE)
    )
    async with store.transaction() as tx:
        await tx.add_events([said])
        await tx.insert_item(item, [an_evidence(item, said)])

    async def claim_one() -> None:
        async with store.transaction() as tx:
            assert await tx.claim([waits, read, said], lease="worker", now=NOW)
            await tx.mark_events([waits.event_id, said.event_id], Extraction.PENDING)

    assert await Between(store, claim_one).pass_over(before=month, limit=99) == 2
    counts = await store.events.counts()
    assert (counts.events[Extraction.PENDING], counts.passed_over) == (2, 2)
    await store.sweeps.drop_events(before=month, limit=99)
    assert await texts(store) == ["read", "new", "said"]


async def test_old_events_are_found_oldest_first_and_no_more_than_asked_for(store: Store) -> None:
    days = (40, 60, 50)
    await told(
        store,
        *(an_event(str(d), extraction=Extraction.DONE, created_at=NOW - timedelta(days=d)) for d in days),
    )
    await store.sweeps.drop_events(before=NOW, limit=2)
    assert await texts(store) == ["40"]


async def test_an_event_that_became_evidence_since_it_was_looked_at_stays(store: Store) -> None:
    said, again = (an_event(text, extraction=Extraction.DONE, created_at=OVER) for text in ("said", "again"))
    await told(store, said, again)
    item = an_item()

    async def use_both() -> None:
        async with store.transaction() as tx:
            await tx.insert_item(item, [an_evidence(item, said)])
            await tx.mark_events([again.event_id], Extraction.PENDING)

    assert await Between(store, use_both).drop_events(before=NOW, limit=9) == 0


async def test_evidence_of_items_that_are_not_used_any_more_keeps_its_event_too(store: Store) -> None:
    for status in (Status.DELETED, Status.EXPIRED, Status.SUPERSEDED):
        await keep(store, an_item(status.value, status=status))
    async with store.transaction() as tx:
        ids = [event_id for _, event_id in await event_ids(store)]
        await tx.mark_events(ids, Extraction.DONE)
    assert await store.sweeps.drop_events(before=NOW + timedelta(days=1), limit=9) == 0


async def event_ids(store: Store) -> list[tuple[int, str]]:
    async with store._database.read() as connection:  # pyright: ignore[reportPrivateUsage] - the rows themselves
        rows = await connection.execute(select(EVENTS.c.id, EVENTS.c.event_id))
        return [(row, event_id) for row, event_id in rows.all()]


async def test_old_days_of_the_token_ledger_go_oldest_first(store: Store) -> None:
    days = ("2023-12-31", "2024-01-01", "2024-01-02", "2025-01-01")
    rows = [{"day": day, "provider_id": name, "calls": 1} for day in days for name in ("a", "b")]
    async with store._database.write() as connection:  # pyright: ignore[reportPrivateUsage] - the rows themselves
        await connection.change(TOKENS.insert(), rows)
    assert await store.sweeps.drop_token_days(before=date(2024, 1, 2), limit=1) == 2
    assert await store.sweeps.drop_token_days(before=date(2024, 1, 2), limit=9) == 2
    assert await store.sweeps.drop_token_days(before=date(2024, 1, 2), limit=9) == 0
    async with store._database.read() as connection:  # pyright: ignore[reportPrivateUsage] - the rows themselves
        left = (await connection.execute(select(TOKENS.c.day))).scalars().all()
    assert list(left) == ["2024-01-02", "2024-01-02", "2025-01-01", "2025-01-01"]


async def test_who_waits_is_told_by_reason_with_those_that_end_soon(store: Store) -> None:
    soon, late = NOW + timedelta(days=3), NOW + timedelta(days=3, seconds=1)
    pending = Status.PENDING
    await keep(
        store,
        an_item("a", status=pending, reason="not_in_evidence:Bob", expires_at=soon),
        an_item("b", status=pending, reason="not_in_evidence:7", expires_at=late),
        an_item("c", status=Status.SHADOW, reason="mode"),
        an_item("d", status=pending, reason="unverified", expires_at=OVER),
        an_item("e", reason="mode", expires_at=soon),
        an_item("f", status=Status.DISABLED, reason="mode", expires_at=soon),
    )
    waiting = await store.browsing.waiting(WaitingFilter(page_size=1), soon=soon)
    assert (len(waiting.rows), waiting.total, waiting.expire_soon) == (1, 4, 2)
    assert waiting.reasons == {"not_in_evidence": 2, "mode": 1, "unverified": 1}


async def test_nothing_waits_in_an_empty_store(store: Store) -> None:
    waiting = await store.browsing.waiting(WaitingFilter(), soon=NOW + timedelta(days=3))
    assert (waiting.total, waiting.expire_soon, waiting.reasons) == (0, 0, {})


async def test_nothing_is_removed_while_the_store_is_read_only(store: Store) -> None:
    item = an_item(expires_at=OVER)
    await keep(store, item)
    store.read_only = True
    with pytest.raises(RefusedError):
        await store.sweeps.expire(now=NOW, limit=9)
