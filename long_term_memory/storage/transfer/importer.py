"""Brings in what is staged: it is weighed against the store, then written in one transaction.

What the store has under the same id stays as it is there, deleted or not; only what the undoing of an import
took back comes in again. A memory that the store has in use under another id gives way to that one: it comes
in as superseded by it; but what only waits here gives way to what the file has in use. Who is paused or
joined this store knows best itself: of its own files it takes neither, and links from another store but once,
so that nobody is joined again who parted.
"""

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...domain.errors import InvalidInputError, RefusedError
from ...domain.transfer import Arrived, Contents, Kind, Manifest, Phase
from .. import keywords
from ..long_work import Course
from . import statements
from .staging import AT_ONCE, Staging
from .statements import WRITTEN

ERASED = "somebody is being erased, and no older snapshot may bring them back"


@dataclass(frozen=True, kw_only=True)
class Order:
    """By whom, when and as what a document is brought in."""

    import_id: str
    kind: Kind
    actor: str
    at: str
    """As the tables keep instants."""
    source: Path
    """The file it is in."""
    name: str
    """What that is called."""


def weighed(staging: Staging, manifest: Manifest, course: Course) -> Arrived:
    """What bringing it in would do now; nothing is written. Raises InvalidInputError."""
    connection = staging.connection
    connection.execute("BEGIN")
    try:
        counts = _weigh(connection)
        _put_words(connection, course)
    finally:
        # The words of the index are worth keeping; the store was only read.
        connection.execute("COMMIT")
    return _arrived(counts, manifest, import_id=None)


def bring_in(
    staging: Staging, manifest: Manifest, order: Order, course: Course, *, see: Callable[[], None]
) -> Arrived:
    """Write all of it, or nothing; `see` raises at the end what stands against it by then.

    Raises InvalidInputError, StoppedError, RefusedError, and what that raises.
    """
    connection = staging.connection
    connection.execute("BEGIN IMMEDIATE")
    try:
        arrived = _arrived(_weigh(connection), manifest, import_id=order.import_id)
        _put_words(connection, course)
        _write(staging, arrived, order, course)
        if order.kind is Kind.RESTORE and _is_outdated(connection, order.source):
            raise RefusedError(ERASED)
        see()
        connection.execute("COMMIT")
    except sqlite3.IntegrityError as error:
        raise InvalidInputError("file", "the store does not take a row of it") from error
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return arrived


def _is_outdated(connection: sqlite3.Connection, snapshot: Path) -> bool:
    """Whether somebody was erased who may be in this snapshot.

    An erasure leaves its mark with the rows, and takes it away only after all snapshots.
    """
    return connection.execute(statements.MARK).fetchone() is not None or not snapshot.exists()


def _own_id(connection: sqlite3.Connection) -> str | None:
    row = connection.execute(statements.STORE_ID).fetchone()
    return row[0] if row else None


def _weigh(connection: sqlite3.Connection) -> Mapping[str, int]:
    for statement in statements.WEIGH:
        connection.execute(statement)
    for why, query in statements.FAULTS.items():
        if connection.execute(f"{query} LIMIT 1").fetchone():
            raise InvalidInputError("file", why)
    return {name: connection.execute(query).fetchone()[0] for name, query in statements.COUNTS.items()}


def _arrived(counts: Mapping[str, int], manifest: Manifest, *, import_id: str | None) -> Arrived:
    return Arrived(
        import_id=import_id,
        added=Contents(**{name: counts[name] for name in ("items", "evidence", "events")}),
        known=counts["known"],
        known_deleted=counts["known_deleted"],
        gave_way=counts["gave_way"],
        manifest=manifest,
    )


def _put_words(connection: sqlite3.Connection, course: Course) -> None:
    """Prepare the words of the full-text index, which takes longer than writing them."""
    last = 0
    while items := connection.execute(statements.WITHOUT_WORDS, (last,)).fetchall():
        prepared: list[tuple[str, int]] = []
        for row, memory_id, umo, *said in items:
            quotes = (quote for (quote,) in connection.execute(statements.QUOTES, (memory_id, umo)))
            prepared.append((keywords.indexed(*said, *dict.fromkeys(quotes)), row))
            last = row
        connection.executemany("UPDATE arriving_items SET words = ? WHERE rowid = ?", prepared)
        course.go_on()


def _write(staging: Staging, arrived: Arrived, order: Order, course: Course) -> None:
    connection, added, manifest = staging.connection, arrived.added, arrived.manifest
    as_what = {"import_id": order.import_id, "actor": order.actor, "kind": str(order.kind), "at": order.at}
    whole = as_what | {"sha256": manifest.sha256, "store_id": manifest.store_id}
    connection.execute(statements.BEGUN, whole)
    connection.execute(statements.COMES_AGAIN)
    total, done = sum(staging.counts[section] for section in WRITTEN), 0
    for section in WRITTEN:
        for first in range(1, staging.counts[section] + 1, AT_ONCE):
            part = as_what | {"first": first, "last": first + AT_ONCE - 1}
            for statement in statements.INSERT[section]:
                connection.execute(statement, part)
            done += AT_ONCE
            course.tell(Phase.WRITING, done, total)
    if manifest.store_id != _own_id(connection):
        connection.execute(statements.PAUSES)
        if order.kind is Kind.RESTORE and not connection.execute(statements.RESTORED, whole).fetchone():
            connection.execute(statements.LINKS)
    counts = {"items": added.items, "evidence": added.evidence, "events": added.events}
    connection.execute(statements.ENDED, counts | as_what)
    told = counts | {"known": arrived.known, "gave_way": arrived.gave_way}
    reason = " ".join(f"{name}={number}" for name, number in told.items())
    connection.execute(statements.NOTED, as_what | {"name": order.name, "reason": reason})
