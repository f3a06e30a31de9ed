"""What holds of every document that is brought in, whatever was in it."""

import asyncio
import re
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, closing
from pathlib import Path
from typing import Any, Self

from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError
from astrbot_plugin_ltm.long_term_memory.domain.transfer import ImportResult, Kind
from astrbot_plugin_ltm.long_term_memory.models import ITEMS
from astrbot_plugin_ltm.long_term_memory.storage.items import listed
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from sqlalchemy import select

from tests.host.harness.tables import UNTRUE
from tests.storage.transfer.files import dump, export
from tests.stores import a_store

type BringIn = Callable[[Store, Path], Awaitable[ImportResult]]

MAX_MESSAGE = 500
"""Characters of a refusal: it is shown to people, and says what is wrong, not all that is."""
_UNSTABLE = re.compile(r"[0-9]+|\.[^:]*(?=:)")


async def real(store: Store, file: Path) -> ImportResult:
    """The importer, after a look that has to foresee what comes of it."""
    would = await store.transfers.check(file)
    arrived = await store.transfers.bring_in(file, import_id="import", kind=Kind.IMPORT, actor="operator")
    assert (would.added, would.known, would.gave_way) == (arrived.added, arrived.known, arrived.gave_way)
    return arrived


class Desk:
    """A blank store that documents are put before, one after the other; new when one has come in."""

    def __init__(self, folder: Path, bring_in: BringIn = real) -> None:
        self._folder = folder
        self._bring_in = bring_in
        self._runner = asyncio.Runner()
        self._open: AbstractAsyncContextManager[Store] | None = None
        self._blank: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.run(self._close())
        self._runner.close()

    def take(self, data: bytes) -> str:
        """Bring a document in; returns what became of it. AssertionError when anything is not right then."""
        return self._runner.run(self._take(data))

    async def _take(self, data: bytes) -> str:
        file = self._folder / "arriving.json"
        file.write_bytes(data)
        store = await self._ready()
        try:
            arrived = await self._bring_in(store, file)
        except InvalidInputError as error:
            return self._refused(error)
        await self._see(store, arrived)
        await self._close()
        return f"in: {_some(arrived.added.items)} memories, {_some(arrived.gave_way.items)} gave way"

    def _refused(self, error: InvalidInputError) -> str:
        assert dump(self._path) == self._blank, "what was refused has changed the store"
        assert error.field == "file"
        assert len(error.message) <= MAX_MESSAGE, "a refusal is endless"
        error.message.encode()
        return _UNSTABLE.sub("", error.message)

    async def _see(self, store: Store, arrived: ImportResult) -> None:
        """That what came in is sound, can be read, goes out, and is known when it comes again."""
        with closing(sqlite3.connect(self._path)) as connection:
            found = [row for query in UNTRUE for row in connection.execute(query)]
        assert found == [], "what came in is not sound"
        async with store._database.read() as seat:  # pyright: ignore[reportPrivateUsage] - the rows themselves
            items = await listed(seat, select(ITEMS))
        assert len(items) == arrived.added.items
        again = await store.transfers.check(await export(store, self._folder / "leaving.json"))
        assert (again.added.items, again.known.items) == (0, len(items))

    async def _ready(self) -> Store:
        if self._open is None:
            for suffix in ("", "-wal", "-shm"):
                self._path.with_name(f"{self._path.name}{suffix}").unlink(missing_ok=True)
            self._open = a_store(self._folder)
            self._store = await self._open.__aenter__()
            self._blank = dump(self._path)
        return self._store

    async def _close(self) -> None:
        opened, self._open = self._open, None
        if opened is not None:
            await opened.__aexit__(None, None, None)

    @property
    def _path(self) -> Path:
        return self._folder / "data_v4.db"


def _some(number: int) -> str:
    return "some" if number else "no"
