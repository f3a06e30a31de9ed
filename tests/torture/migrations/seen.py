"""All that a database file holds, so that two moments can be compared."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

type Row = tuple[Any, ...]

_VERSION = "ltm_alembic_version"


@dataclass(frozen=True, kw_only=True)
class Part:
    """Some tables: how they are made, and every row of each; the host's as text, by which 1 is not 1.0."""

    schema: Sequence[Row]
    rows: Mapping[str, Sequence[Row]]


@dataclass(frozen=True, kw_only=True)
class Seen:
    """The plugin's part and the host's."""

    plugin: Part
    host: Part

    @property
    def revision(self) -> str:
        """Of the plugin's tables; empty when there are none."""
        return "".join(version for (version,) in self.plugin.rows.get(_VERSION, ()))


def see(path: Path) -> Seen:
    """Look at a file as the next start does: what SQLite has to repair it repairs first.

    Raises AssertionError when it is not sound.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        made = connection.execute(
            "SELECT tbl_name, type, name, sql FROM sqlite_master ORDER BY 1, 2, 3"
        ).fetchall()
        for check in ("integrity_check", "foreign_key_check"):
            found = connection.execute(f"PRAGMA {check}").fetchall()
            assert found in ([], [("ok",)]), f"{check}: {found}"
        seen = Seen(plugin=_part(connection, made, plugins=True), host=_part(connection, made, plugins=False))
        connection.execute("ROLLBACK")
    return seen


def _part(connection: sqlite3.Connection, made: Sequence[Row], *, plugins: bool) -> Part:
    schema = [row for row in made if row[0].startswith("ltm_") == plugins]
    tables = [name for _, kind, name, _ in schema if kind == "table"]
    rows = {
        table: connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()  # noqa: S608 - names of tables
        if len(_columns(connection, table)) > 1
        else connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()  # noqa: S608 - as above
        for table in tables
    }
    if not plugins:
        rows = {table: [tuple(map(repr, row)) for row in held] for table, held in rows.items()}
    return Part(schema=schema, rows=rows)


def _columns(connection: sqlite3.Connection, table: str) -> Sequence[Row]:
    return connection.execute(f"PRAGMA table_info({table})").fetchall()
