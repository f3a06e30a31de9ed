"""How much was learnt lately and how full a scope is: what the gate counts (design 5.6)."""

from datetime import datetime, timedelta

from sqlalchemy import bindparam, func, select

from ..domain.chat import ScopeRef
from ..domain.memory import Item
from ..domain.writing import Usage
from ..models import ITEMS
from ..policies.succession import RATE_RULES
from . import items
from .seat import Seat

HOUR = timedelta(hours=1)

_C = ITEMS.c
_COUNT = select(func.count()).select_from(ITEMS)
# What waits because of a rate does not use it up: else a steady stream would never be let in again.
_LET_IN = _COUNT.where(_C.reason.not_in(sorted(RATE_RULES)))
_IN_CHAT = _LET_IN.where(_C.created_at > bindparam("window"), _C.origin_umo == bindparam("umo"))
_IN_HOUR = _LET_IN.where(_C.created_at > bindparam("hour"))
_LIVE = _COUNT.where(_C.scope == bindparam("scope"), _C.scope_id == bindparam("scope_id"), items.LIVE)
_COUNTS = select(*(query.scalar_subquery() for query in (_IN_CHAT, _IN_HOUR, _LIVE)))


async def of(
    connection: Seat, owner: ScopeRef, umo: str, *, now: datetime, window: timedelta, full_at: int
) -> Usage:
    """The counts; live items only of a scope that holds `full_at` or more, least recently confirmed first."""
    here = {"scope": owner.scope, "scope_id": owner.scope_id, "umo": umo}
    found = await connection.execute(_COUNTS, here | {"window": now - window, "hour": now - HOUR})
    in_chat, in_hour, live = found.one()
    return Usage(
        new_in_chat=in_chat,
        new_in_hour=in_hour,
        live_in_scope=await _live(connection, owner) if live >= full_at else [],
    )


async def _live(connection: Seat, owner: ScopeRef) -> list[Item]:
    query = select(ITEMS).where(items.of_scope(owner), items.LIVE)
    return await items.listed(connection, query.order_by(_C.last_confirmed_at, _C.id))
