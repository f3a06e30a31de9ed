"""GET items and items/ids: everybody's memories, filtered and in order."""

from datetime import date
from typing import Annotated, Literal, TypedDict

from pydantic import StringConstraints

from .core import ItemFilter, ItemOrder, Level, MemoryType, Origin, Request, Route, Scope, Service, Status
from .forms import Paged, Query, asked
from .shapes import ItemShape, LevelName, PageShape, item_shape, page_shape

type Sort = Literal[
    "created",
    "-created",
    "updated",
    "-updated",
    "importance",
    "-importance",
    "confidence",
    "-confidence",
    "accessed",
    "-accessed",
    "expires",
    "-expires",
]
type Words = Annotated[str, StringConstraints(max_length=500)]


class WantedItems(Query):
    """Which memories, and in which order."""

    scope: Scope | None = None
    scope_id: Words | None = None
    type: MemoryType | None = None
    status: Status | None = None
    level: LevelName | None = None
    person: Words | None = None
    author: Words | None = None
    import_id: Words | None = None
    since: date | None = None
    until: date | None = None
    origin: Origin | None = None
    q: Words | None = None
    sort: Sort = "-created"

    def filter(self, page: int = 1, page_size: int = 1) -> ItemFilter:
        """The same as the manager takes it."""
        return ItemFilter(
            scope=self.scope,
            scope_id=self.scope_id,
            type=self.type,
            status=self.status,
            level=Level[self.level] if self.level else None,
            origin=self.origin,
            person=self.person,
            author=self.author,
            import_id=self.import_id,
            since=self.since,
            until=self.until,
            query=self.q,
            order=ItemOrder(self.sort.removeprefix("-")),
            descending=self.sort.startswith("-"),
            page=page,
            page_size=page_size,
        )


class Wanted(WantedItems, Paged):
    """Which memories to list."""


class ItemsAnswer(PageShape):
    """One page of memories, newest first if not asked otherwise."""

    items: list[ItemShape]


class IdsAnswer(TypedDict):
    """The ids of all memories that fit, in their order, 10,000 at most."""

    memory_ids: list[str]


async def list_items(service: Service, request: Request) -> ItemsAnswer:
    """One page of items that fit the filters."""
    wanted = asked(request, Wanted)
    found = await service.manager().browsing.items(wanted.filter(wanted.page, wanted.page_size))
    return ItemsAnswer(
        items=[item_shape(item) for item in found.rows],
        **page_shape(found),
    )


async def list_ids(service: Service, request: Request) -> IdsAnswer:
    """The ids of all items that fit the same filters."""
    found = await service.manager().browsing.item_ids(asked(request, WantedItems).filter())
    return IdsAnswer(memory_ids=list(found))


ROUTES = (
    Route(
        path="items",
        method="GET",
        summary="List memories",
        handler=list_items,
        query=Wanted,
        answer=ItemsAnswer,
    ),
    Route(
        path="items/ids",
        method="GET",
        summary="The ids of all memories that fit",
        handler=list_ids,
        query=WantedItems,
        answer=IdsAnswer,
    ),
)
