"""What was learnt about people since they were answered last, to be told in a line of the next reply."""

from collections.abc import Iterable, Sequence

from ..domain.chat import ScopeRef
from ..domain.memory import Item
from ..domain.words import Scope, Status

MOST = 1_000
"""Memories of all people together; the oldest goes untold."""
MOST_AT_ONCE = 5


class Learnt:
    """Ids of what was learnt of each person about themselves: in memory alone, gone with a restart."""

    def __init__(self) -> None:
        self._owners = dict[str, ScopeRef]()

    def note(self, items: Iterable[Item]) -> None:
        """That these were learnt a moment ago; what is about others or doubtful is passed over."""
        for item in items:
            kept = item.status is Status.ACTIVE or item.reason == "mode"
            if kept and item.owner.scope is Scope.USER and not item.person:
                self._owners[item.memory_id] = item.owner
        while len(self._owners) > MOST:
            del self._owners[next(iter(self._owners))]

    def of(self, owners: Sequence[ScopeRef]) -> list[str]:
        """What these have not been told yet, oldest first, and not too much at once."""
        return [memory_id for memory_id, owner in self._owners.items() if owner in owners][:MOST_AT_ONCE]

    def told(self, memory_ids: Iterable[str]) -> None:
        """That these need no telling any more."""
        for memory_id in memory_ids:
            self._owners.pop(memory_id, None)
