"""What the host's messages are read as: whose words they are, to whom, and what they only quote.

These cases import the host, which warns and sets up logging: `test_edges.py` runs them on their own.
"""

import asyncio
import gc
from types import SimpleNamespace
from typing import Any

import pytest
from aiocqhttp import Event
from astrbot.api.event import AstrMessageEvent
from astrbot.api.message_components import At, Plain, Reply
from astrbot.api.platform import AstrBotMessage, MessageMember, MessageType, PlatformMetadata
from astrbot.api.provider import LLMResponse, ProviderRequest
from astrbot.core.agent.message import Message, TextPart
from astrbot_plugin_ltm.long_term_memory.host import host_events
from astrbot_plugin_ltm.long_term_memory.host.event_context import ActiveRuns
from astrbot_plugin_ltm.long_term_memory.host.injection import carries, inject, inject_elsewhere, runner_of
from astrbot_plugin_ltm.long_term_memory.host.raw_message import own_words, quoted_in

CAUTION, BLOCK = "Reference data.", "[Long-term Memory]\n- [profile] tea\n[End Memory]"


def message(
    text: str, *parts: Any, sender: str = "alice", group: str = "g1", kind: str = "qq", raw: object = None
) -> AstrMessageEvent:
    """A message as an adapter makes it."""
    made = AstrBotMessage()
    made.type = MessageType.GROUP_MESSAGE if group else MessageType.FRIEND_MESSAGE
    made.self_id, made.session_id, made.message_id = "bot", group or sender, "m1"
    made.group_id = group
    made.sender = MessageMember(user_id=sender, nickname="Alice")
    made.message = list(parts) or [Plain(text)]
    made.message_str = text
    made.raw_message = raw
    return AstrMessageEvent(
        text, made, PlatformMetadata(name=kind, description="", id="plat"), group or sender
    )


def quote(words: str = "I own 42 llamas", **more: Any) -> Reply:
    return Reply(id="1", message_str=words, **more)


def said(text: str) -> LLMResponse:
    return LLMResponse(role="assistant", completion_text=text)


@pytest.mark.parametrize(
    ("reply", "text", "by"),
    [
        (quote(sender_nickname="Bob", sender_id="7"), "I own 42 llamas", "Bob"),
        (quote(sender_id=7), "I own 42 llamas", "7"),
        (quote(), "I own 42 llamas", ""),
        (quote("", chain=[Plain("I own"), At(qq="1"), Plain(" llamas")]), "I own llamas", ""),
        (quote("", text="I own llamas"), "I own llamas", ""),
        (quote("", chain=None), "", ""),
    ],
)
def test_a_quoted_message_has_its_words_and_who_said_them(reply: Reply, text: str, by: str) -> None:
    found = quoted_in(message("Is that so?", reply, Plain("Is that so?")))
    assert (found.text, found.by) == (text, by)


def test_a_quoted_message_has_the_id_of_who_said_it_where_the_platform_tells() -> None:
    for sender, known in ((42, "42"), ("u1", "u1"), (0, ""), (None, "")):
        found = quoted_in(message("Is that so?", quote(sender_id=sender), Plain("Is that so?")))
        assert found.sender_id == known
    event = message("Is that so?", quote(sender_id=42, sender_nickname="Bob"), Plain("Is that so?"))
    assert host_events.turn_of(event, None).quoted_sender == "42"


def test_the_first_quoted_message_with_words_counts() -> None:
    found = quoted_in(message("hm", quote(""), quote("first"), quote("second"), Plain("hm")))
    assert found.text == "first"


def test_a_message_that_quotes_nothing_has_no_quoted_words() -> None:
    assert quoted_in(message("hello")).text == ""


def test_the_words_of_a_quoted_voice_message_are_not_the_persons_own() -> None:
    voice = quote("", chain=[Plain("I own 42 llamas")])
    assert own_words(message("Is that so?I own 42 llamas", voice, Plain("Is that so?"))) == "Is that so?"
    assert own_words(message("I own 42 llamas", voice)) == ""


