"""What limits count: how much was learnt lately, how full a scope is, and `ltm_tokens`."""

from datetime import datetime

from sqlalchemy import and_, bindparam, func, or_, select
from sqlalchemy.dialects.sqlite import insert

from ..domain.chat import ScopeRef
from ..domain.enums import Status
from ..domain.writing import QuotaCounts, TokenReservation
from ..models import ITEMS, TOKENS
from ..policies.admission import RATE_WINDOW
from ..policies.succession import RATE_RULES
from . import items
from .columns import Ready
from .connection import Connection

_C = ITEMS.c
_COUNT = select(func.count()).select_from(ITEMS)
# What waits because of a rate, or left while it did, does not use it up: else a steady stream would never be
# let in again. What was worded anew or corrected counts once.
_WAITED = or_(*(_C.reason.endswith(rate, autoescape=True) for rate in sorted(RATE_RULES)))
_LET_IN = _COUNT.where(~_WAITED, _C.status != Status.SUPERSEDED)
# What is of a time to come was written before the clock was set back: it would fill the hour until then.
_SO_FAR = _LET_IN.where(_C.created_at <= bindparam("now"))
_IN_HOUR = _SO_FAR.where(_C.created_at > bindparam("since"))
_IN_CHAT = _IN_HOUR.where(_C.origin_umo == bindparam("umo"))
_HERE = and_(_C.scope == bindparam("scope"), _C.scope_id == bindparam("scope_id"), items.LIVE)
_LIVE = _COUNT.where(_HERE)
_RESIDENTS = Ready(select(ITEMS).where(_HERE))
_COUNTS = Ready(select(*(query.scalar_subquery() for query in (_IN_CHAT, _IN_HOUR, _LIVE))))


async def counts(
    connection: Connection, owner: ScopeRef, umo: str, *, now: datetime, full_at: int
) -> QuotaCounts:
    """The counts; live items only of a scope that holds `full_at` or more."""
    here = {"scope": owner.scope, "scope_id": owner.scope_id}
    counted = {**here, "umo": umo, "since": now - RATE_WINDOW, "now": now}
    [(in_chat, in_hour, live)] = await connection.rows(_COUNTS, counted)
    residents = await items.looked_up(connection, _RESIDENTS, here) if live >= full_at else []
    return QuotaCounts(new_in_chat=in_chat, new_in_hour=in_hour, live_in_scope=residents)


_TOKENS = TOKENS.c


async def on_day(connection: Connection, day: str) -> tuple[int, int]:
    """The calls and the tokens, of questions and answers together, of all providers; those under way too."""
    total = func.coalesce(func.sum(_TOKENS.prompt_tokens + _TOKENS.answer_tokens), 0)
    query = select(func.coalesce(func.sum(_TOKENS.calls), 0), total).where(_TOKENS.day == day)
    calls, tokens = (await connection.execute(query)).one()
    return calls, tokens


async def book(connection: Connection, reservation: TokenReservation) -> None:
    """Count one call."""
    row = insert(TOKENS).values(calls=1, **vars(reservation))
    sums = {name: _TOKENS[name] + row.excluded[name] for name in ("calls", "prompt_tokens", "answer_tokens")}
    await connection.change(row.on_conflict_do_update(index_elements=["day", "provider_id"], set_=sums))


async def correct(
    connection: Connection, booked: TokenReservation, *, prompt_tokens: int = 0, answer_tokens: int = 0
) -> None:
    """Put what a call did cost in place of what was booked for it.

    One without tokens is no call: it was never made, or the provider did not work on it.
    """
    more = {
        "calls": 0 if prompt_tokens else -1,
        "prompt_tokens": prompt_tokens - booked.prompt_tokens,
        "answer_tokens": answer_tokens - booked.answer_tokens,
    }
    here = TOKENS.update().where(_TOKENS.day == booked.day, _TOKENS.provider_id == booked.provider_id)
    await connection.change(here.values({name: func.max(0, _TOKENS[name] + by) for name, by in more.items()}))
