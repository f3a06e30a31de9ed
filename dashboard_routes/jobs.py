"""GET jobs and POST jobs/retry: the messages that extraction gave up on, and another try at them."""

from typing import TypedDict

from .core import Event, Progress, Request, Route, Service
from .forms import Paged, asked
from .shapes import Instant, PageShape, instant, page_shape


class JobShape(TypedDict):
    """A message that could not be read: why, never what it says."""

    event_id: str
    umo: str
    scope: str
    scope_id: str
    role: str
    attempts: int
    last_error: str
    created_at: Instant


class EmbeddingShape(TypedDict):
    """How many memories have the vectors of the model in use, of how many; why there are no more for now."""

    model: str | None
    done: int
    total: int
    error: str


class ImportShape(TypedDict):
    """How far the import under way has come: `checking` its file, then `writing` its rows."""

    phase: str
    done: int
    total: int


ProgressShape = TypedDict("ProgressShape", {"embedding": EmbeddingShape, "import": ImportShape | None})


class JobsAnswer(PageShape):
    """One page of failed messages, the newest first, and what is at work in the background."""

    jobs: list[JobShape]
    progress: ProgressShape


class RetryAnswer(TypedDict):
    """How many messages are tried again."""

    retried: int


class ReadNowAnswer(TypedDict):
    """How many messages are read now instead of later."""

    hastened: int


async def list_jobs(service: Service, request: Request) -> JobsAnswer:
    """One page of failed messages, the newest first; why they failed, never what they say."""
    wanted = asked(request, Paged)
    manager = service.manager()
    found = await manager.jobs.failed(page=wanted.page, page_size=wanted.page_size)
    return JobsAnswer(
        jobs=[_job(event) for event in found.rows],
        **page_shape(found),
        progress=_progress(await manager.jobs.progress()),
    )


async def retry_jobs(service: Service, request: Request) -> RetryAnswer:
    """Let extraction try all of them again; says how many. While the memory is read-only it is refused."""
    return RetryAnswer(retried=await service.manager().jobs.retry(actor=request.actor))


async def read_now(service: Service, request: Request) -> ReadNowAnswer:
    """Have all that waits read now, as far as the day's tokens go. While the memory is read-only: refused."""
    return ReadNowAnswer(hastened=await service.manager().jobs.read_now(actor=request.actor))


ROUTES = (
    Route(
        path="jobs",
        method="GET",
        summary="Messages that could not be read",
        handler=list_jobs,
        query=Paged,
        answer=JobsAnswer,
    ),
    Route(
        path="jobs/retry",
        method="POST",
        summary="Read them again",
        handler=retry_jobs,
        answer=RetryAnswer,
    ),
    Route(
        path="jobs/read-now",
        method="POST",
        summary="Read what waits now",
        handler=read_now,
        answer=ReadNowAnswer,
    ),
)


def _job(event: Event) -> JobShape:
    return JobShape(
        event_id=event.event_id,
        umo=event.umo,
        scope=event.at_scope.scope.value,
        scope_id=event.at_scope.scope_id,
        role=event.role.value,
        attempts=event.attempts,
        last_error=event.last_error,
        created_at=instant(event.created_at),
    )


def _progress(now: Progress) -> ProgressShape:
    importing = now.importing
    return {
        "embedding": EmbeddingShape(
            model=now.model, done=now.embedded, total=now.embeddable, error=now.embedding_error
        ),
        "import": importing
        and ImportShape(phase=importing.phase.value, done=importing.done, total=importing.total),
    }
