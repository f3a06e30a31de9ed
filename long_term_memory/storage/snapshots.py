"""Snapshots: what the store holds, as files of the plugin's own, which the host's backup takes along.

They are the documents of `transfer`, packed, named by their time and their checksum alone.
"""

import asyncio
import gzip
import hashlib
import os
import re
import zlib
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from sqlalchemy import exists, select

from ..access.persons import Person
from ..domain.errors import LtmError, NotFoundError, UnavailableError
from ..domain.time import Clock
from ..domain.transfer import Snapshot
from ..models import ITEMS
from . import meta
from .database import Database
from .files import forget, whole_file
from .long_work import StoppedError, StopSignal
from .transfer.document import canonical, read_manifest
from .transfer.importer import restored_from
from .transfers import opened

FOLDER = "snapshots"
DAYS = 7
"""Of so many days the last one is kept."""
WEEKS = 5
"""And of so many weeks, this one among them."""
OF_OTHERS_FOR = timedelta(days=30)
"""How long those of another store are kept since they came here: what a backup brought, or was deleted."""
UNFINISHED = "snapshot.unfinished"
_NAME = re.compile(r"(\d{8}T\d{12}Z)(?:-[0-9a-f]{16}){1,2}\.json\.gz")
"""Its time, and how the checksum of its bytes begins; before it, a former version put that of its rows."""
_AT = "%Y%m%dT%H%M%S%fZ"
_PACKED_BY = 6

type _Parts = Collection[str] | None
"""What tells of a person in a snapshot; None means whatever it holds."""


class Snapshots:
    """The folder of snapshots. One is made at a time."""

    def __init__(self, database: Database, folder: Path, clock: Clock, *, plugin_version: str) -> None:
        """`folder` is the plugin's own; it need not exist yet."""
        self._database = database
        self._folder = folder / FOLDER
        self._clock = clock
        self._version = plugin_version
        self._turn = asyncio.Lock()
        self._stop_signal = StopSignal()

    def clear(self) -> None:
        """Remove what a killed process has left of one, as far as the disk lets it go."""
        forget(self._folder / UNFINISHED)

    async def listed(self) -> Sequence[Snapshot]:
        """All of them, the newest first; whether their bytes are good, not yet whether their rows are."""
        return await asyncio.to_thread(listed, self._folder)

    async def make(self) -> Snapshot | None:
        """Write one, after which those that are too many go; None when there is nothing to keep.

        None as well when an erasure came between. Raises UnavailableError when the disk does not take it, and
        UnusableStoreError for a damaged store: what is left of it must not take the place of what is whole.
        """
        self._database.health.refuse_damaged()
        async with self._turn:
            stop_signal = self._stop_signal = StopSignal()
            try:
                return await self._database.beside(lambda store: self._make(store, stop_signal), stop_signal)
            except StoppedError:
                return None

    async def forget(self, person: Person | None = None, names: Iterable[str] = ()) -> int:
        """Remove those that mention this person, or all; and the one that is being made. Returns how many.

        `names` are what others may quote them as. Raises UnavailableError when one cannot be removed.
        """
        self._stop_signal.set()
        return await self._with_files(_remove, person and _mentions_of(person, names))

    async def mention(self, person: Person) -> bool:
        """Whether one that can be read has ids of this person. Raises UnavailableError."""
        parts = _mentions_of(replace(person, in_groups=frozenset(), senders=frozenset()), ())
        return bool(await self._with_files(partial(_mentioning, damaged=False), parts))

    async def _with_files[T](self, work: Callable[[Path, _Parts], T], mentions: _Parts) -> T:
        async with self._turn:
            try:
                return await asyncio.to_thread(work, self._folder, mentions)
            except OSError as error:
                raise UnavailableError("a snapshot cannot be read or removed") from error

    async def came_now(self) -> None:
        """Count the age of all that lie here from now on: they are those of another store."""
        await asyncio.to_thread(lambda: [os.utime(path) for path, _ in _files(self._folder)])

    async def file(self, name: str) -> Path:
        """Where the snapshot of this name lies. Raises NotFoundError."""
        path = self._folder / name
        if taken_at(name) is None or not await asyncio.to_thread(path.is_file):
            raise NotFoundError("no such snapshot")
        return path

    async def offered(self, snapshots: Sequence[Snapshot]) -> str | None:
        """The name of the one that the operator may want back: this store does not know what it holds.

        That is the newest good one with memories, if the store has none at all, or if it is of another store
        of which nothing was restored here.
        """
        async with self._database.read() as connection:
            store_id = await meta.store_id(connection)
            filled = bool((await connection.execute(select(exists().select_from(ITEMS)))).scalar())
            restored = await restored_from(connection)
        for one in snapshots:
            foreign = one.store_id != store_id and one.store_id not in restored
            if one.good and one.items and (foreign or not filled):
                return one.name
        return None

    def _make(self, store: Path, stop_signal: StopSignal) -> Snapshot | None:
        at = self._clock()
        with opened(store, stop_signal, plugin_version=self._version, at=at) as document:
            store_id = document.manifest["store_id"]
            if not any(document.manifest["counts"].values()):
                _rotate(self._folder, store_id, at)
                return None
            sha256 = document.checksum()

            def name(written: Path) -> Path:
                return self._folder / f"{at.astimezone(UTC):{_AT}}-{_checksum(written)[:16]}.json.gz"

            with whole_file(self._folder / UNFINISHED, name) as file:
                with gzip.GzipFile("", "wb", _PACKED_BY, file, mtime=0) as packed:
                    document.write(packed.write, sha256)
                stop_signal.go_on()
        _rotate(self._folder, store_id, at)
        return next((one for one in listed(self._folder) if one.good and one.store_id == store_id), None)


