"""Brings the tables up to this version of the plugin, with the revisions under `migrations/`."""

import asyncio
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, NullPool, create_engine, event

from ..domain.errors import UnusableStoreError
from .failures import translated

VERSION_TABLE = "ltm_alembic_version"
_MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
_WAIT_SECONDS = 30
_one_at_a_time = threading.Lock()  # Alembic keeps its current context in module globals


async def upgrade(path: Path) -> None:
    """Create or upgrade the `ltm_*` tables in the SQLite file at `path`, and touch no other.

    All of it happens in one transaction or nothing does; of two starts at once one waits for the other.
    Raises UnusableStoreError when a newer plugin has written the tables or the file is no database,
    UnavailableError when it stays locked for 30 seconds.
    """
    await asyncio.to_thread(_upgrade, path)


def _upgrade(path: Path) -> None:
    with _one_at_a_time, translated(), _exclusive(path) as connection:
        config = _config(connection)
        if not _is_current(connection, ScriptDirectory.from_config(config)):
            command.upgrade(config, "head")


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
        raise UnusableStoreError(f"a newer version of the plugin has written the tables (revision {found})")
    return set(here) == set(revisions.get_heads())


@contextmanager
def _exclusive(path: Path) -> Generator[Connection]:
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        poolclass=NullPool,
        hide_parameters=True,
        # Without its own transactions the driver leaves CREATE TABLE inside ours.
        connect_args={"isolation_level": None, "timeout": _WAIT_SECONDS},
    )
    event.listen(engine, "begin", _begin)
    with engine.begin() as connection:
        yield connection


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
