from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import LIVE_STATUSES, Extraction, Level, Role, Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import NotFoundError, RefusedError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.review import WaitingFilter
from astrbot_plugin_ltm.long_term_memory.domain.writing import AuditEntry
from astrbot_plugin_ltm.long_term_memory.models import EVENTS
from astrbot_plugin_ltm.long_term_memory.settings import ExtractionSettings
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from sqlalchemy.exc import IntegrityError

from tests.stores import (
    ALICE,
    BOB,
    GROUP_CHAT,
    NOW,
    PRIVATE_CHAT,
    a_given,
    a_recall,
    an_access,
    an_event,
    an_evidence,
    an_item,
    evidence_of,
    keep,
)

HOUR = timedelta(hours=1)
REFUSAL = AuditEntry(actor="system", action="refuse", memory_id="m", before="", after="", reason="read-only")


async def test_what_was_inserted_comes_back_with_the_words_it_came_from(store: Store) -> None:
    item = an_item("住在北京", tags=("家",))
    event = an_event("我住在北京", sender_name="爱丽丝")
    evidence = an_evidence(item, event, quote="住在北京")
    async with store.transaction() as transaction:
        await transaction.add_events([event])
        await transaction.insert_item(item, [evidence])
    assert await store.item(item.memory_id) == item
    (found,) = await evidence_of(store, item.memory_id)
    assert {**vars(found), **vars(evidence)} == vars(found)
    assert (found.role, found.sender_id, found.sender_name) == (Role.USER, "alice", "爱丽丝")
    assert (found.said_at, found.umo) == (NOW, PRIVATE_CHAT)


async def test_evidence_is_shown_in_the_order_it_was_said(store: Store) -> None:
    item = an_item()
    said = [an_event(str(day), created_at=NOW + timedelta(days=day)) for day in (2, 3, 1)]
    async with store.transaction() as transaction:
        await transaction.add_events(said)
        await transaction.insert_item(item, [an_evidence(item, event) for event in said])
    assert [one.quote for one in await evidence_of(store, item.memory_id)] == ["1", "2", "3"]


async def test_what_stands_around_the_words_is_shown_to_operators_and_to_nobody_else(store: Store) -> None:
    item = an_item("Alice's name is Hamlet", status=Status.PENDING)
    event = an_event("In the play on Friday I say: my name is Hamlet. Ha!")
    async with store.transaction() as transaction:
        await transaction.add_events([event])
        await transaction.insert_item(item, [an_evidence(item, event, quote="my name is Hamlet")])
    (shown,) = await evidence_of(store, item.memory_id)
    assert (shown.before, shown.after) == ("In the play on Friday I say: ", ". Ha!")
    page = await store.browsing.waiting(WaitingFilter(), soon=NOW)
    assert [(row.item, row.evidence, row.ends_soon) for row in page.rows] == [(item, [shown], False)]
    (own,) = await store.memories.own_evidence(item.memory_id, an_access())
    ((_, taken_away, _),) = await store.memories.own_part(an_access(), after="", limit=10)
    assert [own] == taken_away == [replace(shown, before="", after="")]


async def test_an_item_without_evidence_is_refused(store: Store) -> None:
    with pytest.raises(IntegrityError, match="an item needs evidence"):
        async with store.transaction() as transaction:
            await transaction.insert_item(an_item(), [])
    assert await store.item_counts() == {}


async def test_evidence_that_names_no_event_is_refused(store: Store) -> None:
    item = an_item()
    with pytest.raises(IntegrityError, match="FOREIGN KEY"):
        async with store.transaction() as transaction:
            await transaction.insert_item(item, [an_evidence(item, an_event())])


async def test_nothing_of_a_transaction_that_fails_is_kept(store: Store) -> None:
    item, event = an_item(), an_event()
    with suppress(ZeroDivisionError):
        async with store.transaction() as transaction:
            await transaction.add_events([event])
            await transaction.insert_item(item, [an_evidence(item, event)])
            await transaction.audit(REFUSAL)
            _ = 1 / 0
    assert await store.item_counts() == {}
    assert await store.history("m") == []
    assert sum((await store.events.counts()).events.values()) == 0
    async with store.transaction() as transaction:
        assert await transaction.similar(ALICE, item.level, "Beijing", limit=9) == []


async def test_an_item_is_found_by_its_identity(store: Store) -> None:
    item = an_item(fact_key="home", person="father")
    await keep(store, item)
    async with store.transaction() as transaction:
        assert await transaction.find_item(ALICE, item.level, "home", "father") == item
        assert await transaction.find_item(BOB, item.level, "home", "father") is None
        assert await transaction.find_item(ALICE, Level.PUBLIC, "home", "father") is None
        assert await transaction.find_item(ALICE, item.level, "job", "father") is None
        assert await transaction.find_item(ALICE, item.level, "home", "") is None
        assert await transaction.get_item(item.memory_id) == item
        assert await transaction.get_item("another") is None


