"""`memory_*`: what is remembered, by keys (design 8; seed 001's replies).

Owner and level come from the turn. Arguments that no tool names have no effect, whatever they are called.
"""

from typing import cast

from ..domain.chat import Turn
from ..domain.memory import Item
from ..domain.words import Status
from ..manager import LTMManager
from ..policies.keys import chosen_key, shown_key
from ..read.format import told
from .tool import Arguments, Tool, count_of, reply, text_of

NONE = "No memories found."


async def save(manager: LTMManager, turn: Turn, arguments: Arguments) -> str:
    """Keep a fact under a key; the reply has a `status` when it is not used yet."""
    key = text_of("memory_save", arguments, "key")
    content = text_of("memory_save", arguments, "content")
    saved = await manager.keyed.save(turn, key, content, _tags(arguments.get("tags")))
    item = saved.item
    done = {"saved": True, "key": shown_key(item.fact_key), "classification": item.level.name}
    return reply(**done) if item.status is Status.ACTIVE else reply(**done, status=item.status.value)


async def get(manager: LTMManager, turn: Turn, arguments: Arguments) -> str:
    """One memory by its key."""
    key = text_of("memory_get", arguments, "key")
    item = await manager.keyed.get(turn.chat, key)
    if item is None:
        return reply(found=False, key=chosen_key(key))
    return reply(found=True, **_with_time(item))


async def search(manager: LTMManager, turn: Turn, arguments: Arguments) -> str:
    """The memories that a text has to do with."""
    query = text_of("memory_search", arguments, "query")
    found = await manager.keyed.search(turn.chat, query, max_results=count_of(arguments))
    return reply(results=[_shown(item) for item in found], query=query)


async def list_all(manager: LTMManager, turn: Turn, arguments: Arguments) -> str:
    """All memories, or those with a tag."""
    tag = arguments.get("tag")
    wanted = tag if isinstance(tag, str) and tag else None
    found = await manager.keyed.list(turn.chat, wanted)
    return reply(memories=[_with_time(item) for item in found]) if found else NONE


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


def _text(description: str = "") -> dict[str, object]:
    return {"type": "string", "description": description} if description else {"type": "string"}


def _object(required: str, **properties: dict[str, object]) -> dict[str, object]:
    return {"type": "object", "properties": properties, "required": required.split()}


MEMORY_TOOLS = (
    Tool(
        name="memory_save",
        description="Remember a fact the user told you. The same key replaces it.",
        parameters=_object(
            "key content",
            key=_text("e.g. user-name, pref-tea, rule-language"),
            content=_text("one sentence, in the user's words"),
            tags={"type": "array", "items": {"type": "string"}},
        ),
        run=save,
    ),
    Tool(
        name="memory_get",
        description="Get a memory by key.",
        parameters=_object("key", key=_text()),
        run=get,
    ),
    Tool(
        name="memory_search",
        description="Search the facts remembered about the user; do so before asking the user again.",
        parameters=_object("query", query=_text(), max_results={"type": "integer"}),
        run=search,
    ),
    Tool(
        name="memory_list",
        description="List memories.",
        parameters=_object("", tag=_text()),
        run=list_all,
    ),
    Tool(
        name="memory_delete",
        description="Forget a memory by key.",
        parameters=_object("key", key=_text()),
        run=delete,
    ),
)
