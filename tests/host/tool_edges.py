"""The tools where the host or the memory is not as it should be.

These cases import the host, which warns and sets up logging: `test_edges.py` runs them on their own.
"""

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC
from types import SimpleNamespace
from typing import Any, cast

import pytest
from astrbot.api.event import AstrMessageEvent
from astrbot.api.provider import ProviderRequest
from astrbot.core.agent.tool import FunctionTool, ToolSet
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.host.tools import HostTools, LtmTool
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.service import Service

from tests.host.event_edges import message
from tests.tools import TOOLS


class Personas:
    """Stands for the host's personas: the tools of the one that answers, or that it cannot be told."""

    def __init__(self, tools: Collection[str] | None = None, *, told: bool = True) -> None:
        self._tools, self._told = tools, told

    async def tools(self, event: object, chosen: object) -> Collection[str] | None:  # noqa: ARG002
        if not self._told:
            raise TimeoutError
        return self._tools


class ToolMemories:
    """Stands for a memory that is, or is not, withheld, or cannot tell."""

    def __init__(self, *, withheld: bool | None) -> None:
        self._withheld = withheld

    async def withheld(self, chat: object) -> bool:  # noqa: ARG002
        if self._withheld is None:
            raise UnavailableError("locked")
        return self._withheld


def made(memories: ToolMemories) -> LTMManager:
    async def nothing() -> tuple[()]:
        return ()

    sound = SimpleNamespace(damage="", trouble="")
    made = SimpleNamespace(
        tool_memories=memories,
        failures={},
        warnings=nothing,
        status=SimpleNamespace(counts=nothing),
        health=sound,
        zone=UTC,
    )
    return cast("LTMManager", made)


@asynccontextmanager
async def running(*, withheld: bool | None = False) -> AsyncGenerator[Service]:
    @asynccontextmanager
    async def run(_: object) -> AsyncGenerator[LTMManager]:
        yield made(ToolMemories(withheld=withheld))

    service = Service(run, version="1")
    await service.start({})
    try:
        yield service
    finally:
        await service.stop()


async def noted(_event: AstrMessageEvent) -> None:
    pass


class FirstKnown:
    """Finds out where the first message is and no other."""

    def __init__(self) -> None:
        self._asked = 0

    async def __call__(self, event: AstrMessageEvent) -> None:
        self._asked += 1
        if self._asked > 1:
            raise TimeoutError(event.get_platform_id())


def tools_of(
    service: Service,
    note: Any = noted,
    *,
    personas: Personas | None = None,
    config: Mapping[str, object] | None = None,
) -> HostTools:
    asked: Any = personas or Personas()
    tools = HostTools(service, note, asked, module="data.plugins.ltm.main")
    tools.make(config or {})
    return tools


def request(*names: str, conversation: str | None = "") -> ProviderRequest:
    there = [FunctionTool[Any](name=name, description="", parameters={}) for name in ("weather", *names)]
    own: Any = None if conversation is None else SimpleNamespace(persona_id=conversation or None)
    return ProviderRequest(prompt="hi", func_tool=ToolSet(tools=there), conversation=own)


def names(asked: ProviderRequest) -> list[str]:
    return asked.func_tool.names() if asked.func_tool else []


async def offered(tools: HostTools, event: AstrMessageEvent | None = None) -> list[str]:
    """What a request of somebody has in the end."""
    asked = request()
    await tools.offer(event or message("hi"), asked)
    return names(asked)


def tool_in(asked: ProviderRequest, name: str) -> LtmTool:
    found = asked.func_tool.get_tool(name) if asked.func_tool else None
    assert isinstance(found, LtmTool)
    return found


async def given(tools: HostTools) -> ProviderRequest:
    asked = request()
    await tools.offer(message("hi"), asked)
    return asked


async def call(tool: LtmTool, event: AstrMessageEvent, **arguments: Any) -> object:
    context = SimpleNamespace(context=SimpleNamespace(event=event))
    return await tool.call(cast("Any", context), **arguments)


ALL = ["weather", *TOOLS]


@pytest.mark.parametrize("config", [{"enable": False}, {"write_policy": {"mode": "loud"}}])
async def test_nothing_is_offered_while_switched_off_or_paused_by_its_settings(config: Any) -> None:
    async with running() as service:
        assert await offered(tools_of(service, config=config)) == ["weather"]


