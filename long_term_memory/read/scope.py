"""Stage 1, scope: what this request may see and what it looks for, bounded."""

from collections.abc import Sequence
from datetime import date, datetime, time, tzinfo
from functools import lru_cache, partial

from ..domain.chat import Access
from ..domain.reading import Query, Request, Term
from .query_dates import query_dates
from .query_intent import asks_for_all, asks_of_oneself, weighted_sentences
from .query_terms import query_terms

MAX_QUERY_CHARS = 2_000
"""A longer message keeps its two ends: what is asked stands before or after what was pasted."""


def request_of(access: Access, query: Query, *, zone: tzinfo, of_their_own: bool = False) -> Request:
    """Bound the query and bind it to its access, which alone decides what any later stage may see.

    `zone` is where the operator's days begin: what "yesterday" means. `of_their_own`: whatever the words are,
    they ask for what is the person's own.
    """
    today = query.at.astimezone(zone).date()
    request = _looked_for(bounded(query.text), today, zone, of_their_own=of_their_own)
    return request(access=access, at=query.at)


@lru_cache(maxsize=64)  # a question is announced before it is asked
def _looked_for(text: str, today: date, zone: tzinfo, *, of_their_own: bool) -> partial[Request]:
    """What a text asks for; the same all day."""
    asks = of_their_own or asks_of_oneself(text)
    dates = query_dates(text, datetime.combine(today, time.min, zone))
    # A memory may be about a day to come.
    days = (Term(f"{day:%Y%m%d}", tells=False, day=True) for day in dates.days)
    return partial(
        Request,
        text=text,
        terms=(*_terms(dates.rest, dates.said, asks=asks), *days),
        sentences=_sentences(dates.rest, asks=asks),
        period=dates.period,
        everything=asks_for_all(text),
        zone=zone,
    )


def _terms(text: str, dates: str = "", *, asks: bool) -> Sequence[Term]:
    terms = query_terms(text, dates)
    return [term._replace(asks=True) for term in terms] if asks else terms


def _sentences(text: str, *, asks: bool) -> Sequence[tuple[Sequence[Term], float]]:
    parts = weighted_sentences(text)
    several = [(terms, weight) for part, weight in parts if (terms := _terms(part, asks=asks))]
    return several if len(several) > 1 else ()


def bounded(text: str) -> str:
    """What of a question is looked for and embedded; bounding it again changes nothing."""
    text, half = text.strip(), MAX_QUERY_CHARS // 2
    return text if len(text) <= MAX_QUERY_CHARS else f"{text[: half - 1]}\n{text[-half:]}"
