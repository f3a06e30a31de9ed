"""The outer edge: every hook of the host ends here, and none of them may break a chat."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

import asyncio
import logging
import uuid
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from astrbot.api import AstrBotConfig
from astrbot.api.event import AstrMessageEvent
from astrbot.api.provider import LLMResponse, ProviderRequest
from astrbot.api.star import Context
from astrbot.core.agent.message import Message
from astrbot.core.db.sqlite import SQLiteDatabase
from astrbot.core.utils.astrbot_path import get_astrbot_plugin_data_path

from ..bootstrap import Ports, running
from ..commands import Commands
from ..domain.errors import UnusableStoreError
from ..domain.words import Mode
from ..manager import LTMManager
from ..messages import Messages, locale_of
from ..policies.listening import to_another_bot
from ..read.format import RULE
from ..service import Service
from ..settings import Settings
from ..web import Route
from . import events, web
from .injection import carries, inject, inject_elsewhere
from .markers import HostMarkers, KeyValues
from .personas import Personas
from .places import Places
from .projects import Projects
from .providers import HostChatModel, HostEmbedder
from .runners import OWN, runner_of
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
        self._places: Places | None = None
        web.register(context, name, routes, self._service)

    async def start(self) -> None:
        """Come up as the settings say."""
        await self._service.start(self._config)

    async def stop(self) -> None:
        """End all background work."""
        await self._service.stop()

    async def prepare(self, event: AstrMessageEvent) -> None:
        """Begin what recall will want while the host waits for its turn."""
        events.note_announced(event)
        manager = self._service.active
        if manager is None:
            return
        try:
            if events.spoken_by_a_person(event) and not events.is_command(event):
                await self._note_place(event)
                manager.prepare(events.chat_of(event), event.message_str)
        except Exception as error:  # noqa: BLE001  memory may fail, the chat may not
            self._service.failed("prepare", error)

    async def recall_elsewhere(self, event: AstrMessageEvent, request: ProviderRequest) -> None:
        """Inject what is remembered into a request to an agent of a third party."""
        manager = self._service.active
        if manager is None or events.is_announced(event):
            return
        try:
            runner = runner_of(self._context.get_config(event.unified_msg_origin))
            if runner == OWN or not events.spoken_by_a_person(event):
                return
            where = manager.injection
            await self._give(
                event, manager, lambda block: inject_elsewhere(request, block, RULE, where, runner=runner)
            )
        except Exception as error:  # noqa: BLE001  memory may fail, the chat may not
            self._service.failed("recall", error)

    async def recall(self, event: AstrMessageEvent, messages: list[Message]) -> None:
        """Inject what is remembered into the request about to be sent.

        An agent of a third party has no messages here; it has got it by `recall_elsewhere`.
        """
        manager = self._service.active
        if manager is None:
            return
        try:
            if not events.spoken_by_a_person(event):
                return
            self._runs.began(events.speaker_of(event))
            given = events.given_to(event)
            if not messages or (given and carries(messages, given)):
                return
            where = manager.injection
            await self._give(event, manager, lambda block: inject(messages, block, RULE, where))
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
                await self._note_place(event)
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
                await self._note_place(event)
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
                await self._note_place(event)
                await manager.record_tool_use(events.tool_use_of(event, name, result))
        except Exception as error:  # noqa: BLE001  memory may fail, the chat may not
            self._service.failed("record_tool_result", error)

    async def command(self, event: AstrMessageEvent) -> str:
        """Answer `/ltm ...`."""
        try:
            await self._note_place(event)
        except Exception as error:  # noqa: BLE001  a command is answered, whatever the host says
            self._service.failed("command", error)
            return Messages(locale_of(event.message_str)).text("error.unavailable")
        return await self._commands.answer(
            events.chat_of(event),
            event.message_str,
            admin=event.is_admin(),
            message_id=events.message_id_of(event),
        )

    async def _give(self, event: AstrMessageEvent, manager: LTMManager, put: Callable[[str], bool]) -> None:
        """Recall, and have the block put into the request; `put` tells whether there is a place for it."""
        await self._note_place(event)
        chat = events.chat_of(event)
        recall = await manager.recall(chat, event.message_str)
        sent = bool(recall.block) and put(recall.block)
        if sent:
            events.note_given(event, recall.block)
        manager.recalled(chat, event.message_str, recall, sent=sent)

    async def _note_place(self, event: AstrMessageEvent) -> None:
        if self._places is not None:
            await self._places.note(event)

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
        personas = Personas(self._context) if settings.identity.per_persona else None
        self._places = Places(personas, Projects(database, asyncio.get_running_loop().time))
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
