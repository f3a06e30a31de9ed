"""What a module answers with: its routes, and the domain's values as the API writes them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from functools import wraps
from inspect import get_annotations
from types import NoneType
from typing import Any, cast, get_origin

from .core import Download, Level, Page, Request, Route, ScopeRef, Service
from .forms import FILE, asked, body, form_of, uploaded

type Handler = Callable[[Service, Request], Awaitable[Any]]


class Routes(list[Route[Service]]):
    """The routes in the order in which the host matches them: the first that fits wins."""

    def add(
        self, method: str, path: str, summary: str, *, key: str = "", paged: bool = True, twin: str = ""
    ) -> Callable[[Callable[..., Awaitable[Any]]], Handler]:
        """Add the route of a function, which is given what its parameters name.

        `manager`, `service`, `actor`, `query` and `body` in the form of their annotation, `upload`, and what
        the path names. What it returns becomes JSON, under `key` if there is one; of a page that is the key
        of its rows, by default the last word of the path. Unless `paged`, a filter takes no page.
        """

        def added(handler: Callable[..., Awaitable[Any]]) -> Handler:
            kinds = get_annotations(handler)
            answer = kinds.pop("return")
            sources = {name: _source(name, kind, paged=paged) for name, kind in kinds.items()}
            is_page = issubclass(get_origin(answer) or answer, Page)
            rows = key or (path.rpartition("/")[2] if is_page else "")

            @wraps(handler)
            async def answered(service: Service, request: Request) -> Any:  # noqa: ANN401  JSON or a file
                found = await handler(**{name: source(service, request) for name, source in sources.items()})
                return found if isinstance(found, Download) else answer_of(found, rows)

            self.append(
                Route(
                    path=path,
                    method=method,
                    summary=summary,
                    handler=answered,
                    answer=answer,
                    key=rows,
                    query=form_of(kinds["query"], paged=paged) if "query" in kinds else None,
                    body=kinds.get("body"),
                    file=FILE if "upload" in kinds else "",
                    twin=twin,
                )
            )
            return answered

        return added


def _source(name: str, kind: type[Any], *, paged: bool) -> Callable[[Service, Request], Any]:
    sources: Mapping[str, Callable[[Service, Request], Any]] = {
        "service": lambda service, _: service,
        "manager": lambda service, _: service.manager(),
        "actor": lambda _, request: request.actor,
        "query": lambda _, request: asked(request, kind, paged=paged),
        "body": lambda _, request: body(request, kind),
        "upload": lambda _, request: uploaded(request),
    }
    return sources.get(name, lambda _, request: request.path[name])


ROUTES = Routes()


def answer_of(found: Any, key: str) -> Any:  # noqa: ANN401  JSON of whatever there is
    """What was found as JSON, under the key if there is one; of a page its rows are."""
    if isinstance(found, Page):
        shown = columns(cast("Page[Any]", found))
        return {key: shown.pop("rows"), **shown}
    return {key: as_json(found)} if key else as_json(found)


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
    """The fields of a dataclass; a scope takes two, the first of them without a prefix.

    What is to stand `beside` the other fields, as its metadata say, gives its own fields, or none.
    """
    if not is_dataclass(value):
        raise TypeError(f"{type(value).__name__} is not JSON")
    shown: dict[str, Any] = {}
    for field in fields(value):
        name, each = field.name, getattr(value, field.name)
        if field.metadata.get("beside"):
            shown |= columns(each) if each else {}
        elif isinstance(each, ScopeRef):
            prefix = f"{name}_" if "scope" in shown else ""
            shown |= {f"{prefix}scope": each.scope.value, f"{prefix}scope_id": each.scope_id}
        else:
            shown[name] = as_json(each)
    return shown