def test_words_that_only_look_like_the_quoted_ones_stay() -> None:
    assert own_words(message("yes", quote("yes", chain=[Plain("yes")]), Plain("yes"))) == "yes"
    assert own_words(message("hello", quote("no", chain=[Plain("no")]), Plain("hello"))) == "hello"


def test_a_turn_bears_the_persons_words_and_what_they_answer() -> None:
    event = message("Is that so?", quote(sender_nickname="Bob"), Plain("Is that so?"))
    turn = host_events.turn_of(event, said("No."))
    assert (turn.user_text, turn.quoted, turn.quoted_from, turn.reply_text) == (
        "Is that so?",
        "I own 42 llamas",
        "Bob",
        "No.",
    )


def test_what_was_heard_stays_what_was_said_though_another_plugin_rewrites_it() -> None:
    event = message("I live in Rome")
    heard = host_events.heard(event)
    event.message_str = "(translated) Ich wohne in Rom"
    assert host_events.turn_of(event, said("Ah.")).user_text == heard.user_text == "I live in Rome"


@pytest.mark.parametrize("ending", ["stopped run", "stopped event", "error", "nothing"])
def test_what_the_host_fills_in_is_not_the_bots_answer(ending: str) -> None:
    event, response = message("hi"), said("Output stopped.")
    if ending == "stopped run":
        event.set_extra("agent_stop_requested", True)  # pyright: ignore[reportUnknownMemberType] - untyped in the host
    elif ending == "stopped event":
        event.stop_event()
    elif ending == "error":
        response = LLMResponse(role="err", completion_text="It failed.")
    assert host_events.turn_of(event, None if ending == "nothing" else response).reply_text == ""


def test_people_speak_and_others_do_not() -> None:
    assert host_events.spoken_by_a_person(message("hi"))
    assert not host_events.spoken_by_a_person(message("hi", sender=""))
    assert not host_events.spoken_by_a_person(message("hi", sender="bot"))
    assert not host_events.spoken_by_a_person(message("hi", kind="cron"))
    robot = SimpleNamespace(author=SimpleNamespace(bot=True))
    assert not host_events.spoken_by_a_person(message("hi", raw=robot))


def test_a_withdrawn_message_is_known_by_the_notice_of_the_onebot_adapter() -> None:
    for kind, withdrawn in (("group_recall", "77"), ("friend_recall", "77"), ("group_ban", ""), ("", "")):
        notice = {"post_type": "notice", "notice_type": kind, "message_id": 77, "user_id": 1, "group_id": 5}
        assert host_events.withdrawn_message(message("", raw=Event(notice))) == withdrawn
    assert host_events.withdrawn_message(message("", raw=SimpleNamespace(notice_type="group_recall"))) == ""


def woken(event: AstrMessageEvent, found: object, *handlers: str) -> AstrMessageEvent:
    extras: Any = event
    extras.set_extra("handlers_parsed_params", found)
    extras.set_extra("activated_handlers", [SimpleNamespace(handler_full_name=name) for name in handlers])
    return event


def test_a_command_is_what_wakes_a_command_that_is_not_switched_off() -> None:
    assert not host_events.is_command(message("hi"))
    assert not host_events.is_command(woken(message("hi"), {}, "listener"))
    assert host_events.is_command(woken(message("dice"), {"dice": {}}, "listener", "dice"))
    assert not host_events.is_command(woken(message("dice"), {"dice": {}}, "listener"))
    assert not host_events.is_command(woken(message("dice"), "odd", "dice"))


