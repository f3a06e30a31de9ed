"""Memories as persons reach them: each query holds the choke point inside."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, false, or_, select

from ..domain.chat import Access, ScopeRef
from ..domain.memory import EvidenceInContext, Item, ItemPage
from ..domain.words import MemoryType
from ..models import ITEMS
from . import evidence, history, items, keywords, recalls
from .database import Database
from .visibility import quotable, reachable, visible


class Memories:
    """Implements `read.protocols.ReadStore` and `AccessLog`, and people's own lists."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def visible_items(self, access: Access, *, now: datetime, min_confidence: float) -> Sequence[Item]:
        """Active, unexpired items this access reaches, oldest first."""
        query = select(ITEMS).where(visible(access, now=now, min_confidence=min_confidence))
        async with self._database.read() as connection:
            return await items.listed(connection, query.order_by(ITEMS.c.id))

    async def word_scores(
        self, access: Access, text: str, *, now: datetime, min_confidence: float, limit: int
    ) -> Mapping[str, float]:
        """Memory id to BM25 score of visible items that share a word with the text, best first."""
        allowed = visible(access, now=now, min_confidence=min_confidence)
        async with self._database.read() as connection:
            return await keywords.scores(connection, text, allowed, limit=limit)

    async def touched(self, memory_ids: Sequence[str], *, at: datetime) -> None:
        """Count one injection of these items; nothing is counted while the store is read-only."""
        if memory_ids and not self._database.read_only:
            async with self._database.write() as connection:
                await recalls.touch(connection, memory_ids, at=at)

    async def own_items(
        self,
        owner_scopes: Sequence[ScopeRef],
        access: Access,
        *,
        kind: MemoryType | None = None,
        page: int = 1,
        page_size: int = 20,
    ) -> ItemPage:
        """One's own live items of any live status, as far as they may be shown in this chat."""
        own = _own(owner_scopes, access)
        if kind is not None:
            own = and_(own, ITEMS.c.type == kind)
        async with self._database.read() as connection:
            return await items.page_of(connection, own, page=page, page_size=page_size)

    async def own_matching(
        self, id_prefix: str, owner_scopes: Sequence[ScopeRef], access: Access, *, limit: int
    ) -> Sequence[Item]:
        """Those of `own_items` whose id begins like this."""
        begins = ITEMS.c.memory_id.startswith(id_prefix, autoescape=True)
        query = select(ITEMS).where(begins, _own(owner_scopes, access)).limit(limit)
        async with self._database.read() as connection:
            return await items.listed(connection, query)

    async def own_evidence(
        self, memory_id: str, owner_scopes: Sequence[ScopeRef], access: Access
    ) -> Sequence[EvidenceInContext]:
        """What one of `own_items` rests on, oldest first; words said in another chat are left out."""
        own = and_(ITEMS.c.memory_id == memory_id, _own(owner_scopes, access))
        async with self._database.read() as connection:
            if not await items.listed(connection, select(ITEMS).where(own)):
                return ()
            return await evidence.of_item(connection, memory_id, quotable(access))

    async def own_older(
        self, memory_id: str, owner_scopes: Sequence[ScopeRef], access: Access
    ) -> Sequence[Item]:
        """What one of `own_items` took the place of, as far as this chat may show it, latest first."""
        own = and_(reachable(access), or_(false(), *map(items.of_scope, owner_scopes)))
        async with self._database.read() as connection:
            return await history.older(connection, memory_id, own)


def _own(owner_scopes: Sequence[ScopeRef], access: Access) -> ColumnElement[bool]:
    return and_(reachable(access), items.LIVE, or_(false(), *map(items.of_scope, owner_scopes)))