@pytest.mark.parametrize(("withheld", "got"), [(False, ALL), (True, ["weather"]), (None, ["weather"])])
async def test_tools_come_into_the_requests_of_whom_they_serve(
    withheld: bool | None, got: Sequence[str]
) -> None:
    async with running(withheld=withheld) as service:
        assert await offered(tools_of(service)) == got
        assert (await service.health()).failures == ({"tools": 1} if withheld is None else {})


async def test_tools_do_not_come_into_requests_that_nobody_made_or_while_memory_does_not_run() -> None:
    async with running() as service:
        tools = tools_of(service)
        assert await offered(tools, message("hi", sender="bot")) == ["weather"]
        await service.stop()
        assert await offered(tools) == ["weather"]


async def test_a_request_without_tools_or_without_a_conversation_stays_as_it_is() -> None:
    async with running() as service:
        tools = tools_of(service)
        none, bare, empty = ProviderRequest(prompt="hi"), request(conversation=None), request()
        empty.func_tool = ToolSet()
        for asked in (none, bare, empty):
            await tools.offer(message("hi"), asked)
        assert (await service.health()).failures == {}
    assert none.func_tool is None
    assert names(bare) == ["weather"]
    assert names(empty) == list(TOOLS)


async def test_a_set_that_another_plugin_uses_again_stays_without_them_and_no_name_comes_twice() -> None:
    async with running() as service:
        tools = tools_of(service)
        theirs = request("memory_get").func_tool
        asked = request()
        asked.func_tool = theirs
        await tools.offer(message("hi"), asked)
        await tools.offer(message("hi"), asked)
    assert sorted(names(asked)) == sorted(ALL)
    assert tool_in(asked, "memory_get").handler_module_path == "data.plugins.ltm.main"
    assert theirs is not None
    assert theirs.names() == ["weather", "memory_get"]


@pytest.mark.parametrize(
    ("personas", "got", "failures"),
    [
        (Personas(["weather", "memory_search", "another"]), ["weather", "memory_search"], {}),
        (Personas([]), ["weather"], {}),
        (Personas(None), ALL, {}),
        (Personas(told=False), ["weather"], {"tools": 1}),
    ],
    ids=["some", "none", "all", "cannot be told"],
)
async def test_a_request_has_the_tools_of_its_persona(
    personas: Personas, got: Sequence[str], failures: Mapping[str, int]
) -> None:
    async with running() as service:
        assert await offered(tools_of(service, personas=personas)) == got
        assert (await service.health()).failures == failures


async def test_a_call_for_nobody_without_a_memory_or_from_an_unknown_place_is_an_error() -> None:
    async with running() as service:
        tool = tool_in(await given(tools_of(service)), "memory_list")
        lost = await given(tools_of(service, FirstKnown()))
        nobody = await call(tool, message("hi", sender="bot"), tag="x")
        nowhere = await call(tool_in(lost, "memory_list"), message("hi"), tag="x")
        await service.stop()
        over = await call(tool, message("hi"), tag="x")
        unmade = await call(LtmTool(name="t", description="", parameters={"type": "object"}), message("hi"))
    assert nobody == "Error: Nobody is speaking, so there is nobody to remember anything of."
    assert nowhere == "Error: Memory does not answer now."
    assert over == unmade == "Error: Memory is switched off."


async def test_the_words_of_a_command_are_no_evidence() -> None:
    said: list[str] = []

    class Keeps(ToolMemories):
        async def save(self, turn: Any, *_: object) -> None:
            said.append(turn.user_text)
            raise UnavailableError("enough")

    @asynccontextmanager
    async def run(_: object) -> AsyncGenerator[LTMManager]:
        yield made(Keeps(withheld=False))

    service = Service(run, version="1")
    await service.start({})
    save = tool_in(await given(tools_of(service)), "memory_save")
    plain, command = message("I like tea"), message("/ask I like tea")
    extras: Any = command
    extras.set_extra("handlers_parsed_params", {"ask": {}})
    extras.set_extra("activated_handlers", [SimpleNamespace(handler_full_name="ask")])
    for event in (plain, command):
        await call(save, event, key="k", content="tea")
    await service.stop()
    assert said == ["I like tea", ""]
