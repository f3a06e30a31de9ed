"""The accounts that spoke or are paused, and `ltm_links`: those that their owners have joined (design 8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import CTE, ColumnElement, delete, func, literal, null, or_, select, union_all
from sqlalchemy.dialects.sqlite import insert

from ..domain.memory import Page
from ..domain.words import Role, Scope
from ..models import EVENTS, ITEMS, LINKS, PAUSED
from .connection import Connection
from .items import LIVE
from .paging import contains

_C = EVENTS.c
_LAST = func.max(_C.created_at, type_=_C.created_at.type)


@dataclass(frozen=True, kw_only=True)
class Place:
    """A chat in which an account spoke."""

    umo: str
    private: bool
    last_seen: datetime


@dataclass(frozen=True, kw_only=True)
class Account:
    """Who spoke, where, and under which name the last time; of whoever is paused alone only the ids."""

    platform_id: str
    sender_id: str
    name: str
    places: Sequence[Place]
    """Where it was last first."""

    @property
    def last_seen(self) -> datetime | None:
        """When it spoke last; None when nothing is kept of what it said."""
        return self.places[0].last_seen if self.places else None


async def page(connection: Connection, query: str, *, page: int, page_size: int) -> Page[Account]:
    """One page of the accounts, who spoke last first, of those whose id or name has the query in it.

    At the end come those that are paused and of which no message is kept, as after they were erased.

    The messages are looked through once: no index leads to their senders.
    """
    spoke = _spoke()
    whom = spoke.c.platform_id, spoke.c.sender_id
    last = func.max(spoke.c.last, type_=spoke.c.last.type).label("last")
    # A name beside the one greatest value is that of its row: SQLite, SELECT, "bare columns".
    found = select(*whom, spoke.c.sender_name.label("name"), last, func.count().over().label("total"))
    found = found.group_by(*whom).having(_has(spoke, query)).order_by(last.desc(), *whom)
    wanted = found.limit(page_size).offset((page - 1) * page_size).cte("wanted")
    together = wanted.c.platform_id == whom[0], wanted.c.sender_id == whom[1]
    rows = await connection.execute(
        select(wanted, spoke.c.umo, spoke.c.scope, spoke.c.last.label("there"))
        .join_from(wanted, spoke, (together[0]) & (together[1]))
        .order_by(wanted.c.last.desc(), *whom, spoke.c.last.desc(), spoke.c.umo)
    )
    accounts = dict[tuple[str, str], Account]()
    places = dict[tuple[str, str], list[Place]]()
    total = 0
    for row in rows.mappings():
        key, total = (row["platform_id"], row["sender_id"]), row["total"]
        here = places.setdefault(key, [])
        if row["umo"]:
            here.append(Place(umo=row["umo"], private=row["scope"] != Scope.GROUP, last_seen=row["there"]))
        accounts.setdefault(key, Account(platform_id=key[0], sender_id=key[1], name=row["name"], places=here))
    if not accounts and page > 1:
        every = select(func.count()).select_from(
            select(*whom).group_by(*whom).having(_has(spoke, query)).subquery()
        )
        total = int((await connection.execute(every)).scalar_one())
    return Page(rows=list(accounts.values()), total=total, page=page, page_size=page_size)


async def live_items(connection: Connection) -> Mapping[str, int]:
    """The id of each person's scope, and how many live items it holds."""
    query = select(ITEMS.c.scope_id, func.count()).where(ITEMS.c.scope == Scope.USER, LIVE)
    rows = await connection.execute(query.group_by(ITEMS.c.scope_id))
    return {row[0]: row[1] for row in rows.all()}


async def links(connection: Connection) -> Mapping[str, str]:
    """Each linked account and the one it is joined to."""
    rows = await connection.execute(select(LINKS.c.account, LINKS.c.joined_to).order_by(LINKS.c.account))
    return {row.account: row.joined_to for row in rows}


async def put_links(connection: Connection, joined: Mapping[str, str], *, at: datetime) -> None:
    """Let these be the links; one that is there already keeps its date."""
    before = await links(connection)
    if gone := [account for account in before if account not in joined]:
        await connection.change(delete(LINKS).where(LINKS.c.account.in_(gone)))
    for account, joined_to in joined.items():
        if before.get(account) != joined_to:
            row = insert(LINKS).values(account=account, joined_to=joined_to, created_at=at)
            moved = {"joined_to": row.excluded.joined_to, "created_at": row.excluded.created_at}
            await connection.change(row.on_conflict_do_update(index_elements=["account"], set_=moved))


def _spoke() -> CTE:
    """Who said something in which chat, when last, and under which name then; and who is paused."""
    by_whom = _C.platform_id, _C.sender_id, _C.session_id, _C.scope
    said = (
        select(
            _C.platform_id,
            _C.sender_id,
            _C.sender_name,
            _C.session_id.label("umo"),
            _C.scope,
            _LAST.label("last"),
        )
        .where(_C.source_role == Role.USER, _C.sender_id != "")
        .group_by(*by_whom)
    )
    account = PAUSED.c.scope_id
    colon = func.instr(account, ":")
    paused = select(
        func.substr(account, 1, colon - 1),
        func.substr(account, colon + 1),
        literal(""),
        literal(""),
        PAUSED.c.scope,
        null(),
    ).where(
        PAUSED.c.scope == Scope.USER,
        colon > 1,
        # Neither a chat's id nor one in which something is escaped, as of a persona.
        account.not_like("%Message:%"),
        account.not_like("%!%"),
    )
    return union_all(said, paused).cte("spoke")


def _has(spoke: CTE, query: str) -> ColumnElement[bool]:
    text = query.replace("\0", " ").strip()
    account = spoke.c.platform_id + ":" + spoke.c.sender_id
    # A second max() would leave the name to chance.
    return func.sum(or_(contains(account, text), contains(spoke.c.sender_name, text))) > 0
