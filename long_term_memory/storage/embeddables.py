"""What still has no vector, with the words that its vector is made from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import RowMapping, and_, bindparam, func, not_, or_, select

from ..domain.words import Role, SourceType, Status
from ..models import EVENT_VECTORS, EVENTS, EVIDENCE, ITEMS, VECTORS
from ..policies.embedded import Line, bare
from .events import IS_COMMAND
from .seat import Seat

_ITEM = ITEMS.c
_EVENT = EVENTS.c
RECALLED = _ITEM.status.in_((Status.ACTIVE, Status.SHADOW, Status.PENDING))
"""Items that are recalled, or will be when somebody approves them."""
_SPOKEN = and_(
    _EVENT.source_type == SourceType.MESSAGE,
    _EVENT.source_role.in_((Role.USER, Role.ASSISTANT)),
    not_(IS_COMMAND),
)
_ANSWERS_WITHIN = timedelta(hours=1)
"""What was said longer ago is not what a message answers."""
_HAS_BOTH = and_(
    *(
        select(VECTORS.c.id)
        .where(VECTORS.c.memory_id == _ITEM.memory_id, VECTORS.c.model_id == bindparam(tag))
        .exists()
        for tag in ("model_id", "bare_model_id")
    )
)
_HAS_ONE = (
    select(EVENT_VECTORS.c.id)
    .where(EVENT_VECTORS.c.event_id == _EVENT.event_id, EVENT_VECTORS.c.model_id == bindparam("model_id"))
    .exists()
)
_ITEMS_WITHOUT = (
    select(_ITEM.memory_id, _ITEM.fact)
    .where(RECALLED, ~_HAS_BOTH)
    .order_by(_ITEM.id.desc())
    .limit(bindparam("most"))
)
_EVENTS_WITHOUT = (
    select(EVENTS)
    .where(_EVENT.id > bindparam("after"), _SPOKEN, ~_HAS_ONE)
    .order_by(_EVENT.id.desc())
    .limit(bindparam("most"))
)
_EVENTS_WITHOUT_SINCE = _EVENTS_WITHOUT.where(_EVENT.created_at >= bindparam("since"))
_TOTAL = select(func.count()).select_from(ITEMS).where(RECALLED)
_DONE = _TOTAL.where(_HAS_BOTH)
_LAST_EVENT = select(func.max(_EVENT.id))
_LINK = EVIDENCE.c
_FIRST_LINKS = (
    select(func.min(_LINK.id))
    .join(EVENTS, _EVENT.event_id == _LINK.event_id)
    .join(ITEMS, _ITEM.memory_id == _LINK.memory_id)
    .where(
        _LINK.memory_id.in_(bindparam("memory_ids", expanding=True)), _EVENT.session_id == _ITEM.origin_umo
    )
    .group_by(_LINK.memory_id)
)
_OLDEST_WORDS = (
    select(_LINK.memory_id, _LINK.quote, EVENTS)
    .join(EVENTS, _EVENT.event_id == _LINK.event_id)
    .where(_LINK.id.in_(_FIRST_LINKS))
)
_SAID_BEFORE = (
    select(EVENTS)
    .where(
        _EVENT.scope == bindparam("scope"),
        _EVENT.scope_id == bindparam("scope_id"),
        _EVENT.created_at.between(bindparam("since"), bindparam("until")),
        _EVENT.session_id == bindparam("umo"),
        _EVENT.id < bindparam("row"),
        _EVENT.level <= bindparam("level"),
        or_(_EVENT.source_role != Role.USER, _EVENT.sender_id != bindparam("sender_id")),
        _SPOKEN,
    )
    .order_by(_EVENT.created_at.desc(), _EVENT.id.desc())
    .limit(1)
)


@dataclass(frozen=True, kw_only=True)
class Embeddable:
    """An item without its vectors."""

    memory_id: str
    fact: str
    quote: Line | None
    """Its oldest words from the chat it was said in; those of other chats stay out of its vector."""
    answered: Line | None
    """What these words answered there."""


@dataclass(frozen=True, kw_only=True)
class EmbeddableEvent:
    """A message of the transcript without its vector."""

    event_id: str
    line: Line


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far the vectors of one model are."""

    done: int
    total: int


async def items_without(connection: Seat, model_id: str, limit: int) -> list[Embeddable]:
    """Items that may be recalled and lack a vector of this model, newest first."""
    rows = (await connection.execute(_ITEMS_WITHOUT, _tags(model_id) | {"most": limit})).all()
    if not rows:
        return []
    said = await _oldest_words(connection, [memory_id for memory_id, _ in rows])
    return [await _embeddable(connection, memory_id, fact, said.get(memory_id)) for memory_id, fact in rows]


async def progress(connection: Seat, model_id: str) -> Progress:
    """How many items that may be recalled have their vectors of this model."""
    return Progress(
        done=(await connection.execute(_DONE, _tags(model_id))).scalar_one(),
        total=(await connection.execute(_TOTAL)).scalar_one(),
    )


async def last_event(connection: Seat) -> int:
    """The row of the message that was stored last; 0 when there is none."""
    return (await connection.execute(_LAST_EVENT)).scalar_one() or 0


async def events_without(
    connection: Seat, model_id: str, *, after: int, since: datetime | None, limit: int
) -> list[EmbeddableEvent]:
    """What has no vector of this model of what people and the bot said, last stored first.

    Looked at is what was stored after the row `after` and said since then.
    """
    query = _EVENTS_WITHOUT if since is None else _EVENTS_WITHOUT_SINCE
    sought = {"model_id": model_id, "after": after, "most": limit} | ({"since": since} if since else {})
    rows = await connection.execute(query, sought)
    return [EmbeddableEvent(event_id=row["event_id"], line=_line(row)) for row in rows.mappings()]


def _tags(model_id: str) -> dict[str, Any]:
    return {"model_id": model_id, "bare_model_id": bare(model_id)}


async def _oldest_words(connection: Seat, memory_ids: Sequence[str]) -> Mapping[str, RowMapping]:
    """Memory id to the event of its first evidence from the chat it was said in, and the quote."""
    rows = await connection.execute(_OLDEST_WORDS, {"memory_ids": memory_ids})
    return {row["memory_id"]: row for row in rows.mappings()}


async def _embeddable(connection: Seat, memory_id: str, fact: str, said: RowMapping | None) -> Embeddable:
    if said is None:
        return Embeddable(memory_id=memory_id, fact=fact, quote=None, answered=None)
    quote = Line(name=_name(said), text=said["quote"])
    return Embeddable(memory_id=memory_id, fact=fact, quote=quote, answered=await _answered(connection, said))


async def _answered(connection: Seat, event: RowMapping) -> Line | None:
    """What a message quotes, else what somebody else said before it in the same chat, if not long before."""
    if quoted := event["content"].get("quoted", ""):
        return Line(name="", text=quoted)
    before = {
        "scope": event["scope"],
        "scope_id": event["scope_id"],
        "since": event["created_at"] - _ANSWERS_WITHIN,
        "until": event["created_at"],
        "umo": event["session_id"],
        "row": event["id"],
        "level": event["level"],
        "sender_id": event["sender_id"],
    }
    rows = await connection.execute(_SAID_BEFORE, before)
    found = rows.mappings().first()
    return _line(found) if found else None


def _line(event: RowMapping) -> Line:
    return Line(name=_name(event), text=event["content"].get("text", ""))


def _name(event: RowMapping) -> str:
    """Who speaks; the bot has no name of its own here."""
    return event["sender_name"] if event["source_role"] == Role.USER else ""
