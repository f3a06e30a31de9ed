"""Which of the web chat's projects a chat belongs to, as the host's database has it."""

# pyright: reportUnknownMemberType=false
# AstrBot's own signatures are only partly typed.

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from astrbot.api.event import AstrMessageEvent
from astrbot.core.db.sqlite import SQLiteDatabase

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

WEB_CHAT = "webchat"
"""The platform type of the dashboard's chat."""
PATIENCE = timedelta(milliseconds=100)
"""How long a message may wait for the host's database."""
LIFE = timedelta(seconds=10)
"""How long an answer is taken for true; a chat that moves to a project is in it after so long."""
MAX_KNOWN = 1_000
"""Chats whose answer is kept at a time."""


@dataclass(frozen=True, kw_only=True)
class _Known:
    project_id: str
    until: float


class Projects:
    """Asks at most once in `LIFE` for each chat."""

    def __init__(
        self, database: SQLiteDatabase, now: Callable[[], float], *, patience: timedelta = PATIENCE
    ) -> None:
        """`now` gives seconds that never run back; `patience` is how long to wait for an answer."""
        # A host from before there were projects cannot be asked.
        self._ask = getattr(database, "get_project_by_session", None)
        self._now = now
        self._patience = patience.total_seconds()
        self._known: OrderedDict[str, _Known] = OrderedDict()

    async def of(self, event: AstrMessageEvent) -> str:
        """The project's id; empty outside one, and where it cannot be found out. Never raises."""
        creator = str(event.get_sender_id() or "")
        session = event.session_id.removeprefix(f"{WEB_CHAT}!{creator}!")
        if event.get_platform_name() != WEB_CHAT or session == event.session_id:
            return ""
        now = self._now()
        known = self._known.get(event.session_id)
        if known is None or known.until <= now:
            found = await self._asked(session, creator, before=known.project_id if known else "")
            known = _Known(project_id=found, until=now + LIFE.total_seconds())
            self._keep(event.session_id, known)
        return known.project_id

    async def _asked(self, session: str, creator: str, *, before: str) -> str:
        if self._ask is None:
            return ""
        try:
            async with asyncio.timeout(self._patience):
                project: object = await self._ask(session_id=session, creator=creator)
        except Exception as error:  # noqa: BLE001  whatever the host's database says, the chat goes on
            logger.warning("It is unknown to which project a chat belongs: %s", type(error).__name__)
            return before
        return str(getattr(project, "project_id", "") or "")

    def _keep(self, session: str, known: _Known) -> None:
        self._known[session] = known
        self._known.move_to_end(session)
        while len(self._known) > MAX_KNOWN:
            self._known.popitem(last=False)
