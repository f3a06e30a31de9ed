"""How the host has the plugin's command: under which names, and who gives it.

These cases import the host, which warns and sets up logging: `test_edges.py` runs them on their own.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

import asyncio
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, NoReturn

import pytest
from astrbot.api.event import AstrMessageEvent
from astrbot.api.message_components import Plain
from astrbot.api.platform import AstrBotMessage, MessageMember, MessageType, PlatformMetadata
from astrbot.core.message.message_event_result import ResultContentType
from astrbot.core.star.filter.command import CommandFilter
from astrbot.core.star.filter.event_message_type import EventMessageType, EventMessageTypeFilter
from astrbot.core.star.star_handler import EventType, StarHandlerMetadata, star_handlers_registry
from astrbot_plugin_ltm.long_term_memory.commands import Commands, Confirming
from astrbot_plugin_ltm.long_term_memory.host.adapters import command_names, new_id, now
from astrbot_plugin_ltm.long_term_memory.host.command_replies import CommandReplies
from astrbot_plugin_ltm.long_term_memory.host.host_events import state_of
from astrbot_plugin_ltm.long_term_memory.host.log_redaction import LogRedaction
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.service import Service
from astrbot_plugin_ltm.long_term_memory.settings import Settings
from astrbot_plugin_ltm.long_term_memory.storage.files import Transit

MODULE = "data.plugins.astrbot_plugin_ltm.main"
REFUSED = "I store memories for people only"


async def nothing(event: AstrMessageEvent) -> None:
    """What the host calls, and what the host notes of a chat."""


def never(_settings: Settings) -> AbstractAsyncContextManager[LTMManager]:
    pytest.fail("a refused command opens no memory")


@pytest.fixture
def command() -> Iterator[CommandFilter]:
    """The filter of the command, as the host keeps it among those of the plugin's other hooks."""
    made = CommandFilter("ltm", {"记忆"})
    listening = EventMessageTypeFilter(EventMessageType.ALL)
    handlers = [
        StarHandlerMetadata(
            event_type=EventType.AdapterMessageEvent,
            handler_full_name=f"{MODULE}_{name}",
            handler_name=name,
            handler_module_path=MODULE,
            handler=nothing,
            event_filters=[each],
        )
        for name, each in (("listen", listening), ("ltm", made))
    ]
    for handler in handlers:
        star_handlers_registry.append(handler)
    yield made
    for handler in handlers:
        star_handlers_registry.remove(handler)


def test_the_command_goes_by_the_names_that_the_host_has_for_it(command: CommandFilter) -> None:
    assert sorted(command_names(MODULE)) == ["ltm", "记忆"]
    renamed: Any = command
    # So does the host when an operator renames a command.
    renamed.command_name, renamed.alias, renamed._cmpl_cmd_names = "mem", {"m", "忆"}, None
    assert sorted(command_names(MODULE)) == ["m", "mem", "忆"]


def test_a_plugin_that_the_host_does_not_have_has_no_names(command: CommandFilter) -> None:
    assert command.command_name not in command_names("data.plugins.another.main")


def asked(text: str, *, sender: str, platform: str = "qq", raw: object = None) -> AstrMessageEvent:
    made = AstrBotMessage()
    made.type, made.session_id, made.self_id, made.message_id = MessageType.FRIEND_MESSAGE, "s", "bot", "1"
    made.sender = MessageMember(user_id=sender, nickname="Alice")
    made.message, made.message_str, made.raw_message = [Plain(text)], text, raw
    return AstrMessageEvent(text, made, PlatformMetadata(name=platform, description="", id="plat"), "s")


def answering(folder: Path) -> CommandReplies:
    """What answers for a plugin that has not come up."""
    service = Service(never, version="1")
    commands = Commands(service, Confirming(now, new_id))
    return CommandReplies(
        service, commands, Transit(folder / "to_send", new_id), nothing, LogRedaction(tuple)
    )


async def told(event: AstrMessageEvent, folder: Path) -> str:
    """The answer of a plugin that has not come up."""
    async with answering(folder).answered(event) as result:
        return result.get_plain_text()


ANONYMOUS = {"message": {"from_user": {"id": 1087968824, "is_bot": True}}}


@pytest.mark.parametrize(
    ("sender", "platform", "raw"),
    [("bot", "qq", None), ("", "qq", None), ("s", "cron", None), ("1087968824", "telegram", ANONYMOUS)],
    ids=["the bot itself", "nobody", "no message", "an anonymous admin"],
)
async def test_a_command_that_no_person_gives_is_refused(
    tmp_path: Path, sender: str, platform: str, raw: object
) -> None:
    event = asked("ltm list", sender=sender, platform=platform, raw=raw)
    assert (await told(event, tmp_path)).startswith(REFUSED)
    event.role = "admin"
    assert (await told(event, tmp_path)).startswith(REFUSED)


async def test_a_command_that_a_person_gives_reaches_the_memory(tmp_path: Path) -> None:
    assert await told(asked("ltm list", sender="alice"), tmp_path) == "The memory is not loaded."


@pytest.mark.parametrize(("seconds", "ends"), [(0.0, "\n\nNoted"), (60.0, "Hello")], ids=["known", "late"])
async def test_a_reply_ends_with_what_was_learnt_and_waits_for_it_a_moment_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, ends: str
) -> None:
    class Memory:
        async def learnt_notice(self, _chat: object, _text: str) -> str:
            await asyncio.sleep(seconds)
            return "Noted"

    monkeypatch.setattr(Service, "active", Memory())
    event = asked("I live in Oslo", sender="alice")
    event.set_result(event.plain_result("Hello").set_result_content_type(ResultContentType.LLM_RESULT))
    state_of(event).answered = True
    async with asyncio.timeout(30):
        await answering(tmp_path).add_notice(event)
    result = event.get_result()
    assert result is not None
    assert result.get_plain_text().endswith(ends)


async def test_a_platform_that_does_not_take_the_line_after_a_stream_is_logged_and_the_reply_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Memory:
        async def learnt_notice(self, _chat: object, _text: str) -> str:
            return "Noted"

    async def timed_out(_event: object, _chain: object) -> NoReturn:
        raise TimeoutError

    monkeypatch.setattr(Service, "active", Memory())
    monkeypatch.setattr(AstrMessageEvent, "send", timed_out)
    event = asked("I live in Oslo", sender="alice")
    streamed = event.plain_result("Hello").set_result_content_type(ResultContentType.STREAMING_FINISH)
    event.set_result(streamed)
    state_of(event).answered = True
    await answering(tmp_path).add_notice(event)
    assert [record.getMessage() for record in caplog.records] == [
        "Memory failed in notice; the chat goes on."
    ]
    assert streamed.get_plain_text() == "Hello"
