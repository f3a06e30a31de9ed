"""The accounts that spoke or are paused, and `ltm_links`: those that their owners have joined."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, func, select

from ..domain.enums import Role, Scope
from ..domain.memory import Page
from ..domain.transfer import Kind
from ..models import EVENTS, IMPORTED_EVENTS, IMPORTS, ITEMS, LINKS, PAUSED
from .connection import Connection
from .items import LIVE

_C = EVENTS.c
_LAST = func.max(_C.created_at, type_=_C.created_at.type).label("last")
_WHERE = (_C.platform_id, _C.sender_id, _C.session_id, _C.scope)
_BY_IMPORT = and_(IMPORTED_EVENTS.c.import_id == IMPORTS.c.import_id, IMPORTS.c.kind == Kind.IMPORT)
_IMPORTED = _C.event_id.in_(select(IMPORTED_EVENTS.c.event_id).where(_BY_IMPORT)).label("imported")
"""Whether it was said where another store listened; what a restored snapshot brought back was said here."""
# A name beside the one greatest value is that of its row: SQLite, SELECT, "bare columns".
_SPOKE = (
    select(*_WHERE, _C.sender_name, _LAST, _IMPORTED)
    .where(_C.source_role == Role.USER, _C.sender_id != "")
    .group_by(*_WHERE, _IMPORTED)
    .order_by(_IMPORTED, _LAST.desc(), *_WHERE)
)
_PAUSED = (
    select(PAUSED.c.scope_id)
    .where(
        PAUSED.c.scope == Scope.USER,
        PAUSED.c.scope_id.like("_%:%"),
        # Neither a chat's id nor one in which something is escaped, as of a persona.
        PAUSED.c.scope_id.not_like("%Message:%"),
        PAUSED.c.scope_id.not_like("%!%"),
    )
    .order_by(PAUSED.c.scope_id)
)


@dataclass(frozen=True, kw_only=True)
class Place:
    """A chat in which an account spoke."""

    umo: str
    private: bool
    last_seen: datetime


@dataclass(frozen=True, kw_only=True)
class Account:
    """Who spoke, where, and under which name the last time; who was only imported or paused spoke nowhere."""

    platform_id: str
    sender_id: str
    name: str
    places: Sequence[Place]
    """Where it was last first."""


async def page(connection: Connection, query: str, *, page: int, page_size: int) -> Page[Account]:
    """One page of the accounts, who spoke last first, of those whose id or name has the query in it.

    Before them come those that are paused, also those of which no message is kept; last come those that an
    import alone tells of.

    The messages are looked through once: no index leads to their senders.
    """
    text = query.strip().lower()
    spoke = defaultdict[tuple[str, str], list[Any]](list)
    for (account,) in await connection.execute(_PAUSED):
        platform_id, _, sender_id = account.partition(":")
        spoke[platform_id, sender_id]
    for row in await connection.execute(_SPOKE):
        spoke[row.platform_id, row.sender_id].append(row)
    found = [
        (key, rows)
        for key, rows in spoke.items()
        if text in ":".join(key).lower() or any(text in row.sender_name.lower() for row in rows)
    ]
    rows = [_account(*key, rows) for key, rows in found[(page - 1) * page_size : page * page_size]]
    return Page(rows=rows, total=len(found), page=page, page_size=page_size)


def _account(platform_id: str, sender_id: str, rows: Sequence[Any]) -> Account:
    places = [
        Place(umo=row.session_id, private=row.scope is not Scope.GROUP, last_seen=row.last)
        for row in rows
        if not row.imported
    ]
    name = rows[0].sender_name if rows else ""
    return Account(platform_id=platform_id, sender_id=sender_id, name=name, places=places)


async def live_items(connection: Connection) -> Mapping[str, int]:
    """The id of each person's scope, and how many live items it holds."""
    query = select(ITEMS.c.scope_id, func.count()).where(ITEMS.c.scope == Scope.USER, LIVE)
    return {row[0]: row[1] for row in await connection.execute(query.group_by(ITEMS.c.scope_id))}


async def links(connection: Connection) -> Mapping[str, str]:
    """Each linked account and the one it is joined to."""
    rows = await connection.execute(select(LINKS.c.account, LINKS.c.joined_to).order_by(LINKS.c.account))
    return {row.account: row.joined_to for row in rows}


async def put_links(connection: Connection, joined: Mapping[str, str], *, at: datetime) -> None:
    """Let these be the links; one that is there already keeps its date."""
    before = await links(connection)
    gone = [account for account, _ in before.items() - joined.items()]
    await connection.change(LINKS.delete().where(LINKS.c.account.in_(gone)))
    new = [{"account": one, "joined_to": to, "created_at": at} for one, to in joined.items() - before.items()]
    if new:
        await connection.change(LINKS.insert(), new)
