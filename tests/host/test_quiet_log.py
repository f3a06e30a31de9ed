"""What is told to `/ltm`, and what it answers, stays out of the host's log; that it was used does not."""

import logging
import re
from collections.abc import Callable

import pytest
from astrbot_plugin_ltm.long_term_memory.host.log_redaction import LogRedaction

from tests.host.harness.answers import CallTool
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel

pytestmark = pytest.mark.usefixtures("model")

type Newcomer = Callable[[str], Person]


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("/ltm add my safe is behind the qwyzzle", "/ltm add …"),
        ("/ltm  add\tmy safe is behind the qwyzzle", "add …"),
        ("/记忆 记 我的保险箱在qwyzzle后面", "/记忆 记 …"),
    ],
)
def test_the_words_of_a_command_and_of_its_answer_are_not_logged(
    host: Host, newcomer: Newcomer, told: str, kept: str
) -> None:
    person = newcomer("Quill")
    assert "qwyzzle" in host.say(person, "/ltm list") + host.say(person, told) + host.say(person, "/ltm list")
    log = host.log()
    assert "qwyzzle" not in log
    assert [line for line in log.splitlines() if f"/{person.id}: " in line and kept in line]


def test_what_is_said_to_the_bot_is_logged_as_ever(host: Host, newcomer: Newcomer) -> None:
    person = newcomer("Quill")
    host.say(person, "What do you remember by the way? plugh")
    assert [line for line in host.log().splitlines() if "event_bus" in line and "plugh" in line]


@pytest.mark.parametrize(
    "outline", ["hey,computer ltm add my xyzzy", "小助手小助手ltm add my xyzzy", "[At:1] /ltm add my xyzzy"]
)
def test_whatever_wakes_the_bot_the_words_after_a_command_are_not_logged(outline: str) -> None:
    told = f"[default] [a(qq)] Quill/7: {outline}"
    record = logging.LogRecord("astrbot", logging.INFO, "event_bus.py", 1, told, None, None)
    assert LogRedaction(tuple).filter(record)
    assert record.getMessage() == told.replace("my xyzzy", "…")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("使用工具：memory_save，参数：{'content': 'plugh'}", "使用工具：memory_save， …"),
        ("Tool `memory_search` Result: plugh", "Tool `memory_search` …"),
        ("Agent 使用工具: ['memory_save', 'plugh']", None),
        ("使用工具：mcp-memory_save，参数：{'content': 'plugh'}", None),
        ("使用工具：my_memory_save，参数：{'content': 'plugh'}", None),
        ("使用工具：web_fetch，参数：{'q': 'how does memory_search work, plugh'}", None),
        ("Tool `web_fetch` Result: `memory_search` plugh", None),
    ],
)
def test_of_the_lines_about_tools_those_about_its_own_lose_their_words(said: str, kept: str | None) -> None:
    record = logging.LogRecord("astrbot", logging.INFO, "tool_loop_agent_runner.py", 1, said, None, None)
    assert LogRedaction(tuple).filter(record)
    assert record.getMessage() == (kept or said)


def test_what_its_tools_are_told_and_what_they_find_is_not_logged(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    person = newcomer("Quill")
    host.say(person, "/ltm add my safe is behind the frobnitz")
    calls = (
        CallTool("memory_save", {"key": "safe", "content": "the safe opens with a plover"}),
        CallTool("memory_search", {"query": "the frobnitz"}),
        CallTool("memory_list"),
        CallTool("test_weather", {"city": "Grault"}),
    )
    began = len(host.log())
    model.chat.will_answer(*calls, "Well.")
    host.say(person, "Where is my safe?")
    found = [str(message) for message in model.chat_requests[-1].messages if message["role"] == "tool"]
    assert ["frobnitz" in each for each in found] == [False, True, True, False]
    log = host.log()[began:]
    assert "frobnitz" not in log
    assert "plover" not in log
    assert "Grault" in log
    for call in calls[:-1]:
        assert len(re.findall(rf"tool_loop_agent_runner.*[：`]{call.name}\W …", log)) == 2


def test_after_a_reload_the_log_is_quiet_still_and_not_twice(host: Host, newcomer: Newcomer) -> None:
    person = newcomer("Quill")
    host.plugin.reload()
    host.say(person, "/ltm add my safe is behind the xyzzy")
    assert "xyzzy" not in host.log()
