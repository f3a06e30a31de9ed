"""The last things that people may take back: what they forgot, and what was noted for them."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from ..domain.chat import Chat
from ..domain.memory import Item

UNDO_FOR = timedelta(minutes=10)
MAX_STEPS = 10
"""So many things of one person in one chat can be taken back, the last first."""
MAX_RECENT = 1_000
"""People in chats whose last moments are known; the one of longest ago gives way."""


class Recent[T]:
    """What concerns the last moments of each person in each chat, made by `new`; it ends with a restart."""

    def __init__(self, new: Callable[[], T]) -> None:
        self._of = lru_cache(MAX_RECENT)(lambda *_: new())

    def __getitem__(self, chat: Chat) -> T:
        """What the speaker has here."""
        return self._of(chat.umo, chat.platform_id, chat.sender_id)


@dataclass(frozen=True, kw_only=True)
class Step:
    """What is undone at once: of each fact all its levels, the one that was named first."""

    at: datetime
    since: datetime
    """When the store was written for it first: what was replaced before that stays so."""
    forgotten: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    """How each item that was forgotten stood, by its id; none of its words."""
    noted: tuple[str, ...] = ()
    """Ids of what the person asked to remember, or was told was learnt."""
    message: tuple[datetime, str] | None = None
    """The message that asked for it: the model's tool and the rules may both note something of it."""


class UndoLog:
    """The steps of each person in each chat."""

    def __init__(self) -> None:
        self._steps = Recent[deque[Step]](lambda: deque(maxlen=MAX_STEPS))

    def forgot(self, chat: Chat, items: Iterable[Item], *, at: datetime) -> None:
        """Note how these stood before they were forgotten."""
        if before := {one.memory_id: _state(one) for one in items}:
            self._steps[chat].append(Step(at=at, since=at, forgotten=before))

    def noted(
        self, chat: Chat, items: Sequence[Item], *, at: datetime, message: tuple[datetime, str] | None = None
    ) -> None:
        """Note that these were noted; those of one message are one step."""
        ids, steps = tuple(item.memory_id for item in items), self._steps[chat]
        if message and steps and steps[-1].message == message:
            steps[-1] = replace(steps[-1], at=at, noted=(*steps[-1].noted, *ids))
        elif ids:
            since = min(item.updated_at for item in items)
            steps.append(Step(at=at, since=since, noted=ids, message=message))

    def last(self, chat: Chat, now: datetime) -> Step | None:
        """The last step that may still be undone."""
        steps = self._steps[chat]
        return steps[-1] if steps and steps[-1].at + UNDO_FOR > now else None

    def drop(self, chat: Chat, step: Step) -> None:
        """It is undone."""
        self._steps[chat].remove(step)


def _state(item: Item) -> Mapping[str, Any]:
    return {name: getattr(item, name) for name in ("status", "reason", "updated_at", "deleted_at")}
