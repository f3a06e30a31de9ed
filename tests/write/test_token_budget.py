import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import NoProviderError, UnavailableError
from astrbot_plugin_ltm.long_term_memory.models import TOKENS
from astrbot_plugin_ltm.long_term_memory.settings import ExtractionSettings

from tests.write.desk import Desk, FrailDatabase, OpenDesk
from tests.write.fakes import ScriptedChatModel

NOTHING = {"calls": 0, "prompt_tokens": 0, "answer_tokens": 0}


async def ledger(desk: Desk) -> Mapping[str, int]:
    rows = await desk.rows(TOKENS)
    return {name: sum(row[name] for row in rows) for name in NOTHING}


async def ask(desk: Desk) -> str:
    reservation = desk.budget.price("gpt", "Hello?")
    async with desk.store.transaction() as tx:
        assert await desk.budget.book(tx, reservation)
    return await desk.budget.complete(reservation, umo="umo", prompt="Hello?")


async def test_a_price_is_that_of_all_parts_and_of_an_answer_yet_to_come(open_desk: OpenDesk) -> None:
    reservation = (await open_desk()).budget.price("gpt", "x" * 10, system="喝" * 10, allowance=50)
    assert (reservation.prompt_tokens, reservation.answer_tokens, reservation.total) == (9, 50, 59)
    assert (reservation.day, reservation.provider_id) == ("2025-03-01", "gpt")


async def test_what_the_provider_tells_takes_the_place_of_the_booking(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel("[]"))
    assert await ask(desk) == "[]"
    assert await ledger(desk) == {"calls": 1, "prompt_tokens": 90, "answer_tokens": 10}


@pytest.mark.parametrize("error", [NoProviderError("none"), UnavailableError("refused", cost_nothing=True)])
async def test_a_call_that_the_provider_did_not_work_on_is_taken_back(
    open_desk: OpenDesk, error: UnavailableError
) -> None:
    desk = await open_desk(ScriptedChatModel(error))
    with pytest.raises(UnavailableError):
        await ask(desk)
    assert await ledger(desk) == NOTHING


async def test_a_call_that_failed_may_have_cost_what_was_booked(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel(UnavailableError("timeout")))
    with pytest.raises(UnavailableError):
        await ask(desk)
    reservation = desk.budget.price("gpt", "Hello?")
    assert await ledger(desk) == {
        "calls": 1,
        "prompt_tokens": reservation.prompt_tokens,
        "answer_tokens": reservation.answer_tokens,
    }


async def test_an_answer_is_there_even_when_the_ledger_cannot_be_written(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel("[]")
    desk = await open_desk(model)

    async def lock() -> None:
        desk.database.broken = UnavailableError("the database is locked")

    model.during = lock
    assert await ask(desk) == "[]"
    desk.database.broken = None
    assert (await ledger(desk))["answer_tokens"] > 10


async def test_a_call_that_was_called_off_may_have_cost_what_was_booked(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel("[]")
    desk = await open_desk(model)
    asked = asyncio.Event()

    async def hang() -> None:
        asked.set()
        await asyncio.Event().wait()

    model.during = hang
    async with asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(ask(desk))
        await asked.wait()
        asking.cancel()
    assert (await ledger(desk))["calls"] == 1
    assert (await ledger(desk))["answer_tokens"] > 10


async def test_a_call_is_booked_up_to_the_cap_and_not_beyond(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    reservation = desk.budget.price("gpt", "Hello?")
    desk.settings = ExtractionSettings(daily_token_cap=3 * reservation.total)
    async with desk.store.transaction() as tx:
        assert [await desk.budget.book(tx, reservation) for _ in range(4)] == [True, True, True, False]
    assert (await ledger(desk))["calls"] == 3


def file_in(folder: Path) -> Path:
    return next(folder.rglob("desk.db"))


async def test_what_was_booked_before_a_crash_counts_after_it(tmp_path: Path, open_desk: OpenDesk) -> None:
    desk = await open_desk()
    reservation = desk.budget.price("gpt", "Hello?")
    desk.settings = ExtractionSettings(daily_token_cap=reservation.total)
    async with desk.store.transaction() as tx:
        assert await desk.budget.book(tx, reservation)
    reopened = FrailDatabase(file_in(tmp_path))
    await reopened.open()
    after = Desk(reopened, ScriptedChatModel("[]"))
    after.settings = desk.settings
    async with after.store.transaction() as tx:
        assert not await after.budget.book(tx, reservation)
    await reopened.close()


async def test_a_call_is_booked_and_not_made_without_room(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel("[]")
    desk = await open_desk(model)
    assert await desk.budget.ask("gpt", umo="umo", prompt="Hello?", allowance=50) == "[]"
    assert await ledger(desk) == {"calls": 1, "prompt_tokens": 90, "answer_tokens": 10}
    desk.settings = ExtractionSettings(daily_token_cap=100)
    assert await desk.budget.ask("gpt", umo="umo", prompt="Hello?", allowance=50) is None
    assert len(model.prompts) == 1
