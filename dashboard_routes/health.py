"""GET health: whether it works, and if not, why."""

from collections.abc import Mapping
from typing import NotRequired, TypedDict

from .core import Counts, Request, Route, Service
from .shapes import Instant, maybe


class ProblemShape(TypedDict):
    """A setting that cannot be used, its provider that does not answer, or the store (`store`)."""

    key: str
    why: str


class HealthAnswer(TypedDict):
    """The state of the plugin, and how memory stands while it runs."""

    state: str
    version: str
    problems: list[ProblemShape]
    failures: Mapping[str, int]
    notes: list[str]
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
    last_error_at: NotRequired[Instant | None]
    next_reading_at: NotRequired[Instant | None]
    memory_plugins: NotRequired[list[str]]
    recall_log: NotRequired[bool]
    recalls: NotRequired[int]
    recalls_empty: NotRequired[int]
    late_writes: NotRequired[int]
    background_jobs: NotRequired[int]


async def health(service: Service, request: Request) -> HealthAnswer:  # noqa: ARG001  same shape for all
    """The state of the plugin; answers while it is paused too."""
    report = await service.health()
    answer = HealthAnswer(
        state=report.state.value,
        version=report.version,
        problems=[ProblemShape(key=problem.key, why=problem.why) for problem in report.problems],
        failures=dict(report.failures),
        notes=list(report.notes),
    )
    if report.counts:
        _add(answer, report.counts)
    return answer


ROUTES = (
    Route(
        path="health",
        method="GET",
        summary="State, problems and counts",
        handler=health,
        answer=HealthAnswer,
    ),
)


def _add(answer: HealthAnswer, counts: Counts) -> None:
    answer["mode"] = counts.mode.value
    answer["read_only"] = counts.read_only
    answer["chat_provider"] = counts.chat_provider
    answer["embedding_model"] = counts.embedding_model
    answer["embedding_error"] = counts.embedding_error
    answer["embedded"] = counts.embedded
    answer["embeddable"] = counts.embeddable
    answer["not_embeddable"] = counts.not_embeddable
    answer["events"] = dict(counts.events)
    answer["items"] = dict(counts.items)
    answer["waiting"] = counts.waiting
    answer["waiting_reasons"] = dict(counts.waiting_reasons)
    answer["waiting_expire_soon"] = counts.waiting_expire_soon
    answer["paused_people"] = counts.paused_people
    answer["paused_groups"] = counts.paused_groups
    answer["tokens_today"] = counts.tokens_today
    answer["token_cap"] = counts.token_cap
    answer["calls_today"] = counts.calls_today
    answer["passed_over"] = counts.passed_over
    answer["last_error"] = counts.last_error
    answer["last_error_at"] = maybe(counts.last_error_at)
    answer["next_reading_at"] = maybe(counts.next_reading_at)
    answer["memory_plugins"] = list(counts.memory_plugins)
    answer["recall_log"] = counts.recall_log
    answer["recalls"] = counts.recalls
    answer["recalls_empty"] = counts.recalls_empty
    answer["late_writes"] = counts.late_writes
    answer["background_jobs"] = counts.background_jobs
