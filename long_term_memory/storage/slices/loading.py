"""From the tables to documents: the query with the choke point inside says which items are seen."""

from collections.abc import Sequence

from sqlalchemy import Connection, and_, bindparam, select

from ...domain.memory import Item
from ...models import EVIDENCE, ITEMS, VECTORS
from ...policies.slots import words_asked_by
from ..visibility import visible
from . import rows as of_items
from .documents import Documents, Row, Version, Wanted
from .fetching import WANTED_ID, WANTED_PLACE, of_each, streamed
from .grounds import grounds_of
from .rows import (
    BACKSTORY,
    CONFIRMED,
    CREATED,
    EXPIRES,
    FACT,
    ID,
    IMPORTANCE,
    PERSON,
    RELATIONSHIP,
    ROW_ID,
    SLOT,
)
from .sights import ItemSight


class Items:
    """Implements `Source`: what is remembered, each item a document."""

    tables = frozenset({ITEMS.name, EVIDENCE.name, VECTORS.name})

    def load(self, connection: Connection, sight: ItemSight, wanted: Wanted) -> Documents:
        """What this sight sees now, oldest first, found by facts, what they answer, and words it may show."""
        rows = _rows(connection, sight, wanted)
        ids: list[str] = [row[ID] for row in rows]
        grounds = grounds_of(connection, sight, ids)
        return Documents(
            ids=[row[ROW_ID] for row in rows],
            rows=rows,
            texts=(
                [f"{row[FACT]} {row[BACKSTORY]}" for row in rows],
                grounds.quotes,
                [f"{row[PERSON]} {row[RELATIONSHIP]}" for row in rows],
                [words_asked_by(row[SLOT], row[FACT]) for row in rows],
            ),
            kinds=[of_items.kind_of(row) for row in rows],
            importance=[row[IMPORTANCE] for row in rows],
            said=of_items.moments([at or row[CREATED] for at, row in zip(grounds.said, rows, strict=True)]),
            confirmed=of_items.moments([row[CONFIRMED] for row in rows]),
            expires=of_items.moments([row[EXPIRES] for row in rows]),
            identities=[hash(self.version(row).identity) for row in rows],
            answers=[of_items.answer_of(row) for row in rows],
            vectors=_vectors(connection, wanted.model_id, ids),
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
        return of_items.shared(streamed(connection, query))
    one_by_one = of_each(ITEMS, and_(ITEMS.c.id == WANTED_ID, seen), *of_items.COLUMNS)
    found = streamed(connection, one_by_one, ids=wanted.only)
    return of_items.shared(row for row in found if row[ROW_ID] is not None)


def _vectors(connection: Connection, model_id: str | None, ids: Sequence[str]) -> Sequence[tuple[int, bytes]]:
    if model_id is None or not ids:
        return ()
    mine = and_(VECTORS.c.memory_id == WANTED_ID, VECTORS.c.model_id == bindparam("model"))
    query = of_each(VECTORS, mine, WANTED_PLACE, VECTORS.c.vector)
    found = streamed(connection, query, ids=ids, model=model_id)
    return [(place, vector) for place, vector in found if vector is not None]
