"""Forgetting one memory of one's own, by its id or its words, and taking that back for a while."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from ..domain.chat import Access, Chat
from ..domain.errors import NotFoundError, RefusedError
from ..domain.memory import Item
from ..domain.words import LIVE_STATUSES, Status
from ..messages import Messages, locale_of
from ..storage.store import StoreTransaction
from ..write.transitions import Decision, answers_beside, holder_of, put
from .components import Components, forgotten
from .own_memories import OwnMemories

UNDO_FOR = timedelta(minutes=10)
MAX_STEPS = 10
"""So many things that one person has forgotten in one chat can be taken back, the last first."""
MAX_NEWS = 5
"""Memories of one line."""
MAX_RECENT = 1_000
"""People in chats whose last moments are known; the one of longest ago gives way."""
TAKEN = "taken: another memory answers the same question"


class Recent[T]:
    """What concerns the last moments of each person in each chat, made by `new`; it ends with a restart."""

    def __init__(self, new: Callable[[], T]) -> None:
        self._of = lru_cache(MAX_RECENT)(lambda *_: new())

    def __getitem__(self, chat: Chat) -> T:
        """What the speaker has here."""
        return self._of(chat.umo, chat.platform_id, chat.sender_id)


@dataclass(frozen=True, kw_only=True)
class _Step:
    """What is undone at once: of each fact all its levels, the one that was named first."""

    at: datetime
    forgotten: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    """How each item that was forgotten stood, by its id; none of its words."""
    learnt: tuple[str, ...] = ()
    """Ids of what the person was told was learnt."""


class Forgetting(OwnMemories):
    """By the person alone, in the chats that may show the memory."""

    def __init__(self, components: Components) -> None:
        super().__init__(components)
        self._steps = Recent[deque[_Step]](lambda: deque(maxlen=MAX_STEPS))

    async def own_item(self, chat: Chat, short_id: str) -> Item:
        """The one whose id begins like this, of whatever persona. Raises NotFoundError, AmbiguousError."""
        return await self._own_item(await self._every_persona(chat), short_id)

    async def forget(self, chat: Chat, short_id: str) -> Item:
        """Delete one with all its versions. Raises NotFoundError, AmbiguousError, RefusedError."""
        access = await self._every_persona(chat)
        item = await self._own_item(access, short_id)
        gone = await self._forget(chat, access, [item])
        if not gone:
            raise NotFoundError("no such memory")
        return next((one for one in gone if one.memory_id == item.memory_id), item)

    async def learnt_notice(self, chat: Chat, text: str) -> str:
        """A line about what was learnt of the speaker since the last reply, if anything."""
        access, learnt = self._access(chat), self._components.learnt
        ids = [memory_id for memory_id, owner in learnt.items() if owner in access.own][:MAX_NEWS]
        if not ids or await self._paused_by(chat):
            return ""
        found = await self._store.memories.own_by_id(ids, access.own, access)
        for memory_id in found:
            learnt.pop(memory_id, None)
        news = [item for each in ids if (item := found.get(each)) and _is_news(item)]
        if not news:
            return ""
        step = _Step(at=self._clock(), learnt=tuple(item.memory_id for item in news))
        self._steps[chat].append(step)
        facts = "; ".join(item.fact for item in news)
        key = "noted.used" if any(item.status is Status.ACTIVE for item in news) else "noted.waits"
        return Messages(locale_of(f"{text} {facts}")).text(key, facts=facts)

    async def undo(self, chat: Chat) -> tuple[Sequence[Item], bool]:
        """Take back what came last in this chat; returns of what, nothing when there is none.

        What the speaker has forgotten comes back as it was. What they were told was learnt is forgotten,
        which the second value says.
        Raises RefusedError (`taken`) when another memory has its place by now, and while read-only.
        """
        access, steps = await self._every_persona(chat), self._steps[chat]
        decision = self._decision(access.owner.scope_id)
        step = steps[-1] if steps and steps[-1].at + UNDO_FOR > decision.now else None
        ids = [*step.learnt, *step.forgotten] if step else []
        shown = await self._store.memories.own_by_id(ids, access.own, access)
        if step is None or not shown or (step.forgotten and len(shown) < len(ids)):
            return (), False
        if step.learnt:
            steps.remove(step)
            live = [one for each in ids if (one := shown.get(each)) and one.status in LIVE_STATUSES]
            gone = await self._forget(chat, access, live)
            return [one for one in gone if one.memory_id in shown], True
        async with self._store.transaction() as tx:
            back = [await _restored(tx, *one, step.at, decision) for one in step.forgotten.items()]
        steps.remove(step)
        self._components.embedding.notify()
        return [one for one in back if one], False

    async def _forget(self, chat: Chat, access: Access, items: Sequence[Item]) -> Sequence[Item]:
        """Delete these with all their versions, as one step of undoing; what is deleted by that."""
        versions = {item.memory_id: item for item in items}
        for item in items:
            found = await self._store.memories.own_versions(item, access)
            versions |= {one.memory_id: one for one in found}
        decision = self._decision(access.owner.scope_id)
        async with self._store.transaction() as tx:
            gone = [one for item in versions.values() if (one := await forgotten(tx, item, decision))]
        before = {one.memory_id: _state(versions[one.memory_id]) for one in gone}
        if before:
            self._steps[chat].append(_Step(at=decision.now, forgotten=before))
        return gone


def _is_news(item: Item) -> bool:
    """Whether it is about its owner and in no doubt."""
    return not item.person and (item.status is Status.ACTIVE or item.reason == "mode")


def _state(item: Item) -> Mapping[str, Any]:
    return {name: getattr(item, name) for name in ("status", "reason", "updated_at", "deleted_at")}


async def _restored(
    tx: StoreTransaction, memory_id: str, before: Mapping[str, Any], at: datetime, decision: Decision
) -> Item | None:
    """The item as it was; None when it has changed since it was forgotten."""
    current = await tx.get_item(memory_id)
    if current is None or (current.status, current.deleted_at) != (Status.DELETED, at):
        return None
    back = replace(current, **before)
    rivals = await answers_beside(tx, back) if back.status is Status.ACTIVE else []
    if rivals or await holder_of(tx, back):
        raise RefusedError(TAKEN)
    return await put(tx, current, back, decision, "undo")
