"""Imports: a document is checked in temporary tables beside the store's, then merged in one transaction.

Temporary tables lie in a file without a name, so a long document takes little memory and locks nothing. What
the store has under the same id stays as it is, deleted or not. Of the same fact under two ids the store's
stays in use, and the file's comes in as superseded by it; if the store's only waits and the file's is in use,
the file's supersedes it. Of its own files a store takes neither pauses nor links, and links of another store
only at its first restore: nobody is joined again who parted.
"""

import json
import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import ColumnElement, Update, and_, exists, func, or_, select

from ...domain import transfer
from ...domain.chat import ScopeRef
from ...domain.enums import Scope, Status
from ...domain.errors import InvalidInputError, NotFoundError, RefusedError
from ...domain.memory import Page
from ...domain.writing import AuditEntry
from ...models import AUDIT, EVENTS, EVIDENCE, IMPORTED_EVENTS, IMPORTED_ITEMS, IMPORTS, ITEMS
from ...policies.succession import REPLACEMENT_UNDONE
from .. import audit, items, keywords, meta
from ..columns import values_in
from ..connection import Connection
from ..database import BUSY
from ..long_work import StoppedError, StopSignal
from . import statements as sql
from .document import SECTIONS, Document, damaged, read_entries, read_manifest
from .rows import COLUMNS, row_of

# ruff: noqa: S608 - nothing but our own names goes into the statements

CHANGED = (
    "its checksum is wrong: it was changed or damaged. Import the file as it was exported;"
    " to change memories, edit them on the page under Memories"
)
ERASED = "somebody is being erased, and no older snapshot may bring them back"
_A_STEP, _INSTRUCTIONS = 100, 20_000
"""Rows after which the thread pauses, and instructions of SQLite after which it may be stopped."""


@dataclass(frozen=True, kw_only=True)
class ImportRequest:
    """By whom, when and as what a document is imported."""

    import_id: str
    kind: transfer.Kind
    actor: str
    at: datetime
    name: str
    """What its file is called."""


