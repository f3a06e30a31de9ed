"""A request as the scripted model received it."""

import re
from dataclasses import dataclass
from typing import Any, cast

_BLOCK = re.compile(r"\[Long-term Memory\]\n.*?\[End Memory\]", re.DOTALL)
_NOTES = ("<system_reminder>", "[Long-term Memory]")


def _texts(content: Any) -> list[str]:
    """Read the text parts of a message's content, which is a text or a list of parts."""
    if isinstance(content, str):
        return [content]
    parts = cast("list[dict[str, Any]]", content or [])
    return [part["text"] for part in parts if part.get("type") == "text"]


@dataclass(frozen=True, kw_only=True)
class RecordedRequest:
    """One request: what kind it was taken for, its JSON body, and the monotonic second it came in."""

    kind: str
    body: dict[str, Any]
    received_at: float

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages sent, each as the JSON object it was."""
        return self.body.get("messages", [])

    @property
    def prompt(self) -> str:
        """Every text of every message, one after the other."""
        return "\n".join(text for message in self.messages for text in _texts(message.get("content")))

    @property
    def embedded(self) -> list[str]:
        """The texts whose embeddings are asked for."""
        texts: str | list[str] = self.body["input"]
        return [texts] if isinstance(texts, str) else texts

    @property
    def system(self) -> str:
        """The text of the system messages."""
        found = [_texts(message.get("content")) for message in self.messages if message["role"] == "system"]
        return "\n".join(text for texts in found for text in texts)

    @property
    def user(self) -> str:
        """What the person wrote last: notes that the host or a memory block adds are left out."""
        last = next((m for m in reversed(self.messages) if m["role"] == "user"), {"content": ""})
        said = [text for text in _texts(last["content"]) if not text.startswith(_NOTES)]
        return said[0] if said else ""

    @property
    def tools(self) -> list[str]:
        """The names of the tools offered."""
        offered: list[dict[str, Any]] = self.body.get("tools") or []
        return [tool["function"]["name"] for tool in offered]

    @property
    def tool_replies(self) -> list[str]:
        """What tools replied in this conversation, oldest first."""
        return ["".join(_texts(each["content"])) for each in self.messages if each["role"] == "tool"]

    @property
    def memory_blocks(self) -> list[str]:
        """Every memory block in the prompt but in the model's own words, with its first and last line."""
        given = [message for message in self.messages if message["role"] != "assistant"]
        texts = [text for message in given for text in _texts(message.get("content"))]
        return [block for text in texts for block in _BLOCK.findall(text)]

    @property
    def memory_block(self) -> str | None:
        """The only memory block in the prompt, or None; more than one is an error."""
        blocks = self.memory_blocks
        if len(blocks) > 1:
            message = f"{len(blocks)} memory blocks in one request"
            raise AssertionError(message)
        return blocks[0] if blocks else None
