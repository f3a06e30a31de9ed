"""Where in the bot a message is: what the host says of its persona and its project, and when it says nothing.

These cases import the host, which warns and sets up logging: `test_edges.py` runs them on their own.
"""

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from astrbot.api.event import AstrMessageEvent
from astrbot.api.platform import AstrBotMessage, MessageMember, MessageType, PlatformMetadata
from astrbot.api.provider import ProviderRequest
from astrbot_plugin_ltm.long_term_memory.host import host_events
from astrbot_plugin_ltm.long_term_memory.host.event_context import Personas, Projects, resolve_place


def message(
    session: str = "webchat!root!s1", *, kind: str = "webchat", sender: str = "root"
) -> AstrMessageEvent:
    made = AstrBotMessage()
    made.type, made.self_id, made.message_id, made.group_id = MessageType.FRIEND_MESSAGE, "bot", "m1", ""
    made.session_id, made.sender, made.message, made.message_str = (
        session,
        MessageMember(sender, sender),
        [],
        "hi",
    )
    return AstrMessageEvent("hi", made, PlatformMetadata(name=kind, description="", id=kind), session)


@dataclass
class FakeProjects:
    """The host's database, as far as it knows projects."""

    of_session: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    asked: int = 0
    broken: bool = False
    silent: bool = False

    async def get_project_by_session(self, session_id: str, creator: str) -> object:
        self.asked += 1
        if self.broken:
            raise RuntimeError("disk I/O error")
        if self.silent:
            await asyncio.Event().wait()
        found = self.of_session.get((session_id, creator))
        return found and SimpleNamespace(project_id=found)


def projects(database: Any) -> Projects:
    return Projects(database)


async def test_a_chat_of_the_dashboard_is_in_the_project_its_owner_put_it_in() -> None:
    of = projects(FakeProjects({("s1", "root"): "p1", ("s!2", "root"): "p2"})).of
    assert await of(message()) == "p1"
    assert await of(message("webchat!root!s!2")) == "p2"
    assert await of(message("webchat!root!s3")) == ""
    assert await of(message("webchat!eve!s1", sender="eve")) == ""


async def test_other_chats_are_in_none_and_nobody_asks() -> None:
    database = FakeProjects({("s1", "root"): "p1"})
    of = projects(database).of
    assert await of(message(kind="telegram")) == ""
    assert await of(message("s1")) == ""
    assert await of(message("webchat!root!s1", sender="eve")) == ""
    assert database.asked == 0


@pytest.mark.parametrize("trouble", ["broken", "silent"])
async def test_a_project_that_the_host_does_not_tell_is_asked_for_again_by_the_next_message(
    trouble: str,
) -> None:
    database = FakeProjects({("s1", "root"): "p1"})
    of = projects(database).of
    setattr(database, trouble, True)
    with pytest.raises((TimeoutError, RuntimeError)):
        await of(message())
    setattr(database, trouble, False)
    assert await of(message()) == "p1"


async def test_a_host_without_projects_has_none() -> None:
    assert await projects(object()).of(message()) == ""


@dataclass
class FakeHost:
    """The parts of the host's context that say which persona answers."""

    chosen: str | None = None
    forced: str | None = None
    standard: str = "default"
    has_conversation: bool = True
    silent: bool = False
    personas: tuple[str, ...] = ("default", "pirate", "parrot")
    tools: dict[str, object] = field(default_factory=dict[str, object])
    asked: int = 0

    @property
    def personas_v3(self) -> list[dict[str, object]]:
        return [{"name": name, "tools": self.tools.get(name)} for name in self.personas]

    @property
    def persona_manager(self) -> "FakeHost":
        return self

    @property
    def conversation_manager(self) -> "FakeHost":
        return self

    def get_config(self, umo: str) -> dict[str, Any]:
        return {"provider_settings": {"default_personality": self.standard}, "umo": umo}

    async def get_curr_conversation_id(self, umo: str) -> str | None:
        return umo if self.has_conversation else None

    async def get_conversation(self, umo: str, cid: str) -> object:
        return SimpleNamespace(persona_id=self.chosen) if umo == cid and cid != "gone" else None

    async def resolve_selected_persona(
        self,
        *,
        umo: str,  # noqa: ARG002 - the host's signature
        conversation_persona_id: str | None,
        platform_name: str,  # noqa: ARG002 - the host's signature
        provider_settings: dict[str, Any],
    ) -> tuple[object, ...]:
        self.asked += 1
        if self.silent:
            await asyncio.Event().wait()
        name = self.forced or conversation_persona_id or provider_settings["default_personality"]
        found = next((each for each in self.personas_v3 if each["name"] == name), None)
        return name, found, self.forced, False