class Importer:
    """One document on its way in. Used from one thread at a time, and closed by whoever made it."""

    def __init__(self, store: Path, stop_signal: StopSignal) -> None:
        self._store = store
        self._stop_signal = stop_signal
        self._opened = ExitStack()
        self._connection: sqlite3.Connection
        self._file: Path
        self._manifest: transfer.Manifest

    def close(self) -> None:
        """Drop all that was read, if it came to that."""
        self._opened.close()

    def check(self, file: Path, *, keep_waiting: bool) -> transfer.ImportResult:
        """Read the document and say what an import would do; nothing is written.

        `keep_waiting`: messages that wait for extraction go on waiting here. Raises InvalidInputError.
        """
        self._file = file
        self._manifest, raw = read_manifest(file)
        if self._manifest.sha256 != Document(raw, self._entries).checksum():
            raise InvalidInputError("file", CHANGED)
        self._connect()
        with self._transaction("BEGIN"):
            counts = {section: self._take(section, keep_waiting=keep_waiting) for section in SECTIONS}
            if any(counts[name] != told for name, told in asdict(self._manifest.counts).items()):
                raise damaged("it holds other numbers of rows than it says")
            self._connection.execute(sql.COUNT_WORDS)
            self._connection.execute("SAVEPOINT unweighed")
            would = self._weigh()
            self._connection.execute("ROLLBACK TO unweighed")  # the store may change until the merge
        return would

    def merge(self, order: ImportRequest, *, see: Callable[[], None]) -> transfer.ImportResult:
        """Write all of it, or nothing; `see` raises at the end what prevents it by then.

        Raises InvalidInputError, StoppedError, RefusedError, and what `see` raises.
        """
        try:
            with self._transaction("BEGIN IMMEDIATE"):
                arrived = replace(self._weigh(), import_id=order.import_id)
                self._merge(order, arrived)
                # An erasure leaves its mark with the rows, and takes it away only after all snapshots.
                marked = self._connection.execute(sql.MARK).fetchone() is not None
                if order.kind is transfer.Kind.RESTORE and (marked or not self._file.exists()):
                    raise RefusedError(ERASED)
                see()
        except sqlite3.IntegrityError as error:
            raise InvalidInputError("file", f"the store does not take a row of it: {error}") from error
        return arrived

    def _connect(self) -> None:
        wait = BUSY.total_seconds()
        connected = sqlite3.connect(self._store, isolation_level=None, timeout=wait, check_same_thread=False)
        self._connection = self._opened.enter_context(closing(connected))
        self._connection.create_function("ltm_words", 5, _words, deterministic=True)
        # Outside a transaction: these read the store, and the file is then read without a snapshot of it.
        for statement in (*(f"PRAGMA {pragma}" for pragma in sql.PRAGMAS), *sql.STAGING):
            self._connection.execute(statement)
        self._connection.set_progress_handler(self._stop_signal.is_set, _INSTRUCTIONS)

    def _entries(self, section: str) -> Generator[str]:
        for number, entry in enumerate(read_entries(self._file, section)):
            if number % _A_STEP == 0:
                self._stop_signal.go_on()
            yield entry

    def _take(self, section: str, *, keep_waiting: bool) -> int:
        rows = (
            row_of(section, entry, f"{section}[{number}]", keep_waiting=keep_waiting)
            for number, entry in enumerate(self._entries(section))
        )
        places = ", ".join("?" * len(COLUMNS[section]))
        statement = f"INSERT INTO arriving_{section} ({', '.join(COLUMNS[section])}) VALUES ({places})"
        try:
            return self._connection.executemany(statement, rows).rowcount
        except sqlite3.IntegrityError as error:
            raise InvalidInputError("file", f"{section}: an id stands there twice") from error

    def _weigh(self) -> transfer.ImportResult:
        """Compare with the store, and leave over what is new."""
        known, deleted = self._connection.execute(sql.KNOWN).fetchone()
        differing = self._connection.execute(sql.COUNT_DIFFERING).fetchone()[0]
        stay = self._named(sql.NAME_DIFFERING)
        people = self._connection.execute(sql.NEWCOMERS).fetchall()  # with the messages that give their names
        *_, gave_way = [self._connection.execute(statement).rowcount for statement in sql.WEIGH]
        new = {name: f"SELECT count(*) FROM arriving_{name}" for name in asdict(self._manifest.counts)}
        added = {name: self._connection.execute(query).fetchone()[0] for name, query in new.items()}
        return transfer.ImportResult(
            import_id=None,
            added=transfer.Contents(**added),
            named=self._named(sql.NAME_ADDED),
            known=transfer.Known(items=known, deleted=deleted),
            differing=transfer.Differing(items=differing, named=stay),
            gave_way=transfer.Duplicates(items=gave_way),
            newcomers=[f"{name} ({scope_id})" if name else scope_id for scope_id, name in people],
            manifest=self._manifest,
        )

    def _named(self, query: str) -> Sequence[transfer.NamedItem]:
        named = list[transfer.NamedItem]()
        for memory_id, scope, scope_id, person, fact in self._connection.execute(query):
            owner = ScopeRef(scope=Scope(scope), scope_id=scope_id)
            named.append(transfer.NamedItem(memory_id=memory_id, owner=owner, person=person, fact=fact))
        return named

    def _merge(self, order: ImportRequest, arrived: transfer.ImportResult) -> None:
        added = asdict(arrived.added)
        counted = added | {"known": arrived.known.items, "gave_way": arrived.gave_way.items}
        values = {
            **asdict(order),
            **added,
            "at": f"{order.at.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}",
            "sha256": self._manifest.sha256,
            "store_id": self._manifest.store_id,
            "counted": " ".join(f"{name}={number}" for name, number in counted.items()),
        }
        for statement in sql.MERGE:
            self._connection.execute(statement, values)
            self._stop_signal.go_on()

    @contextmanager
    def _transaction(self, begin: str) -> Generator[None]:
        try:
            with self._connection:  # commits, or rolls back
                self._connection.execute(begin)
                yield
        except sqlite3.OperationalError as error:
            if self._stop_signal.is_set():
                raise StoppedError from error
            raise


def _words(*said: str) -> str:
    """The full-text index of an item; the last argument has its quotes as a JSON array."""
    return keywords.indexed(*said[:-1], *dict.fromkeys(json.loads(said[-1])))


_C = IMPORTS.c
UNDO = "undo_import"
"""The action of the audit for an import, and each of its memories, that was taken back."""
_UNTOUCHED = IMPORTED_ITEMS.c.updated_at == ITEMS.c.updated_at
NEVER_TWICE = "this import is undone already"


