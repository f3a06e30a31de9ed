"""What may have become of each thing and each message, and what a store says of them."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum

from tests.torture.crashes.things import Call, Deed, Kind


class Fate(StrEnum):
    """What has become of a thing."""

    ABSENT = "absent"
    SAID = "said"
    """There is a message about it and no memory."""
    IN_USE = "in use"
    WAITING = "waiting"
    OVER = "over"
    """Its memory has expired or another took its place."""
    FORGOTTEN = "forgotten"


class Reach(StrEnum):
    """Where a memory may be told: its audience, and the level at which it stands."""

    KEPT = "chat INTERNAL"
    SHARED = "everywhere PUBLIC"


@dataclass(kw_only=True)
class Thing:
    """What may have become of one thing."""

    kind: Kind
    person: str
    in_group: bool
    at: float
    """When it was first told, in seconds of the loop."""
    may_be: AbstractSet[Fate]
    may_reach: AbstractSet[Reach] = frozenset({Reach.KEPT})
    """How far its memory may be told, where it has one."""
    forgotten_at: float = 0.0
    """When that began last, or a little sooner."""


@dataclass(kw_only=True)
class Message:
    """What may be there of one message."""

    call: Call
    may_be: AbstractSet[int]
    """How often: not at all, or once."""
    paused: AbstractSet[bool]
    """Whether its speaker is paused, as far as is known: both when that may change while it is recorded."""

    @property
    def roles(self) -> Sequence[str]:
        """Who speaks in it."""
        return {Deed.TURN: ("assistant", "user"), Deed.TOOL: ("tool",)}.get(self.call.deed, ("user",))


@dataclass(kw_only=True)
class Found:
    """What a store says."""

    fates: Mapping[str, Fate]
    doubled: Sequence[str]
    """What it says more than once."""
    messages: Mapping[str, Sequence[str]]
    """By their ids who speaks in them, in order."""
    reaches: Mapping[str, AbstractSet[str]] = field(default_factory=dict[str, AbstractSet[str]])
    """The audiences and levels of the memories of a thing, but those that are deleted."""
    paused: AbstractSet[str] = frozenset()
    """Of whom nothing is learnt for now."""
