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
PATIENCE = timedelta(seconds=1)
"""How long a message may wait for the host's database: without an answer what is a project's would be kept
for the person alone."""
LIFE = timedelta(seconds=10)
"""How long an answer is taken for true; a chat that moves to a project is in it after so long."""
MAX_KNOWN = 1_000
"""Chats whose answer is kept at a time."""


@dataclass(frozen=True, kw_only=True)
class _Known:
    project_id: str
    until: float


class Projects:
    """Asks for each chat until the host answers, and then at most once in `LIFE`."""

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
        known = self._known.get(event.session_id)
        if known is not None and self._now() < known.until:
            return known.project_id
        found = await self._asked(session, creator)
        if found is None:  # asked anew the next time
            return known.project_id if known else ""
        self._keep(event.session_id, _Known(project_id=found, until=self._now() + LIFE.total_seconds()))
        return found

    async def _asked(self, session: str, creator: str) -> str | None:
        """What the host says; None when it says nothing."""
        if self._ask is None:
            return ""
        try:
            async with asyncio.timeout(self._patience):
                project: object = await self._ask(session_id=session, creator=creator)
        except Exception as error:  # noqa: BLE001  whatever the host's database says, the chat goes on
            logger.warning("It is unknown to which project a chat belongs: %s", type(error).__name__)
            return None
        return str(getattr(project, "project_id", "") or "")

    def _keep(self, session: str, known: _Known) -> None:
        self._known[session] = known
        self._known.move_to_end(session)
        while len(self._known) > MAX_KNOWN:
            self._known.popitem(last=False)
