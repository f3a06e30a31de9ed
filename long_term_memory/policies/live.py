"""The policies in force now: an operator changes them while everything runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from ..domain.words import Mode
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
        write, read = self.write, self.read
        return {
            "write": {
                "mode": write.mode.value,
                "min_confidence": write.min_confidence,
                "min_evidence_count": write.min_evidence_count,
                "allowed_types": sorted(kind.value for kind in write.allowed_types),
                "max_writes_per_session": write.max_writes_per_session,
                "max_writes_per_hour": write.max_writes_per_hour,
                "max_items_per_scope": write.max_items_per_scope,
                "require_approval_types": sorted(kind.value for kind in write.require_approval_types),
            },
            "read": {
                "enable": read.enable,
                "max_items": read.max_items,
                "max_tokens": read.max_tokens,
                "max_per_type": read.max_per_type,
                "min_confidence": read.min_confidence,
                "similarity_weight": read.similarity_weight,
                "importance_weight": read.importance_weight,
                "recency_weight": read.recency_weight,
            },
        }


def sections_of(recorded: Mapping[str, object]) -> PoliciesJson:
    """The sections of policies on record, of whatever release; what is no section is passed over."""
    return {
        name: cast("Mapping[str, Setting]", section)
        for name, section in recorded.items()
        if isinstance(section, Mapping)
    }


class LivePolicies:
    """Asked at each use, so that a change counts from the next statement on."""

    def __init__(self, write: MemoryWritePolicy, read: MemoryReadPolicy) -> None:
        self._both = Policies(write=write, read=read)

    @property
    def both(self) -> Policies:
        """What is in force."""
        return self._both

    def write(self) -> MemoryWritePolicy:
        """What automatic writing may keep."""
        return self._both.write

    def read(self) -> MemoryReadPolicy:
        """What a request may carry."""
        return self._both.read

    def take(self, policies: Policies) -> None:
        """Let these be in force from now on."""
        self._both = policies