async def persona(host: Any, event: AstrMessageEvent | None = None) -> str:
    return await Personas(host).of(event or message())


async def test_the_persona_is_the_one_the_host_has_chosen() -> None:
    assert await persona(FakeHost()) == ""
    assert await persona(FakeHost(chosen="pirate")) == "pirate"
    assert await persona(FakeHost(chosen="pirate", has_conversation=False)) == ""
    assert await persona(FakeHost(chosen="pirate", forced="parrot")) == "parrot"
    assert await persona(FakeHost(standard="parrot")) == "parrot"
    assert await persona(FakeHost(chosen="default", standard="parrot")) == ""


@pytest.mark.parametrize("chosen", ["[%None]", "one that is gone"])
async def test_no_persona_at_all_is_the_default_one(chosen: str) -> None:
    assert await persona(FakeHost(chosen=chosen, standard="parrot")) == ""


async def test_the_conversation_of_the_request_counts_where_there_is_one() -> None:
    event: Any = message()
    conversation: Any = SimpleNamespace(cid="c1", persona_id="pirate")
    event.set_extra("provider_request", ProviderRequest(prompt="hi", conversation=conversation))
    assert await persona(FakeHost(chosen="parrot"), event) == "pirate"
    event.set_extra("provider_request", ProviderRequest(prompt="hi"))
    assert await persona(FakeHost(chosen="parrot"), event) == "parrot"


async def test_a_persona_that_cannot_be_told_does_not_pass_for_the_default_one() -> None:
    with pytest.raises(TimeoutError):
        await persona(FakeHost(silent=True))


async def tools(host: Any, chosen: str | None) -> Any:
    return await Personas(host).tools(message(), chosen)


async def test_a_persona_has_the_tools_that_are_chosen_for_it_and_otherwise_all() -> None:
    host = FakeHost(tools={"pirate": ["memory_get"], "parrot": []})
    assert [await tools(host, each) for each in ("pirate", "parrot")] == [["memory_get"], []]
    assert [await tools(host, each) for each in (None, "[%None]", "one that is gone")] == [None] * 3
    host.forced, host.standard = "pirate", "parrot"
    assert await tools(host, "parrot") == ["memory_get"]
    host.forced = None
    assert await tools(host, None) == []


async def test_tools_that_are_no_list_are_none() -> None:
    assert await tools(FakeHost(tools={"pirate": "memory_get"}), "pirate") == []


async def test_nobody_asks_which_persona_it_is_while_none_has_chosen_tools() -> None:
    host = FakeHost(silent=True)
    assert await tools(host, "pirate") is None
    assert host.asked == 0


async def test_a_persona_that_cannot_be_told_does_not_have_all_tools() -> None:
    with pytest.raises(TimeoutError):
        await tools(FakeHost(silent=True, tools={"parrot": []}), "pirate")


async def test_where_a_message_is_is_asked_once_and_noted_on_it() -> None:
    host: Any = FakeHost(chosen="pirate")
    database = FakeProjects({("s1", "root"): "p1"})
    where = Personas(host), projects(database)
    event = message()
    assert (host_events.chat_of(event).persona_id, host_events.chat_of(event).project_id) == ("", "")
    await resolve_place(event, *where)
    host.chosen = "parrot"
    await resolve_place(event, *where)
    assert (host_events.chat_of(event).persona_id, host_events.chat_of(event).project_id) == ("pirate", "p1")
    assert host_events.turn_of(event, None).chat.persona_id == "pirate"
    assert database.asked == 1


async def test_a_persona_that_could_not_be_told_is_asked_for_again() -> None:
    host: Any = FakeHost(chosen="pirate", silent=True)
    where = Personas(host), projects(FakeProjects())
    event = message()
    with pytest.raises(TimeoutError):
        await resolve_place(event, *where)
    assert host_events.state_of(event).place is None
    host.silent = False
    await resolve_place(event, *where)
    assert host_events.chat_of(event).persona_id == "pirate"


async def test_personas_that_are_not_told_apart_are_not_asked_for() -> None:
    event = message()
    await resolve_place(event, None, projects(FakeProjects()))
    assert host_events.state_of(event).place is not None
    assert host_events.chat_of(event).persona_id == ""