async def test_it_is_known_for_whom_the_bot_works_at_the_moment() -> None:
    runs, speaker, done = ActiveRuns(), host_events.speaker_of(message("hi")), asyncio.Event()
    assert speaker not in runs
    async with asyncio.TaskGroup() as tasks:
        runs[speaker] = tasks.create_task(done.wait())
        assert speaker in runs
        assert host_events.speaker_of(message("hi", sender="bob")) not in runs
        assert host_events.speaker_of(message("hi", group="g2")) not in runs
        runs.pop(speaker)
        assert speaker not in runs
        done.set()


async def test_a_run_that_ends_without_a_word_is_over_and_the_next_one_is_not() -> None:
    runs, speaker = ActiveRuns(), host_events.speaker_of(message("hi"))
    first, second = asyncio.Event(), asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        failing, next_one = tasks.create_task(first.wait()), tasks.create_task(second.wait())
        runs[speaker] = failing
        first.set()
        await failing
        assert speaker not in runs
        runs[speaker] = next_one
        del failing
        assert speaker in runs
        second.set()
    assert speaker not in runs
    del next_one
    await asyncio.sleep(0)
    gc.collect()
    assert not len(runs), "nothing is kept of a run that is over"


@pytest.mark.parametrize("injection", ["user", "system"])
@pytest.mark.parametrize("content", ["What?", [TextPart(text="What?")]], ids=["text", "parts"])
@pytest.mark.parametrize("system", [True, False], ids=["system prompt", "none"])
def test_a_request_that_carries_the_block_is_known(injection: Any, content: Any, *, system: bool) -> None:
    messages = [Message(role="system", content="Be kind.")] if system else []
    messages += [Message(role="user", content="Earlier."), Message(role="user", content=content)]
    assert not carries(messages, BLOCK)
    assert inject(messages, BLOCK, CAUTION, injection)
    assert carries(messages, BLOCK)


@pytest.mark.parametrize(
    ("runner", "injection", "system", "prompt"),
    [
        ("dify", "user", f"{BLOCK}\n{CAUTION}\n\nBe kind.", "What?"),
        ("dify", "system", f"{BLOCK}\n{CAUTION}\n\nBe kind.", "What?"),
        ("deerflow", "user", f"{BLOCK}\n{CAUTION}\n\nBe kind.", "What?"),
        ("coze", "user", "Be kind.", f"{CAUTION}\n{BLOCK}\n\nWhat?"),
        ("coze", "system", f"{BLOCK}\n{CAUTION}\n\nBe kind.", "What?"),
        ("dashscope", "user", "Be kind.", f"{CAUTION}\n{BLOCK}\n\nWhat?"),
        ("somebody new", "user", f"{BLOCK}\n{CAUTION}\n\nBe kind.", "What?"),
    ],
)
def test_an_agent_of_a_third_party_gets_the_block_where_it_reaches_it(
    runner: str, injection: Any, system: str, prompt: str
) -> None:
    request = ProviderRequest(prompt="What?", system_prompt="Be kind.")
    assert inject_elsewhere(request, BLOCK, CAUTION, injection, runner=runner)
    assert (request.system_prompt, request.prompt) == (system, prompt)


def test_an_agent_without_a_system_prompt_is_given_nothing_that_is_to_stand_there() -> None:
    request = ProviderRequest(prompt="What?", system_prompt="Be kind.")
    assert not inject_elsewhere(request, BLOCK, CAUTION, "system", runner="dashscope")
    assert (request.system_prompt, request.prompt) == ("Be kind.", "What?")


@pytest.mark.parametrize(
    ("config", "runner"),
    [
        ({"agent_runner": {"runner_type": "coze"}}, "coze"),
        ({"agent_runner": {"runner_type": "local"}}, "local"),
        ({"provider_settings": {"agent_runner_type": "dify"}}, "dify"),
        ({"agent_runner": None, "provider_settings": {}}, "local"),
        ({}, "local"),
    ],
)
def test_which_agent_answers_stands_in_the_hosts_configuration(config: Any, runner: str) -> None:
    assert runner_of(config) == runner