async def undo(connection: Connection, import_id: str, *, actor: str, at: datetime) -> transfer.Undone:
    """Remove what this import added and nobody has changed since, and its messages that nothing rests on.

    Raises NotFoundError, and RefusedError when it is undone already.
    """
    row = (await connection.execute(select(_C.undone_at).where(_C.import_id == import_id))).first()
    if row is None:
        raise NotFoundError("no such import")
    if row.undone_at is not None:
        raise RefusedError(NEVER_TWICE)
    living = _living(import_id)
    untouched = and_(living, _UNTOUCHED)
    doomed = await connection.execute(select(ITEMS.c.memory_id, ITEMS.c.status).where(untouched))
    line = AuditEntry(actor=actor, action=UNDO, reason=import_id)
    lines = [replace(line, memory_id=memory_id, before=status) for memory_id, status in doomed]
    gone = select(ITEMS.c.memory_id).where(untouched).correlate(None)
    left = and_(ITEMS.c.superseded_by.in_(gone), ~ITEMS.c.memory_id.in_(gone), ~items.IMPORT_UNDONE)
    displaced = select(ITEMS.c.memory_id).where(ITEMS.c.status == Status.SUPERSEDED, left)
    former = await connection.scalars(displaced)
    deleted = await connection.change(ITEMS.delete().where(ITEMS.c.memory_id.in_(gone)))
    back = {"status": Status.PENDING, "reason": REPLACEMENT_UNDONE, "superseded_by": None, "updated_at": at}
    returned = 0
    for each in former:  # ignored where another has its place by now
        update = ITEMS.update().prefix_with("OR IGNORE").where(ITEMS.c.memory_id == each).values(back)
        if await connection.change(update):
            returned += 1
            await connection.change(_only_waits(each).values(updated_at=at))
            revived = replace(line, action="revive", memory_id=each, reason=REPLACEMENT_UNDONE)
            lines.append(replace(revived, before=Status.SUPERSEDED, after=Status.PENDING))
    kept = (await connection.execute(select(func.count()).where(living))).scalar_one()
    messages = select(IMPORTED_EVENTS.c.event_id).where(IMPORTED_EVENTS.c.import_id == import_id)
    rested_on = exists().where(EVIDENCE.c.event_id == EVENTS.c.event_id)
    await connection.change(EVENTS.delete().where(EVENTS.c.event_id.in_(messages), ~rested_on))
    await meta.note_dropped(connection)
    await connection.change(IMPORTS.update().where(_C.import_id == import_id).values(undone_at=at))
    counts = f"deleted={deleted} kept={kept} returned={returned}"
    lines.append(replace(line, before=import_id, reason=counts))
    await audit.extend(connection, lines, at=at)
    return transfer.Undone(deleted=deleted, kept=kept, returned=returned)


def _living(import_id: str) -> ColumnElement[bool]:
    """What an import brought and is not deleted."""
    brought = and_(IMPORTED_ITEMS.c.import_id == import_id, IMPORTED_ITEMS.c.memory_id == ITEMS.c.memory_id)
    return and_(brought, ITEMS.c.status != Status.DELETED)


def _only_waits(memory_id: str) -> Update:
    """Its row among the imported ones, if imports and their undos alone have changed it since it came in."""
    its = AUDIT.c.memory_id == memory_id
    came = select(func.max(AUDIT.c.id)).where(its, AUDIT.c.action.in_(transfer.Kind)).scalar_subquery()
    by_imports = or_(AUDIT.c.reason == REPLACEMENT_UNDONE, AUDIT.c.reason.in_(select(_C.import_id)))
    touched = exists().where(its, AUDIT.c.id > came, ~by_imports)
    return IMPORTED_ITEMS.update().where(IMPORTED_ITEMS.c.memory_id == memory_id, ~touched)


async def import_page(connection: Connection, *, page: int, page_size: int) -> Page[transfer.Imported]:
    """One page of the imports, the newest first; pages count from 1."""
    line = and_(AUDIT.c.memory_id == "", AUDIT.c.after == _C.import_id)
    name = select(AUDIT.c.before).where(line).limit(1).scalar_subquery()
    query = select(IMPORTS, name.label("name"))
    query = query.order_by(_C.created_at.desc(), _C.import_id)
    rows = await connection.execute(query.limit(page_size).offset((page - 1) * page_size))
    total = await connection.execute(select(func.count()).select_from(IMPORTS))
    imports = [
        transfer.Imported(
            name=row["name"] or "",
            at=row["created_at"],
            **values_in(row, ("import_id", "kind", "actor", "sha256", "items", "events", "undone_at")),
        )
        for row in rows.mappings()
    ]
    return Page(rows=imports, total=int(total.scalar_one()), page=page, page_size=page_size)


async def restored_from(connection: Connection) -> frozenset[str]:
    """The stores of which a snapshot was restored into this one."""
    query = select(_C.store_id).where(_C.kind == transfer.Kind.RESTORE).distinct()
    return frozenset(await connection.scalars(query))
