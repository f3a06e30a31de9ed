"""Writing all that is remembered, or one scope of it, as a document: one look at the store, row by row."""

import sqlite3
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ...domain.chat import ScopeRef
from ..files import whole_file
from ..long_work import Course
from . import document
from .document import FORMAT, FORMAT_VERSION, SECTIONS, Sink, canonical
from .rows import COLUMNS, TABLES, entry_of

# ruff: noqa: S608 - nothing but our own names goes into the statements

_AT_ONCE = 20
"""Rows between two rests of the thread: about a millisecond, for which a reply may have to wait."""
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
    """What is to be written of the store."""

    plugin_version: str
    at: datetime
    scope: ScopeRef | None
    """All scopes when there is none."""


class Look:
    """One moment of the store, for as long as it is open."""

    def __init__(self, connection: sqlite3.Connection, wanted: Wanted, course: Course) -> None:
        self._connection = connection
        self._wanted = wanted
        self._course = course
        scope = wanted.scope
        self._parameters = {"scope": str(scope.scope), "scope_id": scope.scope_id} if scope else {}
        self.store_id: str = self._one(
            "SELECT coalesce(max(value), '') FROM ltm_meta WHERE name = 'store_id'"
        )
        self.counts = {
            name: int(self._one(self._query(name, "count(*)"))) for name in ("items", "evidence", "events")
        }

    def manifest(self) -> tuple[Mapping[str, Any], str]:
        """What the document of this moment says about itself, and the checksum of its rows alone.

        The latter stays the same for as long as nothing changes.
        """
        manifest: dict[str, Any] = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "plugin_version": self._wanted.plugin_version,
            "exported_at": self._wanted.at.isoformat(),
            "store_id": self.store_id,
            "scope": self._parameters or None,
            "counts": self.counts,
        }
        sums = document.checksums(manifest, self._rows())
        return manifest | {"sha256": sums.document}, sums.content

    def write(self, file: Sink, manifest: Mapping[str, Any]) -> None:
        """The document."""
        document.write(file, manifest, self._rows())

    def _rows(self) -> Mapping[str, Generator[str]]:
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
        """The entry without a reference to what another scope holds and the document does not."""
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
def looking(store: Path, wanted: Wanted, course: Course) -> Generator[Look]:
    """Look at the store as it is now, on a connection of its own that cannot write."""
    uri = f"{store.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_BUSY_SECONDS)) as connection:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")
        yield Look(connection, wanted, course)


def export(store: Path, target: Path, wanted: Wanted, course: Course) -> None:
    """Write the document into this file. Raises UnavailableError."""
    with looking(store, wanted, course) as look:
        manifest, _ = look.manifest()
        with whole_file(target.with_name(f"{target.name}.unfinished"), lambda _: target) as file:
            look.write(file, manifest)
