"""The outer edge: every hook of the host ends here, and none of them may break a chat."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

import asyncio
import logging
import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from astrbot.api import AstrBotConfig
from astrbot.api.event import AstrMessageEvent
from astrbot.api.provider import LLMResponse
from astrbot.api.star import Context
from astrbot.core.agent.message import Message
from astrbot.core.db.sqlite import SQLiteDatabase
from astrbot.core.utils.astrbot_path import get_astrbot_plugin_data_path

from ..bootstrap import Ports, running
from ..commands import Commands
from ..domain.errors import UnusableStoreError
from ..domain.words import Mode
from ..manager import LTMManager
from ..policies.listening import to_another_bot
from ..read.format import RULE
from ..service import Service
from ..settings import Settings
from ..web import Route
from . import events, web
from .injection import inject
from .markers import HostMarkers, KeyValues
from .providers import HostChatModel, HostEmbedder
from .runs import Runs
from .vec_db import NamespaceVecDB

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

EXTRACTION_TIMEOUT = timedelta(seconds=60)
EMBEDDING_TIMEOUT = timedelta(seconds=30)


class LtmPlugin:
    """Everything the Star class forwards to."""

    def __init__(
        self,
        context: Context,
        config: AstrBotConfig,
        *,
        name: str,
        version: str,
        routes: Sequence[Route[Service]],
        key_values: KeyValues,
    ) -> None:
        self._context = context
        self._config = config
        self._folder = Path(get_astrbot_plugin_data_path()) / name
        self._markers = HostMarkers(self._folder, key_values)
        self._service = Service(self._run, version=version)
        self._commands = Commands(self._service)
        self._runs = Runs()
        web.register(context, name, routes, self._service)

    async def start(self) -> None:
        """Come up as the settings say."""
        await self._service.start(self._config)

    async def stop(self) -> None:
        """End all background work."""
        await self._service.stop()

    async def recall(self, event: AstrMessageEvent, messages: list[Message]) -> None:
        """Inject what is remembered into the request about to be sent."""
        manager = self._service.active
        if manager is None:
            return
        try:
            if not events.spoken_by_a_person(event):
                return
            self._runs.began(events.speaker_of(event))
            recall = await manager.recall(events.chat_of(event), event.message_str)
            if recall.block and inject(messages, recall.block, RULE, manager.injection):
                manager.injected(recall)
        except Exception as error:  # noqa: BLE001  memory may fail, the chat may not
            self._service.failed("recall", error)

    async def listen(self, event: AstrMessageEvent) -> None:
        """Keep what is said where all is listened to, and what the host may hand to a running agent."""
        manager = self._service.active
        if manager is None:
            return
        try:
            addressed = events.is_addressed(event)
            if self._is_to_be_heard(event, manager, addressed=addressed):
                await manager.record_heard(events.heard(event), addressed=addressed)
        except Exception as error:  # noqa: BLE001  memory may fail, the chat may not
            self._service.failed("listen", error)

    async def record_turn(self, event: AstrMessageEvent, response: LLMResponse | None) -> None:
        """Keep a completed exchange; durable when this returns."""
        manager = self._service.active
        if manager is None:
            return
        try:
            self._runs.ended(events.speaker_of(event))
            if events.spoken_by_a_person(event) and not events.is_command(event):
                await manager.record_turn(events.turn_of(event, response))
        except Exception as error:  # noqa: BLE001  memory may fail, the chat may not
            self._service.failed("record_turn", error)

    async def record_tool_result(self, event: AstrMessageEvent, tool: object, result: object) -> None:
        """Keep a tool's answer; durable when this returns."""
        manager = self._service.active
        if manager is None:
            return
        try:
            if events.spoken_by_a_person(event) and not events.is_command(event):
                name = str(getattr(tool, "name", "") or "")
                await manager.record_tool_use(events.tool_use_of(event, name, result))
        except Exception as error:  # noqa: BLE001  memory may fail, the chat may not
            self._service.failed("record_tool_result", error)

    async def command(self, event: AstrMessageEvent) -> str:
        """Answer `/ltm ...`."""
        return await self._commands.answer(
            events.chat_of(event),
            event.message_str,
            admin=event.is_admin(),
            message_id=events.message_id_of(event),
        )

    def _is_to_be_heard(self, event: AstrMessageEvent, manager: LTMManager, *, addressed: bool) -> bool:
        if not events.spoken_by_a_person(event) or events.is_command(event):
            return False
        if addressed and events.speaker_of(event) in self._runs:
            return True
        if not addressed and to_another_bot(event.message_str or ""):
            return False
        return manager.listens_to(events.chat_of(event))

    @asynccontextmanager
    async def _run(self, settings: Settings) -> AsyncGenerator[LTMManager]:
        database = self._context.get_db()
        if not isinstance(database, SQLiteDatabase):
            raise UnusableStoreError(f"the host's database is a {type(database).__name__}, not SQLite")
        ports = Ports(
            database=Path(database.db_path),
            folder=self._folder,
            markers=self._markers,
            chat_model=HostChatModel(self._context, settings.extraction_provider_id, EXTRACTION_TIMEOUT),
            has_chat_model=lambda: self._has_chat_model(settings.extraction_provider_id),
            embedder=HostEmbedder(self._context, settings.embedding_provider_id, EMBEDDING_TIMEOUT),
            namespace=NamespaceVecDB,
            keep_mode=self._keep_mode,
            clock=lambda: datetime.now(UTC),  # noqa: TID251  the one clock
            make_id=lambda: str(uuid.uuid4()),  # noqa: TID251  the one maker of ids
            zone=self._zone(),
        )
        async with running(settings, ports) as manager:
            yield manager

    def _zone(self) -> tzinfo:
        """The host's `timezone`; that of the machine where it is empty or unknown, as the host has it."""
        try:
            return ZoneInfo(str(self._context.get_config().get("timezone") or ""))
        except (ValueError, OSError, ZoneInfoNotFoundError):
            return datetime.now().astimezone().tzinfo or UTC  # noqa: TID251  where the machine stands

    def _has_chat_model(self, provider_id: str) -> bool:
        ids = [str(provider.provider_config.get("id", "")) for provider in self._context.get_all_providers()]
        return provider_id in ids if provider_id else bool(ids)

    async def _keep_mode(self, mode: Mode) -> None:
        policy = dict(self._config.get("write_policy") or {})
        self._config["write_policy"] = {**policy, "mode": mode.value}
        await asyncio.to_thread(self._config.save_config)
