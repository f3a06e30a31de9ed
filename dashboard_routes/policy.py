"""GET and PUT policy, its preview, versions and the way back, POST mode and readonly: what governs memory."""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from pydantic import Field, JsonValue, TypeAdapter, WithJsonSchema

from . import core
from .answers import ROUTES
from .core import Page, Request, Service
from .forms import Form, Paged, asked, body

MAX_VERSION = 1_000_000_000


def _whole(policy: type) -> WithJsonSchema:
    """Each setting of this policy, and no other; what is allowed in them the settings know."""
    properties = TypeAdapter[Any](policy).json_schema()["properties"]
    return WithJsonSchema(
        {
            "type": "object",
            "title": policy.__name__,
            "additionalProperties": False,
            "required": list(properties),
            "properties": {name: _KINDS[type(field["default"])] for name, field in properties.items()},
        }
    )


_KINDS: Mapping[type, dict[str, Any]] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    list: {"type": "array", "items": {"type": "string"}},
}


class Sections(Form):
    """Both sections, whole."""

    write: Annotated[dict[str, JsonValue], _whole(core.MemoryWritePolicy)]
    read: Annotated[dict[str, JsonValue], _whole(core.MemoryReadPolicy)]


class NewPolicy(Sections):
    """A policy in the place of this version, if that is given."""

    version: Annotated[int, Field(ge=0, le=MAX_VERSION)] | None = None


class Earlier(Form):
    """A version to go back to, from the expected one, if that is given."""

    version: Annotated[int, Field(ge=1, le=MAX_VERSION)]
    expected: Annotated[int, Field(ge=0, le=MAX_VERSION)] | None = None


class ModeForm(Form):
    """What automatic writing may do from now on."""

    mode: core.Mode


class ReadOnlyForm(Form):
    """Whether nothing may be written any more."""

    on: bool


class ModeAnswer(TypedDict):
    """What automatic writing may do now."""

    mode: str


class ReadOnlyAnswer(TypedDict):
    """Whether nothing is written now."""

    read_only: bool


@ROUTES.add("GET", "policy", "The policies in force")
async def get_policy(service: Service, request: Request) -> core.InForce:  # noqa: ARG001  same shape for all
    """The policies in force."""
    return await service.manager().governing.in_force()


@ROUTES.add("PUT", "policy", "Change the policies", body=NewPolicy, twin="policy/update")
async def put_policy(service: Service, request: Request) -> core.InForce:
    """Let these policies govern from the next statement on; all of it, or nothing is changed."""
    new = body(request, NewPolicy)
    governing = service.manager().governing
    return await governing.change(_sections(new), version=new.version, actor=request.actor)


@ROUTES.add("POST", "policy/preview", "What a change of the policies would do", body=Sections)
async def preview_policy(service: Service, request: Request) -> core.Preview:
    """What these policies would change and do; nothing is changed."""
    return await service.manager().governing.preview(_sections(body(request, Sections)))


@ROUTES.add("GET", "policy/versions", "All policies ever in force", query=Paged)
async def list_versions(service: Service, request: Request) -> Page[core.Version]:
    """One page of all policies ever in force, the newest first."""
    return await service.manager().governing.versions(**dict(asked(request, Paged)))


@ROUTES.add("POST", "policy/rollback", "Go back to an earlier policy", body=Earlier)
async def roll_back(service: Service, request: Request) -> core.InForce:
    """Let the policies of an earlier version govern again, under a new number."""
    earlier = body(request, Earlier)
    governing = service.manager().governing
    return await governing.roll_back(earlier.version, expected=earlier.expected, actor=request.actor)


@ROUTES.add("POST", "mode", "What automatic writing may do", body=ModeForm)
async def set_mode(service: Service, request: Request) -> ModeAnswer:
    """Let automatic writing go on in this mode, now and after a restart."""
    manager = service.manager()
    await manager.governing.set_mode(body(request, ModeForm).mode, actor=request.actor)
    return ModeAnswer(mode=manager.mode)


@ROUTES.add("POST", "readonly", "Write nothing, or go on", body=ReadOnlyForm)
async def set_read_only(service: Service, request: Request) -> ReadOnlyAnswer:
    """Let nothing be written any more, or let it go on."""
    switches = service.manager().switches
    await switches.set_read_only(on=body(request, ReadOnlyForm).on, actor=request.actor)
    return ReadOnlyAnswer(read_only=switches.read_only)


def _sections(form: Sections) -> Mapping[str, object]:
    return {"write": form.write, "read": form.read}
