"""What a rule makes of a clause, in whatever language (design 5.2)."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ..domain.words import MemoryType


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A plain statement about the speaker."""

    fact: str
    type: MemoryType
    importance: float
    slot: str = ""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A form of plain statement; the pattern names its value `v` and, where there is one, its `verb`."""

    pattern: re.Pattern[str]
    fact: str
    """With `{v}` for the value and `{verb}` for the verb."""
    value: Callable[[str], str]
    """The value as it is kept; empty when it is none."""
    type: MemoryType = MemoryType.PROFILE
    importance: float = 0.7
    slot: str = ""
    verbs: Mapping[str, str] = field(default_factory=dict[str, str])
    """How a verb is written in the fact, where that is not how it is said."""

    def read(self, clause: str) -> Statement | None:
        """What the clause states, if it has this form."""
        found = self.pattern.search(clause)
        value = self.value(found["v"].strip(" ,，:：")) if found else ""
        if not found or not value:
            return None
        verb = " ".join(found.groupdict().get("verb", "").lower().split())
        fact = self.fact.format(v=value, verb=self.verbs.get(verb, verb))
        return Statement(fact=fact, type=self.type, importance=self.importance, slot=self.slot)


def first(rules: Iterable[Rule], clause: str) -> Statement | None:
    """What the first rule that fits makes of a clause."""
    return next(filter(None, (rule.read(clause) for rule in rules)), None)
