"""How confidential each conversation has become by the tools that were used in it."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from datetime import timedelta
from itertools import batched

from ..access.gatekeeper import LevelRules
from ..domain.chat import Chat, ConversationId, ToolLevel
from ..domain.enums import Level
from ..domain.errors import RefusedError
from ..domain.time import Clock
from ..storage.session_levels import StoredSessionLevels
from ..upkeep.scheduler import Breathe, Scheduler

RAISE_DEADLINE = timedelta(seconds=1)
"""How long a tool may wait until its level is durable while the store is busy."""
BATCH_SIZE = 200

type Gone = Callable[[Sequence[str]], Awaitable[Collection[str]]]
"""Which of these conversation ids the host certainly has no more; raises when it cannot tell."""


class SessionLevels:
    """The level of each conversation, cached in memory and written to the store afterwards.

    It only rises, and it ends with its conversation: another one begins with nothing. What the store could
    not take holds all the same, and is written as soon as it can be.
    """

    def __init__(
        self, rules: LevelRules, store: StoredSessionLevels, scheduler: Scheduler, clock: Clock
    ) -> None:
        """The rules say which tools raise a conversation, and to what."""
        self._rules = rules
        self._store = store
        self._scheduler = scheduler
        self._clock = clock
        self._levels = dict[ConversationId, Level]()
        self._unsaved = dict[ConversationId, ToolLevel]()

    def of(self, chat: Chat) -> Level:
        """What the conversation was raised to; the lowest level when it was not, or is unknown."""
        return self._levels.get((chat.umo, chat.conversation_id), Level.PUBLIC)

    def differ_in(self, umo: str) -> bool:
        """Whether it makes a difference to the level which conversation of this chat it is."""
        return any(chat == umo for chat, _ in self._levels)

    def of_tool(self, tool: str) -> Level | None:
        """What using this tool raises a conversation to; None for most."""
        return self._rules.tools.get(tool)

    async def used(self, chat: Chat, tool: str) -> None:
        """Raise the conversation before this tool runs; durable on return unless the store is late."""
        level = self._rules.tools.get(tool, Level.PUBLIC)
        if chat.conversation_id and level > self.of(chat):
            where = chat.umo, chat.conversation_id
            self._levels[where] = level
            self._unsaved[where] = ToolLevel(
                umo=chat.umo, conversation_id=where[1], level=level, raised_by=tool, updated_at=self._clock()
            )
        if not self._unsaved or self._store.read_only:
            return
        with suppress(RefusedError):  # read-only: it is written when that is over
            await self._scheduler.run_with_deadline("raise_level", RAISE_DEADLINE, self.settle)

    def notify(self) -> None:
        """The store may be written again: have what it could not take written soon."""
        self._scheduler.begin_optional("raise_level", self.settle)

    async def load(self) -> None:
        """Take over what is stored. Raises UnavailableError."""
        for where, level in (await self._store.every()).items():
            self._levels[where] = max(level, self._levels.get(where, level))

    async def settle(self) -> None:
        """Write what is not written yet; nothing while the store is read-only. Raises UnavailableError."""
        for where, raised in list(self._unsaved.items()):
            if self._store.read_only:
                return
            await self._store.put(raised)
            if self._unsaved.get(where) is raised:
                del self._unsaved[where]

    def unknown_tools(self, knows: Callable[[str], bool]) -> Sequence[str]:
        """Tools of the rules that the host does not have now; perhaps they are misspelt."""
        return sorted(tool for tool in self._rules.tools if not knows(tool))

    async def forget_ended(self, gone: Gone, breathe: Breathe) -> None:
        """Forget the levels of conversations that the host has no more; never by their age."""
        await self.settle()
        for part in batched(list(self._levels), BATCH_SIZE):
            over = await gone([own_id for _, own_id in part])
            ended = [each for each in part if each[1] in over]
            await self._store.drop(ended)
            for where in ended:
                self._unsaved.pop(where, None)
                self._levels.pop(where, None)
            await breathe()
