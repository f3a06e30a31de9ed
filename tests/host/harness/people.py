"""People who talk to the bot, and what a turn brought."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Person:
    """Somebody on a platform: the id counts, the name is shown."""

    id: str
    name: str = ""


@dataclass(frozen=True)
class Quote:
    """A message that another one answers."""

    by: Person
    text: str


@dataclass(frozen=True, kw_only=True)
class Sent:
    """A message the bot sent; `answers` is the id of the message it replies to, None if it came unasked."""

    number: int
    platform: str
    session: str
    answers: str | None
    text: str
    pieces: int
    """How many pieces it was streamed in; 1 if it was not streamed."""
    files: Sequence[Mapping[str, str]] = ()
    """Of each file its name, where it lay, and its text."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What the bot sent in answer to one message, until the host was done with it."""

    message_id: str
    sent: tuple[Sent, ...]
    first_reply_seconds: float | None
    seconds: float

    @property
    def text(self) -> str:
        """Everything said, one message a line; empty if the bot did not reply."""
        return "\n".join(message.text for message in self.sent)


@dataclass(frozen=True, kw_only=True)
class ChatTurn:
    """What the dashboard's chat brought: the text, and the events it came in."""

    session: str
    text: str
    events: tuple[dict[str, Any], ...]

    def of_type(self, kind: str) -> list[dict[str, Any]]:
        """Return the events of one type."""
        return [event for event in self.events if event.get("type") == kind]


type Belongings = Mapping[str, Mapping[str, int]]
"""What there is in the host's process of each kind (tasks, threads, connections ...), by name."""


@dataclass(frozen=True, kw_only=True)
class Internals:
    """What lives in the host's process."""

    tasks: dict[str, int]
    """Asyncio tasks by the qualified name of their coroutine, those of the dashboard's server left out."""
    threads: list[str]
    open_files: list[str]
    """What the file descriptors point at."""
    handlers: dict[str, int]
    """Registered event handlers by the module of the plugin."""
    tools: dict[str, str]
    """LLM tools and the module each belongs to."""
    routes: list[str]
    modules: list[str]
    """Imported modules of plugins."""
    loaded: bool
    """Whether the host has told its plugins that it is up."""
