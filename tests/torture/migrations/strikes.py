"""What strikes at an upgrade: one blow each, by its number."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self


class Blow(StrEnum):
    """What happens; `at` counts from 1."""

    KILL_AT_STATEMENT = "kill at a statement"
    """Before the statement of this number; after all when there are fewer."""
    KILL_AT_INSTRUCTION = "kill at an instruction"
    """Inside a statement: SQLite's machine has done so many instructions."""
    KILL_AT_WRITE = "kill at a write"
    """When a file would grow beyond so many pages: in the middle of a commit, or of what follows it."""
    FAIL_AT_WRITE = "no room for a write"
    """The same, but the write fails."""
    FULL = "the disk is full"
    """When the database would grow by so many pages."""
    BUSY = "the database is locked"
    """At the statement of this number."""
    BROKEN = "the disk does not answer"
    """At the statement of this number."""


KILLS = frozenset({Blow.KILL_AT_STATEMENT, Blow.KILL_AT_INSTRUCTION, Blow.KILL_AT_WRITE})


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

    killed: bool
    error: str
    """The name of the error and what it says; empty when there was none."""
    statements: int
    """How many there were; 0 when it was killed."""
    instructions: int
