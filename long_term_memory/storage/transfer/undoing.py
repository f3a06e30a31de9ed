"""Taking an import back: what it added goes, what it displaced waits again, what was changed since stays."""

from datetime import datetime
from typing import Any

from sqlalchemy import RowMapping, and_, func, literal, select
from sqlalchemy import exists as there_is

from ...domain.errors import NotFoundError, RefusedError
from ...domain.memory import Page
from ...domain.transfer import Imported, Kind, Undone
from ...domain.words import UNDONE, Extraction, Status
from ...domain.writing import AuditEntry
from ...models import AUDIT, EVENTS, EVIDENCE, IMPORTED_EVENTS, IMPORTED_ITEMS, IMPORTS, ITEMS
from .. import audit, meta
from ..seat import Seat
from .statements import MADE_WAY

_C = IMPORTS.c
NEVER_TWICE = "this import is undone already"


async def undo(seat: Seat, import_id: str, *, actor: str, at: datetime) -> Undone:
    """Delete softly what this import added and nobody has changed since.

    Of its messages those go that nothing rests on. Raises NotFoundError, and RefusedError when it is undone
    already.
    """
    row = (await seat.execute(select(_C.undone_at).where(_C.import_id == import_id))).first()
    if row is None:
        raise NotFoundError("no such import")
    if row.undone_at is not None:
        raise RefusedError(NEVER_TWICE)
    brought = and_(IMPORTED_ITEMS.c.import_id == import_id, IMPORTED_ITEMS.c.memory_id == ITEMS.c.memory_id)
    living = ITEMS.c.status != Status.DELETED
    untouched = and_(brought, living, IMPORTED_ITEMS.c.updated_at == ITEMS.c.updated_at)
    kept = select(func.count()).where(brought, living, IMPORTED_ITEMS.c.updated_at != ITEMS.c.updated_at)
    stays = int((await seat.execute(kept)).scalar_one())
    lines = select(
        literal(actor),
        literal(UNDONE),
        ITEMS.c.memory_id,
        ITEMS.c.status,
        literal(str(Status.DELETED)),
        literal(import_id),
        literal(at, AUDIT.c.created_at.type),
    ).where(untouched)
    columns = ["actor", "action", "memory_id", "before", "after", "reason", "created_at"]
    await seat.change(AUDIT.insert().from_select(columns, lines))
    gone: dict[str, Any] = {
        "status": Status.DELETED,
        "reason": UNDONE,
        "deleted_at": at,
        "updated_at": at,
    }
    deleted = await seat.change(
        ITEMS.update().where(ITEMS.c.memory_id.in_(select(ITEMS.c.memory_id).where(untouched))).values(gone)
    )
    await _let_wait_again(seat, import_id, at=at)
    await _drop_messages(seat, import_id)
    await seat.change(IMPORTS.update().where(_C.import_id == import_id).values(undone_at=at))
    counts = f"deleted={deleted} kept={stays}"
    line = AuditEntry(actor=actor, action=UNDONE, before=import_id, reason=counts)
    await audit.append(seat, line, at=at)
    return Undone(deleted=deleted, kept=stays)


async def _let_wait_again(seat: Seat, import_id: str, *, at: datetime) -> None:
    """What waited until the import came waits again, as it did, where that is gone now."""
    gone = select(IMPORTED_ITEMS.c.memory_id).join(ITEMS, ITEMS.c.memory_id == IMPORTED_ITEMS.c.memory_id)
    gone = gone.where(IMPORTED_ITEMS.c.import_id == import_id, ITEMS.c.reason == UNDONE)
    before = select(AUDIT.c.before).where(
        AUDIT.c.memory_id == ITEMS.c.memory_id, AUDIT.c.action == MADE_WAY, AUDIT.c.reason == import_id
    )
    await seat.change(
        ITEMS.update()
        .where(
            ITEMS.c.status == Status.SUPERSEDED,
            ITEMS.c.superseded_by.in_(gone),
            before.correlate(ITEMS).exists(),
        )
        .values(status=before.correlate(ITEMS).scalar_subquery(), superseded_by=None, updated_at=at)
    )


async def _drop_messages(seat: Seat, import_id: str) -> None:
    rested_on = there_is().where(EVIDENCE.c.event_id == EVENTS.c.event_id)
    brought = select(IMPORTED_EVENTS.c.event_id).where(IMPORTED_EVENTS.c.import_id == import_id)
    gone = EVENTS.c.event_id.in_(brought) & ~rested_on & (EVENTS.c.extraction != Extraction.PENDING)
    if await seat.change(EVENTS.delete().where(gone)):
        await meta.note_dropped(seat)


async def page(seat: Seat, *, page: int, page_size: int) -> Page[Imported]:
    """One page of the imports, the newest first; pages count from 1."""
    query = select(IMPORTS).order_by(_C.created_at.desc(), _C.import_id)
    rows = await seat.execute(query.limit(page_size).offset((page - 1) * page_size))
    found = rows.mappings().all()
    total = await seat.execute(select(func.count()).select_from(IMPORTS))
    noted = and_(AUDIT.c.memory_id == "", AUDIT.c.after.in_([row["import_id"] for row in found]))
    named = (await seat.execute(select(AUDIT.c.after, AUDIT.c.before).where(noted))).all()
    names = {row.after: row.before for row in named}
    imports = [_imported(row, names.get(row["import_id"], "")) for row in found]
    return Page(rows=imports, total=int(total.scalar_one()), page=page, page_size=page_size)


async def restored_from(seat: Seat) -> frozenset[str]:
    """The stores of which a snapshot was restored into this one."""
    query = select(_C.store_id).where(_C.kind == Kind.RESTORE).distinct()
    return frozenset((await seat.execute(query)).scalars())


def _imported(row: RowMapping, name: str) -> Imported:
    return Imported(
        import_id=row["import_id"],
        kind=Kind(row["kind"]),
        name=name,
        actor=row["actor"],
        at=row["created_at"],
        sha256=row["sha256"],
        items=row["items"],
        undone_at=row["undone_at"],
    )
