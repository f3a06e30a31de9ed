"""A line in a reply about what was learnt of the person it answers."""

from ..domain.chat import Chat
from ..domain.words import Status
from ..messages import Messages, locale_of
from .forgetting import Forgetting
from .parts import Parts
from .pausing import Pausing

MAX_AT_ONCE = 5
_KEPT = frozenset({Status.ACTIVE, Status.SHADOW, Status.PENDING})


class Noticing:
    """Tells each person once what was learnt about them, where the chat may show it."""

    def __init__(self, parts: Parts, pausing: Pausing, forgetting: Forgetting) -> None:
        self._parts = parts
        self._pausing = pausing
        self._forgetting = forgetting

    async def line(self, chat: Chat, text: str) -> str:
        """What was learnt since the last reply, in the language of the message; `undo` takes it away.

        Empty when nothing was, which is known without asking the store, or nothing that this chat may show.
        """
        access = self._parts.people.access(chat)
        learnt = self._parts.learnt
        ids = [memory_id for memory_id, owner in learnt.items() if owner in access.own][:MAX_AT_ONCE]
        if not ids or await self._pausing.holds(chat):
            return ""
        found = await self._parts.store.memories.own_by_id(ids, access.own, access)
        for memory_id in found:
            learnt.pop(memory_id, None)
        news = [item for each in ids if (item := found.get(each)) and item.status in _KEPT]
        if not news:
            return ""
        self._forgetting.offer(chat, news)
        facts = "; ".join(item.fact for item in news)
        used = any(item.status is Status.ACTIVE for item in news)
        return Messages(locale_of(f"{text} {facts}")).text(
            "noted.used" if used else "noted.waits", facts=facts
        )
