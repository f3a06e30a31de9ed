"""The tools as the host offers them to a model: who asks, where and at which level, the event says alone."""

import dataclasses
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any, override

from astrbot.api.event import AstrMessageEvent
from astrbot.api.provider import ProviderRequest
from astrbot.core.agent.run_context import ContextWrapper
from astrbot.core.agent.tool import FunctionTool, ToolExecResult
from astrbot.core.astr_agent_context import AstrAgentContext
from pydantic.dataclasses import dataclass

from ..model_tools import MEMORY_TOOLS, SESSION_SEARCH_TOOLS, Tool
from ..service import Service
from ..settings import ToolSettings, read_settings
from . import host_events
from .event_context import Personas

type Resolve = Callable[[AstrMessageEvent], Awaitable[None]]
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


@dataclasses.dataclass(eq=False)
class HostTools:
    """Gives the tools that the settings allow to requests, and answers them.

    They are not registered with the host, for it checks the schema of each registered tool anew for every
    request, which takes longer than all else that a memory does there. So they are made once and put in here.
    """

    service: Service
    resolve_place: Resolve
    """Finds out what `host_events.chat_of` needs to know of an event."""
    personas: Personas
    module: str
    """The plugin's main module, by which the host tells whose tools they are."""
    _made: Mapping[str, LtmTool] = dataclasses.field(default_factory=dict[str, LtmTool], init=False)

    def make(self, config: Mapping[str, object]) -> None:
        """Make the tools; none for a plugin that is switched off or whose settings cannot be used."""
        settings = read_settings(config).settings
        tools = chosen(settings.tools) if settings is not None and settings.enable else ()
        self._made = {
            tool.name: LtmTool(
                name=tool.name,
                description=tool.description,
                parameters=dict(tool.parameters),
                handler_module_path=self.module,
                answer=partial(self._answer, tool),
            )
            for tool in tools
        }

    async def offer(self, event: AstrMessageEvent, request: ProviderRequest) -> None:
        """Put them into the request of somebody whom they serve, as far as the operator lets it have them.

        They take the place of others with their names. The set that is there stays as it is: another plugin
        may use it for the next request, too.
        """
        if request.func_tool is None or not (given := await self._given(event, request)):
            return
        others = [tool for tool in request.func_tool.tools if tool.name not in given]
        request.func_tool = copy(request.func_tool)
        request.func_tool.tools = [*others, *(self._made[name] for name in self._made if name in given)]

    async def _given(self, event: AstrMessageEvent, request: ProviderRequest) -> Collection[str]:
        """Those that the persona has; none where it cannot be told, or the host gives no tools itself."""
        with self.service.guard("tools") as manager:
            if manager and self._made and request.conversation and host_events.spoken_by_a_person(event):
                had = await self.personas.tools(event, request.conversation.persona_id)
                if given := self._made.keys() if had is None else self._made.keys() & had:
                    await self.resolve_place(event)
                    return () if await manager.tool_memories.withheld(host_events.chat_of(event)) else given
        return ()

    async def _answer(self, tool: Tool, event: AstrMessageEvent, arguments: Mapping[str, object]) -> str:
        with self.service.guard("tools") as manager:
            if manager is None:
                return _OFF
            if not host_events.spoken_by_a_person(event):
                return _NOBODY
            await self.resolve_place(event)
            turn = host_events.turn_of(event, None)  # the one that `record_turn` keeps later
            if host_events.is_command(event):  # whose words are not kept
                turn = dataclasses.replace(turn, user_text="")
            return await tool.call(manager, turn, arguments)
        return _FAILED


def chosen(settings: ToolSettings) -> Sequence[Tool]:
    """The tools of the groups that are switched on."""
    memory = MEMORY_TOOLS if settings.memory else ()
    return (*memory, *SESSION_SEARCH_TOOLS) if settings.session_search else memory
