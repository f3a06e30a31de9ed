"""`ltm_audit`: who changed what and why. Rows are only ever added."""

from datetime import datetime

from sqlalchemy import select

from ..domain.writing import AuditEntry
from ..models import AUDIT
from .seat import Seat


async def append(connection: Seat, entry: AuditEntry, *, at: datetime) -> None:
    """Add one line."""
    await connection.change(
        AUDIT.insert().values(
            actor=entry.actor,
            action=entry.action,
            memory_id=entry.memory_id,
            before=entry.before,
            after=entry.after,
            reason=entry.reason,
            created_at=at,
        )
    )


async def of_item(connection: Seat, memory_id: str) -> list[tuple[datetime, AuditEntry]]:
    """What happened to an item, oldest first."""
    rows = await connection.execute(select(AUDIT).where(AUDIT.c.memory_id == memory_id).order_by(AUDIT.c.id))
    return [
        (
            row["created_at"],
            AuditEntry(
                actor=row["actor"],
                action=row["action"],
                memory_id=row["memory_id"],
                before=row["before"],
                after=row["after"],
                reason=row["reason"],
            ),
        )
        for row in rows.mappings()
    ]
