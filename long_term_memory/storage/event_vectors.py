"""`ltm_event_vectors`: the vectors of what people and the bot said, for a search of the transcript."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.sqlite import insert

from ..domain.errors import InvalidInputError
from ..models import EVENT_VECTORS, EVENTS
from .seat import Seat
from .vectors import blob, unit

_C = EVENT_VECTORS.c


@dataclass(frozen=True, kw_only=True)
class EmbeddedEvent:
    """The vector of a message."""

    event_id: str
    vector: Sequence[float]
    """Of any norm."""


async def put(connection: Seat, model_id: str, embedded: EmbeddedEvent, *, at: datetime) -> bool:
    """Store the vector of a message in place of its older one; False when the message is gone.

    Raises InvalidInputError as `vectors.put` does.
    """
    vector = unit(embedded.vector)
    others = select(_C.dimension).where(_C.model_id == model_id, _C.event_id != embedded.event_id).limit(1)
    known = (await connection.execute(others)).scalar()
    if known is not None and known != len(vector):
        raise InvalidInputError("vector", f"has {len(vector)} numbers, the others of this model have {known}")
    there = select(EVENTS.c.id).where(EVENTS.c.event_id == embedded.event_id)
    if (await connection.execute(there)).first() is None:
        return False
    values = {"dimension": len(vector), "vector": blob(vector), "created_at": at}
    new = insert(EVENT_VECTORS).values(event_id=embedded.event_id, model_id=model_id, **values)
    await connection.change(new.on_conflict_do_update(index_elements=["event_id", "model_id"], set_=values))
    return True
