"""Exports: all that is remembered, or one scope of it, as a document of one moment of the store."""

import sqlite3
from collections.abc import Callable, Generator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ...domain.chat import ScopeRef
from ..long_work import Course
from . import document
from .document import FORMAT, FORMAT_VERSION, SECTIONS, Checksums, canonical
from .rows import COLUMNS, TABLES, entry_of

# ruff: noqa: S608 - nothing but our own names goes into the statements

_AT_ONCE = 20
"""Rows between two pauses of the thread: about a millisecond, for which a reply may have to wait."""
_BUSY_SECONDS = 5
_ORDER = {"links": "account", "paused": "scope, scope_id"}
_HERE = "scope = :scope AND scope_id = :scope_id"
_OF_SCOPE = {
    "items": _HERE,
    "evidence": f"memory_id IN (SELECT memory_id FROM ltm_items WHERE {_HERE})",
    "events": f"""
        event_id IN (SELECT event_id FROM ltm_evidence JOIN ltm_items USING (memory_id) WHERE {_HERE})
    """,
    "links": ":scope = 'user' AND (account = :scope_id OR joined_to = :scope_id)",
    "paused": _HERE,
}


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is to be exported."""

    plugin_version: str
    at: datetime
    scope: ScopeRef | None
    """None: all scopes."""


class Export:
    """A document of the store as it is now, for as long as its transaction is open."""

    def __init__(self, connection: sqlite3.Connection, wanted: Wanted, course: Course) -> None:
        self._connection = connection
        self._course = course
        scope = wanted.scope
        self._parameters = {"scope": str(scope.scope), "scope_id": scope.scope_id} if scope else {}
        self.store_id: str = self._one(
            "SELECT coalesce(max(value), '') FROM ltm_meta WHERE name = 'store_id'"
        )
        self.counts = {
            name: int(self._one(self._query(name, "count(*)"))) for name in ("items", "evidence", "events")
        }
        self._manifest: Mapping[str, Any] = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "plugin_version": wanted.plugin_version,
            "exported_at": wanted.at.isoformat(),
            "store_id": self.store_id,
            "scope": self._parameters or None,
            "counts": self.counts,
        }

    def checksums(self) -> Checksums:
        """Its checksums; that of the content stays the same while nothing changes."""
        return document.checksums(self._manifest, self._rows())

    def write(self, put: Callable[[bytes], object], sha256: str) -> None:
        """Write the document, whose checksum this is."""
        document.write(put, {**self._manifest, "sha256": sha256}, self._rows())

    def _rows(self) -> document.Rows:
        return {section: self._entries(section) for section in SECTIONS}

    def _entries(self, section: str) -> Generator[str]:
        query = f"{self._query(section, ', '.join(COLUMNS[section]))} ORDER BY {_ORDER.get(section, 'id')}"
        # Closed, for a cursor that an error still refers to would keep the connection open.
        with closing(self._connection.execute(query, self._parameters)) as rows:
            while some := rows.fetchmany(_AT_ONCE):
                self._course.go_on()
                for row in some:
                    yield canonical(self._closed(entry_of(section, row)))

    def _closed(self, entry: dict[str, Any]) -> dict[str, Any]:
        """The entry without a reference to an item of another scope."""
        later = entry.get("superseded_by")
        if later is not None and self._parameters:
            query = f"SELECT 1 FROM ltm_items WHERE memory_id = :id AND {_HERE}"
            if self._connection.execute(query, {**self._parameters, "id": later}).fetchone() is None:
                return entry | {"superseded_by": None}
        return entry

    def _query(self, section: str, what: str) -> str:
        of_scope = f" WHERE {_OF_SCOPE[section]}" if self._parameters else ""
        return f"SELECT {what} FROM {TABLES[section].name}{of_scope}"

    def _one(self, query: str) -> Any:  # noqa: ANN401 - whatever the query counts
        return self._connection.execute(query, self._parameters).fetchone()[0]


@contextmanager
def opened(store: Path, wanted: Wanted, course: Course) -> Generator[Export]:
    """An export of the store as it is now, on a connection of its own that cannot write."""
    uri = f"{store.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_BUSY_SECONDS)) as connection:
        connection.execute("BEGIN")
        yield Export(connection, wanted, course)
