"""Memories as persons reach them: each query holds the choke point inside."""

from collections.abc import Mapping, Sequence
from itertools import islice

from sqlalchemy import ColumnElement, and_, case, false, not_, or_, select, true

from ..domain.chat import Access, ScopeRef
from ..domain.enums import HELD_BACK, NOTE, STANDING_TYPES, Extraction, ListedType, MemoryType, Origin, Status
from ..domain.memory import Event, EvidenceInContext, Item, Page, Paging
from ..domain.recalls import LoggedRecall
from ..models import EVENTS, ITEMS
from ..policies.keys import waiting_prefix
from ..policies.succession import BY_POLICY
from ..text_analysis.terms import terms
from . import events, evidence, items, keywords, person_rows, recalls
from .columns import in_scopes
from .connection import Connection
from .database import OnDatabase, reads
from .paging import contains, paged
from .visibility import in_own_words, owned, quotable, reachable, said_by_them, topmost

MAX_SPELT = 16
"""Words that messages are looked through for."""
_NEWEST = (ITEMS.c.updated_at.desc(), ITEMS.c.id.desc())


class Memories(OnDatabase):
    """People's own lists; what a request may carry comes from `index`."""

    of_every_persona = reads(person_rows.of_every_persona)
    _items = reads(items.listed)
    _older = reads(items.older)
    _last_recall = reads(recalls.last)
    _paged = reads(paged)

    async def own_items(self, access: Access, wanted: Paging, kind: ListedType | None = None) -> Page[Item]:
        """One's own items of any live status, as far as they may be shown in this chat.

        Of a fact that is in use at several levels it is the highest.
        """
        own = and_(_own(access), topmost(access))
        if kind is not None:
            is_note = and_(ITEMS.c.type == MemoryType.EPISODE, ITEMS.c.origin == Origin.USER_EXPLICIT)
            own = and_(own, is_note if kind == NOTE else and_(ITEMS.c.type == kind, not_(is_note)))
        return await self._paged(ITEMS, items.item_of, own, _NEWEST, wanted)

    async def own_matching(self, id_prefix: str, access: Access, *, ended: bool = False) -> Sequence[Item]:
        """Two of `own_items` whose id begins like this; `ended`: what is over but not forgotten instead."""
        begins = ITEMS.c.memory_id.startswith(id_prefix, autoescape=True)
        over = and_(ITEMS.c.status.in_((Status.SUPERSEDED, Status.EXPIRED)), owned(access))
        return await self._items(select(ITEMS).where(begins, over if ended else _own(access)).limit(2))

    async def own_versions(self, item: Item, access: Access) -> Sequence[Item]:
        """An item of `own_items` with those of its owner that state the same fact at other levels."""
        same = and_(ITEMS.c.fact_key == item.fact_key, ITEMS.c.person == item.person)
        theirs = and_(owned(access), in_scopes(ITEMS.c, [item.owner]))
        query = select(ITEMS).where(same, theirs, items.LIVE).order_by(ITEMS.c.id)
        return await self._items(query)

    async def own_part(
        self, access: Access, *, after: str, limit: int
    ) -> Sequence[tuple[Item, Sequence[EvidenceInContext], Sequence[Item]]]:
        """Some of `own_items` in the order of their ids, those after this one.

        With what they rest on, but for words said where this chat may not quote them from, and `own_older`.
        """
        own = and_(_own(access), ITEMS.c.memory_id > after)
        query = select(ITEMS).where(own).order_by(ITEMS.c.memory_id).limit(limit)
        async with self._database.read() as connection:
            found = await items.listed(connection, query)
            ids = [one.memory_id for one in found]
            words = await evidence.of_items(connection, ids, quotable(access))
            older = await items.older(connection, ids, owned(access))
        return [(one, words.get(one.memory_id, ()), older[one.memory_id]) for one in found]

    async def own_with_key(self, key: str, owners: Sequence[ScopeRef], access: Access) -> Sequence[Item]:
        """Those of `own_items` that have this key, or wait for it, at exactly the level of this chat."""
        waits = ITEMS.c.fact_key.startswith(waiting_prefix(key), autoescape=True)
        named = and_(or_(ITEMS.c.fact_key == key, waits), ITEMS.c.level == access.level, ITEMS.c.person == "")
        query = select(ITEMS).where(named, _of_owners(owners, access), items.LIVE).order_by(ITEMS.c.id)
        return await self._items(query)

    async def own_evidence(self, memory_id: str, access: Access) -> Sequence[EvidenceInContext]:
        """What one of one's own that is not forgotten rests on, oldest first, as far as said in this chat."""
        kept = and_(ITEMS.c.memory_id == memory_id, ITEMS.c.status != Status.DELETED)
        own = and_(kept, owned(access))
        async with self._database.read() as connection:
            if not await items.listed(connection, select(ITEMS).where(own)):
                return ()
            found = await evidence.of_items(connection, [memory_id], quotable(access))
        return found.get(memory_id, ())

    async def own_older(self, memory_ids: Sequence[str], access: Access) -> Mapping[str, Sequence[Item]]:
        """What each of these `own_items` took the place of, as far as this chat may show it, latest first."""
        return await self._older(memory_ids, owned(access))

    async def own_kept(
        self, text: str, access: Access, *, live: bool = False, limit: int
    ) -> Mapping[str, tuple[Item, Sequence[EvidenceInContext]]]:
        """One's own items by their ids, in use or not, with their evidence, as this chat may show them.

        With `live` those of `own_items` alone.

        At most `limit` that share most words with the text, as many others, the last changed first, and as
        many of those that answer a question in whatever words.
        """
        own = and_(_own(access), topmost(access)) if live else owned(access)
        newest = select(ITEMS).order_by(*_NEWEST).limit(limit)
        # The full-text index holds what was said, not in which words people ask for it.
        others = newest.where(own), newest.where(own, ITEMS.c.slot != "")
        async with self._database.read() as connection:
            near = await keywords.nearest(connection, text, own, limit=limit)
            beside = [one for query in others for one in await items.listed(connection, query)]
            found = {one.memory_id: one for one in [*near, *beside]}
            said = await evidence.of_items(connection, list(found), quotable(access))
        return {memory_id: (one, said.get(memory_id, ())) for memory_id, one in found.items()}

    async def own_waiting(self, access: Access) -> Sequence[tuple[Item, bool]]:
        """Those of `own_items` that wait for a decision, oldest first.

        With each, whether it is about the speaker and rests on nothing but their own words.
        """
        waits = and_(_own(access), items.WAITS)
        query = select(ITEMS, in_own_words(access).label("in_own_words")).where(waits).order_by(ITEMS.c.id)
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).mappings()
            return [(items.item_of(row), bool(row["in_own_words"])) for row in rows]

    async def own_held_back(self, access: Access, text: str, *, asks: bool, limit: int) -> Sequence[Item]:
        """One's own items that wait for a decision and might be told in this chat for these words.

        At most `limit`: what shares words with the text, best first, then standing types, newest first, then
        the others if the text `asks` for something: one may answer it in other words.
        """
        held = and_(owned(access), ITEMS.c.status.in_(HELD_BACK))
        standing = ITEMS.c.type.in_(STANDING_TYPES)
        others = select(ITEMS).where(held, true() if asks else standing).order_by(standing.desc(), *_NEWEST)
        async with self._database.read() as connection:
            near = await keywords.nearest(connection, text, held, limit=limit)
            beside = await items.listed(connection, others.limit(limit))
        return [*{one.memory_id: one for one in (*near, *beside)}.values()][:limit]

    async def own_by_id(self, memory_ids: Sequence[str], access: Access) -> Mapping[str, Item]:
        """Those of these items that are one's own, of any status, as far as this chat may show them."""
        own = and_(owned(access), ITEMS.c.memory_id.in_(memory_ids))
        return {one.memory_id: one for one in await self._items(select(ITEMS).where(own))}

    async def own_last_recall(self, access: Access) -> LoggedRecall | None:
        """The latest recall for one's own words in this chat that it may know of; None: none is logged."""
        return await self._last_recall(access.own, access.umo, access.level)

    async def own_unread(self, access: Access) -> Sequence[tuple[str, str]]:
        """The origin and the scope of the chat of each own message that is yet to be extracted."""
        waits = and_(said_by_them(access), EVENTS.c.extraction == Extraction.PENDING)
        rows = await self._rows(select(EVENTS.c.session_id, EVENTS.c.scope_id).where(waits))
        return [(umo, scope_id) for umo, scope_id in rows]

    async def own_said(self, text: str, access: Access, *, limit: int) -> list[tuple[Event, Sequence[str]]]:
        """One's own messages that this chat may know of, those with words of the text first, then the newest.

        With each the memory ids of what rests on it, whoever's that is.
        """
        # As they may be written: an ending may differ.
        spelt = (word[: max(3, len(word) - 2)] for word in islice(terms(text), MAX_SPELT))
        with_words = or_(false(), *(contains(events.TEXT, word) for word in spelt))
        order = (case((with_words, 0), else_=1), *events.NEWEST)
        query = select(EVENTS).where(said_by_them(access)).order_by(*order).limit(limit)
        async with self._database.read() as connection:
            found = await events.listed(connection, query)
            resting = await evidence.on_events(connection, [event.event_id for event in found])
        return [(event, resting.get(event.event_id, ())) for event in found]


