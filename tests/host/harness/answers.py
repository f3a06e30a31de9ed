"""The answers a scripted model can give."""

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Say:
    """A plain text answer; the empty text is an empty answer."""

    text: str


@dataclass(frozen=True)
class CallTool:
    """A call of one tool, with a text before it if the model is to say something first."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    text: str = ""


@dataclass(frozen=True)
class Fail:
    """An HTTP error. Clients repeat a failed request: use it with `always` for an outage."""

    status: int = 500
    message: str = "scripted failure"


@dataclass(frozen=True)
class Garbage:
    """A body that is no JSON, sent with status 200."""

    body: str = "<html>not what you asked for</html>"


@dataclass(frozen=True)
class Hang:
    """Silence for some seconds, then another answer."""

    seconds: float
    then: "Answer"


@dataclass(frozen=True)
class Hold:
    """Silence until the test sets the event, then another answer."""

    release: threading.Event
    then: "Answer"
    max_seconds: float = 30.0


type Answer = Say | CallTool | Fail | Garbage | Hang | Hold
type Answerable = Answer | str | Sequence[Any] | Mapping[str, Any]
"""An answer, a text, or a value to be sent as JSON text."""


def answer_of(value: Answerable) -> Answer:
    """Turn a text or a JSON value into the answer that says it."""
    if isinstance(value, Say | CallTool | Fail | Garbage | Hang | Hold):
        return value
    return Say(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def fenced(value: Sequence[Any] | Mapping[str, Any]) -> Say:
    """JSON inside a Markdown fence with a sentence before it, as chatty models send it."""
    return Say(f"Here is what I found:\n```json\n{json.dumps(value, ensure_ascii=False)}\n```")
