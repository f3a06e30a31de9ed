"""Writing all that is remembered, or one scope of it, as a document: one look at the store, row by row."""

import sqlite3
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from ...domain.chat import ScopeRef
from .course import Course
from .disk import whole_file
from .document import FORMAT, FORMAT_VERSION, MANIFEST, SECTIONS, canonical, checksums
from .tables import COLUMNS, TABLES
from .values import told

# ruff: noqa: S608 - nothing but our own names goes into the statements

_AT_ONCE = 20
"""Rows between two rests of the thread: about a millisecond, for which a reply may have to wait."""
_BUSY_SECONDS = 5
_ORDER = {"links": "account", "paused": "scope, scope_id"}
_OF_SCOPE = {
    "items": "scope = :scope AND scope_id = :scope_id",
    "evidence": """
        memory_id IN (SELECT memory_id FROM ltm_items WHERE scope = :scope AND scope_id = :scope_id)
    """,
    "events": """
        event_id IN (
            SELECT event_id FROM ltm_evidence JOIN ltm_items USING (memory_id)
            WHERE scope = :scope AND scope_id = :scope_id
        )
    """,
    "links": ":scope = 'user' AND (account = :scope_id OR joined_to = :scope_id)",
    "paused": "scope = :scope AND scope_id = :scope_id",
}
_COUNTED = ("items", "evidence", "events")


@dataclass(frozen=True, kw_only=True)
class Leaving:
    """What is to be written of the store."""

    plugin_version: str
    at: datetime
    scope: ScopeRef | None
    """All scopes when there is none."""


class Sink(Protocol):
    """Where bytes go."""

    def write(self, data: bytes, /) -> int:
        """Take these."""
        ...


class Look:
    """One moment of the store, for as long as it is open."""

    def __init__(self, connection: sqlite3.Connection, leaving: Leaving, course: Course) -> None:
        self._connection = connection
        self._leaving = leaving
        self._course = course
        self.store_id: str = self._one(
            "SELECT coalesce(max(value), '') FROM ltm_meta WHERE name = 'store_id'"
        )
        self.counts = {name: int(self._one(self._query(name, "count(*)"))) for name in _COUNTED}

    def manifest(self) -> tuple[Mapping[str, Any], str]:
        """What the document of this moment says about itself, and the checksum of its rows alone.

        The latter stays the same for as long as nothing changes.
        """
        scope = self._leaving.scope
        manifest: dict[str, Any] = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "plugin_version": self._leaving.plugin_version,
            "exported_at": self._leaving.at.isoformat(),
            "store_id": self.store_id,
            "scope": scope and {"scope": str(scope.scope), "scope_id": scope.scope_id},
            "counts": self.counts,
        }
        sums = checksums(manifest, {section: self._rows(section) for section in SECTIONS})
        return manifest | {"sha256": sums.document}, sums.content

    def write(self, file: Sink, manifest: Mapping[str, Any]) -> None:
        """The document, an entry a line."""
        file.write(f'{{"{MANIFEST}":{canonical(manifest)}'.encode())
        for section in SECTIONS:
            before = f',\n"{section}":[\n'
            file.write(before.encode())
            between = b""
            for entry in self._rows(section):
                file.write(between + entry.encode())
                between = b",\n"
            file.write(b"]")
        file.write(b"}\n")

    def _rows(self, section: str) -> Generator[str]:
        columns = COLUMNS[section]
        order = _ORDER.get(section, "id")
        query = f"{self._query(section, ', '.join(columns))} ORDER BY {order}"
        # Closed, for a cursor that an error still refers to would keep the connection open.
        with closing(self._connection.execute(query, self._parameters)) as rows:
            while some := rows.fetchmany(_AT_ONCE):
                self._course.go_on()
                for row in some:
                    yield canonical(self._closed(told(columns, row)))

    def _closed(self, entry: dict[str, Any]) -> dict[str, Any]:
        """The entry without a reference to what another scope holds and the document does not."""
        later = entry.get("superseded_by")
        if later is not None and self._leaving.scope is not None:
            there = self._connection.execute(
                "SELECT 1 FROM ltm_items WHERE memory_id = :id AND scope = :scope AND scope_id = :scope_id",
                {**self._parameters, "id": later},
            )
            return entry if there.fetchone() else entry | {"superseded_by": None}
        return entry

    def _query(self, section: str, what: str) -> str:
        of_scope = f" WHERE {_OF_SCOPE[section]}" if self._leaving.scope else ""
        return f"SELECT {what} FROM {TABLES[section].name}{of_scope}"

    @property
    def _parameters(self) -> Mapping[str, str]:
        scope = self._leaving.scope
        return {"scope": str(scope.scope), "scope_id": scope.scope_id} if scope else {}

    def _one(self, query: str) -> Any:  # noqa: ANN401 - whatever the query counts
        return self._connection.execute(query, self._parameters).fetchone()[0]


@contextmanager
def looking(store: Path, leaving: Leaving, course: Course) -> Generator[Look]:
    """Look at the store as it is now, on a connection of its own that cannot write."""
    uri = f"{store.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_BUSY_SECONDS)) as connection:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")
        yield Look(connection, leaving, course)


def export(store: Path, target: Path, leaving: Leaving, course: Course) -> None:
    """Write the document into this file."""
    with looking(store, leaving, course) as look:
        manifest, _ = look.manifest()
        with whole_file(target.parent, f"{target.name}.unfinished", lambda: target.name) as file:
            look.write(file, manifest)