def _of_owners(owner_scopes: Sequence[ScopeRef], access: Access) -> ColumnElement[bool]:
    return and_(reachable(access), in_scopes(ITEMS.c, owner_scopes))


def _own(access: Access) -> ColumnElement[bool]:
    return and_(owned(access), items.LIVE)


async def known(connection: Connection, access: Access, texts: Sequence[str], *, limit: int) -> list[Item]:
    """What an extracting model is told is known: items at this very level, the nearest to each text in turn.

    While there is room, then what answers a slot, then the newest. Items that are switched off, gone or in
    doubt are not told: said again, these are to be extracted again.
    """
    undoubted = or_(ITEMS.c.status != Status.PENDING, ITEMS.c.reason.in_(sorted(BY_POLICY)))
    known = and_(ITEMS.c.level == access.level, items.RECALLED, ITEMS.c.fact != "")
    eligible = and_(reachable(access), known, undoubted)
    found = await keywords.nearest_in_turn(connection, texts, eligible, limit=limit)
    if len(found) == limit:
        return found
    others = select(ITEMS).where(eligible, ITEMS.c.memory_id.not_in([item.memory_id for item in found]))
    by_age = (ITEMS.c.last_confirmed_at.desc(), ITEMS.c.id.desc())
    newest = others.order_by(ITEMS.c.slot == "", *by_age).limit(limit - len(found))
    return [*found, *await items.listed(connection, newest)]
