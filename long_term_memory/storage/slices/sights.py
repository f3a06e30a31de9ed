"""What an access sees of each of its scopes: accesses that see the same of a scope share one slice."""

from dataclasses import dataclass, replace
from functools import lru_cache

from ...domain.chat import Access, ScopeRef
from ...domain.words import Scope


@dataclass(frozen=True, kw_only=True)
class ItemSight:
    """An access narrowed to one scope, and how sure an item must be."""

    access: Access
    min_confidence: float

    def __hash__(self) -> int:
        """Of the scope: of each there are few sights."""
        return hash(self.access.owner)

    @property
    def ref(self) -> ScopeRef:
        """The scope."""
        return self.access.owner


@lru_cache(maxsize=2_048)
def sights(access: Access, min_confidence: float) -> tuple[ItemSight, ...]:
    """One sight for each scope that the access reaches.

    Where the chat is decides what is seen of a person's memory. What is a group's, a project's or everybody's
    is the same for all who reach it, and so are the words it is found by: those said in that group itself.
    """
    return tuple(
        ItemSight(access=narrowed(access, ref), min_confidence=min_confidence)
        for ref in dict.fromkeys(access.readable)
    )


def narrowed(access: Access, ref: ScopeRef) -> Access:
    """The access as far as it makes a difference to what is seen of this scope."""
    mine = replace(access, umo="", owner=ref, readable=(ref,))
    if ref.scope is Scope.USER:
        return replace(mine, group=None, also_here=(), cross_group=False) if access.private else mine
    mine = replace(mine, cross_group=False)
    here = (access.group, *access.also_here)
    if ref.scope is Scope.GROUP and ref in here:
        return replace(mine, private=False)
    return replace(mine, private=False, group=ref if ref.scope is Scope.GROUP else None, also_here=())
