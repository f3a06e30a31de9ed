"""A line in a reply about what was learnt of the person it answers."""

from collections.abc import Sequence

from ..domain.chat import Chat
from ..domain.memory import Item
from ..domain.words import Status
from .forgetting import Forgetting
from .parts import Parts
from .pausing import Pausing

_KEPT = frozenset({Status.ACTIVE, Status.SHADOW, Status.PENDING})


class Noticing:
    """Tells each person once what was learnt about them, where the chat may show it."""

    def __init__(self, parts: Parts, pausing: Pausing, forgetting: Forgetting) -> None:
        self._parts = parts
        self._pausing = pausing
        self._forgetting = forgetting

    async def news(self, chat: Chat) -> Sequence[Item]:
        """What the speaker is to be told now; `undo` takes it away for a while.

        Where nothing was learnt that is known without asking the store.
        """
        access = self._parts.people.access(chat)
        ids = self._parts.learnt.of(access.own)
        if not ids or await self._pausing.holds(chat):
            return ()
        found = await self._parts.store.memories.own_by_id(ids, access.own, access)
        self._parts.learnt.told(found.values())
        news = [item for each in ids if (item := found.get(each)) and item.status in _KEPT]
        if news:
            self._forgetting.offer(chat, news)
        return news
