"""The upgrade of this version of the plugin, and some that are not as careful."""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.script import ScriptDirectory
from astrbot_plugin_ltm.long_term_memory.storage import schema
from sqlalchemy import NullPool, create_engine


def real(path: Path) -> None:
    """As the plugin starts."""
    asyncio.run(schema.upgrade(path))


def without_a_transaction(path: Path) -> None:
    """Each statement lasts as soon as it is done."""
    engine = create_engine(f"sqlite:///{path}", poolclass=NullPool, connect_args={"isolation_level": None})
    with engine.connect() as connection:
        command.upgrade(schema._config(connection), "head")  # pyright: ignore[reportPrivateUsage] - seeded fault


def one_revision_at_a_time(path: Path) -> None:
    """Each revision lasts as soon as it is done, as Alembic can be told to."""
    with schema.exclusive(path) as connection:
        revisions = ScriptDirectory.from_config(schema._config(connection)).walk_revisions()  # pyright: ignore[reportPrivateUsage]
        names = [revision.revision for revision in revisions]
    for name in reversed(names):
        with schema.exclusive(path) as connection:
            command.upgrade(schema._config(connection), name)  # pyright: ignore[reportPrivateUsage]


def tidying_up(path: Path) -> None:
    """The right tables, and something better for the host's."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP INDEX IF EXISTS ix_conversations_created_at_inner_id")
    real(path)


def forgetting(path: Path) -> None:
    """The right tables, without the rows that nobody needs any more."""
    real(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM ltm_events WHERE event_id NOT IN (SELECT event_id FROM ltm_evidence)")


UPGRADES: Mapping[str, Callable[[Path], None]] = {
    made.__name__: made
    for made in (real, without_a_transaction, one_revision_at_a_time, tidying_up, forgetting)
}
