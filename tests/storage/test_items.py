from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import (
    Audience,
    Extraction,
    Level,
    MemoryType,
    Origin,
    Role,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item, ItemFilter
from astrbot_plugin_ltm.long_term_memory.models import EVENTS, ITEMS, METADATA
from astrbot_plugin_ltm.long_term_memory.settings import ExtractionSettings
from astrbot_plugin_ltm.long_term_memory.storage import events, items
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, Table, create_engine, select
from sqlalchemy.exc import StatementError

from tests.stores import ALICE, BOB, GROUP, NOW, an_event, an_item, keep

INSTANTS = st.datetimes(min_value=datetime(1971, 1, 1), max_value=datetime(2900, 1, 1)).map(  # noqa: DTZ001
    lambda naive: naive.replace(tzinfo=UTC)
)
SHARES = st.floats(0, 1)
SAID = st.text(min_size=1).filter(lambda text: text.strip(" \t\r\n") != "")
OWNERS = st.sampled_from([ALICE, BOB, GROUP])
ITEM = st.builds(
    Item,
    memory_id=st.uuids().map(str), owner=OWNERS, type=st.sampled_from(MemoryType), fact=SAID,
    fact_key=st.text(), confidence=SHARES, importance=SHARES, evidence_count=st.integers(1, 99),
    ttl_days=st.none() | st.integers(0, 999), status=st.sampled_from(Status), reason=st.text(),
    level=st.sampled_from(Level), audience=st.sampled_from(Audience), origin=st.sampled_from(Origin),
    origin_umo=st.text(), person=st.text(), relationship=st.text(), backstory=st.text(), slot=st.text(),
    superseded_by=st.none() | st.text(), tags=st.lists(st.text()).map(tuple), emotion=SHARES,
    persona_id=st.text(), access_count=st.integers(0, 99), created_at=INSTANTS, updated_at=INSTANTS,
    last_confirmed_at=INSTANTS, last_accessed_at=st.none() | INSTANTS, expires_at=st.none() | INSTANTS,
    deleted_at=st.none() | INSTANTS,
)  # fmt: skip
EVENT = st.builds(
    Event,
    event_id=st.uuids().map(str), at_scope=OWNERS, owner=OWNERS,
    role=st.sampled_from(Role), text=st.text(), tool=st.text(), platform_id=st.text(), umo=st.text(),
    conversation_id=st.text(), message_id=st.text(), sender_id=st.text(), sender_name=st.text(),
    level=st.sampled_from(Level), created_at=INSTANTS, extraction=st.sampled_from(Extraction),
    attempts=st.integers(0, 99), last_error=st.text(),
)  # fmt: skip


def in_memory() -> Engine:
    engine = create_engine("sqlite://")
    METADATA.create_all(engine)
    return engine


ENGINE = in_memory()


def round_trip(table: Table, values: dict[str, Any]) -> Any:
    with ENGINE.connect() as connection:
        connection.execute(table.insert().values(values))
        return connection.execute(select(table)).mappings().one()


@given(ITEM)
def test_any_item_comes_back_as_it_went_in(item: Item) -> None:
    assert items.item_of(round_trip(ITEMS, items.values_of(item))) == item


@given(EVENT)
def test_any_event_comes_back_as_it_went_in(event: Event) -> None:
    assert events.event_of(round_trip(EVENTS, events.values_of(event))) == event


@given(st.lists(INSTANTS, min_size=2, unique=True))
def test_instants_sort_in_the_store_as_they_do_in_time(instants: list[datetime]) -> None:
    with ENGINE.connect() as connection:
        for at in instants:
            connection.execute(EVENTS.insert().values(events.values_of(an_event(created_at=at))))
        found = connection.execute(select(EVENTS.c.created_at).order_by(EVENTS.c.created_at)).scalars().all()
    assert found == sorted(instants)


def test_an_instant_of_another_zone_comes_back_in_utc() -> None:
    shanghai = datetime(2025, 6, 1, 8, tzinfo=timezone(timedelta(hours=8)))
    row = round_trip(EVENTS, events.values_of(an_event(created_at=shanghai)))
    assert row["created_at"] == datetime(2025, 6, 1, tzinfo=UTC)
    assert row["created_at"].tzinfo is UTC


def test_an_instant_of_no_zone_is_refused() -> None:
    with pytest.raises(StatementError, match="needs a time zone"):
        round_trip(EVENTS, events.values_of(an_event(created_at=datetime(2025, 6, 1))))  # noqa: DTZ001


async def test_half_a_character_is_stored_as_a_question_mark(store: Store) -> None:
    event = an_event("broken \ud83d emoji", sender_name="\udc00lice")
    async with store.transaction() as transaction:
        await transaction.add_events([event])
    batch = (
        await store.events.due(
            settings=ExtractionSettings(batch_turns=1, idle=timedelta(0)), now=NOW, limit=1
        )
    ).batch
    (stored,) = batch
    assert (stored.text, stored.sender_name) == ("broken ? emoji", "?lice")


async def listed(store: Store, **wanted: Any) -> list[str]:
    return [item.fact for item in (await store.browsing.items(ItemFilter(**wanted))).rows]


async def test_the_operators_list_is_filtered_by_scope_type_and_status(store: Store) -> None:
    await keep(
        store,
        an_item("a", type=MemoryType.PREFERENCE),
        an_item("b", owner=BOB, status=Status.PENDING),
        an_item("c", owner=GROUP, status=Status.DELETED),
    )
    assert await listed(store) == ["c", "b", "a"]
    assert await listed(store, scope="user") == ["b", "a"]
    assert await listed(store, scope_id=GROUP.scope_id) == ["c"]
    assert await listed(store, scope="user", scope_id=GROUP.scope_id) == []
    assert await listed(store, type=MemoryType.PREFERENCE) == ["a"]
    assert await listed(store, status=Status.PENDING) == ["b"]


async def test_the_operators_list_comes_in_pages_last_changed_first(store: Store) -> None:
    await keep(store, *(an_item(str(day), updated_at=NOW + timedelta(days=day)) for day in (3, 1, 4, 2, 5)))
    first = await store.browsing.items(ItemFilter(sort="-updated", page=1, page_size=2))
    assert [item.fact for item in first.rows] == ["5", "4"]
    assert (first.total, first.page, first.page_size) == (5, 1, 2)
    assert await listed(store, sort="-updated", page=3, page_size=2) == ["1"]
    assert await listed(store, sort="-updated", page=4, page_size=2) == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["100% sure", "snake_case", "养了一只熊猫", "a\\b/c"]),
        ("   ", ["100% sure", "snake_case", "养了一只熊猫", "a\\b/c"]),
        ("%", ["100% sure"]),
        ("_", ["snake_case"]),
        ("SNAKE", ["snake_case"]),
        ("熊猫", ["养了一只熊猫"]),
        ("sure 100", ["100% sure"]),
        ("sure snake", []),
        ("\\", ["a\\b/c"]),
        ("/c", ["a\\b/c"]),
        ("'; DROP TABLE ltm_items; --", []),
        ("\0", ["100% sure", "snake_case", "养了一只熊猫", "a\\b/c"]),
        ("nothing like it" * 100_000, []),
        ("x" * 100_000, []),
        ("\0unicorn", []),
        ("Fido", ["养了一只熊猫"]),
    ],
)
async def test_the_operators_query_is_taken_as_written(store: Store, query: str, found: list[str]) -> None:
    await keep(store, an_item("a\\b/c"), an_item("养了一只熊猫", person="Fido"), an_item("snake_case"))
    await keep(store, an_item("100% sure"))
    assert await listed(store, query=query) == found


