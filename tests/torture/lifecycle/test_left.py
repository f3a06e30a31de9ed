"""What counts the things left behind by a memory finds each kind of them."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.service import Service
from astrbot_plugin_ltm.long_term_memory.settings import Settings

from tests.stores import migrated
from tests.torture.lifecycle.left import Before
from tests.torture.lifecycle.scene import Scene

pytestmark = pytest.mark.torture

type Undo = Callable[[], object]


def a_task(_: Path) -> Undo:
    return asyncio.ensure_future(asyncio.Event().wait()).cancel


def a_thread(_: Path) -> Undo:
    release = threading.Event()
    threading.Thread(target=release.wait, name="ltm_left", daemon=True).start()
    return release.set


def a_connection(file: Path) -> Undo:
    connection = sqlite3.connect(file)
    connection.execute("SELECT count(*) FROM ltm_items")
    return connection.close


def a_descriptor(file: Path) -> Undo:
    return file.open("rb").close


@pytest.mark.parametrize("leak", [a_task, a_thread, a_connection, a_descriptor])
async def test_whatever_one_load_leaves_behind_is_found(tmp_path: Path, leak: Callable[[Path], Undo]) -> None:
    scene = Scene(migrated(tmp_path / "data.db"))
    before = Before(tmp_path, patience=0.1)
    undo: list[Undo] = []

    @asynccontextmanager
    async def leaking(settings: Settings) -> AsyncGenerator[LTMManager]:
        undo.append(leak(scene.file))
        async with scene.run(settings) as memory:
            yield memory

    service = Service(leaking, version="0")
    await service.start({})
    await service.stop()
    found = before.left()
    undo[0]()
    assert found
    await asyncio.sleep(0)
    assert before.left() == []
