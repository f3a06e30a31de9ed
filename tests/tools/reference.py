"""The words in which the table of reference behaviours is written."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from tests.running import World, group, private
from tests.tools import TOOLS

NONE = "No memories found."
SOME_TIME = "some time"
"""An instant that the case is not about."""


@dataclass(frozen=True, kw_only=True)
class Call:
    """A tool called with these arguments, in answer to these words."""

    tool: str
    arguments: Mapping[str, object]
    said: str = "?"


type Step = tuple[str, Call, object]
"""Who speaks where ("alice", "alice CONFIDENTIAL", "bob in kitchen"), what is called, what it replies."""


def save(key: object = "k", content: object = "I like tea", **more: object) -> Call:
    """A save of what the person asks to have remembered."""
    return Call(
        tool="memory_save",
        arguments={"key": key, "content": content, **more},
        said=f"Please remember: {content}",
    )


def get(key: object = "k", **more: object) -> Call:
    return Call(tool="memory_get", arguments={"key": key, **more})


def search(query: object, **more: object) -> Call:
    return Call(tool="memory_search", arguments={"query": query, **more})


def list_all(**more: object) -> Call:
    return Call(tool="memory_list", arguments=more)


def delete(key: object = "k", **more: object) -> Call:
    return Call(tool="memory_delete", arguments={"key": key, **more})


def saved(key: str = "k", level: str = "INTERNAL", **more: object) -> Mapping[str, object]:
    return {"saved": True, "key": key, "classification": level, **more}


def found(
    content: str = "I like tea", key: str = "k", level: str = "INTERNAL", tags: Sequence[str] = ()
) -> Mapping[str, object]:
    return {
        "found": True,
        "key": key,
        "content": content,
        "classification": level,
        "tags": list(tags),
        "updated_at": SOME_TIME,
    }


def absent(key: str = "k") -> Mapping[str, object]:
    return {"found": False, "key": key}


def hit(
    content: str = "I like tea", key: str = "k", level: str = "INTERNAL", tags: Sequence[str] = ()
) -> Mapping[str, object]:
    return {"key": key, "content": content, "classification": level, "tags": list(tags)}


def results(query: str, *hits: Mapping[str, object]) -> Mapping[str, object]:
    return {"results": list(hits), "query": query}


def memories(*hits: Mapping[str, object]) -> Mapping[str, object]:
    """Last changed first."""
    return {"memories": [{**each, "updated_at": SOME_TIME} for each in hits]}


def deleted(key: str = "k") -> Mapping[str, object]:
    return {"deleted": True, "key": key}


def not_found(key: str = "k", level: str = "INTERNAL") -> str:
    return f"Error: Memory record '{key}' not found at {level} level"


def requires(tool: str, name: str) -> str:
    return f"Error: {tool} requires a '{name}' argument (non-empty string)."


@dataclass
class Desk:
    """Calls tools as a host does, a second after each other."""

    world: World
    memory: LTMManager
    turns: list[Turn] = field(default_factory=list[Turn])

    async def call(self, who: str, call: Call) -> str:
        self.world.clock.move(timedelta(seconds=1))
        turn = Turn(
            chat=chat_of(who),
            message_id=f"m{len(self.turns)}",
            user_text=call.said,
            reply_text="",
            at=self.world.clock(),
        )
        self.turns.append(turn)
        return await TOOLS[call.tool].call(self.memory, turn, call.arguments)

    async def expect(self, *steps: Step) -> None:
        for who, call, expected in steps:
            assert_replies(await self.call(who, call), expected)


def chat_of(who: str) -> Chat:
    """The chat that the words of a step name."""
    person, *rest = who.split()
    if rest[:1] == ["in"]:
        return group(person, rest[1])
    raised = Level[rest[0]] if rest else Level.PUBLIC
    return replace(private(person), raised=raised)


def assert_replies(reply: str, expected: object) -> None:
    """The reply is the expected text, or JSON with exactly these fields in this order."""
    told = re.sub(r'(?<="updated_at": )"[^"]+\+00:00"', json.dumps(SOME_TIME), reply)
    assert told == (expected if isinstance(expected, str) else json.dumps(expected, ensure_ascii=False))
