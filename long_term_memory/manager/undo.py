"""The last things that people may take back."""

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache, partial
from itertools import count
from typing import Literal

from ..domain.chat import Chat
from ..domain.time import Clock
from ..write.reverting import PriorStates
from ..write.tool_save import Saved
from .access_resolver import AccessResolver

UNDO_FOR = timedelta(minutes=10)
MAX_STEPS = 10
"""So many things of one account can be taken back, the last first."""
MAX_RECENT = 1_000
"""People whose last moments are known; the one of longest ago gives way."""


def recent[T](new: Callable[[], T]) -> Callable[..., T]:
    """What concerns the last moments of whoever is named, made by `new`; it ends with a restart."""
    return lru_cache(MAX_RECENT)(lambda *_: new())


type StepKind = Literal["note", "correct", "forget", "keep", "share", "unshare", "pause", "resume", "opt_out"]
"""`note`: asked to remember, or was told was learnt; `opt_out`: asked not to keep, for good."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """What is undone at once: of each fact all its levels, the one that was named first."""

    number: int
    """A later one has a higher one."""
    at: datetime
    umo: str
    kind: StepKind
    changed: Mapping[str, PriorStates]
    """How what it is about stood before, and by each id what changed with that; often nothing."""
    noted: frozenset[str]
    """Which of these were noted: they are forgotten."""
    message: object
    """What asked for it: the model's tool and the rules may both note something of one message."""

    @property
    def ids(self) -> Collection[str]:
        """All memories that it is about, or that changed with these."""
        return {*self.changed, *(one.memory_id for prior in self.changed.values() for one in prior)}

    @property
    def is_switch(self) -> bool:
        """Whether the speaker paused or resumed."""
        return self.kind in ("pause", "resume")


class UndoLog:
    """What each person did last, in whatever chat and from whichever of their linked accounts.

    One list, newest first: undoing takes the first off, and is no step itself.
    """

    def __init__(self, resolver: AccessResolver, clock: Clock) -> None:
        self._resolver = resolver
        self._clock = clock
        self._numbers = count(1)
        self._steps = recent(partial(deque[Step], maxlen=MAX_STEPS))

    def add(
        self, chat: Chat, kind: StepKind, changed: Mapping[str, PriorStates], *, message: object = None
    ) -> None:
        """The speaker did this; what one message caused is one step."""
        noted = frozenset(changed if kind in ("note", "correct") else ())
        at, umo, n = self._clock(), chat.umo, next(self._numbers)
        new = Step(number=n, at=at, umo=umo, kind=kind, changed=changed, noted=noted, message=message)
        for steps in self._of(chat):  # each of the accounts may be parted from the others
            if message and steps and (old := steps[-1]).message == message:
                steps[-1] = replace(old, at=at, changed={**old.changed, **changed}, noted=old.noted | noted)
            elif changed or new.is_switch or kind == "opt_out":
                steps.append(new)

    def saved(
        self, chat: Chat, saved: Saved, *, message: object, kind: StepKind = "note", is_read: bool = True
    ) -> None:
        """Record a save. `is_read`: a model reads the message too, so undo forgets the whole item."""
        memory_id = saved.item.memory_id
        others = [one for one in saved.changed if one.memory_id != memory_id]
        if others or not saved.known:
            self.add(chat, kind, {memory_id: others if is_read else saved.changed}, message=message)

    def recent(self, chat: Chat) -> Sequence[Step]:
        """The steps that may still be undone, the last first."""
        since = self._clock() - UNDO_FOR
        steps = {step.number: step for each in self._of(chat) for step in each if step.at > since}
        return [steps[number] for number in sorted(steps, reverse=True)]

    def drop(self, chat: Chat, step: Step) -> None:
        """It is undone."""
        for steps in self._of(chat):
            with suppress(ValueError):  # of another account, or undone by another message at the same time
                steps.remove(step)

    def clear(self, chat: Chat) -> None:
        """Nothing of the speaker's can be undone any more."""
        for steps in self._of(chat):
            steps.clear()

    def _of(self, chat: Chat) -> Sequence[deque[Step]]:
        return [self._steps(scope.scope_id) for scope in self._resolver.scopes(chat)]
