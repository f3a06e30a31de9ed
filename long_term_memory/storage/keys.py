"""Items by the key they are known under."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, or_, select

from ..domain.memory import Item
from ..domain.words import Level
from ..models import ITEMS
from ..policies.keys import waiting_prefix
from . import items
from .seat import Seat

_C = ITEMS.c


async def at_level(
    connection: Seat, key: str, level: Level, condition: ColumnElement[bool]
) -> Sequence[Item]:
    """Live items of exactly this level that have the key, or wait for it, and fulfil the condition."""
    waits = _C.fact_key.startswith(waiting_prefix(key), autoescape=True)
    named = and_(or_(_C.fact_key == key, waits), _C.level == level, _C.person == "", items.LIVE)
    return await items.listed(connection, select(ITEMS).where(named, condition).order_by(_C.id))
