"""What the host tells of a conversation's level: which tools are used, and which conversation it is."""

from astrbot.api.event import AstrMessageEvent

from ..domain.chat import Chat
from ..manager import LTMManager
from ..service import Service
from . import events
from .conversations import Conversations

MAX_MISSED = 1_000
"""Uses of tools that are remembered while there is no memory to tell them to."""


class HostLevels:
    """Tells memory which tools are used where, before they answer."""

    def __init__(self, service: Service, conversations: Conversations) -> None:
        self._service = service
        self._conversations = conversations
        self._missed = dict[tuple[Chat, str], None]()

    async def using_tool(self, event: AstrMessageEvent, tool: object) -> None:
        """Raise the level of the conversation if this tool does that, before it runs.

        That goes for runs which nobody asked for, too: what their tools find stays in the conversation.
        """
        name, manager = str(getattr(tool, "name", "") or ""), self._service.active
        try:
            if manager is None:
                await self._miss(event, name)
                return
            if self._missed:
                await self.catch_up(manager)
            level = manager.levels.of_tool(name)
            if level is None:
                return
            events.note_raised(event, level)
            await self._conversations.note(event)
            await manager.levels.used(events.chat_of(event), name)
        except Exception as error:  # noqa: BLE001  memory may fail, the chat may not
            self._service.failed("using_tool", error)

    async def note(self, event: AstrMessageEvent) -> None:
        """Find out the conversation of an event that has no request, where that makes a difference.

        Raises TimeoutError: what cannot be told must not pass for a conversation that is less confidential.
        """
        manager = self._service.active
        if manager is not None and manager.levels.differ_in(event.unified_msg_origin):
            await self._conversations.note(event)

    async def catch_up(self, manager: LTMManager) -> None:
        """Tell a memory that comes up which tools were used while there was none."""
        missed, self._missed = self._missed, dict[tuple[Chat, str], None]()
        for chat, tool in missed:
            try:
                await manager.levels.used(chat, tool)
            except Exception as error:  # noqa: BLE001  memory comes up all the same, and the rest is told
                self._service.failed("using_tool", error)

    async def _miss(self, event: AstrMessageEvent, tool: str) -> None:
        await self._conversations.note(event)
        self._missed[events.chat_of(event), tool] = None
        if len(self._missed) > MAX_MISSED:
            del self._missed[next(iter(self._missed))]
