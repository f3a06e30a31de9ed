"""GET health and stats: whether it works, and how much there is of what."""

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict

from .answers import ROUTES, PageShape, shaped
from .core import Growth, MemoryType, RecallsOfDay, Request, ScopeCounts, Service, Status, TokensOfDay
from .forms import Paged, asked


class ProblemShape(TypedDict):
    """A setting that cannot be used, its provider that does not answer, or the store (`store`)."""

    key: str
    why: str


class HealthAnswer(TypedDict):
    """The state of the plugin, and how memory stands while it runs."""

    state: str
    version: str
    problems: Sequence[ProblemShape]
    failures: Mapping[str, int]
    notes: Sequence[str]
    mode: NotRequired[str]
    read_only: NotRequired[bool]
    chat_provider: NotRequired[bool]
    embedding_model: NotRequired[str | None]
    embedding_error: NotRequired[str]
    embedded: NotRequired[int]
    embeddable: NotRequired[int]
    not_embeddable: NotRequired[int]
    events: NotRequired[Mapping[str, int]]
    items: NotRequired[Mapping[str, int]]
    waiting: NotRequired[int]
    waiting_reasons: NotRequired[Mapping[str, int]]
    waiting_expire_soon: NotRequired[int]
    paused_people: NotRequired[int]
    paused_groups: NotRequired[int]
    tokens_today: NotRequired[int]
    token_cap: NotRequired[int]
    calls_today: NotRequired[int]
    passed_over: NotRequired[int]
    last_error: NotRequired[str]
    last_error_at: NotRequired[str | None]
    next_reading_at: NotRequired[str | None]
    memory_plugins: NotRequired[Sequence[str]]
    recall_log: NotRequired[bool]
    recalls: NotRequired[int]
    recalls_empty: NotRequired[int]
    late_writes: NotRequired[int]
    background_jobs: NotRequired[int]


class StatsAnswer(PageShape):
    """One page of the scopes, the fullest first, and the figures of all of them together."""

    scopes: Sequence[ScopeCounts]
    types: Mapping[str, Mapping[str, int]]
    growth: Sequence[Growth]
    recalls: Sequence[RecallsOfDay]
    tokens: Sequence[TokensOfDay]


@ROUTES.add("GET", "health", "State, problems and counts")
async def health(service: Service, request: Request) -> HealthAnswer:  # noqa: ARG001  same shape for all
    """The state of the plugin; answers while it is paused too."""
    report = await service.health()
    problems = [shaped(ProblemShape, problem) for problem in report.problems]
    counts = [report.counts] if report.counts else []
    return shaped(HealthAnswer, *counts, report, problems=problems)


@ROUTES.add("GET", "stats", "Figures of scopes, types and days", query=Paged)
async def stats(service: Service, request: Request) -> StatsAnswer:
    """The figures of the overview; every day of a span is there, and every type with its statuses."""
    found = await service.manager().status.overview(**dict(asked(request, Paged)))
    types = {
        kind.value: {
            status.value: found.types[status, kind] for status in Status if (status, kind) in found.types
        }
        for kind in MemoryType
    }
    return shaped(StatsAnswer, found.scopes, found, scopes=found.scopes.rows, types=types)
