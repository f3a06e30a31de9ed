"""Hostile texts through every door of the real host: each request carries one sound block, or none.

And what the host saves of the conversation holds nothing of the memory's own.
"""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.read.format import CAUTION

from tests.host.harness.answers import CallTool
from tests.host.harness.host import Host
from tests.host.harness.people import Person, Quote
from tests.host.harness.recorded import RecordedRequest
from tests.host.harness.scripted_model import ScriptedModel
from tests.torture.form import chances, either, tell
from tests.torture.hostile.breakout import breakouts
from tests.torture.hostile.checks import faults_of_line
from tests.torture.hostile.eye import prompt_marks
from tests.torture.hostile.reading import facts_of, fenced, messages_of

pytestmark = pytest.mark.torture

SAYABLE = re.compile(r"[^/\s\x00-\x1f](?:.*\S)?", re.DOTALL)
"""What the host passes on as it came."""
QUESTION = "我都说过什么？ What do you know about me?"
PLAIN_PATH = re.compile(r"[\w./-]+", re.ASCII)


def texts() -> Sequence[str]:
    """Some of those that try to break out."""
    sayable = [text for text in breakouts() if SAYABLE.fullmatch(text) and "\x00" not in text]
    return chances("host").sample(sayable, either(4, 150))


def repeating(text: str) -> Callable[[RecordedRequest], Any]:
    """A model that hostile text has won over."""

    def answer(_: RecordedRequest) -> list[dict[str, Any]]:
        fact = {"type": "profile", "fact": text, "quote": text, "confidence": 1.0, "importance": 1.0}
        return [fact, {**fact, "type": "preference", "person": text, "slot": text, "fact_key": text}]

    return answer


def wrong_in_requests(model: ScriptedModel) -> list[str]:
    """What is wrong with the blocks and the questions that the model was given."""
    wrong: list[str] = []
    for request in model.chat_requests:
        block = request.memory_block
        wrong += [fault for told in facts_of(block) for fault in faults_of_line(told.fact)] if block else []
    for request in model.extraction_requests:
        told = messages_of(fenced(request.prompt.rstrip("\n"), "conversation"))
        wrong += [mark for one in told for mark in prompt_marks(f"{one.name} {one.text} {one.quoted or ''}")]
    return wrong


def wrong_in_history(host: Host, person: Person, said: str, **where: Any) -> list[str]:
    """What of the memory's own the host has saved, beside what was said."""
    saved = [text.replace(said, "") for _, text in host.history(person, **where)]
    return [text for text in saved if CAUTION in text or "(confidence: 0." in text]


def failures(host: Host) -> dict[str, int]:
    """How often each part of the running plugin has failed since its start."""
    health = json.loads(host.plugin.get("health").text)
    assert health["state"] == "running"
    return health["failures"]


def paths(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*")}


def test_text_from_every_door_gets_out_of_no_block_and_into_no_history(
    host: Host, model: ScriptedModel, newcomer: Callable[[str], Person]
) -> None:
    before, wrong, blocks, given = paths(host.root), list[str](), 0, 0
    failed_before = failures(host)
    for text in texts():
        model.reset()
        model.extraction.always(repeating(text))
        person = Person(newcomer("mallory").id, text)
        host.turn(person, text, quoting=Quote(Person("quoted", text), text))
        host.say(person, text, group=f"group {person.id} {text[:40]}")
        save = CallTool("memory_save", {"key": text, "content": text, "tags": [text]})
        search = CallTool("memory_search", {"query": text})
        model.chat.will_answer(save, search, CallTool("session_search", {"query": text}), "Done.")
        host.say(person, f"请记住：{text}")
        host.say(person, f"/ltm add {text}")
        host.memories.wait_until_extracted()
        for item in list(host.memories.of(person).values())[:2]:
            edit = {"fact": f"{text} {item['memory_id'][:4]}"}
            assert host.plugin.patch(f"items/{item['memory_id']}", json=edit).status_code in {200, 409, 422}
        for asked in (QUESTION, text):
            assert host.say(person, asked)
            assert host.say(person, asked, group=f"group {person.id} {text[:40]}")
        for query in ({"q": text}, {"person": text}, {"scope_id": text}):
            assert host.plugin.get("items", params=query).status_code == 200
        wrong += wrong_in_requests(model)
        wrong += wrong_in_history(host, person, text)
        carried = sum(bool(request.memory_block) for request in model.chat_requests)
        blocks, given = blocks + carried, given + bool(carried)
    new = paths(host.root) - before
    tell("hostile texts through the real host", len(texts()))
    tell("blocks that requests carried there", blocks)
    assert wrong == []
    # A text may be blank, or say too little to be remembered.
    assert given >= 0.75 * len(texts())
    assert [path for path in new if not PLAIN_PATH.fullmatch(path)] == []
    # Others who shared this host may have made it fail on purpose.
    assert failures(host) == failed_before
