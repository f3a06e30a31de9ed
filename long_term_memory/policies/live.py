"""The policies in force now: an operator changes them while everything runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..domain.words import MemoryType, Mode
from .read_policy import MemoryReadPolicy
from .write_policy import MemoryWritePolicy

type Setting = bool | int | float | str | list[str]
"""The value of one setting, as JSON holds it."""
type PoliciesJson = Mapping[str, Mapping[str, Setting]]
"""`write` and `read`, each setting by its name."""


@dataclass(frozen=True, kw_only=True)
class Policies:
    """Both together: what is put on record and taken back as one."""

    write: MemoryWritePolicy = field(default_factory=MemoryWritePolicy)
    read: MemoryReadPolicy = field(default_factory=MemoryReadPolicy)

    def in_mode(self, mode: Mode) -> "Policies":
        """The same with automatic writing in this mode."""
        return replace(self, write=replace(self.write, mode=mode))

    def as_json(self) -> dict[str, dict[str, Setting]]:
        """By the names of the settings."""
        both: tuple[tuple[str, object], ...] = (("write", self.write), ("read", self.read))
        return {name: {of: _plain(value) for of, value in vars(policy).items()} for name, policy in both}


def _plain(value: float | Mode | frozenset[MemoryType]) -> Setting:
    if isinstance(value, frozenset):
        return sorted(kind.value for kind in value)
    return value.value if isinstance(value, Mode) else value


class LivePolicies:
    """Asked at each use, so that a change counts from the next statement on."""

    def __init__(self, write: MemoryWritePolicy, read: MemoryReadPolicy) -> None:
        self.both = Policies(write=write, read=read)
        """What is in force."""

    def write(self) -> MemoryWritePolicy:
        """What automatic writing may keep."""
        return self.both.write

    def read(self) -> MemoryReadPolicy:
        """What a request may carry."""
        return self.both.read
