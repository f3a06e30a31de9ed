"""Stage 1, scope: what this request may see and what it looks for, bounded (design 6.1)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, tzinfo
from functools import lru_cache

from ..domain.chat import Access
from ..domain.reading import Period, Query, Request, Term
from .query_dates import query_dates
from .query_terms import query_terms
from .question import asks_for_all, asks_of_oneself, sentences

MAX_QUERY_CHARS = 2_000
"""A longer message keeps its two ends: what is asked stands before or after what was pasted."""


def scope(access: Access, query: Query, *, zone: tzinfo = UTC, of_their_own: bool = False) -> Request:
    """Bound the query and bind it to its access, which alone decides what any later stage may see.

    `zone` is where the operator's days begin: what "yesterday" means. `of_their_own`: whatever the words are,
    they ask for what is the person's own.
    """
    text = bounded(query.text)
    sought = _looked_for(text, query.at.astimezone(zone).date(), zone, of_their_own=of_their_own)
    return Request(
        access=access,
        at=query.at,
        text=text,
        terms=sought.terms,
        sentences=sought.sentences,
        period=sought.period,
        everything=sought.everything,
        zone=zone,
    )


@dataclass(frozen=True, kw_only=True)
class _LookedFor:
    """See `Request`."""

    terms: Sequence[Term]
    sentences: Sequence[tuple[Sequence[Term], float]]
    period: Period | None
    everything: bool


@lru_cache(maxsize=64)  # a question is announced before it is asked
def _looked_for(text: str, today: date, zone: tzinfo, *, of_their_own: bool) -> _LookedFor:
    """What a text asks for; the same all day."""
    asks = of_their_own or asks_of_oneself(text)
    dates = query_dates(text, datetime.combine(today, time.min, zone))
    return _LookedFor(
        terms=(*_terms(dates.rest, dates.said, asks=asks), *_days(dates.days)),
        sentences=_sentences(dates.rest, asks=asks),
        period=dates.period,
        everything=asks_for_all(text),
    )


def _days(days: Sequence[date]) -> Iterator[Term]:
    """Each day as an index holds it: a memory may be about a day to come."""
    return (Term(day.isoformat(), tells=False, day=True) for day in days)


def _terms(text: str, dates: str = "", *, asks: bool) -> Sequence[Term]:
    terms = query_terms(text, dates)
    return [replace(term, asks=True) for term in terms] if asks else terms


def _sentences(text: str, *, asks: bool) -> Sequence[tuple[Sequence[Term], float]]:
    parts = sentences(text)
    if len(parts) < 2:
        return ()
    told = [(_terms(each.text, asks=asks), each.weight) for each in parts]
    several = [(terms, weight) for terms, weight in told if terms]
    return several if len(several) > 1 else ()


def bounded(text: str) -> str:
    """What of a question is looked for and embedded; bounding it again changes nothing."""
    text, half = text.strip(), MAX_QUERY_CHARS // 2
    return text if len(text) <= MAX_QUERY_CHARS else f"{text[: half - 1]}\n{text[-half:]}"
