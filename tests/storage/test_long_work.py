"""Long work beside the store ends with it, and whoever waits for it is told."""

import asyncio
import threading
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import ClosedError
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.long_work import StoppedError, StopSignal

from tests.running import PATIENCE
from tests.stores import migrated, opened


async def test_closing_breaks_off_long_work_and_goes_once_it_has_ended(tmp_path: Path) -> None:
    database = Database(migrated(tmp_path / "data.db"))
    await database.open()
    stop_signal, begun, ended = StopSignal(), threading.Event(), threading.Event()

    def work(_: Path) -> None:
        begun.set()
        try:
            while True:
                stop_signal.go_on()
        finally:
            ended.set()

    call = asyncio.ensure_future(database.beside(work, stop_signal))
    await asyncio.to_thread(begun.wait)
    async with asyncio.timeout(PATIENCE):
        await database.close()
    assert ended.is_set()
    with pytest.raises(ClosedError):
        await call


async def test_what_is_called_off_while_the_store_is_open_is_not_taken_for_closed(tmp_path: Path) -> None:
    async with asyncio.timeout(PATIENCE), opened(migrated(tmp_path / "data.db")) as database:
        with pytest.raises(StoppedError), database.long_work(StopSignal()):
            raise StoppedError
