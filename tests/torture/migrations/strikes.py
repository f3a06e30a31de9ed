"""What strikes at an upgrade: one blow each, by its number."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from signal import Signals
from typing import Any, Self


class Blow(StrEnum):
    """What happens; `at` counts from 1."""

    KILL_AT_STATEMENT = "kill at a statement"
    """Before the statement of this number, as SQLite begins it."""
    KILL_AT_INSTRUCTION = "kill at an instruction"
    """Inside a statement: SQLite's machine has done so many instructions."""
    KILL_AT_WRITE = "kill at a write"
    """When a page of this number or a later one is written to a file: in a commit, or in what follows it."""
    FAIL_AT_WRITE = "no room for a write"
    """The same, but the write fails."""
    FULL = "the disk is full"
    """When the database would grow by so many pages."""
    BUSY = "the database is locked"
    """At the statement of this number, as it is asked for."""
    BROKEN = "the disk does not answer"
    """The same."""


KILLS: Mapping[Blow | None, Signals] = {
    Blow.KILL_AT_STATEMENT: Signals.SIGKILL,
    Blow.KILL_AT_INSTRUCTION: Signals.SIGKILL,
    Blow.KILL_AT_WRITE: Signals.SIGXFSZ,
}
"""What the process ends of."""


@dataclass(frozen=True, kw_only=True)
class Strike:
    """One blow at one upgrade."""

    blow: Blow | None = None
    """None lets it be."""
    at: int = 0
    upgrade: str = "real"
    """The name of one of `upgrades.UPGRADES`."""
    revisions: str = ""
    """The folder of revisions of another plugin version; empty for this one's."""

    def told(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)

    @classmethod
    def of(cls, told: dict[str, Any]) -> Self:
        """Back from JSON."""
        blow = told.pop("blow")
        return cls(blow=Blow(blow) if blow else None, **told)


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How the upgrade ended."""

    struck: bool
    """Whether the blow fell: an upgrade may be over before it is time."""
    error: str
    """The name of the error and what it says; empty when there was none, or the blow has killed it."""
    begun: int = 0
    """The statements that SQLite has begun; like what follows 0 when the process was killed."""
    asked: int = 0
    """The statements it was asked for, the commit among them."""
    instructions: int = 0
