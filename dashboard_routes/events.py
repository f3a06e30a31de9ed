"""GET events: what was said and done, as it was recorded."""

from typing import Annotated, TypedDict

from pydantic import StringConstraints

from .core import Event, EventFilter, Extraction, Request, Role, Route, Scope, Service
from .forms import Paged, asked
from .shapes import Instant, PageShape, instant, page_shape

type Words = Annotated[str, StringConstraints(max_length=500)]


class WantedEvents(Paged):
    """Which events to list."""

    scope: Scope | None = None
    scope_id: Words | None = None
    umo: Words | None = None
    sender_id: Words | None = None
    role: Role | None = None
    extraction: Extraction | None = None
    q: Words | None = None


class EventShape(TypedDict):
    """One raw thing that happened, and how far its extraction has come."""

    event_id: str
    umo: str
    scope: str
    scope_id: str
    owner_scope: str
    owner_scope_id: str
    role: str
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
    attempts: int
    last_error: str
    created_at: Instant


class EventsAnswer(PageShape):
    """One page of events, the newest first."""

    events: list[EventShape]


async def list_events(service: Service, request: Request) -> EventsAnswer:
    """One page of events; filters `scope`, `scope_id`, `umo`, `sender_id`, `role`, `extraction`, `q`."""
    wanted = asked(request, WantedEvents)
    found = await service.manager().browsing.events(
        EventFilter(
            scope=wanted.scope,
            scope_id=wanted.scope_id,
            umo=wanted.umo,
            sender_id=wanted.sender_id,
            role=wanted.role,
            extraction=wanted.extraction,
            query=wanted.q,
            page=wanted.page,
            page_size=wanted.page_size,
        )
    )
    return EventsAnswer(
        events=[_event(event) for event in found.rows],
        **page_shape(found),
    )


ROUTES = (
    Route(
        path="events",
        method="GET",
        summary="What was said and done",
        handler=list_events,
        query=WantedEvents,
        answer=EventsAnswer,
    ),
)


def _event(event: Event) -> EventShape:
    return EventShape(
        event_id=event.event_id,
        umo=event.umo,
        scope=event.at_scope.scope.value,
        scope_id=event.at_scope.scope_id,
        owner_scope=event.owner.scope.value,
        owner_scope_id=event.owner.scope_id,
        role=event.role.value,
        source_type=event.source_type.value,
        tool=event.tool,
        text=event.text,
        quoted=event.quoted,
        sender_id=event.sender_id,
        sender_name=event.sender_name,
        platform_id=event.platform_id,
        conversation_id=event.conversation_id,
        level=event.level.name,
        extraction=event.extraction.value,
        attempts=event.attempts,
        last_error=event.last_error,
        created_at=instant(event.created_at),
    )
