"""What a module answers with: its routes, and the domain's values as the API writes them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import is_dataclass
from datetime import date
from enum import Enum
from functools import wraps
from inspect import get_annotations
from types import NoneType
from typing import Any, TypedDict, cast

from .core import Download, Level, Page, Request, Route, ScopeRef, Service

type Handler = Callable[[Service, Request], Awaitable[Any]]


class Routes(list[Route[Service]]):
    """The routes in the order in which the host matches them: the first that fits wins."""

    def add(self, method: str, path: str, summary: str, **more: Any) -> Callable[[Handler], Handler]:  # noqa: ANN401  of `Route`
        """Add the route of a function, with `more` of its fields.

        What the function returns becomes JSON, a page with its rows under the path.
        """

        def added(handler: Handler) -> Handler:
            @wraps(handler)
            async def answered(service: Service, request: Request) -> Any:  # noqa: ANN401  JSON or a file
                found = await handler(service, request)
                if isinstance(found, Page):
                    return paged(path, cast("Page[Any]", found))
                return found if isinstance(found, Download) else as_json(found)

            answer = get_annotations(handler)["return"]
            self.append(
                Route(path=path, method=method, summary=summary, handler=answered, answer=answer, **more)
            )
            return answered

        return added


ROUTES = Routes()


class PageShape(TypedDict):
    """Where a page stands in its list."""

    total: int
    page: int
    page_size: int


def paged(path: str, found: Page[Any]) -> dict[str, Any]:
    """A page as the API writes it: its rows under the last word of the path."""
    shown = columns(found)
    return {path.rpartition("/")[2]: shown.pop("rows"), **shown}


def as_json(value: Any) -> Any:  # noqa: ANN401  JSON of whatever there is
    """A level by its name, another word by its value, an instant or a day in ISO 8601, a set in order."""
    for kind, write in _WRITTEN.items():
        if isinstance(value, kind):
            return write(value)
    return columns(value)


_WRITTEN: Mapping[Any, Callable[[Any], Any]] = {
    Level: lambda level: level.name,
    Enum: lambda word: word.value,
    (str, int, float, NoneType): lambda plain: plain,
    date: lambda at: at.isoformat(),
    (list, tuple): lambda rows: [as_json(each) for each in rows],
    frozenset: lambda words: sorted(map(as_json, words)),
    Mapping: lambda named: {key: as_json(each) for key, each in named.items()},
}


def columns(value: object) -> dict[str, Any]:
    """The fields of a dataclass; a scope takes two, the first of them without a prefix."""
    if not is_dataclass(value):
        raise TypeError(f"{type(value).__name__} is not JSON")
    shown: dict[str, Any] = {}
    for name, each in vars(value).items():
        if isinstance(each, ScopeRef):
            prefix = f"{name}_" if "scope" in shown else ""
            shown |= {f"{prefix}scope": each.scope.value, f"{prefix}scope_id": each.scope_id}
        else:
            shown[name] = as_json(each)
    return shown


def shaped[T](shape: type[T], *sources: object, **more: object) -> T:
    """The shape, a TypedDict, filled by name from `more`, else from the fields of the sources."""
    found: dict[str, Any] = {}
    for source in sources:
        found |= columns(source)
    found |= more
    return cast("T", {name: found[name] for name in get_annotations(shape) if name in found})
