"""What reading leaves behind: how often and when an item was injected."""

from collections.abc import Sequence
from datetime import datetime

from ..models import ITEMS
from .seat import Seat


async def touch(connection: Seat, memory_ids: Sequence[str], *, at: datetime) -> None:
    """Count one injection of these items."""
    await connection.change(
        ITEMS.update()
        .where(ITEMS.c.memory_id.in_(memory_ids))
        .values(access_count=ITEMS.c.access_count + 1, last_accessed_at=at)
    )
