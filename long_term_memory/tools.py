"""The tools a model is given: functions of a manager, the message that is answered, and arguments.

Owner and level come from the turn (design 8; seed 001's replies). Arguments that no tool names have no
effect, and whatever goes wrong becomes words for the model.
"""

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import cast

from .domain.chat import Turn
from .domain.errors import InvalidInputError, LtmError, RefusedError
from .domain.memory import Item
from .domain.reading import Said
from .domain.words import Status
from .manager import LTMManager
from .manager.keyed import NotAtLevelError
from .policies.keys import chosen_key, shown_key
from .read.format import told

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


NONE = "No memories found."

MEMORY_TOOLS: list[Tool] = []
SESSION_SEARCH_TOOLS: list[Tool] = []


def tool(
    tools: list[Tool], name: str, description: str, required: str, **properties: Mapping[str, object]
) -> Callable[[Run], Run]:
    """Add a tool that a function runs; the names in `required` must be among its arguments."""

    def added(run: Run) -> Run:
        parameters = {"type": "object", "properties": properties, "required": required.split()}
        tools.append(Tool(name=name, description=description, parameters=parameters, run=run))
        return run

    return added


def _text(description: str = "") -> Mapping[str, object]:
    return {"type": "string", "description": description} if description else {"type": "string"}


@tool(
    MEMORY_TOOLS,
    "memory_save",
    "Remember a fact the user told you. The same key replaces it.",
    "key content",
    key=_text("e.g. user-name, pref-tea, rule-language"),
    content=_text("one sentence, in the user's words"),
    tags={"type": "array", "items": {"type": "string"}},
)
async def save(manager: LTMManager, turn: Turn, arguments: Arguments) -> str:
    """Keep a fact under a key; the reply has a `status` when it is not used yet."""
    key = text_of("memory_save", arguments, "key")
    content = text_of("memory_save", arguments, "content")
    saved = await manager.keyed.save(turn, key, content, _tags(arguments.get("tags")))
    item = saved.item
    done = {"saved": True, "key": shown_key(item.fact_key), "classification": item.level.name}
    return reply(**done) if item.status is Status.ACTIVE else reply(**done, status=item.status.value)


@tool(MEMORY_TOOLS, "memory_get", "Get a memory by key.", "key", key=_text())
async def get(manager: LTMManager, turn: Turn, arguments: Arguments) -> str:
    """One memory by its key."""
    key = text_of("memory_get", arguments, "key")
    item = await manager.keyed.get(turn.chat, key)
    if item is None:
        return reply(found=False, key=chosen_key(key))
    return reply(found=True, **_with_time(item))


@tool(
    MEMORY_TOOLS,
    "memory_search",
    "Search the facts remembered about the user; do so before asking the user again.",
    "query",
    query=_text(),
    max_results={"type": "integer"},
)
async def search(manager: LTMManager, turn: Turn, arguments: Arguments) -> str:
    """The memories that a text has to do with."""
    query = text_of("memory_search", arguments, "query")
    found = await manager.keyed.search(turn.chat, query, max_results=count_of(arguments))
    return reply(results=[_shown(item) for item in found], query=query)


@tool(MEMORY_TOOLS, "memory_list", "List memories.", "", tag=_text())
async def list_all(manager: LTMManager, turn: Turn, arguments: Arguments) -> str:
    """All memories, or those with a tag."""
    tag = arguments.get("tag")
    wanted = tag if isinstance(tag, str) and tag else None
    found = await manager.keyed.list(turn.chat, wanted)
    return reply(memories=[_with_time(item) for item in found]) if found else NONE


@tool(MEMORY_TOOLS, "memory_delete", "Forget a memory by key.", "key", key=_text())
async def delete(manager: LTMManager, turn: Turn, arguments: Arguments) -> str:
    """Forget one's own memory with this key."""
    key = text_of("memory_delete", arguments, "key")
    await manager.keyed.delete(turn.chat, key)
    return reply(deleted=True, key=chosen_key(key))


def _shown(item: Item) -> dict[str, object]:
    return {
        "key": item.fact_key,
        "content": told(item),
        "classification": item.level.name,
        "tags": list(item.tags),
    }


def _with_time(item: Item) -> dict[str, object]:
    return _shown(item) | {"updated_at": item.updated_at.isoformat()}


def _tags(value: object) -> list[str]:
    given = cast("list[object]", value) if isinstance(value, list) else []
    return [tag for tag in given if isinstance(tag, str)]


@tool(
    SESSION_SEARCH_TOOLS,
    "session_search",
    "Search the messages of earlier conversations, for what remembered facts do not tell:"
    " exact words, numbers, dates, what was discussed or suggested.",
    "query",
    query=_text(),
    max_results={"type": "integer"},
)
async def search_sessions(manager: LTMManager, turn: Turn, arguments: Arguments) -> str:
    """The messages that answer a text best, without the one that is being answered."""
    query = text_of("session_search", arguments, "query")
    found = await manager.search_transcript(
        turn.chat, query, max_results=count_of(arguments), asked_at=turn.at
    )
    return reply(results=[_said(said) for said in found], query=query)


def _said(said: Said) -> dict[str, object]:
    return {
        "role": said.role.value,
        "speaker": said.speaker,
        "said_at": said.said_at.isoformat(),
        "text": said.text,
    }
