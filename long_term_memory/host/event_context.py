"""What the host is asked about an event and noted on it: persona, project, conversation and its level."""

import asyncio
from collections.abc import Collection, Mapping
from datetime import timedelta
from functools import partial
from typing import cast, override
from weakref import WeakValueDictionary

from astrbot.api.event import AstrMessageEvent
from astrbot.api.star import Context

from ..domain.chat import Chat
from ..manager import LTMManager
from ..service import Service
from . import host_events

PATIENCE = timedelta(milliseconds=300)
"""How long a message may wait for the host's answer."""
PROJECT_PATIENCE = timedelta(seconds=1)
"""The same for a project, without which the turn is not recorded."""
MAX_MISSED = 1_000
"""Uses of tools that are remembered while there is no memory to tell them to."""
WEB_CHAT = "webchat"
"""The platform type of the dashboard's chat."""
_DEFAULT = "default"
"""The id of the host's own default persona."""

type Persona = Mapping[str, object]
type Speaker = tuple[str, str]
"""A chat and a person in it."""
type Task = asyncio.Task[object]


async def resolve_place(event: AstrMessageEvent, personas: "Personas | None", projects: "Projects") -> None:
    """Note persona and project, unless they are noted already, so that all hooks of one message agree.

    Without `personas` they are not told apart. Raises TimeoutError when they cannot be told.
    """
    if host_events.state_of(event).place is None:
        persona_id = await personas.of(event) if personas else ""
        host_events.state_of(event).place = (persona_id, await projects.of(event))


class Personas:
    """The host's session rules, the conversation's choice and the config's default, in the host's order."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def of(self, event: AstrMessageEvent) -> str:
        """The id of the persona; empty for the host's default one, for none, and for one that is gone.

        Raises TimeoutError: what cannot be told must not pass for the default.
        """
        async with asyncio.timeout(PATIENCE.total_seconds()):
            persona = await self._selected(event, await self._chosen(event))
        name = str(persona.get("name") or "") if persona else ""
        return "" if name == _DEFAULT else name

    async def tools(self, event: AstrMessageEvent, chosen: str | None) -> Collection[str] | None:
        """The names of the tools that the persona has; None for every tool there is.

        `chosen` is the conversation's own persona. Nothing is asked while no persona has a choice of its own.
        Raises TimeoutError: what cannot be told must not pass for every tool.
        """
        known: Collection[Persona] = self._context.persona_manager.personas_v3
        if all(persona.get("tools") is None for persona in known):
            return None
        async with asyncio.timeout(PATIENCE.total_seconds()):
            persona = await self._selected(event, chosen)
        tools = persona.get("tools") if persona else None
        return None if tools is None else [str(name) for name in tools] if isinstance(tools, list) else []

    async def _selected(self, event: AstrMessageEvent, chosen: str | None) -> Persona | None:
        _, persona, *_ = await self._context.persona_manager.resolve_selected_persona(
            umo=event.unified_msg_origin,
            conversation_persona_id=chosen,
            platform_name=event.get_platform_name(),
            # Hosts before 4.29 name their default in here.
            provider_settings=self._context.get_config(event.unified_msg_origin).get("provider_settings"),
        )
        return persona if isinstance(persona, Mapping) else None

    async def _chosen(self, event: AstrMessageEvent) -> str | None:
        """What the conversation says; before a request is made that is the chat's current conversation."""
        request = host_events.provider_request_of(event)
        if request and request.conversation:
            return request.conversation.persona_id
        umo, conversations = event.unified_msg_origin, self._context.conversation_manager
        current = await conversations.get_curr_conversation_id(umo)
        found = await conversations.get_conversation(umo, current) if current else None
        return found.persona_id if found else None


class Projects:
    """Which of the web chat's projects a chat belongs to, as the host's database has it."""

    def __init__(self, database: object) -> None:
        # A host from before there were projects cannot be asked.
        self._ask = getattr(database, "get_project_by_session", None)

    async def of(self, event: AstrMessageEvent) -> str:
        """The project's id, empty outside one.

        Raises TimeoutError, and what the host raises: a project's chat must not pass for the person's own.
        """
        creator = str(event.get_sender_id() or "")
        session = event.session_id.removeprefix(f"{WEB_CHAT}!{creator}!")
        if self._ask is None or event.get_platform_name() != WEB_CHAT or session == event.session_id:
            return ""
        async with asyncio.timeout(PROJECT_PATIENCE.total_seconds()):
            project: object = await self._ask(session_id=session, creator=creator)
        return str(getattr(project, "project_id", "") or "")


async def resolve_conversation(event: AstrMessageEvent, context: Context) -> None:
    """Note on an event that has no request yet in which conversation its chat is now, if in any.

    A request names its conversation itself; commands and what is only heard do not. Raises TimeoutError: what
    cannot be told must not pass for a conversation that is less confidential.
    """
    if host_events.provider_request_of(event):
        return
    async with asyncio.timeout(PATIENCE.total_seconds()):
        current = await context.conversation_manager.get_curr_conversation_id(event.unified_msg_origin)
    host_events.state_of(event).conversation_id = current or ""


class HostLevels:
    """Tells memory which tools are used where, before they answer."""

    def __init__(self, service: Service, context: Context) -> None:
        self._service = service
        self._resolve_conversation = partial(resolve_conversation, context=context)
        self._missed = dict[tuple[Chat, str], None]()

    async def using_tool(self, event: AstrMessageEvent, tool: object) -> None:
        """Raise the level of the conversation if this tool does that, before it runs.

        That goes for runs which nobody asked for, too: what their tools find stays in the conversation.
        """
        name = str(getattr(tool, "name", "") or "")
        with self._service.guard("using_tool") as manager:
            if manager is None:
                await self._resolve_conversation(event)
                self._missed[host_events.chat_of(event), name] = None
                if len(self._missed) > MAX_MISSED:
                    del self._missed[next(iter(self._missed))]
                return
            await self.catch_up(manager)
            level = manager.levels.of_tool(name)
            if level is None:
                return
            state = host_events.state_of(event)
            state.raised = max(level, state.raised)
            await self._resolve_conversation(event)
            await manager.levels.used(host_events.chat_of(event), name)

    async def resolve(self, event: AstrMessageEvent) -> None:
        """Do `resolve_conversation` where it makes a difference. Raises TimeoutError."""
        manager = self._service.active
        if manager is not None and manager.levels.differ_in(event.unified_msg_origin):
            await self._resolve_conversation(event)

    async def catch_up(self, manager: LTMManager) -> None:
        """Tell a memory that comes up which tools were used while there was none."""
        missed, self._missed = self._missed, dict[tuple[Chat, str], None]()
        for chat, tool in missed:
            with self._service.guard("using_tool"):
                await manager.levels.used(chat, tool)


class ActiveRuns(WeakValueDictionary[Speaker, Task]):
    """The speakers for whom an agent runs, each with the task of the run.

    What such a speaker says meanwhile the host may hand to the running agent as a note: then no turn of its
    own ever ends with it. With its task a run is over: the host tells nobody of one that ends by an error.
    """

    @override
    def __contains__(self, speaker: object) -> bool:
        """Whether the bot is answering this speaker."""
        task = self.get(cast("Speaker", speaker))
        return task is not None and not task.done()
