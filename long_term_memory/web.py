"""A request and a reply of the dashboard's API, free of any web framework."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Upload:
    """A file that came with a request."""

    name: str
    """What its sender calls it; empty when it has no name."""
    save: Callable[[Path, int], Awaitable[object]]
    """Writes it there if it has at most so many bytes; no part of it when it raises.

    Raises TooLargeError, UnavailableError.
    """


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a caller asks: an operator of the dashboard, already authenticated by the host."""

    query: Mapping[str, str] = field(default_factory=dict[str, str])
    path: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""
    """As it came: nothing is known of it."""
    files: Mapping[str, Upload] = field(default_factory=dict[str, Upload])
    """By the name of the field."""
    actor: str = "operator:dashboard"
    """Who it is, as the audit names them."""


@dataclass(frozen=True, kw_only=True)
class Download:
    """A file in place of a JSON body; it is removed once it is sent."""

    path: Path
    filename: str


type Handler[Backend] = Callable[[Backend, Request], Awaitable[Mapping[str, object] | Download]]
"""Answers with the body of a 200. Never a top-level `data` key: the page's bridge would unwrap it."""


@dataclass(frozen=True, kw_only=True)
class Route[Backend]:
    """One route under `/astrbot_plugin_ltm/`; the OpenAPI document is made of what it says of itself."""

    path: str
    method: str
    summary: str
    handler: Handler[Backend]
    answer: type
    """What its body is made of, or Download."""
    key: str = ""
    """Under which the body has that, or the rows of a page; empty where it is the body."""
    query: type | None = None
    """The form of its query, if it takes any."""
    body: type | None = None
    """The form of its JSON body, if it takes any."""
    file: str = ""
    """The field of the file that must come with it, if one must."""
    twin: str = ""
    """Where the same can be had by POST: the page has nothing but GET and POST."""
