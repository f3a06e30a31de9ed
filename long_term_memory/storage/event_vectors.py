"""`ltm_event_vectors`: the vectors of what people and the bot said, for a search of the transcript."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select

from ..models import EVENT_VECTORS, EVENTS
from .seat import Seat
from .vectors import check_dimension, put_in_place, row_of, unit

_C = EVENT_VECTORS.c
_OTHERS = (
    select(_C.dimension)
    .where(_C.model_id == bindparam("model_id"), _C.event_id != bindparam("event_id"))
    .limit(1)
)
_THERE = select(EVENTS.c.id).where(EVENTS.c.event_id == bindparam("event_id"))
_PUT = put_in_place(EVENT_VECTORS, "event_id")


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
    key = {"model_id": model_id, "event_id": embedded.event_id}
    check_dimension(len(vector), (await connection.execute(_OTHERS, key)).scalar())
    if (await connection.execute(_THERE, {"event_id": embedded.event_id})).first() is None:
        return False
    await connection.change(_PUT, key | row_of(vector, at))
    return True
