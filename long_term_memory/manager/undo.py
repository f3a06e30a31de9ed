"""What a change is taken back by, and the last things that people may take back."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache, partial
from typing import Any

from ..domain.chat import Chat, ScopeRef
from ..domain.memory import Item
from ..domain.words import LIVE_STATUSES, Audience, Status
from ..policies.succession import left, status_rank
from ..storage.store import StoreTransaction
from ..write.rivals import answers_beside, holder_of
from ..write.transitions import Decision, put

CHANGED = "changed_since"
"""Somebody has changed it, or what left for it, after the change."""
TAKEN = "taken"
"""Another memory has its place by now."""
WITHDRAWN = "import_undone"
"""It, its earlier text, or what left for it would come back after the undo of the import that brought it."""
UNDO_FOR = timedelta(minutes=10)
MAX_STEPS = 10
"""So many things of one person can be taken back, the last first."""
MAX_RECENT = 1_000
"""People in chats whose last moments are known; the one of longest ago gives way."""


@dataclass(frozen=True, kw_only=True)
class PriorState:
    """How a memory stood before a change, as far as the change touched it."""

    memory_id: str
    at: datetime
    """Its `updated_at` after the change."""
    before: Mapping[str, Any]


type PriorStates = Sequence[PriorState]
"""The memories that one decision changed, in this order."""


def prior_states(updates: Iterable[tuple[Item, Item]]) -> PriorStates:
    """How each memory stood before the first of its updates; an update is the item before and after."""
    first, last = dict[str, Item](), dict[str, Item]()
    for before, after in updates:
        first.setdefault(before.memory_id, before)
        last[after.memory_id] = after
    return [
        PriorState(
            memory_id=memory_id,
            at=last[memory_id].updated_at,
            before={k: was for k, was in vars(before).items() if was != getattr(last[memory_id], k)},
        )
        for memory_id, before in first.items()
    ]


async def put_back(
    tx: StoreTransaction, prior: PriorStates, decision: Decision, *, leaving: Collection[str] = ()
) -> str | tuple[Item, Item]:
    """Put the memories of one change back as they were; or say why not, and change nothing.

    Where another memory has the place of one by now, that is these two; answers that are `leaving` have none.
    """
    changed = {one.memory_id for one in prior}
    back: list[tuple[Item, Item]] = []
    for one in reversed(prior):
        now = await tx.get_item(one.memory_id)
        if now is None or now.updated_at != one.at:
            return CHANGED
        earlier = replace(now, **one.before)
        back_in_use = status_rank(earlier.status) > status_rank(now.status) or "fact" in one.before
        if back_in_use and await tx.withdrawn(now.memory_id):
            return WITHDRAWN
        is_unshared = "audience" in one.before and now.audience is Audience.EVERYWHERE
        holder = await holder_of(tx, earlier) if earlier.status in LIVE_STATUSES else None
        answers = await answers_beside(tx, earlier) if earlier.status is Status.ACTIVE else []
        answers = [one for one in answers if one.memory_id not in leaving]
        others = [one for one in (holder, *answers) if one and one.memory_id not in changed]
        if others and not is_unshared:
            return now, others[0]
        if is_unshared and holder:  # told again: one of both stays, as by `unshare`
            over = partial(left, status=Status.SUPERSEDED, why="superseded", now=decision.now)
            if 0 < status_rank(holder.status) < status_rank(earlier.status):
                back.append((holder, over(holder, by=earlier.memory_id)))
            else:
                earlier = over(earlier, by=holder.memory_id)
        back.append((now, earlier))
    for now, earlier in back:
        await put(tx, now, earlier, decision, "undo")
    return ""


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
    changed: Mapping[str, PriorStates] = field(default_factory=dict[str, PriorStates])
    """What the person has forgotten, accepted, shared or unshared: by each id, what changed with it."""
    noted: tuple[str, ...] = ()
    """Ids of what the person asked to remember, or was told was learnt."""
    message: object = None
    """The message that asked for it: the model's tool and the rules may both note something of it."""
    undid: "Step | None" = None
    """What this one took back: once this is undone, that can be undone again."""
    switched: str = ""
    """`pause` or `resume`, where the speaker did that."""

    @property
    def states(self) -> PriorStates:
        """How all that it changed stood before."""
        return [one for prior in self.changed.values() for one in prior]

    @property
    def ids(self) -> set[str]:
        """All memories that it is about."""
        return {*self.noted, *self.changed, *(one.memory_id for one in self.states)}

    @property
    def is_sharing(self) -> bool:
        """Whether it shared or unshared."""
        return any("audience" in one.before for one in self.states)


class UndoLog:
    """The steps of each person, in whatever chat and from whichever of their linked accounts."""

    def __init__(self, scopes: Callable[[Chat], Sequence[ScopeRef]]) -> None:
        """`scopes` are those of the speaker's accounts, the one that is written to first."""
        self._scopes = scopes
        self._steps = lru_cache(MAX_RECENT)(lambda *_: deque[Step](maxlen=MAX_STEPS))

    def changed(
        self, chat: Chat, prior: Mapping[str, PriorStates], *, at: datetime, message: object = None
    ) -> None:
        """Note that these were changed; those of one message are one step."""
        steps = self._of(chat)
        if message and steps and steps[-1].message == message:
            steps[-1] = replace(steps[-1], at=at, changed={**steps[-1].changed, **prior})
        elif prior:
            steps.append(Step(at=at, since=at, changed=prior, message=message))

    def join(self, chat: Chat, noted: Item) -> None:
        """Let the last step and the one before it, in which this was noted, be one."""
        steps = self._of(chat)
        if len(steps) > 1 and noted.memory_id in steps[-2].noted:
            last = steps.pop()
            steps[-1] = replace(steps[-1], at=last.at, changed=last.changed)

    def noted(self, chat: Chat, items: Sequence[Item], *, at: datetime, message: object = None) -> None:
        """Note that these were noted; those of one message are one step."""
        ids, steps = tuple(item.memory_id for item in items), self._of(chat)
        if message and steps and steps[-1].message == message:
            steps[-1] = replace(steps[-1], at=at, noted=(*steps[-1].noted, *ids))
        elif ids:
            since = min(item.updated_at for item in items)
            steps.append(Step(at=at, since=since, noted=ids, message=message))

    def recent(self, chat: Chat, now: datetime) -> Sequence[Step]:
        """The steps that may still be undone, the last first."""
        return [step for step in reversed(self._of(chat)) if step.at + UNDO_FOR > now]

    def switched(self, chat: Chat, switch: str, *, at: datetime) -> None:
        """Note that the speaker did this: `pause` or `resume`."""
        self._of(chat).append(Step(at=at, since=at, switched=switch))

    def undid(self, chat: Chat, step: Step) -> None:
        """Let the last step be what took this one back."""
        self._of(chat).append(replace(self._of(chat).pop(), undid=step))

    def drop(self, chat: Chat, step: Step, *, again: Step | None = None) -> None:
        """It is undone; `again`: what can be undone instead."""
        with suppress(ValueError):  # by another message at the same time
            self._of(chat).remove(step)
            if again:
                self._of(chat).append(replace(again, at=step.at))

    def clear(self, chat: Chat) -> None:
        """Nothing of the speaker's can be undone any more."""
        self._of(chat).clear()

    def _of(self, chat: Chat) -> deque[Step]:
        return self._steps(self._scopes(chat)[0])
