"""How much was learnt lately and how full a scope is: what the gate counts (design 5.7)."""

from dataclasses import fields
from datetime import datetime, timedelta

from sqlalchemy import and_, bindparam, func, not_, select

from ..domain.chat import ScopeRef
from ..domain.words import MemoryType, Origin, Status
from ..domain.writing import Resident, Usage
from ..models import ITEMS
from ..policies.succession import RATE_RULES
from . import items
from .columns import values_in
from .seat import Seat

HOUR = timedelta(hours=1)

_C = ITEMS.c
_COUNT = select(func.count()).select_from(ITEMS)
# What waits because of a rate, or left while it did, does not use it up: else a steady stream would never be
# let in again.
_LET_IN = _COUNT.where(*(not_(_C.reason.endswith(rate, autoescape=True)) for rate in sorted(RATE_RULES)))
# What is of a time to come was written before the clock was set back: it would fill the hour until then.
_SO_FAR = _LET_IN.where(_C.created_at <= bindparam("now"))
_IN_CHAT = _SO_FAR.where(_C.created_at > bindparam("window"), _C.origin_umo == bindparam("umo"))
_IN_HOUR = _SO_FAR.where(_C.created_at > bindparam("hour"))
_HERE = and_(_C.scope == bindparam("scope"), _C.scope_id == bindparam("scope_id"), items.LIVE)
_LIVE = _COUNT.where(_HERE)
_FIELDS = [field.name for field in fields(Resident)]
_KINDS = {"type": MemoryType, "status": Status, "origin": Origin}
_RESIDENTS = select(*(_C[name] for name in _FIELDS)).where(_HERE)
_COUNTS = select(*(query.scalar_subquery() for query in (_IN_CHAT, _IN_HOUR, _LIVE)))


async def of(
    connection: Seat, owner: ScopeRef, umo: str, *, now: datetime, window: timedelta, full_at: int
) -> Usage:
    """The counts; live items only of a scope that holds `full_at` or more."""
    here = {"scope": owner.scope, "scope_id": owner.scope_id}
    counted = {**here, "umo": umo, "window": now - window, "hour": now - HOUR, "now": now}
    in_chat, in_hour, live = (await connection.execute(_COUNTS, counted)).one()
    rows = (await connection.execute(_RESIDENTS, here)).mappings() if live >= full_at else ()
    return Usage(
        new_in_chat=in_chat,
        new_in_hour=in_hour,
        live_in_scope=[Resident(**values_in(row, _FIELDS, _KINDS)) for row in rows],
    )
