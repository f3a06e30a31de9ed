"""GET jobs and POST jobs/retry: the messages that extraction gave up on, and another try at them."""

from collections.abc import Mapping

from .core import Event, Json, Request, Route, Service
from .values import instant, paging

_ACTOR = "operator:dashboard"


async def list_jobs(service: Service, request: Request) -> Mapping[str, Json]:
    """One page of failed messages, the newest first; why they failed, never what they say."""
    page, page_size = paging(request.query)
    found = await service.manager().failed_events(page=page, page_size=page_size)
    return {
        "jobs": [_job_json(event) for event in found.events],
        "total": found.total,
        "page": found.page,
        "page_size": found.page_size,
    }


async def retry_jobs(service: Service, request: Request) -> Mapping[str, Json]:  # noqa: ARG001  same shape for all
    """Let extraction try all of them again; says how many. While the memory is read-only it is refused."""
    return {"retried": await service.manager().retry_failed(actor=_ACTOR)}


ROUTES = (
    Route(path="jobs", method="GET", summary="Messages that could not be read", handler=list_jobs),
    Route(path="jobs/retry", method="POST", summary="Read them again", handler=retry_jobs),
)


def _job_json(event: Event) -> Mapping[str, Json]:
    return {
        "event_id": event.event_id,
        "umo": event.umo,
        "scope": event.at_scope.scope.value,
        "scope_id": event.at_scope.scope_id,
        "role": event.role.value,
        "attempts": event.attempts,
        "last_error": event.last_error,
        "created_at": instant(event.created_at),
    }
