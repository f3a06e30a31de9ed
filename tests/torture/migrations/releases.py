"""Files as each release of the plugin left them, in the host's file or in one of their own."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from alembic import command
from alembic.script import ScriptDirectory
from astrbot_plugin_ltm.long_term_memory.storage import schema

from tests.torture.migrations import hosts, rows
from tests.torture.migrations.seen import Seen, see

MIGRATIONS = Path(__file__).resolve().parents[3] / "migrations"
RELEASES = tuple(
    reversed([revision.revision for revision in ScriptDirectory(str(MIGRATIONS)).walk_revisions()])
)
"""Every released revision, the first one first."""
HEAD = RELEASES[-1]
_SUFFIXES = ("", "-wal", "-shm", "-journal")


@dataclass(frozen=True, kw_only=True)
class Origin:
    """From where a store is brought up to date."""

    revision: str = ""
    """Empty when the plugin was never there."""
    filled: bool = False
    hosted: bool = True
    """Whether it lies in the host's file, which has a write-ahead log."""

    def __str__(self) -> str:
        place = "the host's file" if self.hosted else "a file of its own"
        contents = f" {'filled' if self.filled else 'blank'}" if self.revision else ""
        return f"{self.revision or 'nothing'}{contents} in {place}"


ORIGINS = (
    Origin(hosted=False),
    Origin(),
    *(Origin(revision=revision, filled=filled) for revision in RELEASES for filled in (False, True)),
    Origin(revision=RELEASES[0], filled=True, hosted=False),
)
"""All that an upgrade may begin with."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """A store to begin with, kept to be copied: as it is, and as it has to be after an upgrade."""

    origin: Origin
    path: Path
    old: Seen
    new: Seen

    def copied(self, folder: Path) -> Path:
        """The store as it was, in this folder."""
        return copied(self.path, folder)


def copied(path: Path, folder: Path) -> Path:
    """The database and what SQLite keeps beside it, in place of what is there."""
    for suffix in _SUFFIXES:
        source, target = Path(f"{path}{suffix}"), folder / f"{path.name}{suffix}"
        target.unlink(missing_ok=True)
        if source.exists():
            shutil.copyfile(source, target)
    return folder / path.name


def place(origin: Origin, folder: Path, hosted: Path) -> Place:
    """Build it in this folder; `hosted` is a file of the host's."""
    folder.mkdir()
    path = folder / "data_v4.db"
    if origin.hosted:
        shutil.copyfile(hosted, path)
    if origin.revision:
        to_release(path, origin.revision)
    if origin.filled:
        with closing(sqlite3.connect(path)) as connection:
            rows.fill(connection, origin.revision)
    old = see(path)
    (folder / "new").mkdir()
    upgraded = copied(path, folder / "new")
    asyncio.run(schema.upgrade(upgraded))
    return Place(origin=origin, path=path, old=old, new=see(upgraded))


def to_release(path: Path, revision: str) -> None:
    """Bring the tables up to a release that has been."""
    with schema.exclusive(path) as connection:
        command.upgrade(schema._config(connection), revision)  # pyright: ignore[reportPrivateUsage]


def make_host(folder: Path) -> Path:
    """A file of the host's with all of it in one piece."""
    path = folder / "host.db"
    hosts.make(path)
    return path
