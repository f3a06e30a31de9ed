"""The policies in force now: an operator changes them while everything runs."""

from dataclasses import replace

from ..domain.words import Mode
from .read_policy import MemoryReadPolicy
from .write_policy import MemoryWritePolicy


class LivePolicies:
    """Asked at each use, so that a change counts from the next message on."""

    def __init__(self, write: MemoryWritePolicy, read: MemoryReadPolicy) -> None:
        self._write = write
        self._read = read

    def write(self) -> MemoryWritePolicy:
        """What automatic writing may keep."""
        return self._write

    def read(self) -> MemoryReadPolicy:
        """What a request may carry."""
        return self._read

    def set_mode(self, mode: Mode) -> None:
        """Let automatic writing go on in this mode."""
        self._write = replace(self._write, mode=mode)

    def as_json(self, mode: Mode | None = None) -> dict[str, object]:
        """Both policies as JSON holds them; with `mode`, as they would be in it."""
        write, read = self._write, self._read
        return {
            "write": {
                "mode": (mode or write.mode).value,
                "min_confidence": write.min_confidence,
                "min_evidence_count": write.min_evidence_count,
                "allowed_types": sorted(write.allowed_types),
                "max_writes_per_session": write.max_writes_per_session,
                "max_writes_per_hour": write.max_writes_per_hour,
                "max_items_per_scope": write.max_items_per_scope,
                "require_approval_types": sorted(write.require_approval_types),
            },
            "read": {
                "enable": read.enable,
                "recipe": read.recipe,
                "max_items": read.max_items,
                "max_tokens": read.max_tokens,
                "max_per_type": read.max_per_type,
                "min_confidence": read.min_confidence,
                "similarity_weight": read.similarity_weight,
                "importance_weight": read.importance_weight,
                "recency_weight": read.recency_weight,
            },
        }
