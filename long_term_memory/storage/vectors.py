"""`ltm_vectors`: the truth about vectors. Any index is built from these rows and can be thrown away."""

import math
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Table, bindparam, select
from sqlalchemy.dialects.sqlite import Insert, insert

from ..domain.chat import ScopeRef
from ..domain.errors import InvalidInputError
from ..models import ITEMS, VECTORS
from . import items
from .seat import Seat

_C = VECTORS.c


@dataclass(frozen=True, kw_only=True)
class Embedded:
    """The vector of an item, and the text it was made from."""

    memory_id: str
    fact: str
    vector: Sequence[float]
    """Of any norm."""


def unit(vector: Sequence[float]) -> array[float]:
    """The vector at norm 1 as float32. Raises InvalidInputError when it points nowhere or is not finite."""
    norm = math.hypot(*vector)
    if not vector or (not math.isfinite(norm) and not all(math.isfinite(number) for number in vector)):
        raise InvalidInputError("vector", "must consist of finite numbers")
    if norm == 0 or math.isinf(norm):
        raise InvalidInputError("vector", "has no direction")
    if norm < sys.float_info.min:  # so small that the norm itself is only about right
        return unit([number / norm for number in vector])
    return array("f", [number / norm for number in vector])


def blob(vector: array[float]) -> bytes:
    """The vector as it is stored: little-endian float32, whatever the machine."""
    if sys.byteorder == "big":  # pragma: no cover - no machine of ours
        vector = array("f", vector)
        vector.byteswap()
    return vector.tobytes()


def put_in_place(table: Table, key: str) -> Insert:
    """The statement that stores a vector under this key and model in place of the one that is there."""
    new = insert(table)
    values = {name: new.excluded[name] for name in ("dimension", "vector", "created_at")}
    return new.on_conflict_do_update(index_elements=[key, "model_id"], set_=values)


def row_of(vector: array[float], at: datetime) -> dict[str, Any]:
    """What of a vector is stored, beside whose it is."""
    return {"dimension": len(vector), "vector": blob(vector), "created_at": at}


def check_dimension(dimension: int, others: int | None) -> None:
    """Raises InvalidInputError when the model's other vectors have another length."""
    if others not in (None, dimension):
        raise InvalidInputError("vector", f"has {dimension} numbers, the others of this model have {others}")


_OTHERS = (
    select(_C.dimension)
    .where(_C.model_id == bindparam("model_id"), _C.memory_id != bindparam("memory_id"))
    .limit(1)
)
_CURRENT = select(ITEMS.c.id).where(
    ITEMS.c.memory_id == bindparam("memory_id"), ITEMS.c.fact == bindparam("fact")
)
_PUT = put_in_place(VECTORS, "memory_id")


async def put(connection: Seat, model_id: str, embedded: Embedded, *, at: datetime) -> bool:
    """Store the vector of an item in place of its older one under the same model.

    False, and nothing stored, when the item is gone or its fact is another by now. Raises InvalidInputError
    when the numbers are no vector or of another length than the model's other vectors.
    """
    vector = unit(embedded.vector)
    key = {"model_id": model_id, "memory_id": embedded.memory_id}
    check_dimension(len(vector), (await connection.execute(_OTHERS, key)).scalar())
    current = {"memory_id": embedded.memory_id, "fact": embedded.fact}
    if (await connection.execute(_CURRENT, current)).first() is None:
        return False
    await connection.change(_PUT, key | row_of(vector, at))
    return True


async def delete(connection: Seat, ref: ScopeRef, memory_id: str) -> bool:
    """Forget the vectors of an item of this scope; whether there were any."""
    here = select(ITEMS.c.memory_id).where(items.of_scope(ref))
    gone = await connection.change(VECTORS.delete().where(_C.memory_id == memory_id, _C.memory_id.in_(here)))
    return gone > 0
