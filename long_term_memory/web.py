"""A request and a reply of the dashboard's API, free of any web framework."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

type Json = bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a caller asks: an operator of the dashboard, already authenticated by the host."""

    query: Mapping[str, str] = field(default_factory=dict[str, str])
    path: Mapping[str, str] = field(default_factory=dict[str, str])


type Handler[Backend] = Callable[[Backend, Request], Awaitable[Mapping[str, Json]]]
"""Answers with the JSON body of a 200. Never a top-level `data` key: the page's bridge would unwrap it."""


@dataclass(frozen=True, kw_only=True)
class Route[Backend]:
    """One route under `/astrbot_plugin_ltm/`."""

    path: str
    method: str
    summary: str
    handler: Handler[Backend]
