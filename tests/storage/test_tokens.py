from datetime import timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.writing import TokenReservation
from astrbot_plugin_ltm.long_term_memory.policies.token_cap import day_of
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.stores import NOW, migrated, opened

TODAY = day_of(NOW)
CALL = TokenReservation(day=TODAY, provider_id="gpt", prompt_tokens=100, answer_tokens=50)


async def book(store: Store, *reservations: TokenReservation) -> None:
    async with store.transaction() as transaction:
        for reservation in reservations:
            await transaction.book(reservation)


async def test_a_day_without_a_call_has_cost_nothing(store: Store) -> None:
    assert await store.events.spent(TODAY) == (0, 0)


async def test_calls_of_all_providers_add_up_by_day(store: Store) -> None:
    other = TokenReservation(day=TODAY, provider_id="local", prompt_tokens=1, answer_tokens=2)
    before = TokenReservation(
        day=day_of(NOW - timedelta(days=1)), provider_id="gpt", prompt_tokens=7, answer_tokens=7
    )
    await book(store, CALL, CALL, other, before)
    assert await store.events.spent(TODAY) == (3, 303)
    async with store.transaction() as transaction:
        assert await transaction.spent(TODAY) == (3, 303)


async def test_what_a_call_did_cost_takes_the_place_of_its_booking(store: Store) -> None:
    await book(store, CALL, CALL)
    async with store.transaction() as transaction:
        await transaction.correct(CALL, prompt_tokens=400, answer_tokens=0)
    assert await store.events.spent(TODAY) == (2, 550)


async def test_a_call_that_was_never_made_costs_nothing(store: Store) -> None:
    await book(store, CALL, CALL)
    for _ in range(3):
        async with store.transaction() as transaction:
            await transaction.correct(CALL)
    assert await store.events.spent(TODAY) == (0, 0)


async def test_a_booking_outlives_the_process(tmp_path: Path) -> None:
    file = migrated(tmp_path / "data.db")
    for expected in (150, 300):
        async with opened(file) as database:
            store = Store(database, lambda: NOW)
            await book(store, CALL)
            assert await store.events.spent(TODAY) == (expected / 150, expected)


async def test_a_booking_that_is_rolled_back_was_never_there(store: Store) -> None:
    with pytest.raises(RuntimeError):
        await book_and_break(store)
    assert await store.events.spent(TODAY) == (0, 0)


async def book_and_break(store: Store) -> None:
    async with store.transaction() as transaction:
        await transaction.book(CALL)
        raise RuntimeError
