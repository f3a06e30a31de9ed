"""Recording: what people say reaches the store without keeping anybody waiting for long."""

from collections import Counter, deque
from collections.abc import Mapping
from datetime import timedelta
from functools import partial

from ..access.identity import group_scope
from ..domain.chat import Access, Chat, ToolUse, Turn
from .parts import Parts
from .pausing import Pausing

RECORD_DEADLINE = timedelta(seconds=1)
"""How long a reply may wait for its turn to be durable while the store is busy."""
MAX_OVERHEARD_AT_ONCE = 50
"""Messages being written at once; of a flood beyond that, what nobody said to the bot is passed over."""
MAX_RECALLED = 200
"""Messages recalled last whose turn may not be over yet: it is not recorded then."""


class Recording:
    """The ways in. While the store is read-only none of them does anything."""

    def __init__(self, parts: Parts, pausing: Pausing) -> None:
        self._parts = parts
        self._pausing = pausing
        self._settings = parts.settings
        self._failures = Counter[str]()
        self._recalled = deque[tuple[str, str]](maxlen=MAX_RECALLED)

    def listens_to(self, chat: Chat) -> bool:
        """Whether this is a group in which everything said is recorded."""
        group = group_scope(chat)
        return group is not None and self._settings.groups.listens_to(chat.group_id, group.scope_id)

    async def turn(self, turn: Turn) -> None:
        """Keep a completed exchange; durable on return unless the store keeps it waiting for long."""
        if not self._parts.store.read_only:
            record = partial(self._record, turn, self._access(turn.chat))
            await self._parts.scheduler.within("record_turn", RECORD_DEADLINE, record)

    async def tool_use(self, use: ToolUse) -> None:
        """Keep what a tool answered, as `turn`."""
        if not self._parts.store.read_only:
            record = partial(self._parts.writer.record_tool, use, self._access(use.chat))
            await self._parts.scheduler.within("record_tool_result", RECORD_DEADLINE, record)

    async def heard(self, turn: Turn, *, addressed: bool) -> None:
        """Keep what somebody just said, before anything is answered; the writing goes on after the return.

        `addressed` are words to the bot: their turn may be recorded again when it is complete.
        """
        if self._parts.store.read_only:
            return
        if not addressed and self._parts.scheduler.late >= MAX_OVERHEARD_AT_ONCE:
            self._failures["listen"] += 1
            return
        record = partial(self._record, turn, self._access(turn.chat), overheard=not addressed)
        await self._parts.scheduler.within("listen", timedelta(0), record)

    async def retract_message(self, chat: Chat, message_id: str) -> None:
        """Drop the turn of a message that was recalled in this chat, and what rests on it alone."""
        self._recalled.append((chat.umo, message_id))
        if not self._parts.store.read_only:
            retract = partial(self._retract, chat.umo, message_id)
            await self._parts.scheduler.within("listen", timedelta(0), retract)

    @property
    def failures(self) -> Mapping[str, int]:
        """How many messages were passed over in a flood, as the failures of a hook."""
        return dict(self._failures)

    async def _retract(self, umo: str, message_id: str) -> None:
        await self._parts.recall_log.settle()
        async with self._parts.store.transaction() as transaction:
            if turn := await transaction.of_message(umo, message_id):
                await transaction.retract(turn, actor="system", reason="message_recalled")

    async def _record(self, turn: Turn, access: Access, *, overheard: bool = False) -> None:
        if (turn.chat.umo, turn.message_id) in self._recalled:
            return
        turn = await self._pausing.unquoted(turn)
        await self._parts.writer.record(turn, access, overheard=overheard)
        self._parts.worker.notify()
        self._parts.embedding.notify()

    def _access(self, chat: Chat) -> Access:
        return self._parts.people.access(chat)
