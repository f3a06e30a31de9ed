"""GET items, items/ids and items/<memory_id>, and what operators change about one memory."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic.config import JsonDict

from . import core
from .answers import ROUTES
from .core import LTMManager, Page
from .forms import Form, LevelName


def _no_default(schema: JsonDict) -> None:
    schema.pop("default")


class ItemChange(Form):
    """What is to be changed about a memory; at least one of these. No lifetime is for ever."""

    status: Literal["active", "disabled", "deleted"] | None = None
    importance: Annotated[float, Field(ge=0, le=1)] | None = None
    ttl_days: Annotated[int | None, Field(ge=0, le=36_500, json_schema_extra=_no_default)] = None
    fact: str | None = None
    level: LevelName | None = None
    type: core.MemoryType | None = None

    @model_validator(mode="after")
    def _says_something(self) -> "ItemChange":
        if not self.model_fields_set:
            raise ValueError(f"must name at least one of {', '.join(type(self).model_fields)}")
        return self


@ROUTES.add("GET", "items", "List memories")
async def list_items(manager: LTMManager, query: core.ItemFilter) -> Page[core.Item]:
    """One page of items that fit the filters, newest first if not asked otherwise."""
    return await manager.browsing.items(query)


@ROUTES.add("GET", "items/ids", "The ids of all memories that fit", key="memory_ids", paged=False)
async def list_ids(manager: LTMManager, query: core.ItemFilter) -> Sequence[str]:
    """The ids of all items that fit the same filters, in their order, 10,000 at most."""
    return await manager.browsing.item_ids(query)


@ROUTES.add("GET", "items/<memory_id>", "One memory, its evidence, history and audience")
async def get_item(manager: LTMManager, memory_id: str) -> core.MemoryDetails:
    """One item with its evidence, what it took the place of, who may see it, and what was done to it."""
    return await manager.browsing.item(memory_id)


@ROUTES.add("PATCH", "items/<memory_id>", "Change a memory", twin="items/<memory_id>/update")
async def change_item(manager: LTMManager, memory_id: str, body: ItemChange, actor: str) -> core.Edited:
    """Change its status, importance, lifetime, fact, level or type: all that is named, or nothing."""
    named = body.model_dump(exclude_unset=True, exclude={"status"})
    status = core.Status(body.status) if body.status else None
    return await manager.review.edit_one(memory_id, core.Edit(status=status, **named), actor=actor)


@ROUTES.add(
    "DELETE", "items/<memory_id>", "Delete a memory softly", key="item", twin="items/<memory_id>/delete"
)
async def delete_item(manager: LTMManager, memory_id: str, actor: str) -> core.Item:
    """Delete it softly; it can be brought back until it is purged."""
    return (await manager.review.edit_one(memory_id, core.Edit(status=core.Status.DELETED), actor=actor)).item


@ROUTES.add("POST", "items/<memory_id>/share", "Let a memory be used everywhere", key="item")
async def share_item(manager: LTMManager, memory_id: str, actor: str) -> core.Item:
    """Let it be used in every chat."""
    return await manager.sharing.of_anybody(memory_id, on=True, actor=actor)


@ROUTES.add("POST", "items/<memory_id>/unshare", "Take that back", key="item")
async def unshare_item(manager: LTMManager, memory_id: str, actor: str) -> core.Item:
    """Keep it to the chats it was said in and its owner's private ones again."""
    return await manager.sharing.of_anybody(memory_id, on=False, actor=actor)
