"""The tools a model is given: functions of a manager, the message that is answered, and arguments.

Owner and level come from the turn. Arguments that no tool names have no
effect, and whatever goes wrong becomes words for the model.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from .domain.chat import Turn
from .domain.enums import Status
from .domain.errors import InvalidInputError, LtmError, RefusedError
from .domain.log import logger
from .domain.memory import Item
from .manager import LTMManager
from .manager.tool_memories import NotAtLevelError
from .messages import Messages
from .policies.keys import chosen_key, shown_key
from .read.format import fact_shown

type Arguments = Mapping[str, object]
"""What a model passes: anything at all. Only what a tool names is looked at."""
type Run = Callable[..., Awaitable[str]]
"""Takes the manager, the message that is being answered, as a turn without a reply, and the arguments."""

DEFAULT_RESULTS = 10
MAX_RESULTS = 50

_SWITCHED_OFF: Mapping[str, str] = {"disabled": "switched_off", "known": "switched_off"}
"""A save meets a memory that an operator has disabled."""
_SAY = Messages("en-US")

NONE = "No memories found."
MEMORY_TOOLS: list["Tool"] = []
SESSION_SEARCH_TOOLS: list["Tool"] = []


@dataclass(frozen=True)
class Tool:
    """One tool as the model sees it, and what it does."""

    name: str
    description: str
    """Short: each request pays for it."""
    properties: Mapping[str, Mapping[str, object]]
    """The arguments, each with its JSON Schema."""
    required: Sequence[str]
    run: Run

    @property
    def parameters(self) -> Mapping[str, object]:
        """JSON Schema."""
        return {"type": "object", "properties": self.properties, "required": self.required}

    async def call(self, manager: LTMManager, turn: Turn, arguments: Arguments) -> str:
        """The reply: JSON, a text that begins with `Error:`, or that there are no memories. Never raises."""
        given = {
            name: _READERS[str(schema["type"])](arguments.get(name))
            for name, schema in self.properties.items()
        }
        if missing := next((name for name in self.required if not given[name]), None):
            return f"Error: {self.name} requires a '{missing}' argument (non-empty string)."
        try:
            return await self.run(manager, turn, **given)
        except LtmError as error:
            return f"Error: {_why(error)}"
        except Exception:
            logger.exception("The tool %s failed.", self.name)
            return "Error: Memory does not answer now."


def tool(
    tools: list[Tool], name: str, description: str, required: str, **properties: Mapping[str, object]
) -> Callable[[Run], Run]:
    """Add a tool that a function runs; the names in `required` must be among its arguments."""

    def added(run: Run) -> Run:
        tools.append(Tool(name, description, properties, required.split(), run))
        return run

    return added


def _text(description: str = "") -> Mapping[str, object]:
    return {"type": "string", "description": description} if description else {"type": "string"}


def _read_number(value: object) -> int:
    """A number of results from 1 to `MAX_RESULTS`; what is no whole number is the default."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return DEFAULT_RESULTS
    return min(max(value, 1), MAX_RESULTS)


def _read_tags(value: object) -> list[str]:
    given = cast("list[object]", value) if isinstance(value, list) else []
    return [tag for tag in given if isinstance(tag, str)]


_READERS: Mapping[str, Callable[[object], object]] = {
    "string": lambda value: value if isinstance(value, str) and value.strip() else "",
    "integer": _read_number,
    "array": _read_tags,
}
"""How an argument is read, by its type in the schema."""


def _why(error: LtmError) -> str:
    match error:
        case NotAtLevelError():
            return f"Memory record '{error.key}' not found at {error.level.name} level"
        case InvalidInputError():
            return f"'{error.field}' {error.message}."
        case RefusedError():
            return f"Not done. For the user: {_SAY.rule(_SWITCHED_OFF.get(error.rule, error.rule))}"
        case _:
            return "Memory does not answer now; try again later."


def _reply(**fields: object) -> str:
    return json.dumps(fields, ensure_ascii=False)


@tool(
    MEMORY_TOOLS,
    "memory_save",
    "Remember a fact the user told you. The same key replaces it.",
    "key content",
    key=_text("e.g. user-name, pref-tea, rule-language"),
    content=_text("one sentence, in the user's words"),
    tags={"type": "array", "items": {"type": "string"}},
)
async def save(manager: LTMManager, turn: Turn, key: str, content: str, tags: Sequence[str]) -> str:
    """Keep a fact under a key; the reply has a `status` when it is not used yet."""
    item = (await manager.tool_memories.save(turn, key, content, tags)).item
    done = {"saved": True, "key": shown_key(item.fact_key), "classification": item.level.name}
    waits = {} if item.status is Status.ACTIVE else {"status": f"{item.status}, not used in replies yet"}
    return _reply(**done, **waits)


@tool(MEMORY_TOOLS, "memory_get", "Get a memory by key.", "key", key=_text())
async def get(manager: LTMManager, turn: Turn, key: str) -> str:
    """One memory by its key."""
    item = await manager.tool_memories.get(turn.chat, key)
    return _reply(found=True, **_with_time(item)) if item else _reply(found=False, key=chosen_key(key))


@tool(
    MEMORY_TOOLS,
    "memory_search",
    "Search the facts remembered about the user; do so before asking the user again.",
    "query",
    query=_text(),
    max_results={"type": "integer"},
)
async def search(manager: LTMManager, turn: Turn, query: str, max_results: int) -> str:
    """The memories that a text has to do with."""
    found = await manager.tool_memories.search(turn.chat, query, max_results=max_results)
    return _reply(results=[_shown(item) for item in found], query=query)


@tool(MEMORY_TOOLS, "memory_list", "List memories.", "", tag=_text())
async def list_all(manager: LTMManager, turn: Turn, tag: str) -> str:
    """All memories, or those with a tag."""
    found = await manager.tool_memories.list(turn.chat, tag or None)
    return _reply(memories=[_with_time(item) for item in found]) if found else NONE


@tool(MEMORY_TOOLS, "memory_delete", "Forget a memory by key.", "key", key=_text())
async def delete(manager: LTMManager, turn: Turn, key: str) -> str:
    """Forget one's own memory with this key."""
    await manager.tool_memories.delete(turn.chat, key)
    return _reply(deleted=True, key=chosen_key(key))


@tool(
    SESSION_SEARCH_TOOLS,
    "session_search",
    "Search the messages of earlier conversations, for what remembered facts do not tell:"
    " exact words, numbers, dates, what was discussed or suggested.",
    "query",
    query=_text(),
    max_results={"type": "integer"},
)
async def search_sessions(manager: LTMManager, turn: Turn, query: str, max_results: int) -> str:
    """The messages that answer a text best, without the one that is being answered."""
    found = await manager.search_transcript(turn.chat, query, max_results=max_results, asked_at=turn.at)
    said = [
        {"role": one.role.value, "speaker": one.speaker, "said_at": one.said_at.isoformat(), "text": one.text}
        for one in found
    ]
    return _reply(results=said, query=query)


def _shown(item: Item) -> dict[str, object]:
    return {
        "key": item.fact_key,
        "content": fact_shown(item),
        "classification": item.level.name,
        "tags": list(item.tags),
    }


def _with_time(item: Item) -> dict[str, object]:
    return _shown(item) | {"updated_at": item.updated_at.isoformat()}
