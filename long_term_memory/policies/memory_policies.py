"""The write and read policies, and the pair in force, which an operator changes while the plugin runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from ..domain.enums import MemoryType, Mode


@dataclass(frozen=True, kw_only=True)
class MemoryWritePolicy:
    """What automatic writing may keep. An explicit save skips `mode` and the thresholds of trust."""

    mode: Mode = Mode.SHADOW
    min_confidence: float = 0.6
    min_evidence_count: int = field(default=1, metadata={"low": 1, "high": 100})
    allowed_types: frozenset[MemoryType] = frozenset(MemoryType)
    max_writes_per_session: int = field(default=120, metadata={"low": 0, "high": 10_000})
    """New items per chat within the last hour; confirmations are free."""
    max_writes_per_hour: int = field(default=600, metadata={"low": 0, "high": 100_000})
    """New items of all chats together within the last hour."""
    max_items_per_scope: int = field(default=200, metadata={"low": 1, "high": 10_000})
    require_approval_types: frozenset[MemoryType] = frozenset()
    self_approval: bool = True
    """Whether people may accept what was learnt about themselves from their own words."""


@dataclass(frozen=True, kw_only=True)
class Weights:
    """How much each signal counts in a score."""

    similarity: float
    importance: float
    recency: float


# In real talk importance tells what matters; recency at .05 already costs recall.
DEFAULT_WEIGHTS = Weights(similarity=0.77, importance=0.2, recency=0.03)
_FORMER_WEIGHTS = (Weights(similarity=0.94, importance=0.03, recency=0.03),)
"""All former defaults, which the host wrote into settings files: nobody chose them."""


@dataclass(frozen=True, kw_only=True)
class MemoryReadPolicy:
    """What one request may carry."""

    enable: bool = True
    max_items: int = field(default=30, metadata={"low": 1, "high": 100})
    """Facts are short: fewer would fill less than the tokens that are granted."""
    max_tokens: int = field(default=800, metadata={"low": 1, "high": 32_000})
    max_per_type: int = field(default=15, metadata={"low": 1, "high": 100})
    min_confidence: float = 0.5
    similarity_weight: float = DEFAULT_WEIGHTS.similarity
    importance_weight: float = DEFAULT_WEIGHTS.importance
    recency_weight: float = DEFAULT_WEIGHTS.recency

    @property
    def weights(self) -> Weights:
        """The three weights, brought to sum 1; the settings refuse that all are 0."""
        given = Weights(
            similarity=self.similarity_weight, importance=self.importance_weight, recency=self.recency_weight
        )
        return _in_proportion(given)


@lru_cache(maxsize=1)  # each recall asks
def _in_proportion(given: Weights) -> Weights:
    if given in _FORMER_WEIGHTS:
        return DEFAULT_WEIGHTS
    total = sum(vars(given).values())
    return Weights(**{name: weight / total for name, weight in vars(given).items()})


type Setting = bool | int | float | str | list[str]
"""The value of one setting, as JSON holds it."""
type PoliciesJson = Mapping[str, Mapping[str, Setting]]
"""`write` and `read`, each setting by its name."""


@dataclass(frozen=True, kw_only=True)
class Policies:
    """Both policies, versioned together."""

    write: MemoryWritePolicy = field(default_factory=MemoryWritePolicy)
    read: MemoryReadPolicy = field(default_factory=MemoryReadPolicy)

    def in_mode(self, mode: Mode) -> "Policies":
        """The same with automatic writing in this mode."""
        return replace(self, write=replace(self.write, mode=mode))

    def as_json(self) -> dict[str, dict[str, Setting]]:
        """By the names of the settings."""
        both = {"write": vars(self.write), "read": vars(self.read)}
        return {of: {name: _plain(value) for name, value in values.items()} for of, values in both.items()}


def _plain(value: float | Mode | frozenset[MemoryType]) -> Setting:
    if isinstance(value, frozenset):
        return [kind.value for kind in MemoryType if kind in value]
    return value.value if isinstance(value, Mode) else value


class LivePolicies:
    """The policies in force, read at each use."""

    def __init__(self, write: MemoryWritePolicy, read: MemoryReadPolicy) -> None:
        self.both = Policies(write=write, read=read)

    def write(self) -> MemoryWritePolicy:
        """What automatic writing may keep."""
        return self.both.write

    def read(self) -> MemoryReadPolicy:
        """What a request may carry."""
        return self.both.read
