"""What still has no vector, with the words that its vector is made from."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, RowMapping, and_, bindparam, func, or_, select, true

from ..domain.enums import Role
from ..models import EVENT_VECTORS, EVENTS, EVIDENCE, ITEMS, VECTORS
from ..policies.embedded import MAX_ANSWERED, MAX_MESSAGE, MAX_QUOTE, alone, bare, in_context, spoken
from .connection import Connection
from .events import NEWEST, SPOKEN
from .items import RECALLED

_ITEM = ITEMS.c
_EVENT = EVENTS.c
_LINK = EVIDENCE.c
_ANSWERS_WITHIN = timedelta(hours=1)
"""What was said longer ago is not what a message answers."""
_PLACE = ("scope", "scope_id", "session_id")
_SAID_BEFORE = (
    select(EVENTS)
    .where(
        *(_EVENT[name] == bindparam(name) for name in _PLACE),
        _EVENT.created_at.between(bindparam("since"), bindparam("created_at")),
        _EVENT.id < bindparam("id"),
        _EVENT.level <= bindparam("level"),
        or_(_EVENT.source_role != Role.USER, _EVENT.sender_id != bindparam("sender_id")),
        SPOKEN,
    )
    .order_by(*NEWEST)
    .limit(1)
)
"""What was said before a message, by somebody else."""


@dataclass(frozen=True, kw_only=True)
class Embeddable:
    """An item or a message without its vectors."""

    key: str
    """The memory or event id."""
    fact: str | None = None
    """That of an item."""
    texts: tuple[str, ...]
    """One for each of `tags`."""


def tags(model_id: str, of: Embeddable) -> Sequence[str]:
    """The tags of its vectors: an item has one of its fact alone and one in context."""
    return (model_id,) if of.fact is None else (bare(model_id), model_id)


async def items_without(connection: Connection, model_id: str, limit: int) -> list[Embeddable]:
    """Items that may be recalled and lack a vector of this model, newest first.

    In context they stand with their oldest words from the chat they were said in, and what these answered
    there; the words of other chats stay out of the vector.
    """
    lacking = select(_ITEM.memory_id, _ITEM.fact).where(RECALLED, ~_has_both(model_id))
    rows = (await connection.execute(lacking.order_by(_ITEM.id.desc()).limit(limit))).all()
    first_links = (
        select(func.min(_LINK.id))
        .join(EVENTS, _EVENT.event_id == _LINK.event_id)
        .join(ITEMS, _ITEM.memory_id == _LINK.memory_id)
        .where(_LINK.memory_id.in_([row.memory_id for row in rows]), _EVENT.session_id == _ITEM.origin_umo)
        .group_by(_LINK.memory_id)
    )
    oldest_words = (
        select(_LINK.memory_id, _LINK.quote, EVENTS)
        .join(EVENTS, _EVENT.event_id == _LINK.event_id)
        .where(_LINK.id.in_(first_links))
    )
    said = {row["memory_id"]: row for row in (await connection.execute(oldest_words)).mappings()}
    found: list[Embeddable] = []
    for memory_id, fact in rows:
        words = said.get(memory_id)
        quote = spoken(_name(words), words["quote"][:MAX_QUOTE]) if words else ""
        answered = await _answered(connection, words) if words else ""
        texts = (alone(fact), in_context(fact, answered, quote))
        found.append(Embeddable(key=memory_id, fact=fact, texts=texts))
    return found


async def progress(connection: Connection, model_id: str) -> tuple[int, int]:
    """How many items that may be recalled have their vectors of this model, and how many there are."""
    counts = select(func.count().filter(_has_both(model_id)), func.count()).select_from(ITEMS)
    done, total = (await connection.execute(counts.where(RECALLED))).one()
    return done, total


async def last_event(connection: Connection) -> int:
    """The row of the message that was stored last; 0 when there is none."""
    return (await connection.execute(select(func.max(_EVENT.id)))).scalar_one() or 0


async def events_without(
    connection: Connection, model_id: str, *, after: int, since: datetime | None, limit: int
) -> list[Embeddable]:
    """What has no vector of this model of what people and the bot said, last stored first.

    Looked at is what was stored after the row `after` and said since then.
    """
    of = EVENT_VECTORS.c
    embedded = select(of.id).where(of.event_id == _EVENT.event_id, of.model_id == model_id).exists()
    lately = _EVENT.created_at >= since if since else true()
    query = select(EVENTS).where(_EVENT.id > after, SPOKEN, ~embedded, lately)
    rows = await connection.execute(query.order_by(_EVENT.id.desc()).limit(limit))
    said = ((row["event_id"], spoken(_name(row), _text(row)[:MAX_MESSAGE])) for row in rows.mappings())
    return [Embeddable(key=event_id, texts=(text,)) for event_id, text in said]


def _has_both(model_id: str) -> ColumnElement[bool]:
    of = VECTORS.c
    each = (
        select(of.id).where(of.memory_id == _ITEM.memory_id, of.model_id == tag).exists()
        for tag in (model_id, bare(model_id))
    )
    return and_(*each)


async def _answered(connection: Connection, event: RowMapping) -> str:
    """What a message quotes, else what somebody else said before it in the same chat, if not long before."""
    if quoted := event["content"].get("quoted", ""):
        return quoted[-MAX_ANSWERED:]
    around = {name: event[name] for name in (*_PLACE, "created_at", "id", "level", "sender_id")}
    asked = around | {"since": event["created_at"] - _ANSWERS_WITHIN}
    found = (await connection.execute(_SAID_BEFORE, asked)).mappings().first()
    return spoken(_name(found), _text(found)[-MAX_ANSWERED:]) if found else ""


def _text(event: RowMapping) -> str:
    return event["content"].get("text", "")


def _name(event: RowMapping) -> str:
    """Who speaks; the bot has no name of its own here."""
    return event["sender_name"] if event["source_role"] == Role.USER else ""
