"""The outer edge: every hook of the host ends here, and none of them may break a chat."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from astrbot.api import AstrBotConfig
from astrbot.api.event import AstrMessageEvent
from astrbot.api.provider import LLMResponse, ProviderRequest
from astrbot.api.star import Context
from astrbot.core.agent.message import Message
from astrbot.core.db.sqlite import SQLiteDatabase
from astrbot.core.utils.astrbot_path import get_astrbot_plugin_data_path

from ..access.gatekeeper import OWN_TOOLS
from ..bootstrap import running
from ..commands import Commands, Confirming
from ..domain.errors import UnusableStoreError
from ..manager import LTMManager
from ..read.format import CAUTION
from ..service import Service
from ..settings import Settings
from ..storage.files import Transit
from ..storage.uninstall import KeyValues, StoreMarkers
from ..web import Route
from . import host_events, web
from .adapters import command_names, new_id, now, ports_of
from .bots import to_another_bot
from .command_replies import CommandReplies
from .event_context import ActiveRuns, HostLevels, Personas, Projects, resolve_place
from .injection import OWN, carries, inject, inject_elsewhere, runner_of
from .log_redaction import LogRedaction
from .tools import HostTools


class LtmPlugin:
    """Everything the Star class forwards to."""

    def __init__(
        self,
        context: Context,
        config: AstrBotConfig,
        *,
        name: str,
        version: str,
        module: str,
        routes: Sequence[Route[Service]],
        key_values: KeyValues,
    ) -> None:
        self._context = context
        self._config = config
        folder = Path(get_astrbot_plugin_data_path()) / name
        markers = StoreMarkers(folder, key_values)
        self._ports = partial(
            ports_of, context, config, folder=folder, markers=markers, version=version, module=module
        )
        self._service = service = Service(self._run, version=version)
        commands = Commands(service, Confirming(now, new_id))
        self._log = LogRedaction(lambda: command_names(module))
        # Apart from exports: an erasure removes those, and would take these while the host sends them.
        self._files = Transit(folder / "to_send", new_id)
        self.command_replies = CommandReplies(service, commands, self._files, self._resolve_all, self._log)
        self._runs = ActiveRuns()
        self._projects = Projects(context.get_db())
        self._per_persona = False
        self.levels = HostLevels(service, context)
        self._personas = Personas(context)
        self.tools = HostTools(service, self._resolve_place, self._personas, module=module)
        web.register(context, name, routes, service)

    async def start(self) -> None:
        """Come up as the settings say."""
        self._log.begin()
        await asyncio.to_thread(self._files.clear)
        self.tools.make(self._config)
        await self._service.start(self._config)

    async def stop(self) -> None:
        """End all background work."""
        self._log.end()
        await self._service.stop()

    async def prepare(self, event: AstrMessageEvent) -> None:
        """Begin what recall will want while the host waits for its turn."""
        with self._service.guard("prepare") as manager:
            host_events.state_of(event).announced = True
            if manager and host_events.spoken_by_a_person(event) and not host_events.is_command(event):
                await self._resolve_all(event)
                manager.prepare(host_events.chat_of(event), event.message_str)

    async def recall_elsewhere(self, event: AstrMessageEvent, request: ProviderRequest) -> None:
        """Inject what is remembered into a request to an agent of a third party."""
        with self._service.guard("recall") as manager:
            if manager is None or host_events.state_of(event).announced:
                return
            runner = runner_of(self._context.get_config(event.unified_msg_origin))
            if runner != OWN and host_events.spoken_by_a_person(event):
                put = partial(inject_elsewhere, request, injection=manager.injection, runner=runner)
                await self._give(event, manager, put)

    async def recall(self, event: AstrMessageEvent, messages: list[Message]) -> None:
        """Inject what is remembered into the request about to be sent.

        An agent of a third party has no messages here; it has got it by `recall_elsewhere`.
        """
        with self._service.guard("recall") as manager:
            if manager is None or not host_events.spoken_by_a_person(event):
                return
            if task := asyncio.current_task():
                self._runs[host_events.speaker_of(event)] = task
            given = host_events.state_of(event).given
            if messages and not (given and carries(messages, given)):
                await self._give(event, manager, partial(inject, messages, injection=manager.injection))

    async def listen(self, event: AstrMessageEvent) -> None:
        """Keep what is said where all is heard or a running agent is handed it; drop what is withdrawn."""
        with self._service.guard("listen") as manager:
            if manager is None:
                return
            if withdrawn := host_events.withdrawn_message(event):
                await manager.retract_message(host_events.chat_of(event), withdrawn)
            elif self._is_to_be_heard(event, manager):
                await self._resolve_all(event)
                # In private, by a mention, an answer to the bot or a prefix.
                addressed = bool(event.is_at_or_wake_command)
                await manager.record_heard(host_events.heard(event), addressed=addressed)

    async def record_turn(self, event: AstrMessageEvent, response: LLMResponse | None) -> None:
        """Keep a completed exchange; durable when this returns, unless the store is locked for a second."""
        with self._service.guard("record_turn") as manager:
            self._runs.pop(host_events.speaker_of(event), None)
            if manager is None or host_events.is_error(response):
                return  # as of the errors that the host tells no hook of
            if host_events.spoken_by_a_person(event) and not host_events.is_command(event):
                await self._resolve_place(event)
                await manager.record_turn(turn := host_events.turn_of(event, response))
                host_events.state_of(event).answered = bool(turn.reply_text)

    async def record_tool_result(self, event: AstrMessageEvent, tool: object, result: object) -> None:
        """Keep a tool's answer, as `record_turn`; one of our own is an echo of what is remembered already."""
        with self._service.guard("record_tool_result") as manager:
            name = str(getattr(tool, "name", "") or "")
            if manager is None or name in OWN_TOOLS:
                return
            if host_events.spoken_by_a_person(event) and not host_events.is_command(event):
                await self._resolve_place(event)
                await manager.record_tool_use(host_events.tool_use_of(event, name, result))

    async def _give(
        self, event: AstrMessageEvent, manager: LTMManager, put: Callable[[str, str], bool]
    ) -> None:
        """Recall, and log it; `put` adds block and caution to the request, or is False."""
        await self._resolve_place(event)
        chat = host_events.chat_of(event)
        recall = await manager.recall(chat, event.message_str)
        sent = bool(recall.block) and put(recall.block, CAUTION)
        if sent:
            host_events.state_of(event).given = recall.block
        asked_at = host_events.arrival_of(event)
        manager.log_recall(chat, event.message_str, recall, sent=sent, asked_at=asked_at)

    async def _resolve_place(self, event: AstrMessageEvent) -> None:
        if self._service.active is not None:
            await resolve_place(event, self._personas if self._per_persona else None, self._projects)

    async def _resolve_all(self, event: AstrMessageEvent) -> None:
        """What must be known of an event that no request has been made for."""
        await self._resolve_place(event)
        await self.levels.resolve(event)

    def _is_to_be_heard(self, event: AstrMessageEvent, manager: LTMManager) -> bool:
        if not host_events.spoken_by_a_person(event) or host_events.is_command(event):
            return False
        listened_to = manager.listens_to(host_events.chat_of(event))
        if event.is_at_or_wake_command:
            return host_events.speaker_of(event) in self._runs or listened_to
        return not to_another_bot(event.message_str or "") and listened_to

    @asynccontextmanager
    async def _run(self, settings: Settings) -> AsyncGenerator[LTMManager]:
        database = self._context.get_db()
        if not isinstance(database, SQLiteDatabase):
            raise UnusableStoreError(f"the host's database is a {type(database).__name__}, not SQLite")
        self._per_persona = settings.identity.per_persona
        async with running(settings, self._ports(settings, database)) as manager:
            await self.levels.catch_up(manager)
            yield manager
