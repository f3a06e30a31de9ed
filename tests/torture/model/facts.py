"""A fact as it should be remembered, and the words it rests on."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, MemoryType, Status

from tests.torture.model.people import account, level, place
from tests.torture.model.statements import Statement

LIFETIMES = {MemoryType.PREFERENCE: 90, MemoryType.TASK_STATE: 7, MemoryType.EPISODE: 30}
"""Days since somebody said it last; what is not here lasts."""


LIVE = (Status.ACTIVE, Status.PENDING, Status.DISABLED)
"""Neither over nor gone, as far as it comes to that here."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Said:
    """Words as they were recorded."""

    text: str
    what: Statement
    chat: Chat
    owner: str
    """The account that they are written to."""
    at: datetime

    @property
    def by(self) -> str:
        """Who said it."""
        return account(self.chat)

    @property
    def place(self) -> str:
        """The group; empty in private."""
        return place(self.chat)

    @property
    def groups(self) -> frozenset[str]:
        """The same as a set."""
        return frozenset({self.place} if self.place else ())

    @property
    def level(self) -> Level:
        """How confidential it was where it was said."""
        return level(self.chat)


@dataclass(kw_only=True, eq=False)
class Fact:
    """One line of somebody's list, and what has become of it."""

    owner: str
    """An account, or a group."""
    level: Level
    what: Statement
    type: MemoryType
    status: Status
    said: list[Said]
    in_doubt: bool = False
    """Whether it waits because its words do not bear it out, or no longer."""
    waited: bool = False
    """Whether it was not in use when it ended: brought back, it waits again."""
    used: bool = False
    became: "Fact | None" = None
    """Of an earlier wording: what it was reworded to."""
    stays: bool = False
    """Whether it lasts, although others of its type do not."""
    shared: bool = False
    ends: datetime | None = None
    took: list["Fact"] = field(default_factory=list["Fact"])
    """Whose place it took, or will take once it is used."""
    left_for: "Fact | None" = None

    @property
    def live(self) -> bool:
        """Whether it is neither over nor gone."""
        return self.status in LIVE

    @property
    def stands(self) -> bool:
        """Whether another fact may take its place."""
        return self.status in (Status.ACTIVE, Status.PENDING)

    @property
    def groups(self) -> frozenset[str]:
        """Where its words were said."""
        return frozenset(said.place for said in self.said if said.place)

    @property
    def last_said(self) -> datetime:
        """When its newest words were said."""
        return max(said.at for said in self.said)

    @property
    def of_group(self) -> bool:
        """Whether it is a group's, not a person's."""
        return ":GroupMessage:" in self.owner

    def covers(self, groups: frozenset[str]) -> bool:
        """Whether it is known in each of these groups."""
        return self.shared or self.of_group or groups <= self.groups

    def leave_for(self, other: "Fact") -> None:
        """It is the past, and the other what is so now."""
        self.end(Status.SUPERSEDED)
        self.left_for = other

    def end(self, status: Status) -> None:
        """It is out of use, in this way."""
        if self.stands:
            self.waited = self.status is Status.PENDING
        self.status = status

    def use(self, now: datetime) -> None:
        """Let it be used, for as long as facts of its type are."""
        self.status, self.in_doubt, self.left_for = Status.ACTIVE, False, None
        self.used = True
        self.last_until(now)

    def last_until(self, now: datetime) -> None:
        """Count its days from now."""
        days = None if self.stays else LIFETIMES.get(self.type)
        self.ends = now + timedelta(days=days) if days else None