@pytest.mark.parametrize("status", sorted(LIVE_STATUSES))
async def test_the_live_item_is_found_before_newer_ones_that_are_not(store: Store, status: Status) -> None:
    live = an_item("one", fact_key="home", status=status, updated_at=NOW - HOUR)
    await keep(store, an_item("two", fact_key="home", status=Status.DELETED), live)
    assert await found_home(store) == live


async def test_without_a_live_item_the_newest_of_the_others_is_found(store: Store) -> None:
    newest = an_item("two", fact_key="home", status=Status.EXPIRED, updated_at=NOW)
    older = an_item("one", fact_key="home", status=Status.DELETED, updated_at=NOW - HOUR)
    await keep(store, older, newest, replace(older, memory_id="oldest", updated_at=NOW - 2 * HOUR))
    assert await found_home(store) == newest


async def found_home(store: Store) -> Item | None:
    async with store.transaction() as transaction:
        return await transaction.find_item(ALICE, Level.INTERNAL, "home", "")


async def test_a_second_live_item_of_one_identity_is_refused(store: Store) -> None:
    await keep(store, an_item(fact_key="home"))
    with pytest.raises(IntegrityError, match="UNIQUE"):
        await keep(store, an_item("elsewhere", fact_key="home", status=Status.SHADOW))


async def test_an_update_adds_evidence_once_per_event(store: Store) -> None:
    item, event, again = an_item(), an_event(), an_event("still in Beijing")
    async with store.transaction() as transaction:
        await transaction.add_events([event, again])
        await transaction.insert_item(item, [an_evidence(item, event)])
        assert await transaction.has_evidence(item.memory_id, event.event_id)
        assert not await transaction.has_evidence(item.memory_id, again.event_id)
        await transaction.update_item(replace(item, evidence_count=2), [an_evidence(item, again)])
        assert await transaction.has_evidence(item.memory_id, again.event_id)
    assert len(await evidence_of(store, item.memory_id)) == 2
    with pytest.raises(IntegrityError, match="UNIQUE"):
        async with store.transaction() as transaction:
            await transaction.update_item(item, [an_evidence(item, again)])


async def test_an_update_of_an_item_that_is_not_there_is_refused(store: Store) -> None:
    with pytest.raises(NotFoundError):
        async with store.transaction() as transaction:
            await transaction.update_item(an_item())


async def test_a_superseded_item_names_one_that_exists(store: Store) -> None:
    beijing, shanghai = an_item("Beijing"), an_item("Shanghai")
    await keep(store, beijing)
    event = an_event("now Shanghai")
    async with store.transaction() as transaction:
        await transaction.update_item(
            replace(beijing, status=Status.SUPERSEDED, superseded_by=shanghai.memory_id)
        )
        await transaction.add_events([event])
        await transaction.insert_item(shanghai, [an_evidence(shanghai, event)])
    stored = await store.item(beijing.memory_id)
    assert stored is not None
    assert stored.superseded_by == shanghai.memory_id
    with pytest.raises(IntegrityError, match="FOREIGN KEY"):
        async with store.transaction() as transaction:
            await transaction.update_item(replace(beijing, superseded_by="nobody"))


async def test_an_event_that_is_there_already_stays_as_it_is(store: Store) -> None:
    event = an_event("first", event_id="e")
    async with store.transaction() as transaction:
        await transaction.add_events([event])
        await transaction.add_events([])
        await transaction.add_events([replace(event, text="second"), an_event("third", event_id="f")])
    batch = (
        await store.events.due(
            settings=ExtractionSettings(batch_turns=1, idle=timedelta(0)), now=NOW, limit=9
        )
    ).batch
    assert [one.text for one in batch] == ["first", "third"]


async def test_a_message_whose_row_lacks_a_text_asks_nothing(store: Store) -> None:
    said = an_event("What is your PIN?", role=Role.ASSISTANT)
    empty = an_event(role=Role.ASSISTANT, created_at=NOW + timedelta(seconds=1))
    async with store.transaction() as transaction:
        await transaction.add_events([said, empty])
    async with store._database.write() as connection:  # pyright: ignore[reportPrivateUsage]
        await connection.change(EVENTS.update().where(EVENTS.c.event_id == empty.event_id).values(content={}))
    asked = await store.in_snapshot(
        lambda tx: tx.asked_before(PRIVATE_CHAT, ALICE.scope_id, before=NOW + timedelta(minutes=1))
    )
    assert asked.strip() == "What is your PIN?"


