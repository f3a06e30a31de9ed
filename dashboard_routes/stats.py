"""GET stats: how much there is of what, and what each of the last days brought."""

from collections.abc import Mapping
from typing import TypedDict

from .core import MemoryType, Overview, Request, Route, ScopeCounts, Service, Status
from .forms import Paged, asked
from .shapes import PageShape, page_shape

type Day = str
"""Of UTC, as in 2026-01-31."""


class ScopeShape(TypedDict):
    """How much one scope holds that is not deleted."""

    scope: str
    scope_id: str
    name: str
    items: int
    active: int
    waiting: int


class GrowthShape(TypedDict):
    """What was new on a day."""

    day: Day
    items: int
    events: int


class RecallsShape(TypedDict):
    """The recalls of a day, and how many of them gave nothing."""

    day: Day
    total: int
    empty: int


class TokensShape(TypedDict):
    """What models were asked on a day."""

    day: Day
    calls: int
    prompt_tokens: int
    answer_tokens: int


class StatsAnswer(PageShape):
    """One page of the scopes, the fullest first, and the figures of all of them together."""

    scopes: list[ScopeShape]
    types: Mapping[str, Mapping[str, int]]
    growth: list[GrowthShape]
    recalls: list[RecallsShape]
    tokens: list[TokensShape]


async def stats(service: Service, request: Request) -> StatsAnswer:
    """The figures of the overview; every day of a span is there."""
    wanted = asked(request, Paged)
    found = await service.manager().statistics.overview(page=wanted.page, page_size=wanted.page_size)
    return StatsAnswer(
        scopes=[_scope(each) for each in found.scopes.rows],
        **page_shape(found.scopes),
        types=_types(found.types),
        growth=[
            GrowthShape(day=each.day.isoformat(), items=each.items, events=each.events)
            for each in found.growth
        ],
        recalls=[
            RecallsShape(day=each.day.isoformat(), total=each.total, empty=each.empty)
            for each in found.recalls
        ],
        tokens=_tokens(found),
    )


ROUTES = (
    Route(
        path="stats",
        method="GET",
        summary="Figures of scopes, types and days",
        handler=stats,
        query=Paged,
        answer=StatsAnswer,
    ),
)


def _scope(one: ScopeCounts) -> ScopeShape:
    return ScopeShape(
        scope=one.ref.scope.value,
        scope_id=one.ref.scope_id,
        name=one.name,
        items=one.items,
        active=one.active,
        waiting=one.waiting,
    )


def _types(counted: Mapping[tuple[Status, MemoryType], int]) -> Mapping[str, Mapping[str, int]]:
    """Every type is there, with the statuses that it has."""
    return {
        kind.value: {status.value: counted[status, kind] for status in Status if (status, kind) in counted}
        for kind in MemoryType
    }


def _tokens(found: Overview) -> list[TokensShape]:
    return [
        TokensShape(
            day=each.day.isoformat(),
            calls=each.calls,
            prompt_tokens=each.prompt_tokens,
            answer_tokens=each.answer_tokens,
        )
        for each in found.tokens
    ]
