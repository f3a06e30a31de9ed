"""Events that the extraction gave up on, as an operator sees them."""

from sqlalchemy import func, select

from ..domain.memory import EventPage
from ..domain.words import Extraction
from ..models import EVENTS
from . import events
from .seat import Seat

_FAILED = EVENTS.c.extraction == Extraction.FAILED


async def page(connection: Seat, *, page: int, page_size: int) -> EventPage:
    """One page of the events given up, the newest first; pages count from 1."""
    query = select(EVENTS).where(_FAILED).order_by(EVENTS.c.created_at.desc(), EVENTS.c.id.desc())
    found = await events.listed(connection, query.limit(page_size).offset((page - 1) * page_size))
    total = await connection.execute(select(func.count()).select_from(EVENTS).where(_FAILED))
    return EventPage(events=found, total=int(total.scalar_one()), page=page, page_size=page_size)
