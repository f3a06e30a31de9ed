"""GET events, audit and jobs, POST jobs/retry and jobs/read-now: what was said and changed."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from .answers import ROUTES, PageShape, paged, shaped
from .core import (
    AuditFilter,
    AuditLine,
    EmbeddingProgress,
    EventFilter,
    ImportProgress,
    Page,
    Request,
    Service,
)
from .forms import Paged, asked, form_of, wanted_by


class JobShape(TypedDict):
    """A message that could not be read: why, never what it says."""

    event_id: str
    umo: str
    scope: str
    scope_id: str
    role: str
    attempts: int
    last_error: str
    created_at: str


class EventShape(JobShape):
    """One raw thing that happened, and how far its extraction has come."""

    owner_scope: str
    owner_scope_id: str
    source_type: str
    tool: str
    text: str
    quoted: str
    sender_id: str
    sender_name: str
    platform_id: str
    conversation_id: str
    level: str
    extraction: str


ProgressShape = TypedDict("ProgressShape", {"embedding": EmbeddingProgress, "import": ImportProgress | None})


class JobsAnswer(PageShape):
    """One page of failed messages, the newest first, and what is at work in the background."""

    jobs: Sequence[JobShape]
    progress: ProgressShape


class RetryAnswer(TypedDict):
    """How many messages are tried again."""

    retried: int


class ReadNowAnswer(TypedDict):
    """How many messages are read now instead of later."""

    hastened: int


class AuditAnswer(PageShape):
    """One page of the audit, the newest first, and the facts of those of its memories that are stored."""

    audit: Sequence[AuditLine]
    facts: Mapping[str, str]


@ROUTES.add("GET", "audit", "Who changed what", query=form_of(AuditFilter))
async def list_audit(service: Service, request: Request) -> AuditAnswer:
    """One page of the audit, the newest first."""
    browsing, wanted = service.manager().browsing, wanted_by(request, AuditFilter)
    found = await browsing.audit(wanted)
    facts = await browsing.facts([line.memory_id for line in found.rows])
    return shaped(AuditAnswer, found, audit=found.rows, facts=facts)


@ROUTES.add("GET", "events", "What was said and done", query=form_of(EventFilter))
async def list_events(service: Service, request: Request) -> Page[EventShape]:
    """One page of events, the newest first."""
    found = await service.manager().browsing.events(wanted_by(request, EventFilter))
    return found.of([shaped(EventShape, event) for event in found.rows])


@ROUTES.add("GET", "jobs", "Messages that could not be read", query=Paged)
async def list_jobs(service: Service, request: Request) -> JobsAnswer:
    """One page of failed messages, the newest first."""
    jobs = service.manager().jobs
    found = await jobs.failed(**dict(asked(request, Paged)))
    now = await jobs.progress()
    return JobsAnswer(
        **paged("jobs", found.of([shaped(JobShape, event) for event in found.rows])),
        progress={"embedding": now.embedding, "import": now.importing},
    )


@ROUTES.add("POST", "jobs/retry", "Read them again")
async def retry_jobs(service: Service, request: Request) -> RetryAnswer:
    """Let extraction try all of them again; refused while the memory is read-only."""
    return RetryAnswer(retried=await service.manager().jobs.retry(actor=request.actor))


@ROUTES.add("POST", "jobs/read-now", "Read what waits now")
async def read_now(service: Service, request: Request) -> ReadNowAnswer:
    """Have all that waits read now, as far as the day's tokens go; refused while read-only."""
    return ReadNowAnswer(hastened=await service.manager().jobs.read_now(actor=request.actor))
