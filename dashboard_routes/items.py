"""One memory: GET items/<memory_id>, what it rests on, and what operators change about it."""

from typing import Annotated, Literal, TypedDict, cast

from pydantic import ConfigDict, Field, StringConstraints, field_validator, model_validator
from pydantic.config import JsonDict

from .core import (
    Edit,
    Level,
    Lifetime,
    MemoryType,
    Request,
    Route,
    Service,
    Shown,
    Status,
    reworded_at,
)
from .forms import Form, body
from .shapes import (
    AuditShape,
    ChangedAnswer,
    EvidenceShape,
    Instant,
    ItemShape,
    LevelName,
    audit_shape,
    evidence_shape,
    item_shape,
    maybe,
)

MAX_TEXT = 500
"""Characters of a fact."""


def _described(schema: JsonDict) -> None:
    """A change names something, and only a lifetime can be none."""
    properties = cast("dict[str, JsonDict]", schema["properties"])
    for name, field in properties.items():
        field.pop("default")
        choices = cast("list[JsonDict]", field["anyOf"])
        if name != "ttl_days":
            field.pop("anyOf")
            field.update(choices[0])
    schema["minProperties"] = 1


class Change(Form):
    """What is to be changed about a memory; at least one of these. No lifetime is for ever."""

    model_config = ConfigDict(json_schema_extra=_described)

    status: Literal["active", "disabled", "deleted"] | None = None
    importance: Annotated[float, Field(ge=0, le=1)] | None = None
    ttl_days: Annotated[int, Field(ge=0, le=36_500)] | None = None
    fact: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT)] | None = None
    level: LevelName | None = None
    type: MemoryType | None = None

    @field_validator("status", "importance", "fact", "level", "type", mode="before")
    @classmethod
    def _is_something(cls, value: object) -> object:
        if value is None:
            raise ValueError("must not be null: leave it out to leave it as it is")
        return value

    @model_validator(mode="after")
    def _says_something(self) -> "Change":
        if not self.model_fields_set:
            raise ValueError("must name at least one of status, importance, ttl_days, fact, level, type")
        return self

    def edit(self) -> Edit:
        """The same as the manager takes it."""
        return Edit(
            status=Status(self.status) if self.status else None,
            fact=self.fact,
            level=Level[self.level] if self.level else None,
            type=self.type,
            importance=self.importance,
            lifetime=Lifetime(days=self.ttl_days) if "ttl_days" in self.model_fields_set else None,
        )


class AudienceShape(TypedDict):
    """Who may see a memory: in which chats it may be used, for chats of its level and above."""

    chats: list[str]
    everywhere: bool
    scope: str
    level: str


class ItemAnswer(TypedDict):
    """A memory, its evidence in time order, when it was reworded, and what it took the place of."""

    item: ItemShape
    evidence: list[EvidenceShape]
    older: list[ItemShape]
    reworded_at: Instant | None
    audience: AudienceShape
    audit: list[AuditShape]


async def get_item(service: Service, request: Request) -> ItemAnswer:
    """One item with its evidence, what it took the place of, who may see it, and what was done to it."""
    shown = await service.manager().browsing.item(request.path["memory_id"])
    return ItemAnswer(
        item=item_shape(shown.item),
        evidence=[evidence_shape(one) for one in shown.evidence],
        older=[item_shape(item) for item in shown.older],
        reworded_at=maybe(reworded_at(shown.item, shown.older)),
        audience=_audience(shown),
        audit=[audit_shape(line) for line in shown.audit],
    )


async def change_item(service: Service, request: Request) -> ChangedAnswer:
    """Change its status, importance, lifetime, fact, level or type: all that is named, or nothing."""
    edit = body(request, Change).edit()
    editing = service.manager().editing
    return ChangedAnswer(
        item=item_shape(await editing.edit(request.path["memory_id"], edit, actor=request.actor))
    )


async def delete_item(service: Service, request: Request) -> ChangedAnswer:
    """Delete it softly; it can be brought back until it is purged."""
    editing = service.manager().editing
    return ChangedAnswer(
        item=item_shape(await editing.delete(request.path["memory_id"], actor=request.actor))
    )


ROUTES = (
    Route(
        path="items/<memory_id>",
        method="GET",
        summary="One memory, its evidence, history and audience",
        handler=get_item,
        answer=ItemAnswer,
    ),
    Route(
        path="items/<memory_id>",
        method="PATCH",
        summary="Change a memory",
        handler=change_item,
        body=Change,
        answer=ChangedAnswer,
        twin="items/<memory_id>/update",
    ),
    Route(
        path="items/<memory_id>",
        method="DELETE",
        summary="Delete a memory softly",
        handler=delete_item,
        answer=ChangedAnswer,
        twin="items/<memory_id>/delete",
    ),
)


def _audience(shown: Shown) -> AudienceShape:
    return AudienceShape(
        chats=list(shown.told.chats),
        everywhere=shown.told.everywhere,
        scope=shown.item.owner.scope.value,
        level=shown.item.level.name,
    )
