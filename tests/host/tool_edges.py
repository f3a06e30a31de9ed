"""The tools where the host or the memory is not as it should be.

These cases import the host, which warns and sets up logging: `test_tool_edges.py` runs them on their own.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
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
from astrbot_plugin_ltm.long_term_memory.tools import TOOLS

from tests.host.event_edges import message


class Offers:
    """Stands for the host: keeps what it is offered."""

    def __init__(self) -> None:
        self.tools: dict[str, LtmTool] = {}

    def add_llm_tools(self, *tools: LtmTool) -> None:
        self.tools |= {tool.name: tool for tool in tools}


class Keyed:
    """Stands for a memory that is, or is not, withheld, or cannot tell."""

    def __init__(self, *, withheld: bool | None) -> None:
        self._withheld = withheld

    async def withheld(self, chat: object) -> bool:  # noqa: ARG002
        if self._withheld is None:
            raise UnavailableError("locked")
        return self._withheld


def made(keyed: Keyed) -> LTMManager:
    async def nothing() -> tuple[()]:
        return ()

    return cast("LTMManager", SimpleNamespace(keyed=keyed, failures={}, notes=nothing, counts=nothing))


@asynccontextmanager
async def running(*, withheld: bool | None = False) -> AsyncGenerator[Service]:
    @asynccontextmanager
    async def run(_: object) -> AsyncGenerator[LTMManager]:
        yield made(Keyed(withheld=withheld))

    service = Service(run, version="1")
    await service.start({})
    try:
        yield service
    finally:
        await service.stop()


async def noted(_event: AstrMessageEvent) -> None:
    pass


async def unknown(event: AstrMessageEvent) -> None:
    raise TimeoutError(event.get_platform_id())


def tools_of(service: Service, note: Any = noted) -> tuple[HostTools, Offers]:
    offers = Offers()
    tools = HostTools(cast("Any", offers), service, note)
    tools.offer({})
    return tools, offers


def request() -> ProviderRequest:
    weather = FunctionTool[Any](name="weather", description="", parameters={"type": "object"})
    ours = [
        FunctionTool[Any](name=name, description="", parameters=dict(tool.parameters))
        for name, tool in TOOLS.items()
    ]
    return ProviderRequest(prompt="hi", func_tool=ToolSet(tools=[weather, *ours]))


def names(asked: ProviderRequest) -> set[str]:
    return set(asked.func_tool.names()) if asked.func_tool else set()


async def call(tool: LtmTool, event: AstrMessageEvent, **arguments: Any) -> object:
    context = SimpleNamespace(context=SimpleNamespace(event=event))
    return await tool.call(cast("Any", context), **arguments)


@pytest.mark.parametrize("config", [{"enable": False}, {"write_policy": {"mode": "loud"}}])
async def test_nothing_is_offered_while_switched_off_or_paused_by_its_settings(config: Any) -> None:
    async with running() as service:
        offers = Offers()
        tools = HostTools(cast("Any", offers), service, noted)
        tools.offer(config)
        asked = request()
        await tools.withhold(message("hi"), asked)
        assert offers.tools == {}
        assert names(asked) == {"weather", *TOOLS}


@pytest.mark.parametrize(("withheld", "left"), [(False, set(TOOLS)), (True, set[str]()), (None, set[str]())])
async def test_tools_stay_in_the_requests_of_whom_they_serve(withheld: bool | None, left: set[str]) -> None:
    async with running(withheld=withheld) as service:
        tools, _ = tools_of(service)
        asked = request()
        await tools.withhold(message("hi"), asked)
        assert names(asked) == {"weather"} | left
        assert (await service.health()).failures == ({"tools": 1} if withheld is None else {})


async def test_tools_go_from_requests_that_nobody_made_or_while_memory_does_not_run() -> None:
    async with running() as service:
        tools, _ = tools_of(service)
        unasked, late, none = request(), request(), ProviderRequest(prompt="hi")
        await tools.withhold(message("hi", sender="bot"), unasked)
        await tools.withhold(message("hi"), none)
        await service.stop()
        await tools.withhold(message("hi"), late)
        assert (names(unasked), names(late), none.func_tool) == ({"weather"}, {"weather"}, None)


async def test_a_call_for_nobody_without_a_memory_or_from_an_unknown_place_is_an_error() -> None:
    async with running() as service:
        _, offers = tools_of(service, unknown)
        tool = offers.tools["memory_list"]
        nobody = await call(tool, message("hi", sender="bot"), tag="x")
        nowhere = await call(tool, message("hi"), tag="x")
        await service.stop()
        over = await call(tool, message("hi"), tag="x")
        unmade = await call(LtmTool(name="t", description="", parameters={"type": "object"}), message("hi"))
    assert nobody == "Error: Nobody is speaking, so there is nobody to remember anything of."
    assert nowhere == "Error: Memory does not answer now."
    assert over == unmade == "Error: Memory is switched off."


async def test_the_words_of_a_command_are_no_evidence() -> None:
    said: list[str] = []

    class Keeps(Keyed):
        async def save(self, turn: Any, *_: object) -> None:
            said.append(turn.user_text)
            raise UnavailableError("enough")

    @asynccontextmanager
    async def run(_: object) -> AsyncGenerator[LTMManager]:
        yield made(Keeps(withheld=False))

    service = Service(run, version="1")
    await service.start({})
    _, offers = tools_of(service)
    plain, command = message("I like tea"), message("/ask I like tea")
    extras: Any = command
    extras.set_extra("handlers_parsed_params", {"ask": {}})
    extras.set_extra("activated_handlers", [SimpleNamespace(handler_full_name="ask")])
    for event in (plain, command):
        await call(offers.tools["memory_save"], event, key="k", content="tea")
    await service.stop()
    assert said == ["I like tea", ""]
