"""The recall log as an operator reads it: everybody's, and with the memories it names."""

from collections.abc import Mapping, Sequence

from sqlalchemy import ColumnElement, RowMapping, Text, and_, func, select, type_coerce

from ..domain.chat import ScopeRef
from ..domain.memory import Item, Page
from ..domain.recalls import ListedRecall, LoggedRecall, RecallFilter
from ..domain.words import Extraction, Level, Role, Scope
from ..models import EVENTS, ITEMS, RECALLS
from . import events, items, recalls
from .columns import values_in
from .methods import OnDatabase, reads
from .paging import each_word, within

_C = RECALLS.c
_GIVES_NOTHING = type_coerce(_C.injected, Text) == "[]"
_STATES = tuple(Extraction)
_SHARED = (Scope.GROUP, Scope.PROJECT)
_SAME = ("recall_id", "umo", "level", "query", "given", "left_out", "vectors", "reason", "at")
_SHOWN = (
    *(
        _C[name]
        for name in ("recall_id", "owner_scope", "owner_scope_id", "level", "query", "vectors", "reason")
    ),
    _C.session_id.label("umo"),
    _C.created_at.label("at"),
    func.json_array_length(_C.injected).label("given"),
    func.json_array_length(_C.omitted).label("left_out"),
)


class RecallHistory(OnDatabase):
    """Reads only. The lists of a recall are counted where they lie: they are long."""

    get = reads(recalls.get)

    async def page(self, wanted: RecallFilter) -> Page[ListedRecall]:
        """One page, the newest first; pages count from 1."""
        condition = _matching(wanted)
        ids = select(_C.id).where(condition).order_by(_C.created_at.desc(), _C.id.desc())
        here = ids.limit(wanted.page_size).offset((wanted.page - 1) * wanted.page_size)
        shown = select(*_SHOWN).where(_C.id.in_(here)).order_by(_C.created_at.desc(), _C.id.desc())
        counted = select(func.count()).select_from(RECALLS).where(condition)
        async with self._database.read() as connection:
            rows = (await connection.execute(shown)).mappings()
            total = int((await connection.execute(counted)).scalar_one())
        found = [_listed(row) for row in rows]
        return Page(rows=found, total=total, page=wanted.page, page_size=wanted.page_size)

    async def reply(self, recall: LoggedRecall) -> str:
        """What the bot answered then, as far as that is kept; else empty."""
        of, owner = EVENTS.c, recall.owner
        of_owner = and_(of.owner_scope == owner.scope, of.owner_scope_id == owner.scope_id)
        # Both are dated by the arrival of the message.
        then = and_(of.created_at == recall.at, of.session_id == recall.umo)
        query = select(EVENTS).where(of_owner, then, of.source_role == Role.ASSISTANT)
        async with self._database.read() as connection:
            found = await events.listed(connection, query)
        return found[0].text if found else ""

    async def items(self, memory_ids: Sequence[str]) -> Mapping[str, Item]:
        """Those of the memories that are still there, whatever their status."""
        if not memory_ids:
            return {}
        query = select(ITEMS).where(ITEMS.c.memory_id.in_(memory_ids))
        async with self._database.read() as connection:
            return {item.memory_id: item for item in await items.listed(connection, query)}

    async def place(self, umo: str) -> ScopeRef | None:
        """The scope of the group or project under which something said in this chat was kept last."""
        of = EVENTS.c
        query = (
            select(of.scope, of.scope_id)
            # By each state, so that the index of the queue serves.
            .where(of.extraction.in_(sorted(_STATES)), of.session_id == umo, of.scope.in_(_SHARED))
            .order_by(of.created_at.desc())
            .limit(1)
        )
        async with self._database.read() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else ScopeRef(scope=Scope(row.scope), scope_id=row.scope_id)


def _listed(row: RowMapping) -> ListedRecall:
    owner = ScopeRef(scope=Scope(row["owner_scope"]), scope_id=row["owner_scope_id"])
    return ListedRecall(owner=owner, **values_in(row, _SAME, {"level": Level}))


def _matching(wanted: RecallFilter) -> ColumnElement[bool]:
    terms: list[ColumnElement[bool]] = []
    if wanted.scope_id is not None:
        # By each kind, so that the index by owner serves.
        terms += [_C.owner_scope.in_(sorted(Scope)), _C.owner_scope_id == wanted.scope_id]
    if wanted.umo is not None:
        terms.append(_C.session_id == wanted.umo)
    if wanted.empty is not None:
        terms.append(_GIVES_NOTHING if wanted.empty else ~_GIVES_NOTHING)
    terms += within(_C.created_at, wanted.since, wanted.until)
    return and_(_C.id.is_not(None), *terms, *each_word(wanted.query, (_C.query,)))
