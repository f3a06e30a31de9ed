"""Where a fact surfaces, and so which others may leave for it (design 7).

What a group was told it does not lose for what it may not see: told anew in another group, a fact leaves the
one told in the first as it is, and both surface for their owner in private. What is shared is out of date
everywhere once it is so where it was said.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from ..domain.chat import ScopeRef
from ..domain.memory import Item
from ..domain.words import Audience, Scope, Status
from ..domain.writing import Grounded
from ..policies.succession import height
from .places import groups_of
from .protocols import WriteTransaction


@dataclass(frozen=True, kw_only=True)
class Surface:
    """Where a fact surfaces beside its owner's private chats."""

    groups: frozenset[ScopeRef] = frozenset()
    everywhere: bool = False

    def covers(self, groups: frozenset[ScopeRef]) -> bool:
        """Whether it surfaces in each of these groups."""
        return self.everywhere or groups <= self.groups


async def surface(tx: WriteTransaction, item: Item) -> Surface:
    """Where an item surfaces; what is of a group, a project or all does so wherever that is read."""
    everywhere = item.owner.scope is not Scope.USER or item.audience is Audience.EVERYWHERE
    return Surface(groups=await tx.said_in(item.memory_id), everywhere=everywhere)


async def surface_with(tx: WriteTransaction, met: Item, grounded: Grounded) -> Surface:
    """Where an item surfaces that rests on these words, too."""
    known, said = await surface(tx, met), surface_of(met, grounded)
    return Surface(groups=known.groups | said.groups, everywhere=known.everywhere)


def surface_of(met: Item | None, grounded: Grounded) -> Surface:
    """Where these words surface, being those of an item that is met or of a new one.

    Said again in one group, an item takes no place in another where it was said long ago.
    """
    # What is deleted comes back to the chat alone in which it is said again.
    is_shared = met and met.audience is Audience.EVERYWHERE and met.status is not Status.DELETED
    return Surface(
        groups=groups_of(grounded.event),
        everywhere=bool(is_shared) or grounded.owner.scope is not Scope.USER,
    )


async def giving_way(tx: WriteTransaction, items: Iterable[Item], to: Surface) -> list[Item]:
    """Those of these items whose place another may take that surfaces there."""
    return [item for item in items if to.covers(await tx.said_in(item.memory_id))]


async def by_time(
    tx: WriteTransaction, rivals: Iterable[Item], said_at: datetime, here: Surface, *, now: datetime
) -> tuple[tuple[Item, ...], Item | None]:
    """Those said before that give way to a fact, and the highest of those said after that it gives way to.

    The fact was said at `said_at` and surfaces `here`. What bears a time to come was said before the clock
    was set back, and so before the fact.
    """
    dated = [(await tx.last_said(item.memory_id) or item.last_confirmed_at, item) for item in rivals]
    newer = [
        (height(item.status), said, item)
        for said, item in dated
        if said_at < said <= now and (await surface(tx, item)).covers(here.groups)
    ]
    highest = max(newer, key=lambda each: each[:2], default=None)
    older = await giving_way(tx, (item for said, item in dated if not said_at < said <= now), here)
    return tuple(older), highest[2] if highest else None