async def test_items_are_counted_by_status_and_type(store: Store) -> None:
    await keep(
        store, an_item("a"), an_item("b"), an_item("c", status=Status.PENDING, type=MemoryType.EPISODE)
    )
    assert await store.item_counts() == {
        (Status.ACTIVE, MemoryType.PROFILE): 2,
        (Status.PENDING, MemoryType.EPISODE): 1,
    }


async def test_an_item_is_asked_for_by_id_whatever_its_status(store: Store) -> None:
    item = an_item(status=Status.DELETED, deleted_at=NOW)
    await keep(store, item)
    assert await store.item(item.memory_id) == item
    assert await store.item("no such id") is None


async def test_a_store_that_is_read_again_holds_what_an_update_left(store: Store) -> None:
    item = an_item()
    await keep(store, item)
    later = replace(item, status=Status.DISABLED, reason="wrong", tags=("家", "home"), evidence_count=2)
    async with store.transaction() as transaction:
        await transaction.update_item(later)
    assert await store.item(item.memory_id) == later


async def test_items_of_any_status_are_found_by_the_start_of_their_id_oldest_first(store: Store) -> None:
    await keep(store, *(an_item(status, status=status, memory_id=f"{status}-id") for status in Status))
    assert [item.fact for item in await store.beginning("", limit=9)] == list(Status)
    assert [item.fact for item in await store.beginning("", limit=1)] == [next(iter(Status))]
    assert [item.fact for item in await store.beginning("pend", limit=2)] == ["pending"]
    assert await store.beginning("%", limit=2) == []


async def similar(store: Store, text: str, *, limit: int = 9) -> list[str]:
    async with store.transaction() as transaction:
        found = await transaction.similar(ALICE, Level.INTERNAL, text, limit=limit)
    return [item.fact for item in found]


async def test_the_nearest_items_by_words_are_those_of_this_owner_and_level_alone(store: Store) -> None:
    await keep(
        store,
        an_item("User likes green tea"),
        an_item("User likes tea", person="Bob"),
        an_item("Another likes green tea", owner=BOB),
        an_item("Secret green tea", level=Level.RESTRICTED),
        an_item("User plays chess"),
    )
    assert await similar(store, "green tea") == ["User likes green tea", "User likes tea"]
    assert await similar(store, "green tea", limit=1) == ["User likes green tea"]


@pytest.mark.parametrize("status", list(Status))
async def test_the_nearest_items_by_words_have_whatever_status(store: Store, status: Status) -> None:
    await keep(store, an_item("用户喜欢绿茶", status=status))
    assert await similar(store, "他爱喝绿茶") == ["用户喜欢绿茶"]


@pytest.mark.parametrize("text", ["", "?!", 'tea" OR "chess', "NEAR(tea chess)", "text:tea*", "(" * 9_000])
async def test_no_text_is_a_query_of_its_own(store: Store, text: str) -> None:
    await keep(store, an_item("User likes tea"))
    assert await similar(store, text) == (["User likes tea"] if "tea" in text else [])


async def test_a_slot_is_answered_by_the_live_items_of_its_owner_level_and_person(store: Store) -> None:
    home = {"slot": "home_city"}
    await keep(store, *(an_item(status, status=status, **home) for status in Status))
    await keep(
        store,
        an_item("a", **home, person="Bob"),
        an_item("b", **home, owner=BOB),
        an_item("c", **home, level=Level.RESTRICTED),
        an_item("d", slot="job"),
    )
    async with store.transaction() as transaction:
        found = await transaction.same_slot(ALICE, Level.INTERNAL, "home_city", "")
        of_bob = await transaction.same_slot(ALICE, Level.INTERNAL, "home_city", "Bob")
    assert [item.fact for item in found] == ["active", "shadow", "pending", "disabled"]
    assert [item.fact for item in of_bob] == ["a"]
