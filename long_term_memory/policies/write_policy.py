"""MemoryWritePolicy (seed 002 3.5)."""

from dataclasses import dataclass

from ..domain.words import MemoryType, Mode


@dataclass(frozen=True, kw_only=True)
class MemoryWritePolicy:
    """What automatic writing may keep. An explicit save skips `mode` and the thresholds of trust."""

    mode: Mode = Mode.SHADOW
    min_confidence: float = 0.6
    min_evidence_count: int = 1
    allowed_types: frozenset[MemoryType] = frozenset(MemoryType)
    max_writes_per_session: int = 10
    """New items per chat within the last hour-long window; confirmations are free."""
    max_writes_per_hour: int = 50
    """New items of all chats together within the last hour."""
    max_items_per_scope: int = 200
    require_approval_types: frozenset[MemoryType] = frozenset()
    self_approval: bool = True
    """Whether people may accept what was learnt about themselves from their own words."""
