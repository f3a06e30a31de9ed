"""Snapshots: what the store holds, as files of the plugin's own, which the host's backup takes along."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from sqlalchemy import exists, select

from ..domain.errors import NotFoundError, UnavailableError
from ..domain.time import Clock
from ..domain.transfer import Snapshot
from ..models import ITEMS
from . import meta, snapshot_files
from .database import Database
from .snapshot_files import FOLDER, named, packed
from .transfer import undoing
from .transfer.course import Course, StoppedError
from .transfer.leaving import Leaving, looking


class Snapshots:
    """Implements `upkeep.snapshots.SnapshotStore`. One is made at a time."""

    def __init__(self, database: Database, folder: Path, clock: Clock, *, plugin_version: str) -> None:
        """`folder` is the plugin's own; it need not exist yet."""
        self._database = database
        self._folder = folder / FOLDER
        self._clock = clock
        self._version = plugin_version
        self._turn = asyncio.Lock()
        self._course = Course()

    def clear(self) -> None:
        """Remove what a killed process has left of one, as far as the disk lets it go."""
        with suppress(OSError):
            snapshot_files.forget_unfinished(self._folder)

    async def listed(self) -> Sequence[Snapshot]:
        """All of them, the newest first; whether their bytes are good, not yet whether their rows are."""
        return await asyncio.to_thread(snapshot_files.listed, self._folder)

    async def make(self) -> Snapshot | None:
        """Write one, unless the newest of this store holds just that; None when there is nothing to keep.

        Those that are too many go. None as well when an erasure came between. Raises UnavailableError when
        the disk does not take it, and UnusableStoreError for a damaged store: what is left of it must not
        take the place of what is whole.
        """
        self._database.condition.refuse_damaged()
        async with self._turn:
            course = self._course = Course()
            try:
                return await self._database.beside(lambda store: self._make(store, course), course)
            except StoppedError:
                return None

    async def forget(self) -> int:
        """Remove all of them, and the one that is being made; how many there were.

        Raises UnavailableError when one cannot be removed.
        """
        self._course.stop()
        async with self._turn:
            try:
                return await asyncio.to_thread(snapshot_files.remove_all, self._folder)
            except OSError as error:
                raise UnavailableError("a snapshot cannot be removed") from error

    async def file(self, name: str) -> Path:
        """Where the snapshot of this name lies. Raises NotFoundError."""
        path = self._folder / name
        if named(name) is None or not await asyncio.to_thread(path.is_file):
            raise NotFoundError("no such snapshot")
        return path

    async def offered(self, snapshots: Sequence[Snapshot]) -> str | None:
        """The name of the one that the operator may want back: this store does not know what it holds.

        That is the newest good one with memories, if the store has none at all, or is another one than that
        it was taken of and nothing of that one was restored yet.
        """
        async with self._database.read() as connection:
            store_id = await meta.store_id(connection)
            filled = bool((await connection.execute(select(exists().select_from(ITEMS)))).scalar())
            restored = await undoing.restored_from(connection)
        for one in snapshots:
            foreign = one.store_id != store_id and one.store_id not in restored
            if one.good and one.items and (foreign or not filled):
                return one.name
        return None

    def _make(self, store: Path, course: Course) -> Snapshot | None:
        at = self._clock()
        with looking(store, Leaving(plugin_version=self._version, at=at, scope=None), course) as look:
            if not any(look.counts.values()):
                return None
            manifest, content = look.manifest()
            newest = self._newest(look.store_id)
            if newest is not None and newest.name.split("-")[1] == content[:16]:
                return newest
            with packed(self._folder, at=at, content=content) as file:
                look.write(file, manifest)
                course.go_on()
        snapshot_files.rotate(self._folder, look.store_id)
        return self._newest(look.store_id)

    def _newest(self, store_id: str) -> Snapshot | None:
        own = (one for one in snapshot_files.listed(self._folder) if one.good and one.store_id == store_id)
        return next(own, None)
