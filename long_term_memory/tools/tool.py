"""What a tool is, and the edge at which whatever goes wrong becomes words for the model."""

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from ..domain.chat import Turn
from ..domain.errors import InvalidInputError, LtmError, RefusedError
from ..manager import LTMManager, NotAtLevelError

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

type Arguments = Mapping[str, object]
"""What a model passes: anything at all. Only what a tool names is looked at."""
type Run = Callable[[LTMManager, Turn, Arguments], Awaitable[str]]
"""The turn is the message that is being answered, without a reply: it says who asks, where and when."""

DEFAULT_RESULTS = 10
MAX_RESULTS = 50

_REASONS = {
    "paused": "memory is paused for this person",
    "paused_group": "memory is paused in this group",
    "emergency_read_only": "memory is read-only now",
    "forgotten": "the person has just had everything forgotten",
    "no_words": "the message has no text that a memory could rest on",
    "off_the_record": "the person asked not to keep it",
    "tombstone": "this was deleted; it is kept again only when the person asks for it in their own words",
    "disabled": "an operator has switched this memory off",
    "known": "an operator has switched this memory off",
    "not_kept": "it was not kept",
    "allowed_types": "facts of this kind are not kept",
    "min_confidence": "it is not certain enough to be kept",
    "max_items_per_scope": "there is no room left",
}


@dataclass(frozen=True, kw_only=True)
class Tool:
    """One tool as the model sees it, and what it does."""

    name: str
    description: str
    """Short: each request pays for it."""
    parameters: Mapping[str, object]
    """JSON Schema."""
    run: Run

    async def call(self, manager: LTMManager, turn: Turn, arguments: Arguments) -> str:
        """The reply: JSON, a text that begins with `Error:`, or that there are no memories. Never raises."""
        try:
            return await self.run(manager, turn, arguments)
        except LtmError as error:
            return f"Error: {_why(error)}"
        except Exception:
            logger.exception("The tool %s failed.", self.name)
            return "Error: Memory does not answer now."


def reply(**fields: object) -> str:
    """Fields in this order as JSON."""
    return json.dumps(fields, ensure_ascii=False)


def text_of(tool: str, arguments: Arguments, name: str) -> str:
    """An argument that must be a text with something in it. Raises ArgumentError."""
    value = arguments.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ArgumentError(tool, name)
    return value


def count_of(arguments: Arguments, name: str = "max_results") -> int:
    """A number of results from 1 to `MAX_RESULTS`; what is no whole number is the default."""
    value = arguments.get(name)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return DEFAULT_RESULTS
    return min(max(value, 1), MAX_RESULTS)


class ArgumentError(LtmError):
    """A required argument is missing, empty or no text."""

    def __init__(self, tool: str, name: str) -> None:
        super().__init__(f"{tool} requires a '{name}' argument (non-empty string).")


def _why(error: LtmError) -> str:
    match error:
        case ArgumentError():
            why = str(error)
        case NotAtLevelError():
            why = f"Memory record '{error.key}' not found at {error.level.name} level"
        case InvalidInputError():
            why = f"'{error.field}' {error.message}."
        case RefusedError():
            why = f"Not done: {_REASONS.get(error.rule.partition(':')[0], error.rule)}."
        case _:
            why = "Memory does not answer now; try again later."
    return why
