"""What a model that extracts is told to be known already: the same choke point as any reading (design 7)."""

from sqlalchemy import and_, select

from ..domain.chat import Access
from ..domain.memory import Item
from ..domain.words import Status
from ..models import ITEMS
from . import items, keywords
from .seat import Seat
from .visibility import reachable

_C = ITEMS.c


async def near(connection: Seat, access: Access, text: str, *, limit: int) -> list[Item]:
    """Items at exactly this level: those with words of the text, best first, then what answers a slot.

    In a group only what was said in it or is shared. Items that are switched off or gone are not told.
    """
    told = and_(
        reachable(access),
        _C.level == access.level,
        _C.status.in_((Status.ACTIVE, Status.SHADOW, Status.PENDING)),
        _C.fact != "",
    )
    found = [items.item_of(row) for row in await keywords.nearest(connection, text, told, limit=limit)]
    if len(found) == limit:
        return found
    standing = select(ITEMS).where(
        told, _C.slot != "", _C.memory_id.not_in([item.memory_id for item in found])
    )
    newest = standing.order_by(_C.last_confirmed_at.desc(), _C.id.desc()).limit(limit - len(found))
    return [*found, *await items.listed(connection, newest)]
