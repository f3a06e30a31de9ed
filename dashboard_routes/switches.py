"""POST mode and POST readonly: what operators switch for memory as a whole."""

from typing import Literal, TypedDict

from .core import Mode, Request, Route, Service
from .forms import Form, body


class ModeForm(Form):
    """What automatic writing may do from now on."""

    mode: Literal["shadow", "auto", "manual"]


class ModeAnswer(TypedDict):
    """What it may do now."""

    mode: str


class ReadOnlyForm(Form):
    """Whether nothing may be written any more."""

    on: bool


class ReadOnlyAnswer(TypedDict):
    """Whether nothing is written now."""

    read_only: bool


async def set_mode(service: Service, request: Request) -> ModeAnswer:
    """Let automatic writing go on in this mode, now and after a restart."""
    manager = service.manager()
    mode = Mode(body(request, ModeForm).mode)
    await manager.set_mode(mode, actor=request.actor)
    return ModeAnswer(mode=manager.mode.value)


async def set_read_only(service: Service, request: Request) -> ReadOnlyAnswer:
    """Let nothing be written any more, or let it go on."""
    switches = service.manager().switches
    on = body(request, ReadOnlyForm).on
    await switches.set_read_only(on=on, actor=request.actor)
    return ReadOnlyAnswer(read_only=switches.read_only)


ROUTES = (
    Route(
        path="mode",
        method="POST",
        summary="What automatic writing may do",
        handler=set_mode,
        body=ModeForm,
        answer=ModeAnswer,
    ),
    Route(
        path="readonly",
        method="POST",
        summary="Write nothing, or go on",
        handler=set_read_only,
        body=ReadOnlyForm,
        answer=ReadOnlyAnswer,
    ),
)
