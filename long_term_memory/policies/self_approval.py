"""What a person may accept of what was learnt about them (design 8); an admin decides about the rest."""

from ..domain.memory import Item
from ..domain.words import Status
from .succession import BY_POLICY
from .write_policy import MemoryWritePolicy

_UNVERIFIED = "unverified"
_BY_ADMINS = frozenset({"require_approval_types"})


def may_accept(item: Item, policy: MemoryWritePolicy) -> bool:
    """Whether the rules leave the decision on a waiting item to the person whose own words it rests on.

    What no model has verified yet the person can answer for; other doubts are about the words themselves.
    """
    return (
        policy.self_approval
        and item.status in (Status.SHADOW, Status.PENDING)
        and item.type in policy.allowed_types - policy.require_approval_types
        and item.reason in BY_POLICY - _BY_ADMINS | {_UNVERIFIED}
    )


def is_undisputed(item: Item) -> bool:
    """Whether it may be accepted together with others, unseen."""
    return item.reason in BY_POLICY
