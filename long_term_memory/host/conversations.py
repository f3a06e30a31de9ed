"""Which conversation a chat is in, and which conversations the host has no more."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

import asyncio
from collections.abc import Collection, Sequence
from datetime import timedelta

from astrbot.api.event import AstrMessageEvent
from astrbot.api.star import Context
from astrbot.core.db import BaseDatabase
from astrbot.core.db.po import ConversationV2
from sqlmodel import col, select

from . import events

PATIENCE = timedelta(milliseconds=300)
"""How long a message may wait for the host's answer."""


class Conversations:
    """Asks the host. A request names its conversation itself; commands and what is only heard do not."""

    def __init__(self, context: Context, *, patience: timedelta = PATIENCE) -> None:
        """`patience` is how long to wait for an answer."""
        self._context = context
        self._patience = patience.total_seconds()

    async def note(self, event: AstrMessageEvent) -> None:
        """Note on an event that has no request yet in which conversation its chat is now, if in any.

        Raises TimeoutError: what cannot be told must not pass for a conversation that is less confidential.
        """
        if events.has_request(event):
            return
        async with asyncio.timeout(self._patience):
            manager = self._context.conversation_manager
            current = await manager.get_curr_conversation_id(event.unified_msg_origin)
        events.note_conversation(event, current or "")


async def gone(database: BaseDatabase, conversation_ids: Sequence[str]) -> Collection[str]:
    """Those of these conversations that the host does not have; raises when it cannot be asked."""
    own_id = col(ConversationV2.conversation_id)
    async with database.get_db() as session:
        rows = await session.execute(select(own_id).where(own_id.in_(conversation_ids)))
        there = set(rows.scalars())
    return set(conversation_ids) - there
