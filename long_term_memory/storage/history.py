"""What an item took the place of: the chain of `superseded_by`, walked backwards."""

from sqlalchemy import ColumnElement, select, true

from ..domain.memory import Item
from ..domain.words import Status
from ..models import ITEMS
from . import items
from .seat import Seat

MAX_OLDER = 50
"""Older items that are looked at; more are left out."""


async def older(connection: Seat, memory_id: str, allowed: ColumnElement[bool] | None = None) -> list[Item]:
    """Superseded items that this one replaced, directly or through others, latest first.

    What `allowed` lets not through ends its branch. A circle, left by going back and forth, is walked once.
    """
    shown = true() if allowed is None else allowed
    superseded = select(ITEMS).where(ITEMS.c.status == Status.SUPERSEDED, shown).limit(MAX_OLDER)
    found: dict[str, Item] = {}
    newer = [memory_id]
    while newer and len(found) < MAX_OLDER:
        step = await items.listed(connection, superseded.where(ITEMS.c.superseded_by.in_(newer)))
        fresh = {one.memory_id: one for one in step if one.memory_id not in {memory_id, *found}}
        found |= fresh
        newer = list(fresh)
    return sorted(found.values(), key=lambda item: item.updated_at, reverse=True)
