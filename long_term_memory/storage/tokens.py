"""`ltm_tokens`: the ledger of what models were asked, one row a day (UTC) and provider."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.dialects.sqlite import insert

from ..domain.writing import Booking
from ..models import TOKENS
from .seat import Seat

_C = TOKENS.c


@dataclass(frozen=True, kw_only=True)
class Spent:
    """What a day has cost so far, calls under way included."""

    calls: int
    tokens: int
    """Of questions and answers together."""


async def on_day(connection: Seat, day: str) -> Spent:
    """The sum over all providers."""
    total = func.coalesce(func.sum(_C.prompt_tokens + _C.answer_tokens), 0)
    query = select(func.coalesce(func.sum(_C.calls), 0), total).where(_C.day == day)
    calls, tokens = (await connection.execute(query)).one()
    return Spent(calls=calls, tokens=tokens)


async def tokens_on(connection: Seat, day: str) -> int:
    """What the calls of a day (UTC) have cost so far, those under way included."""
    return (await on_day(connection, day)).tokens


async def book(connection: Seat, booking: Booking) -> None:
    """Count one call."""
    row = insert(TOKENS).values(
        day=booking.day,
        provider_id=booking.provider_id,
        calls=1,
        prompt_tokens=booking.prompt_tokens,
        answer_tokens=booking.answer_tokens,
    )
    new = row.excluded
    sums = {name: _C[name] + new[name] for name in ("calls", "prompt_tokens", "answer_tokens")}
    await connection.change(row.on_conflict_do_update(index_elements=["day", "provider_id"], set_=sums))


async def correct(connection: Seat, booking: Booking, *, prompt_tokens: int, answer_tokens: int) -> None:
    """Put what a call did cost in place of what was booked for it."""
    await _change(
        connection,
        booking,
        prompt_tokens=prompt_tokens - booking.prompt_tokens,
        answer_tokens=answer_tokens - booking.answer_tokens,
    )


async def cancel(connection: Seat, booking: Booking) -> None:
    """Take back a call that was never made, or that the provider did not work on."""
    await _change(
        connection,
        booking,
        calls=-1,
        prompt_tokens=-booking.prompt_tokens,
        answer_tokens=-booking.answer_tokens,
    )


async def _change(connection: Seat, booking: Booking, **by: int) -> None:
    here = TOKENS.update().where(_C.day == booking.day, _C.provider_id == booking.provider_id)
    await connection.change(here.values({name: func.max(0, _C[name] + more) for name, more in by.items()}))
