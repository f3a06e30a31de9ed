"""From the tables to documents: the query with the choke point inside says which items are seen."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam, case, select

from ...domain.memory import Item
from ...models import EVENTS, EVIDENCE, ITEMS, VECTORS
from ..visibility import quotable, visible
from . import rows as of_items
from .documents import Documents, Row, Version, Wanted
from .fetching import WANTED_ID, fetched, of_each
from .rows import BACKSTORY, CONFIRMED, CREATED, EXPIRES, FACT, ID, IMPORTANCE, PERSON, RELATIONSHIP
from .sights import ItemSight

_QUOTES_INDEXED = 8
"""An item confirmed a hundred times is found by its newest words as well as by all."""


class _Ground(NamedTuple):
    """One link from an item to an event."""

    link: int
    event: int
    said_at: str
    quote: str | None
    """None where this sight may not show it."""


class Items:
    """Implements `Source`: what is remembered, each item a document."""

    tables = frozenset({ITEMS.name, EVIDENCE.name, VECTORS.name})
    rests_on = EVENTS.name

    def load(self, connection: Connection, sight: ItemSight, wanted: Wanted) -> Documents:
        """What this sight sees now, oldest first, found by its facts and by the words it may show."""
        rows = _rows(connection, sight, wanted)
        ids: list[str] = [row[ID] for row in rows]
        places = {each: at for at, each in enumerate(ids)}
        grounds = _grounds(connection, sight, ids)
        return Documents(
            ids=ids,
            rows=rows,
            texts=(
                [f"{row[FACT]} {row[BACKSTORY]}" for row in rows],
                [_quotes(grounds[each]) for each in ids],
                [f"{row[PERSON]} {row[RELATIONSHIP]}" for row in rows],
            ),
            kinds=[of_items.kind_of(row) for row in rows],
            importance=[row[IMPORTANCE] for row in rows],
            said=of_items.moments([_last_said(row, grounds[row[ID]]) for row in rows]),
            confirmed=of_items.moments([row[CONFIRMED] for row in rows]),
            expires=of_items.moments([row[EXPIRES] for row in rows]),
            identities=[hash(self.version(row).identity) for row in rows],
            rests_on=[(ground.event, at) for at, each in enumerate(ids) for ground in grounds[each]],
            vectors=_vectors(connection, wanted.model_id, places),
        )

    def make(self, row: Row) -> Item:
        """The item a row holds."""
        return of_items.item_of(row)

    def version(self, row: Row) -> Version:
        """Which fact it states, and its place among the versions of it."""
        return of_items.version_of(row)


def _rows(connection: Connection, sight: ItemSight, wanted: Wanted) -> list[Row]:
    seen = visible(sight.access, now=wanted.now, min_confidence=sight.min_confidence)
    if wanted.only is None:
        query = select(*of_items.COLUMNS).where(seen).order_by(ITEMS.c.id)
        return of_items.shared(fetched(connection, query))
    one_by_one = of_each(ITEMS, and_(ITEMS.c.memory_id == WANTED_ID, seen), *of_items.COLUMNS)
    found = fetched(connection, one_by_one, ids=wanted.only)
    return of_items.shared([row for row in found if row[ID] is not None])


def _grounds(connection: Connection, sight: ItemSight, ids: Collection[str]) -> Mapping[str, list[_Ground]]:
    """What each item rests on, the newest link first, with the quotes that this sight may show."""
    grounds = defaultdict[str, list[_Ground]](list)
    quote = case((quotable(sight.access), EVIDENCE.c.quote))
    links = of_each(
        EVIDENCE,
        EVIDENCE.c.memory_id == WANTED_ID,
        WANTED_ID,
        EVIDENCE.c.id,
        EVENTS.c.id,
        EVENTS.c.created_at,
        quote,
    ).join(EVENTS, EVENTS.c.event_id == EVIDENCE.c.event_id, isouter=True)
    for memory_id, *ground in fetched(connection, links, ids=ids) if ids else ():
        grounds[memory_id].append(_Ground(*ground))
    for each in grounds.values():
        each.sort(reverse=True)
    return grounds


def _quotes(grounds: Sequence[_Ground]) -> str:
    quotes = dict.fromkeys(ground.quote for ground in grounds if ground.quote is not None)
    return " ".join(list(quotes)[:_QUOTES_INDEXED])


def _last_said(row: Row, grounds: Sequence[_Ground]) -> str:
    return max((ground.said_at for ground in grounds), default=row[CREATED])


def _vectors(
    connection: Connection, model_id: str | None, places: Mapping[str, int]
) -> Sequence[tuple[int, bytes]]:
    if model_id is None or not places:
        return ()
    mine = and_(VECTORS.c.memory_id == WANTED_ID, VECTORS.c.model_id == bindparam("model"))
    found = fetched(
        connection, of_each(VECTORS, mine, WANTED_ID, VECTORS.c.vector), ids=places, model=model_id
    )
    return [(places[memory_id], vector) for memory_id, vector in found if vector is not None]
