"""GET events, audit and jobs, POST jobs/retry and jobs/read-now: what was said and changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime

from . import core
from .answers import ROUTES
from .core import AuditFilter, AuditLine, Event, EventFilter, LTMManager, Page, Paging, Role, ScopeRef


@dataclass(frozen=True, kw_only=True)
class Job:
    """A message that could not be read: why, never what it says."""

    event_id: str
    umo: str
    at_scope: ScopeRef
    role: Role
    attempts: int
    last_error: str
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class AuditPage(Page[AuditLine]):
    """One page of the audit, the newest first, the facts of its stored memories, and who acted lately."""

    facts: Mapping[str, str]
    actors: Sequence[str]


@ROUTES.add("GET", "audit", "Who changed what")
async def list_audit(manager: LTMManager, query: AuditFilter) -> AuditPage:
    """One page of the audit, the newest first."""
    found = await manager.browsing.audit(query)
    named = [it for row in found.rows for it in (row.memory_id, row.before, row.reason.rpartition(" ")[2])]
    facts = {key: item.fact for key, item in (await manager.browsing.by_id(named)).items()}
    return AuditPage(**vars(found), facts=facts, actors=await manager.browsing.actors())


@ROUTES.add("GET", "events", "What was said and done")
async def list_events(manager: LTMManager, query: EventFilter) -> Page[Event]:
    """One page of events, the newest first."""
    return await manager.browsing.events(query)


@ROUTES.add("GET", "jobs", "Messages that could not be read")
async def list_jobs(manager: LTMManager, query: Paging) -> Page[Job]:
    """One page of failed messages, the newest first."""
    found = await manager.browsing.events(EventFilter(extraction=core.Extraction.FAILED, **vars(query)))
    jobs = [Job(**{each.name: getattr(event, each.name) for each in fields(Job)}) for event in found.rows]
    return found.of(jobs)


@ROUTES.add("POST", "jobs/retry", "Read them again", key="retried")
async def retry_jobs(manager: LTMManager, actor: str) -> int:
    """Let extraction try all of them again; refused while the memory is read-only."""
    return await manager.failed_extractions.retry(actor=actor)


@ROUTES.add("POST", "jobs/read-now", "Read what waits now", key="hastened")
async def read_now(manager: LTMManager, actor: str) -> int:
    """Have all that waits read now, as far as the day's tokens go; refused while read-only."""
    return await manager.failed_extractions.read_now(actor=actor)
