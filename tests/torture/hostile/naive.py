"""Writers of blocks and prompts as one would write them first: the checks must find fault with them."""

import re
from collections.abc import Callable, Sequence

from astrbot_plugin_ltm.long_term_memory.domain.enums import Origin, Role
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.prompts.extraction import TASK
from astrbot_plugin_ltm.long_term_memory.read.format import HEAD, TAIL

type Guard = Callable[[str], str]


def unguarded(text: str) -> str:
    """The text as it is."""
    return text


def without_newlines(text: str) -> str:
    """What is thought to be enough against new lines."""
    return text.replace("\r", " ").replace("\n", " ")


def without_marks(text: str) -> str:
    """What is thought to be enough against marks: they are taken out as they are written."""
    for mark in (HEAD, TAIL, "<<<conversation>>>", "<<<end of conversation>>>"):
        text = text.replace(mark, "")
    return without_newlines(text)


def without_brackets(text: str) -> str:
    """What is thought to be enough altogether: one line, no plain brackets."""
    return re.sub(r"[\[\]<>]", "", " ".join(text.split()))


GUARDS: Sequence[Guard] = (unguarded, without_newlines, without_marks, without_brackets)


def block(items: Sequence[Item], guard: Guard = unguarded) -> str:
    """A block."""
    lines = [
        f"- [{item.type}] {_about(item, guard)}{guard(item.fact)} (confidence: {item.confidence:.2f})"
        for item in items
    ]
    return "\n".join([HEAD, *lines, TAIL])


def conversation(events: Sequence[Event], guard: Guard = unguarded) -> str:
    """A prompt that asks what is to be remembered."""
    lines: list[str] = []
    for number, event in enumerate(events, start=1):
        lines.append(f"[{number}] {_who(event, guard)}: {guard(event.text)}")
        if event.quoted:
            lines.append(f"    quoting: {guard(event.quoted)}")
    return "\n".join([TASK, "", "<<<conversation>>>", *lines, "<<<end of conversation>>>"])


def _who(event: Event, guard: Guard) -> str:
    if event.role is Role.USER:
        return f"user U1 ({guard(event.sender_name)})"
    return f"tool {guard(event.tool)}" if event.role is Role.TOOL else event.role.value


def _about(item: Item, guard: Guard) -> str:
    about = f"about {guard(item.person)}" if item.person else ""
    said = f"said by {guard(item.teller)}" if item.teller else ""
    parts = [part for part in (about, said, "agreed" if item.origin is Origin.CONFIRMED else "") if part]
    return f"({', '.join(parts)}) " if parts else ""
