"""`ltm_audit`: who changed what and why. Rows are only ever added."""

from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import datetime

from sqlalchemy import RowMapping, select

from ..domain.writing import AuditEntry, AuditLine
from ..models import AUDIT
from .columns import values_in
from .seat import Seat

_INSERT = AUDIT.insert()
_FIELDS = [field.name for field in fields(AuditEntry)]


async def append(connection: Seat, entry: AuditEntry, *, at: datetime) -> None:
    """Add one line."""
    await extend(connection, [entry], at=at)


async def extend(connection: Seat, entries: Sequence[AuditEntry], *, at: datetime) -> None:
    """Add several lines, at least one, in one step."""
    await connection.change(_INSERT, [asdict(entry) | {"created_at": at} for entry in entries])


async def of_item(connection: Seat, memory_id: str) -> list[tuple[datetime, AuditEntry]]:
    """What happened to an item, oldest first."""
    rows = await connection.execute(select(AUDIT).where(AUDIT.c.memory_id == memory_id).order_by(AUDIT.c.id))
    return [(row["created_at"], _entry_of(row)) for row in rows.mappings()]


def line_of(row: RowMapping) -> AuditLine:
    """The line a row of `ltm_audit` holds."""
    return AuditLine(id=row["id"], at=row["created_at"], **values_in(row, _FIELDS, {}))


def _entry_of(row: RowMapping) -> AuditEntry:
    return AuditEntry(**values_in(row, _FIELDS, {}))
