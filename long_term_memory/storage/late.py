"""What was said before somebody was erased and comes to be written only afterwards (design 9.6)."""

from collections import deque
from datetime import datetime

from ..access.persons import Person
from ..domain.chat import ScopeRef

MAX_KEPT = 1_000
"""Erased persons that are known at a time: what is late is minutes late at most."""


class ErasedPersons:
    """Lives as long as the process: a restart has nothing late in memory."""

    def __init__(self) -> None:
        self._kept = deque[tuple[Person, datetime]](maxlen=MAX_KEPT)
        self.times = 0
        """How often somebody was erased."""

    def add(self, person: Person, at: datetime) -> None:
        """All they said before is to be forgotten."""
        self._kept.append((person, at))
        self.times += 1

    def take_back(self, person: Person, at: datetime) -> None:
        """They were not erased after all."""
        self._kept.remove((person, at))
        self.times -= 1

    def includes_sender(self, platform_id: str, sender_id: str, at: datetime) -> bool:
        """Whether what this account said until then is erased."""
        account = platform_id, sender_id
        return any(at < erased_at and account in person.senders for person, erased_at in self._kept)

    def includes(self, owner: ScopeRef, at: datetime) -> bool:
        """Whether what this person said or asked then is erased."""
        return any(at < erased_at and person.owns(owner) for person, erased_at in self._kept)
