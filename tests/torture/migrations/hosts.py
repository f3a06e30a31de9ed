"""The host's own tables in the file that the plugin's share, made by the host itself, with rows in each."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from tests.children import output

ROWS = 3
_MADE_BY_THE_HOST = """
import asyncio, sys
from astrbot.core.db.sqlite import SQLiteDatabase

async def make():
    database = SQLiteDatabase(sys.argv[1])
    await database.initialize()
    await database.engine.dispose()

asyncio.run(make())
"""


def make(path: Path) -> None:
    """A file with the host's tables, in the journal mode that it chooses; its folder gets more."""
    output([sys.executable, "-c", _MADE_BY_THE_HOST, str(path)], cwd=path.parent)
    with closing(sqlite3.connect(path)) as connection, connection:
        found = (
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        )
        for (table,) in connection.execute(found).fetchall():
            _fill(connection, table)


def _fill(connection: sqlite3.Connection, table: str) -> None:
    """Rows that fit the types of the columns; what they say does not matter here."""
    columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
    for number in range(1, ROWS + 1):
        values = [_value(f"{table}.{name}", kind.upper(), number) for _, name, kind, *_ in columns]
        places = ", ".join("?" * len(values))
        connection.execute(f"INSERT INTO {table} VALUES ({places})", values)  # noqa: S608 - names of tables


def _value(column: str, kind: str, number: int) -> object:
    if kind.startswith(("INT", "BIGINT", "BOOL")):
        return number
    if kind.startswith(("FLOAT", "REAL", "NUM", "DEC")):
        return number / 2
    if kind.startswith(("DATE", "TIME")):
        return f"2025-06-0{number} 12:00:00.000000"
    return f'["{column}", {number}, "聊天"]'
