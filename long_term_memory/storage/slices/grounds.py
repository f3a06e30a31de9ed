"""What items rest on: the words that were said, as far as a sight may show them, and when they were."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter

from sqlalchemy import Connection, case

from ...models import EVENTS, EVIDENCE
from ..visibility import quotable
from .documents import Row
from .fetching import WANTED_ID, WANTED_PLACE, of_each, streamed
from .sights import ItemSight

_QUOTES_INDEXED = 8
"""An item confirmed a hundred times is found by its newest words as well as by all."""


@dataclass(frozen=True, kw_only=True)
class Grounds:
    """Item by item."""

    quotes: list[str]
    """The newest of them, one behind the other."""
    said: list[str]
    """When the newest words were said, as it is stored; empty when there are none."""


def grounds_of(connection: Connection, sight: ItemSight, ids: Sequence[str]) -> Grounds:
    """What each of these items rests on."""
    grounds = Grounds(quotes=[""] * len(ids), said=[""] * len(ids))
    for place, links in groupby(_links(connection, sight, ids), itemgetter(0)):
        quotes = dict[str, None]()
        said = list[str]()
        for _, said_at, quote in links:
            said.append(said_at)
            if quote is not None:
                quotes[quote] = None
        grounds.said[place] = max(said)
        grounds.quotes[place] = " ".join(islice(quotes, _QUOTES_INDEXED))
    return grounds


def _links(connection: Connection, sight: ItemSight, ids: Sequence[str]) -> Iterator[Row]:
    """Item by item, the newest link first; a quote that may not be shown here is NULL."""
    columns = (
        WANTED_PLACE,
        EVENTS.c.created_at,
        case((quotable(sight.access), EVIDENCE.c.quote)),
    )
    links = of_each(EVIDENCE, EVIDENCE.c.memory_id == WANTED_ID, *columns)
    links = links.join(EVENTS, EVENTS.c.event_id == EVIDENCE.c.event_id, isouter=True)
    return streamed(connection, links.order_by(WANTED_PLACE, EVIDENCE.c.id.desc()), ids=ids)
