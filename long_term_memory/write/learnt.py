"""What was learnt about people since they were answered last, to be told in a line of the next reply."""

from collections.abc import Iterable, Sequence

from ..domain.chat import ScopeRef
from ..domain.memory import Item
from ..domain.words import Scope, Status

MOST_PEOPLE = 1_000
MOST_EACH = 5
"""Memories that wait to be told to one person: of more the newest."""
_MODE = "mode"


class Learnt:
    """Ids of what was learnt of each person about themselves: in memory alone, gone with a restart."""

    def __init__(self) -> None:
        self._ids = dict[ScopeRef, list[str]]()

    def note(self, items: Iterable[Item]) -> None:
        """That these were learnt a moment ago; what is about others or doubtful is passed over."""
        for item in items:
            kept = item.status is Status.ACTIVE or item.reason == _MODE
            if kept and item.owner.scope is Scope.USER and not item.person:
                ids = [*self._ids.pop(item.owner, ()), item.memory_id]
                self._ids[item.owner] = ids[-MOST_EACH:]
        while len(self._ids) > MOST_PEOPLE:
            del self._ids[next(iter(self._ids))]

    def of(self, owners: Sequence[ScopeRef]) -> list[str]:
        """What these have not been told yet, oldest first."""
        return [memory_id for owner in owners for memory_id in self._ids.get(owner, ())]

    def told(self, items: Iterable[Item]) -> None:
        """That these need no telling any more."""
        for item in items:
            ids = [each for each in self._ids.pop(item.owner, ()) if each != item.memory_id]
            if ids:
                self._ids[item.owner] = ids
