"""The plugin's tables in the host's database, seen and touched from another process."""

import sqlite3
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

type Row = tuple[Any, ...]

UNTRUE = (
    "select memory_id from ltm_items where evidence_count < 1",
    """
    select memory_id from ltm_items natural left join
        (select memory_id, count(*) as number from ltm_evidence group by memory_id)
    where evidence_count is not number
    """,
    "select evidence_id from ltm_evidence where event_id not in (select event_id from ltm_events)",
    "select id from ltm_items where id not in (select rowid from ltm_fts)",
    "select rowid from ltm_fts where rowid not in (select id from ltm_items)",
    "pragma foreign_key_check",
    "select * from pragma_integrity_check where integrity_check != 'ok'",
)
"""Queries that find nothing in a sound store."""


class Tables:
    """The tables `ltm_*`; the host may run, or not."""

    def __init__(self, database: Path) -> None:
        self._database = database

    def rows(self, query: str, *values: object) -> list[Row]:
        """Run one statement, keep what it changed, and return its rows."""
        with self._connection() as connection:
            return connection.execute(query, values).fetchall()

    def contents(self) -> Mapping[str, Sequence[Row]]:
        """Every row of every table, so that two moments can be compared."""
        with self._connection() as connection:
            connection.execute("begin")
            found = "select name from sqlite_master where type = 'table' and name like 'ltm\\_%' escape '\\'"
            names: list[str] = [name for (name,) in connection.execute(found)]
            return {name: connection.execute(f"select * from {name}").fetchall() for name in names}  # noqa: S608 - names of tables

    def faults(self) -> list[Row]:
        """What is wrong with the store as it lies there; nothing in a sound one."""
        return [row for query in UNTRUE for row in self.rows(query)]

    @contextmanager
    def locked(self) -> Generator[None]:
        """Hold the database's only write lock until the block ends."""
        with self._connection() as connection:
            connection.execute("begin immediate")
            yield
            connection.rollback()

    @contextmanager
    def _connection(self) -> Generator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._database, timeout=10, isolation_level=None)) as connection:
            yield connection
