"""GET audit: who changed what, and why."""

from typing import Annotated

from pydantic import StringConstraints

from .core import AuditFilter, Request, Route, Service
from .forms import Paged, asked
from .shapes import AuditShape, PageShape, audit_shape, page_shape

type Words = Annotated[str, StringConstraints(max_length=500)]


class WantedLines(Paged):
    """Which lines to list."""

    actor: Words | None = None
    action: Words | None = None
    memory_id: Words | None = None


class AuditAnswer(PageShape):
    """One page of the audit, the newest first."""

    audit: list[AuditShape]


async def list_audit(service: Service, request: Request) -> AuditAnswer:
    """One page of the audit; filters `actor`, `action`, `memory_id`."""
    wanted = asked(request, WantedLines)
    found = await service.manager().browsing.audit(
        AuditFilter(
            actor=wanted.actor,
            action=wanted.action,
            memory_id=wanted.memory_id,
            page=wanted.page,
            page_size=wanted.page_size,
        )
    )
    return AuditAnswer(
        audit=[audit_shape(line) for line in found.rows],
        **page_shape(found),
    )


ROUTES = (
    Route(
        path="audit",
        method="GET",
        summary="Who changed what",
        handler=list_audit,
        query=WantedLines,
        answer=AuditAnswer,
    ),
)
