"""The tools as the host offers them to a model: who asks, where and at which level, the event says alone."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, override

from astrbot.api.event import AstrMessageEvent
from astrbot.api.provider import ProviderRequest
from astrbot.api.star import Context
from astrbot.core.agent.run_context import ContextWrapper
from astrbot.core.agent.tool import FunctionTool, ToolExecResult
from astrbot.core.astr_agent_context import AstrAgentContext
from pydantic.dataclasses import dataclass

from ..domain.chat import Turn
from ..service import Service
from ..settings import ToolSettings, read_settings
from ..tools import MEMORY_TOOLS, SESSION_SEARCH_TOOLS, Tool
from . import events

type Note = Callable[[AstrMessageEvent], Awaitable[None]]
type Answer = Callable[[AstrMessageEvent, Mapping[str, object]], Awaitable[str]]

_OFF = "Error: Memory is switched off."
_NOBODY = "Error: Nobody is speaking, so there is nobody to remember anything of."
_FAILED = "Error: Memory does not answer now."


@dataclass
class LtmTool(FunctionTool[AstrAgentContext]):
    """One tool; whatever the model passes beside its parameters has no effect."""

    answer: Answer | None = None

    @override
    async def call(self, context: ContextWrapper[AstrAgentContext], **kwargs: Any) -> ToolExecResult:
        """The reply; never None, which would end the run without an answer."""
        return await self.answer(context.context.event, kwargs) if self.answer else _OFF


class HostTools:
    """Offers the tools that the settings allow, and answers them."""

    def __init__(self, context: Context, service: Service, note_place: Note) -> None:
        """`note_place` finds out what `events.chat_of` needs to know of an event."""
        self._context = context
        self._service = service
        self._note_place = note_place
        self._offered: Sequence[str] = ()

    def offer(self, config: Mapping[str, object]) -> None:
        """Have the host offer them; once more takes the place of before. The host drops them on unload.

        None while the plugin is switched off or its settings cannot be used.
        """
        settings = read_settings(config).settings
        tools = chosen(settings.tools) if settings is not None and settings.enable else ()
        self._offered = [tool.name for tool in tools]
        if tools:
            self._context.add_llm_tools(*map(self._made, tools))

    async def withhold(self, event: AstrMessageEvent, request: ProviderRequest) -> None:
        """Take them out of a request of whom they would only refuse: somebody paused, or nobody."""
        if not self._offered or request.func_tool is None or await self._serves(event):
            return
        for name in self._offered:
            request.func_tool.remove_tool(name)

    async def _serves(self, event: AstrMessageEvent) -> bool:
        manager = self._service.active
        if manager is None or not events.spoken_by_a_person(event):
            return False
        try:
            await self._note_place(event)
            return not await manager.keyed.withheld(events.chat_of(event))
        except Exception as error:  # noqa: BLE001  memory may fail, the chat may not
            self._service.failed("tools", error)
            return False

    async def _answer(self, tool: Tool, event: AstrMessageEvent, arguments: Mapping[str, object]) -> str:
        manager = self._service.active
        if manager is None:
            return _OFF
        if not events.spoken_by_a_person(event):
            return _NOBODY
        try:
            await self._note_place(event)
            return await tool.call(manager, _turn_of(event), arguments)
        except Exception as error:  # noqa: BLE001  memory may fail, the chat may not
            self._service.failed("tools", error)
            return _FAILED

    def _made(self, tool: Tool) -> LtmTool:
        async def answer(event: AstrMessageEvent, arguments: Mapping[str, object]) -> str:
            return await self._answer(tool, event, arguments)

        return LtmTool(
            name=tool.name,
            description=tool.description,
            parameters=dict(tool.parameters),
            answer=answer,
        )


def chosen(settings: ToolSettings) -> Sequence[Tool]:
    """The tools of the groups that are switched on."""
    return (
        *(MEMORY_TOOLS if settings.memory else ()),
        *(SESSION_SEARCH_TOOLS if settings.session_search else ()),
    )


def _turn_of(event: AstrMessageEvent) -> Turn:
    """The message that is answered: the one `record_turn` keeps later. A command's words are not kept."""
    turn = events.turn_of(event, None)
    return replace(turn, user_text="") if events.is_command(event) else turn
