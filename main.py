"""The plugin as the host sees it. It forwards and decides nothing.

The host finds hooks only as methods of this class in this module.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

from collections.abc import AsyncGenerator
from functools import partial

from astrbot.api import AstrBotConfig
from astrbot.api.event import AstrMessageEvent, MessageEventResult, filter  # noqa: A004  the host's name for it
from astrbot.api.provider import LLMResponse, ProviderRequest
from astrbot.api.star import Context, Star
from astrbot.core.agent.run_context import ContextWrapper
from astrbot.core.astr_agent_context import AstrAgentContext

from .dashboard_routes import ROUTES
from .long_term_memory.host.command_replies import NearlyTheCommand
from .long_term_memory.host.plugin import LtmPlugin

NAME = "astrbot_plugin_ltm"
VERSION = "0.1.0"


class Main(Star):
    """Long-term memory for AstrBot."""

    def __init__(self, context: Context, config: AstrBotConfig) -> None:
        super().__init__(context, config)
        self._ltm = LtmPlugin(
            context, config, name=NAME, version=VERSION, module=__name__, routes=ROUTES, key_values=self
        )

    async def initialize(self) -> None:
        """Come up; the host awaits this at boot, at reload and when it enables the plugin."""
        await self._ltm.start()

    async def terminate(self) -> None:
        """Stop everything; the host awaits this before it reloads, disables or uninstalls the plugin."""
        await self._ltm.stop()

    # Before those who answer and let nobody else hear, after those who decide what may be said at all.
    @filter.event_message_type(filter.EventMessageType.ALL, priority=1_000)
    async def listen(self, event: AstrMessageEvent) -> None:
        """Keep what is said in the groups that are listened to, and drop what is withdrawn."""
        await self._ltm.listen(event)

    @filter.on_waiting_llm_request()
    async def prepare(self, event: AstrMessageEvent) -> None:
        """Begin what recall will want while the host waits for its turn."""
        await self._ltm.prepare(event)

    # Before any other plugin that would take tools out of a request.
    @filter.on_llm_request(priority=1_000_000)
    async def offer_tools(self, event: AstrMessageEvent, request: ProviderRequest) -> None:
        """Give the model its tools."""
        await self._ltm.tools.offer(event, request)

    @filter.on_llm_request()
    async def recall_elsewhere(self, event: AstrMessageEvent, request: ProviderRequest) -> None:
        """Give an agent of a third party what is remembered."""
        await self._ltm.recall_elsewhere(event, request)

    @filter.on_agent_begin()
    async def recall(self, event: AstrMessageEvent, run_context: ContextWrapper[AstrAgentContext]) -> None:
        """Give the model what is remembered."""
        await self._ltm.recall(event, run_context.messages)

    @filter.on_agent_done()
    async def record_turn(
        self,
        event: AstrMessageEvent,
        run_context: ContextWrapper[AstrAgentContext],  # noqa: ARG002  the host passes it
        response: LLMResponse,
    ) -> None:
        """Keep what was said."""
        await self._ltm.record_turn(event, response)

    # Before any other plugin that would keep the rest from hearing of it.
    @filter.on_using_llm_tool(priority=1_000_000)
    async def using_tool(
        self,
        event: AstrMessageEvent,
        tool: object,
        tool_args: object,  # noqa: ARG002  the host passes it
    ) -> None:
        """Take the level of the tool, before it answers."""
        await self._ltm.levels.using_tool(event, tool)

    @filter.on_llm_tool_respond()
    async def record_tool_result(
        self,
        event: AstrMessageEvent,
        tool: object,
        tool_args: object,  # noqa: ARG002  the host passes it
        tool_result: object,
    ) -> None:
        """Keep what a tool answered."""
        await self._ltm.record_tool_result(event, tool, tool_result)

    # After any other plugin that would put something else in place of the reply.
    @filter.on_decorating_result(priority=-1_000)
    async def add_notice(self, event: AstrMessageEvent) -> None:
        """Say at the end of a reply what was learnt about the person it answers."""
        await self._ltm.command_replies.add_notice(event)

    # The host asks the lower filter first.
    @filter.command("ltm", alias={"记忆", "記憶", "记忆列表"})
    @filter.custom_filter(partial(NearlyTheCommand, __name__))
    async def ltm(self, event: AstrMessageEvent) -> AsyncGenerator[MessageEventResult]:
        """查看和管理我记住的内容。See and decide what I remember about you."""
        async with self._ltm.command_replies.answered(event) as result:
            yield result
