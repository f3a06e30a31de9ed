"""Brings the tables up to this version of the plugin, with the revisions under `migrations/`."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Coroutine, Generator
from contextlib import closing, contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from ..domain.errors import NewerStoreError
from ..models import METADATA
from .database import BUSY, engine
from .store_health import translated

VERSION_TABLE = "ltm_alembic_version"
_FULL_TEXT = "ltm_fts"
_MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
_LOG_WAIT_SECONDS = 0.2
_one_at_a_time = threading.Lock()  # Alembic keeps its current context in module globals


def _in_thread[T](work: Callable[[Path], T]) -> Callable[[Path], Coroutine[Any, Any, T]]:
    """The work in a thread, one at a time."""

    def locked(path: Path) -> T:
        with _one_at_a_time, translated():
            return work(path)

    @wraps(work)
    async def run(path: Path) -> T:
        return await asyncio.to_thread(locked, path)

    return run


@_in_thread
def upgrade(path: Path) -> None:
    """Create or upgrade the `ltm_*` tables in the SQLite file at `path`, and touch no other.

    All of it happens in one transaction or nothing does; of two starts at once one waits for the other.
    Raises NewerStoreError when a newer plugin has written the tables, UnusableStoreError when the file is no
    database, UnavailableError when it stays locked for 5 seconds.
    """
    with exclusive(path) as connection:
        config = _config(connection)
        if not _is_current(connection, ScriptDirectory.from_config(config)):
            command.upgrade(config, "head")


@_in_thread
def is_current(path: Path) -> bool:
    """Whether the tables are those of this version. Changes nothing, not even to make the file.

    But what a process left half-done that was killed while it wrote is undone. Raises as `upgrade`.
    """
    if not path.exists():
        return False
    with engine(path, "BEGIN", (), BUSY).connect() as connection:
        return _is_current(connection, ScriptDirectory.from_config(_config(connection)))


@_in_thread
def recreate(path: Path) -> None:
    """Erase the plugin's tables and create them anew, in one transaction. Raises what `upgrade` raises."""
    with exclusive(path) as connection:
        # Indexes and triggers go with their tables, and the pages are overwritten.
        connection.exec_driver_sql("PRAGMA secure_delete = ON")
        for table in (_FULL_TEXT, *METADATA.tables, VERSION_TABLE):
            connection.exec_driver_sql(f"DROP TABLE {table}")
        command.upgrade(_config(connection), "head")
    with suppress(sqlite3.OperationalError):
        empty_the_log(path)


def empty_the_log(path: Path) -> bool:
    """Cut the write-ahead log, which holds old pages, to nothing; False while somebody reads or writes."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=_LOG_WAIT_SECONDS)) as connection:
        ((busy, _, _),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return not busy


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    config.attributes["version_table"] = VERSION_TABLE
    return config


def _is_current(connection: Connection, revisions: ScriptDirectory) -> bool:
    here = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE}).get_current_heads()
    unknown = set(here) - {revision.revision for revision in revisions.walk_revisions()}
    if unknown:
        found = ", ".join(sorted(unknown))
        raise NewerStoreError(f"a newer version of the plugin has written the tables (revision {found})")
    return set(here) == set(revisions.get_heads())


@contextmanager
def exclusive(path: Path) -> Generator[Connection]:
    """One transaction while nobody else can write, without foreign keys."""
    # With foreign keys on, making a table anew would delete what refers to it.
    with engine(path, "BEGIN IMMEDIATE", ("foreign_keys = OFF",), BUSY).begin() as connection:
        yield connection
