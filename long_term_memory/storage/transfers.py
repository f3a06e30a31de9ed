"""Exports and imports of the store."""

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

from ..domain.chat import ScopeRef
from ..domain.errors import RefusedError
from ..domain.time import Clock
from ..domain.transfer import ImportResult, Kind, Undone
from .database import BUSY, Database, OnDatabaseWithClock, reads, writes
from .erasure import ErasedPersons
from .files import whole_file
from .long_work import StopSignal, in_thread
from .store_health import readable
from .transfer.document import FORMAT, FORMAT_VERSION, Document, canonical
from .transfer.importer import Importer, ImportRequest, import_page, undo
from .transfer.rows import COLUMNS, TABLES, entry_of

# ruff: noqa: S608 - nothing but our own names goes into the statements

_AT_ONCE = 20
"""Rows between two pauses of the thread: about a millisecond, for which a reply may have to wait."""
_COUNTED = ("items", "evidence", "events")
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
_NEWER_HERE = """
    (SELECT newer.memory_id FROM ltm_items AS newer WHERE newer.memory_id = ltm_items.superseded_by
        AND newer.scope = :scope AND newer.scope_id = :scope_id)
"""
"""What superseded an item, unless that is of another scope."""


@contextmanager
def opened(
    store: Path, stop_signal: StopSignal, *, plugin_version: str, at: datetime, scope: ScopeRef | None = None
) -> Generator[Document]:
    """The store, or one scope of it, as it is now, on a connection of its own that cannot write."""
    uri = f"{store.absolute().as_uri()}?mode=ro"
    of = {"scope": str(scope.scope), "scope_id": scope.scope_id} if scope else {}

    def query(section: str, what: str) -> str:
        of_scope = f" WHERE {_OF_SCOPE[section]}" if of else ""
        return f"SELECT {what} FROM {TABLES[section].name}{of_scope}"

    def rows(section: str) -> Generator[str]:
        columns = ", ".join(COLUMNS[section])
        columns = columns.replace("superseded_by", _NEWER_HERE) if of else columns
        ordered = f"{query(section, columns)} ORDER BY {_ORDER.get(section, 'id')}"
        # Closed, for a cursor that an error still refers to would keep the connection open.
        with closing(connection.execute(ordered, of)) as found:
            while some := found.fetchmany(_AT_ONCE):
                stop_signal.go_on()
                with readable():
                    entries = [canonical(entry_of(section, row)) for row in some]
                yield from entries

    wait = BUSY.total_seconds()
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=wait)) as connection:
        connection.execute("BEGIN")
        counts = {name: connection.execute(query(name, "count(*)"), of).fetchone()[0] for name in _COUNTED}
        named = connection.execute("SELECT coalesce(max(value), '') FROM ltm_meta WHERE name = 'store_id'")
        manifest = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "plugin_version": plugin_version,
            "exported_at": at.isoformat(),
            "store_id": named.fetchone()[0],
            "scope": of or None,
            "counts": counts,
        }
        yield Document(manifest, rows)


ONE_AT_A_TIME = "another import is under way"
ERASED_MEANWHILE = (
    "a person was erased in the meantime, and the file may contain their data: check it again first"
)


class Transfers(OnDatabaseWithClock):
    """One import at a time; all of the work is done in threads."""

    imports = reads(import_page)
    _undo = writes(undo)

    def __init__(self, database: Database, clock: Clock, erased: ErasedPersons) -> None:
        """`erased` knows of each erasure."""
        super().__init__(database, clock)
        self._erased = erased
        self._stop_signal: StopSignal | None = None

    async def export(self, target: Path, *, scope: ScopeRef | None, plugin_version: str) -> None:
        """Write all that is remembered, or one scope of it, as it is at one moment, into this file.

        Raises UnavailableError when the disk does not take it.
        """
        stop_signal, at = StopSignal(), self._clock()

        def work(store: Path) -> None:
            with opened(store, stop_signal, plugin_version=plugin_version, at=at, scope=scope) as document:
                sha256 = document.checksum()
                with whole_file(target.with_name(f"{target.name}.unfinished"), lambda _: target) as file:
                    document.write(file.write, sha256)

        await self._database.beside(work, stop_signal)

    async def check(self, file: Path, kind: Kind = Kind.IMPORT) -> ImportResult:
        """What an import of this file would do. Raises InvalidInputError, RefusedError."""
        return await self._arrive(file, None, kind)

    async def bring_in(
        self, file: Path, *, import_id: str, kind: Kind, actor: str, name: str = ""
    ) -> ImportResult:
        """Bring in all that this file holds and the store does not, or nothing; the audit has its name.

        A cancelled caller has it stopped until the writing begins; from then on it goes to its end, unless
        the store closes: then it is nothing. Raises InvalidInputError, RefusedError, UnavailableError,
        ClosedError.
        """
        self._database.check_writes()
        order = ImportRequest(import_id=import_id, kind=kind, actor=actor, at=self._clock(), name=name)
        return await self._arrive(file, order, kind)

    async def undo(self, import_id: str, *, actor: str) -> Undone:
        """Take an import back, as far as nobody has changed what it added.

        Raises NotFoundError, RefusedError.
        """
        return await self._undo(import_id, actor=actor, at=self._clock())

    async def _arrive(self, file: Path, order: ImportRequest | None, kind: Kind) -> ImportResult:
        if self._stop_signal is not None:
            raise RefusedError(ONE_AT_A_TIME)
        stop_signal = self._stop_signal = StopSignal()
        importer = Importer(self._database.path, stop_signal)
        erased = self._erased.times
        keep_waiting = kind is Kind.RESTORE

        def see() -> None:
            self._database.check_writes()
            if self._erased.times != erased:
                raise RefusedError(ERASED_MEANWHILE)

        def merge(order: ImportRequest) -> ImportResult:
            arrived = importer.merge(order, see=see)
            self._database.change_feed.elsewhere()
            return arrived

        try:
            with self._database.long_work(stop_signal):
                try:
                    would = await self._database.beside(
                        lambda _: importer.check(file, keep_waiting=keep_waiting), stop_signal
                    )
                    return would if order is None else await self._database.alone(lambda _: merge(order))
                finally:
                    await in_thread(importer.close, stop_signal)
        finally:
            self._stop_signal = None
