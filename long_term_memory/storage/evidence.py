"""`ltm_evidence`: why an item may exist."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, select, true

from ..domain.memory import Evidence, EvidenceInContext
from ..domain.words import Origin, Role
from ..models import EVENTS, EVIDENCE, ITEMS
from .seat import Seat

_C = EVIDENCE.c
_QUOTES_INDEXED = 8
"""An item confirmed a hundred times is found by its newest words as well as by all."""


async def add(connection: Seat, evidence: Sequence[Evidence]) -> None:
    """Link events to items. The events exist; a link that is there already is an IntegrityError."""
    if evidence:
        await connection.change(EVIDENCE.insert(), [values_of(one) for one in evidence])


def values_of(evidence: Evidence) -> dict[str, Any]:
    """The row of `ltm_evidence` that holds this piece."""
    return {
        "evidence_id": evidence.evidence_id,
        "memory_id": evidence.memory_id,
        "event_id": evidence.event_id,
        "quote": evidence.quote,
        "extraction_method": evidence.method,
        "extraction_meta": dict(evidence.meta),
        "created_at": evidence.created_at,
    }


async def exists(connection: Seat, memory_id: str, event_id: str) -> bool:
    """Whether this event already counts for this item."""
    query = select(_C.id).where(_C.memory_id == memory_id, _C.event_id == event_id)
    return (await connection.execute(query)).first() is not None


async def of_item(
    connection: Seat, memory_id: str, allowed: ColumnElement[bool] | None = None
) -> list[EvidenceInContext]:
    """What an item rests on, oldest words first; only events that `allowed` holds for, or all."""
    query = (
        select(
            *EVIDENCE.columns,
            EVENTS.c.source_role,
            EVENTS.c.sender_id,
            EVENTS.c.sender_name,
            EVENTS.c.created_at.label("said_at"),
            EVENTS.c.session_id,
        )
        .join(EVENTS, EVENTS.c.event_id == _C.event_id)
        .where(_C.memory_id == memory_id, true() if allowed is None else allowed)
        .order_by(EVENTS.c.created_at, EVENTS.c.id)
    )
    return [_in_context(row) for row in (await connection.execute(query)).mappings()]


def _in_context(row: RowMapping) -> EvidenceInContext:
    return EvidenceInContext(
        evidence=Evidence(
            evidence_id=row["evidence_id"],
            memory_id=row["memory_id"],
            event_id=row["event_id"],
            quote=row["quote"],
            method=Origin(row["extraction_method"]),
            meta=row["extraction_meta"],
            created_at=row["created_at"],
        ),
        role=Role(row["source_role"]),
        sender_id=row["sender_id"],
        sender_name=row["sender_name"],
        said_at=row["said_at"],
        umo=row["session_id"],
    )


async def quotes(connection: Seat, memory_id: str) -> list[str]:
    """The newest distinct quotes of an item from the chat it was said in.

    Those from elsewhere would let one chat's search find what was said in another.
    """
    query = (
        select(_C.quote)
        .join(EVENTS, EVENTS.c.event_id == _C.event_id)
        .join(ITEMS, ITEMS.c.memory_id == _C.memory_id)
        .where(_C.memory_id == memory_id, EVENTS.c.session_id == ITEMS.c.origin_umo)
        .order_by(_C.id.desc())
        .limit(_QUOTES_INDEXED)
    )
    return list(dict.fromkeys((await connection.execute(query)).scalars()))
