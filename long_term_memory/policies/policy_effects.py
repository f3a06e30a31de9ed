"""What a change of the policies would change and do, before it is made: pure, over counts."""

from collections.abc import Sequence
from dataclasses import dataclass

from .live import Policies, PoliciesJson, Setting
from .read_policy import MemoryReadPolicy

_NEVER = 2.0
"""Above every confidence."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """One setting with another value; None where the setting did not exist."""

    field: str
    """As in `write.mode`."""
    before: Setting | None
    after: Setting | None


@dataclass(frozen=True, kw_only=True)
class Effect:
    """Something that a change does, and to how many."""

    what: str
    count: int


@dataclass(frozen=True, kw_only=True)
class PolicyCounts:
    """What there is that a change may touch."""

    between: int
    """Active memories of a confidence for which the change decides whether they are recalled."""
    over_capacity: int
    """Scopes that hold more than they then may."""
    waiting: int
    """Memories that wait for an approval."""


def recalled_from(policy: MemoryReadPolicy) -> float:
    """The confidence from which on memories are recalled."""
    return policy.min_confidence if policy.enable else _NEVER


def changes_between(before: PoliciesJson, after: PoliciesJson) -> Sequence[Change]:
    """What differs, section by section, of policies as JSON holds them; of whatever release."""
    found: list[Change] = []
    for section in dict.fromkeys((*after, *before)):
        old, new = before.get(section, {}), after.get(section, {})
        found += [
            Change(field=f"{section}.{name}", before=old.get(name), after=new.get(name))
            for name in dict.fromkeys((*new, *old))
            if old.get(name) != new.get(name)
        ]
    return found


def effects_of(before: Policies, after: Policies, counts: PolicyCounts) -> Sequence[Effect]:
    """What the change does; what it does to nothing is left out."""
    lower, upper = recalled_from(before.read), recalled_from(after.read)
    fewer_fit = after.write.max_items_per_scope != before.write.max_items_per_scope
    found = {
        "no_longer_recalled": counts.between if upper > lower else 0,
        "recalled_again": counts.between if upper < lower else 0,
        "over_capacity_scopes": counts.over_capacity if fewer_fit else 0,
        "waiting": counts.waiting if after.write.mode is not before.write.mode else 0,
    }
    return [Effect(what=what, count=count) for what, count in found.items() if count]
