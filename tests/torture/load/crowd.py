"""Who talks to the bot for hours, what they say, and what the scripted model makes of it.

What they talk about is bounded, so that whatever remembers words or facts has seen all of them early on.
"""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.host.harness.answers import Answerable, CallTool
from tests.host.harness.people import Person
from tests.host.harness.recorded import RecordedRequest
from tests.host.harness.scripted_model import ScriptedModel

PLATFORM = "plat_a"
PEOPLE = tuple(Person(f"p{number:02}", f"Person {number}") for number in range(36))
GROUPS = ("harbour", "kitchen", "garden", "library")
THINGS = (
    *["bicycle", "cat", "dog", "boat", "kettle", "guitar", "garden", "desk", "lamp", "coat", "hat", "violin"],
    "茶壶",
    "房间",
    "书包",
)
VALUES = (
    *["red", "green", "blue", "black", "white", "old", "new", "broken", "borrowed", "heavy"],
    "白色的",
    "旧的",
)
WORDS = (
    *[
        "harbour",
        "supper",
        "winter",
        "train",
        "music",
        "letter",
        "market",
        "river",
        "window",
        "summer",
        "coffee",
        "paper",
        "stone",
        "island",
    ],
    *[
        "ticket",
        "doctor",
        "meeting",
        "holiday",
        "brother",
        "weather",
        "painting",
        "bridge",
        "forest",
        "kitchen",
        "story",
        "cheese",
    ],
    *("天气", "晚饭", "火车", "音乐", "河边", "朋友", "周末", "电影"),
)
_TELLING = "By the way, my"
_TOLD = re.compile(r"^\[(\d+)\] user (U\d+)[^:]*: (By the way, my (\S+) is (\S+)\.)", re.MULTILINE)
_CALLS: Mapping[str, str] = {
    "Search memory for": "memory_search",
    "Search our talk for": "session_search",
    "Save a note on": "memory_save",
    "Weather for": "test_weather",
}


@dataclass(frozen=True)
class Words:
    """What somebody may say, by chance."""

    chance: random.Random

    def telling(self) -> str:
        """A fact about the speaker, which may take the place of an older one."""
        return f"{_TELLING} {self.chance.choice(THINGS)} is {self.chance.choice(VALUES)}."

    def chatter(self) -> str:
        """Nothing worth remembering."""
        return f"What a day: {self.some(6)}, number {self.chance.randrange(500)}!"

    def question(self) -> str:
        """Something that memory may know."""
        return f"Do you recall my {self.chance.choice(THINGS)} and the {self.some(3)}?"

    def for_a_tool(self) -> str:
        """What the model answers by calling a tool."""
        return f"{self.chance.choice(list(_CALLS))} {self.chance.choice(THINGS)}"

    def some(self, number: int) -> str:
        """So many words."""
        return " ".join(self.chance.choices(WORDS, k=number))


def answer_all(model: ScriptedModel) -> None:
    """Have the model chat, call the tools it is asked for, and extract what people told."""
    model.chat.always(_reply)
    model.extraction.always(_extracted)


def _reply(request: RecordedRequest) -> Answerable:
    if request.messages[-1]["role"] == "tool":
        return "That is what I found."
    for words, tool in _CALLS.items():
        if request.user.startswith(words) and tool in request.tools:
            return CallTool(tool, _arguments(tool, request.user.removeprefix(words).strip()))
    return f"I see. {request.user[:60]}"


def _arguments(tool: str, words: str) -> Mapping[str, Any]:
    match tool:
        case "memory_save":
            return {"key": f"note {words}", "content": f"User asked about the {words}"}
        case "test_weather":
            return {"city": words}
        case _:
            return {"query": words}


def _extracted(request: RecordedRequest) -> Sequence[Mapping[str, Any]]:
    return [
        {
            "type": "preference",
            "fact": f"User's {thing} is {value}",
            "fact_key": f"{thing} state",
            "slot": f"{thing}_state",
            "confidence": 0.9,
            "importance": 0.5,
            "evidence": [int(number)],
            "quote": said,
            "about": speaker,
        }
        for number, speaker, said, thing, value in _TOLD.findall(request.prompt)
    ]
