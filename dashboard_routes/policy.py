"""GET and PUT policy, its preview, its versions and the way back: what governs writing and reading."""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from pydantic import ConfigDict, Field, JsonValue, TypeAdapter, WithJsonSchema, with_config

from .core import Change, InForce, Request, Route, Service, Setting, Version
from .forms import Form, Paged, asked, body
from .shapes import Instant, PageShape, instant, maybe

MAX_VERSION = 1_000_000_000
_WHOLE = ConfigDict(extra="forbid")


@with_config(_WHOLE)
class WriteShape(TypedDict):
    """What automatic writing may keep: the settings `write_policy`."""

    mode: str
    min_confidence: float
    min_evidence_count: int
    allowed_types: list[str]
    max_writes_per_session: int
    max_writes_per_hour: int
    max_items_per_scope: int
    require_approval_types: list[str]
    self_approval: bool


@with_config(_WHOLE)
class ReadShape(TypedDict):
    """What a request may carry: the settings `read_policy`."""

    enable: bool
    max_items: int
    max_tokens: int
    max_per_type: int
    min_confidence: float
    similarity_weight: float
    importance_weight: float
    recency_weight: float


class Sections(Form):
    """Both sections, whole. What is allowed in them the settings know; here they are objects."""

    write: Annotated[
        dict[str, JsonValue], WithJsonSchema(TypeAdapter(WriteShape).json_schema(), mode="validation")
    ]
    read: Annotated[
        dict[str, JsonValue], WithJsonSchema(TypeAdapter(ReadShape).json_schema(), mode="validation")
    ]


class NewPolicy(Sections):
    """A policy in the place of this version, if that is given."""

    version: Annotated[int, Field(ge=0, le=MAX_VERSION)] | None = None


class Earlier(Form):
    """A version to go back to."""

    version: Annotated[int, Field(ge=1, le=MAX_VERSION)]


class PolicyAnswer(TypedDict):
    """What governs, since when and by whom; version 0 when it is not on record."""

    write: WriteShape
    read: ReadShape
    version: int
    at: Instant | None
    actor: str


class ChangeShape(TypedDict):
    """A setting with another value; null where the setting did not exist."""

    field: str
    before: Setting | None
    after: Setting | None


class EffectShape(TypedDict):
    """What a change does, and to how many.

    `no_longer_recalled`, `recalled_again`: memories. `over_capacity_scopes`: scopes that hold more than they
    then may. `waiting`: memories that go on waiting whatever the mode is.
    """

    what: str
    count: int


class PreviewAnswer(TypedDict):
    """What a policy would change and do; what it does to nothing is left out."""

    changes: list[ChangeShape]
    effects: list[EffectShape]


class VersionShape(TypedDict):
    """A policy that was in force, as it was recorded, and how it differs from the one before."""

    version: int
    actor: str
    at: Instant
    write: Mapping[str, Setting]
    read: Mapping[str, Setting]
    changes: list[ChangeShape]


class VersionsAnswer(PageShape):
    """One page of all policies ever in force, the newest first."""

    versions: list[VersionShape]


async def get_policy(service: Service, request: Request) -> PolicyAnswer:  # noqa: ARG001  same shape for all
    """The policies in force."""
    return _answer(await service.manager().governing.in_force())


async def put_policy(service: Service, request: Request) -> PolicyAnswer:
    """Let these policies govern from the next statement on; all of it, or nothing is changed."""
    new = body(request, NewPolicy)
    governing = service.manager().governing
    return _answer(await governing.change(_sections(new), version=new.version, actor=request.actor))


async def preview_policy(service: Service, request: Request) -> PreviewAnswer:
    """What these policies would change and do; nothing is changed."""
    preview = await service.manager().governing.preview(_sections(body(request, Sections)))
    return PreviewAnswer(
        changes=[_change(each) for each in preview.changes],
        effects=[EffectShape(what=each.what, count=each.count) for each in preview.effects],
    )


async def list_versions(service: Service, request: Request) -> VersionsAnswer:
    """One page of all policies ever in force, the newest first."""
    wanted = asked(request, Paged)
    found, total = await service.manager().governing.versions(page=wanted.page, page_size=wanted.page_size)
    return VersionsAnswer(
        versions=[_version(each) for each in found],
        total=total,
        page=wanted.page,
        page_size=wanted.page_size,
    )


async def roll_back(service: Service, request: Request) -> PolicyAnswer:
    """Let the policies of an earlier version govern again, under a new number."""
    earlier = body(request, Earlier).version
    return _answer(await service.manager().governing.roll_back(earlier, actor=request.actor))


ROUTES = (
    Route(
        path="policy",
        method="GET",
        summary="The policies in force",
        handler=get_policy,
        answer=PolicyAnswer,
    ),
    Route(
        path="policy",
        method="PUT",
        summary="Change the policies",
        handler=put_policy,
        body=NewPolicy,
        answer=PolicyAnswer,
        twin="policy/update",
    ),
    Route(
        path="policy/preview",
        method="POST",
        summary="What a change of the policies would do",
        handler=preview_policy,
        body=Sections,
        answer=PreviewAnswer,
    ),
    Route(
        path="policy/versions",
        method="GET",
        summary="All policies ever in force",
        handler=list_versions,
        query=Paged,
        answer=VersionsAnswer,
    ),
    Route(
        path="policy/rollback",
        method="POST",
        summary="Go back to an earlier policy",
        handler=roll_back,
        body=Earlier,
        answer=PolicyAnswer,
    ),
)


def _sections(form: Sections) -> Mapping[str, object]:
    return {"write": form.write, "read": form.read}


def _answer(found: InForce) -> PolicyAnswer:
    write, read = found.policies.write, found.policies.read
    return PolicyAnswer(
        write=WriteShape(
            mode=write.mode.value,
            min_confidence=write.min_confidence,
            min_evidence_count=write.min_evidence_count,
            allowed_types=sorted(kind.value for kind in write.allowed_types),
            max_writes_per_session=write.max_writes_per_session,
            max_writes_per_hour=write.max_writes_per_hour,
            max_items_per_scope=write.max_items_per_scope,
            require_approval_types=sorted(kind.value for kind in write.require_approval_types),
            self_approval=write.self_approval,
        ),
        read=ReadShape(
            enable=read.enable,
            max_items=read.max_items,
            max_tokens=read.max_tokens,
            max_per_type=read.max_per_type,
            min_confidence=read.min_confidence,
            similarity_weight=read.similarity_weight,
            importance_weight=read.importance_weight,
            recency_weight=read.recency_weight,
        ),
        version=found.version,
        at=maybe(found.at),
        actor=found.actor,
    )


def _version(one: Version) -> VersionShape:
    return VersionShape(
        version=one.version,
        actor=one.actor,
        at=instant(one.at),
        write=one.policies.get("write", {}),
        read=one.policies.get("read", {}),
        changes=[_change(each) for each in one.changes],
    )


def _change(one: Change) -> ChangeShape:
    return ChangeShape(field=one.field, before=one.before, after=one.after)