async def test_events_move_on_and_say_why(store: Store) -> None:
    done, failed, waiting = an_event(), an_event(), an_event()
    async with store.transaction() as transaction:
        await transaction.add_events([done, failed, waiting])
        await transaction.mark_events([done.event_id], Extraction.DONE)
        await transaction.mark_events([failed.event_id], Extraction.FAILED, "too many tries")
    counts = await store.events.counts()
    assert counts.events == {
        Extraction.DONE: 1,
        Extraction.FAILED: 1,
        Extraction.PENDING: 1,
        Extraction.SKIPPED: 0,
    }
    assert counts.last_error == "too many tries"


async def test_usage_counts_what_is_new_in_the_hour_in_a_chat_and_everywhere(store: Store) -> None:
    def made(ago: timedelta, umo: str = PRIVATE_CHAT, status: Status = Status.ACTIVE) -> Item:
        fact = f"{ago} {umo}"
        return an_item(fact, created_at=NOW - ago, origin_umo=umo, status=status)

    half, three = timedelta(minutes=30), 3 * HOUR
    await keep(store, made(half), made(half, GROUP_CHAT, Status.DELETED), made(three), made(24 * HOUR))
    await keep(store, made(HOUR))
    async with store.transaction() as transaction:
        counts = await transaction.quota_counts(ALICE, PRIVATE_CHAT, now=NOW, full_at=99)
    assert (counts.new_in_chat, counts.new_in_hour, counts.live_in_scope) == (1, 2, [])


async def test_usage_lists_the_live_items_of_a_full_scope(store: Store) -> None:
    live = [an_item(str(hours), last_confirmed_at=NOW - hours * HOUR) for hours in (1, 2, 3)]
    await keep(store, *live, an_item("gone", status=Status.EXPIRED), an_item("theirs", owner=BOB))
    async with store.transaction() as transaction:
        full = await transaction.quota_counts(ALICE, "", now=NOW, full_at=3)
        found = {each.fact: each.last_confirmed_at for each in full.live_in_scope}
        assert found == {item.fact: item.last_confirmed_at for item in live}
        roomy = await transaction.quota_counts(ALICE, "", now=NOW, full_at=4)
        assert roomy.live_in_scope == []


async def test_the_history_of_an_item_is_told_in_order_and_dated_by_the_clock(store: Store) -> None:
    added = AuditEntry(
        actor="system", action="insert", memory_id="m", before="", after="shadow", reason="mode"
    )
    entries = [
        added,
        replace(added, actor="operator:ann", action="approve", before="shadow", after="active", reason=""),
    ]
    async with store.transaction() as transaction:
        for entry in entries:
            await transaction.audit(entry)
        await transaction.audit(replace(entries[0], memory_id="another"))
    assert await store.history("m") == [(NOW, entry) for entry in entries]


async def test_read_only_means_no_row_changes_at_all(store: Store) -> None:
    item = an_item()
    await keep(store, item)
    store.read_only = True
    assert store.read_only
    with pytest.raises(RefusedError, match="emergency_read_only"):
        async with store.transaction():
            pytest.fail("nothing may be written")
    for refused in (
        store.events.postpone(["e"], until=NOW, error=""),
        store.events.give_up(["e"], error="", lease=""),
        store.events.release("lease"),
        store.events.release_all(),
        store.vectors.put("model", []),
        store.delete_vectors(ALICE, item.memory_id),
        store.policies.record({}, actor="system"),
    ):
        with pytest.raises(RefusedError, match="emergency_read_only"):
            await refused
    await store.recalls.noted([a_recall(given=(a_given(item.memory_id),))], kept=True)
    assert (await store.recalls.counts(since=NOW))[0] == 0
    assert await store.item(item.memory_id) == item


async def test_each_policy_ever_in_force_has_its_version(store: Store) -> None:
    assert await store.policies.current() is None
    shadow = {"write": {"mode": "shadow", "allowed_types": ["profile"]}, "read": {"max_items": 15}}
    auto = {**shadow, "write": {"mode": "auto"}}
    versions = [
        (await store.policies.record(policy, actor="system")).version
        for policy in (shadow, shadow, auto, shadow)
    ]
    assert versions == [1, 1, 2, 3]
    current = await store.policies.current()
    assert current is not None
    assert (current.version, current.policy, current.actor, current.created_at) == (3, shadow, "system", NOW)


async def test_the_deleted_items_of_an_event_are_found_by_it(store: Store) -> None:
    gone, live, other = an_item("one", status=Status.DELETED), an_item("two"), an_item("three")
    event, another = an_event(), an_event("I live in Rome")
    async with store.transaction() as transaction:
        await transaction.add_events([event, another])
        for item in (gone, live):
            await transaction.insert_item(item, [an_evidence(item, event)])
        other = replace(other, status=Status.DELETED)
        await transaction.insert_item(other, [an_evidence(other, another)])
        assert await transaction.deleted_on(event.event_id) == [gone]
        assert await transaction.deleted_on("no such event") == []
