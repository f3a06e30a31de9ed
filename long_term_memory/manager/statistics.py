"""The operator's overview: how much there is of what, and what each of the last days brought."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta

from ..domain.statistics import Growth, Overview, RecallsOfDay, TokensOfDay
from .parts import Parts

DAYS = 30
DAYS_OF_RECALLS = 14
_NONE = (0, 0, 0)


class Statistics:
    """Counted anew each time: nothing of it is kept."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def overview(self, *, page: int, page_size: int) -> Overview:
        """All of it; the pages are those of the scopes."""
        counted, today = self._parts.store.statistics, self._parts.clock().astimezone(UTC).date()
        days, fewer = last_days(today, DAYS), last_days(today, DAYS_OF_RECALLS)
        items = await counted.new_items(since=_midnight(days[0]))
        events = await counted.new_events(since=_midnight(days[0]))
        recalls = await counted.recalls(since=_midnight(fewer[0]))
        tokens = await counted.tokens(since=days[0].isoformat())
        return Overview(
            scopes=await counted.scopes(page=page, page_size=page_size),
            types=await counted.types(),
            growth=[Growth(day=day, items=_of(items, day)[0], events=_of(events, day)[0]) for day in days],
            recalls=[
                RecallsOfDay(day=day, total=_of(recalls, day)[0], empty=_of(recalls, day)[1]) for day in fewer
            ],
            tokens=[_tokens(day, _of(tokens, day)) for day in days],
        )


def last_days(today: date, number: int) -> Sequence[date]:
    """So many days that follow one another, today the last of them."""
    return [today - timedelta(days=back) for back in reversed(range(number))]


def _of(rows: Mapping[str, tuple[int, ...]], day: date) -> tuple[int, ...]:
    return rows.get(day.isoformat(), _NONE)


def _tokens(day: date, numbers: tuple[int, ...]) -> TokensOfDay:
    calls, prompt_tokens, answer_tokens = numbers
    return TokensOfDay(day=day, calls=calls, prompt_tokens=prompt_tokens, answer_tokens=answer_tokens)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