def taken_at(name: str) -> datetime | None:
    """When the snapshot of this name was taken; None when it is not that of one."""
    found = _NAME.fullmatch(name)
    with suppress(ValueError):
        return found and datetime.strptime(found[1], _AT).replace(tzinfo=UTC)
    return None


def listed(folder: Path) -> Sequence[Snapshot]:
    """What lies there, the newest first; the bytes of each are compared with its name."""
    return [_looked_at(path, at) for path, at in _files(folder)]


def _files(folder: Path) -> Sequence[tuple[Path, datetime]]:
    found = sorted(folder.glob("*.json.gz"), reverse=True)
    return [(path, at) for path in found if (at := taken_at(path.name))]


def _looked_at(path: Path, at: datetime) -> Snapshot:
    size, why, manifest = 0, "", None
    try:
        size = path.stat().st_size
        if f"-{_checksum(path)[:16]}." not in path.name:
            why = "its bytes are not those that were written"
        manifest, _ = read_manifest(path)
    except (OSError, LtmError) as error:
        why = why or f"it cannot be read: {error}"
    return Snapshot(
        name=path.name,
        at=at,
        bytes=size,
        items=manifest.counts.items if manifest else 0,
        store_id=manifest.store_id if manifest else "",
        good=not why,
        why=why,
    )


def _mentioning(folder: Path, mentions: _Parts, *, damaged: bool = True) -> Sequence[Path]:
    return [path for path, _ in _files(folder) if mentions is None or _holds(path, mentions, damaged=damaged)]


def _remove(folder: Path, mentions: _Parts) -> int:
    doomed = _mentioning(folder, mentions)
    for path in (folder / UNFINISHED, *doomed):
        path.unlink(missing_ok=True)
    return len(doomed)


def _mentions_of(person: Person, names: Iterable[str]) -> Collection[str]:
    """Parts of entries that tell of them, where no letter or digit goes on with an id."""
    ids = [canonical(each)[1:-1] for each in (*person.ids, *person.chats)]
    in_groups = [canonical(end)[1:] for _, end in person.in_groups]
    senders = [f":{canonical(sender)}" for _, sender in person.senders]
    return [*ids, *in_groups, *senders, *(f'"quoted":{canonical(f"{name}:")[:-1]}' for name in names)]


def _holds(path: Path, parts: Collection[str], *, damaged: bool) -> bool:
    """Whether one of these occurs in it; `damaged` where nobody can tell."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            wholes = {part: re.compile(f"{re.escape(part)}(?![0-9A-Za-z])") for part in parts}
            # Most parts are in no line, which `in` finds out many times as fast.
            return any(part in line and whole.search(line) for line in file for part, whole in wholes.items())
    except (EOFError, ValueError, zlib.error, gzip.BadGzipFile):
        return damaged


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _rotate(folder: Path, store_id: str, now: datetime) -> None:
    """Remove those of this store that are too many, and old ones of others; what stays goes the next time."""
    since = (now - OF_OTHERS_FOR).timestamp()
    snapshots = listed(folder)
    own = [one for one in reversed(snapshots) if one.store_id == store_id]  # the last of a day stays
    days = {f"{one.at:%Y-%m-%d}": one.name for one in own}
    weeks = {f"{one.at:%G-%V}": one.name for one in own}
    others = [one.name for one in snapshots if one.store_id != store_id]
    lately = (name for name in others if (folder / name).stat().st_mtime > since)
    kept = {*list(days.values())[-DAYS:], *list(weeks.values())[-WEEKS:], *lately}
    for one in snapshots:
        if one.name not in kept:
            forget(folder / one.name)
