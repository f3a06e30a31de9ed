"""Where a fact surfaces: which item it may be one with, and which others may leave for it (design 7).

A person's own item surfaces in private and in each group its words were said in. Where a merge would tell a
chat what was never said in it, two stay two. And what a group was told it does not lose for what it may not
see: told anew in another group, a fact leaves the one of the first as it is.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from ..domain.chat import ScopeRef
from ..domain.memory import Event, Item
from ..domain.words import LIVE_STATUSES, Audience, Origin, Scope, Status
from ..domain.writing import Grounded
from ..policies.keys import same_words, tells_more, waits
from ..policies.succession import height, is_in_doubt, is_summary
from .protocols import WriteTransaction


@dataclass(frozen=True, kw_only=True)
class Surface:
    """Where a fact surfaces beside its owner's private chats."""

    groups: frozenset[ScopeRef]
    everywhere: bool

    def covers(self, groups: frozenset[ScopeRef]) -> bool:
        """Whether it surfaces in each of these groups."""
        return self.everywhere or groups <= self.groups


async def surface(tx: WriteTransaction, item: Item) -> Surface:
    """Where an item surfaces; what is of a group, a project or all does so wherever that is read."""
    everywhere = item.owner.scope is not Scope.USER or item.audience is Audience.EVERYWHERE
    return Surface(groups=await tx.said_in(item.memory_id), everywhere=everywhere)


def surface_of(grounded: Grounded, met: Item | None = None) -> Surface:
    """Where these words of a new or met item surface: it takes no place where they were said long ago."""
    # What is deleted comes back to the chat alone in which it is said again.
    is_shared = met and met.audience is Audience.EVERYWHERE and met.status is not Status.DELETED
    everywhere = bool(is_shared) or grounded.owner.scope is not Scope.USER
    return Surface(groups=groups_of(grounded.event), everywhere=everywhere)


def groups_of(event: Event) -> frozenset[ScopeRef]:
    """The group in which words were said; none for those said in private."""
    return frozenset({event.at_scope} if event.at_scope.scope is Scope.GROUP else ())


async def is_known_here(tx: WriteTransaction, item: Item, event: Event) -> bool:
    """Whether what became of a person's item may be told where these words were said."""
    return (await surface(tx, item)).covers(groups_of(event))


async def may_be_one(tx: WriteTransaction, item: Item, grounded: Grounded) -> bool:
    """Whether the words of neither come to light where only the other was said.

    An item in use keeps its words; what comes back, or is freed from doubt, gets those of the candidate. What
    a person deleted is known wherever it is said, and comes back nowhere but where it is saved again. A sum
    of others and what waits for a chosen key are nothing but that.
    """
    if is_summary(item) or waits(item.fact_key):
        return False
    explicit = grounded.candidate.origin is Origin.USER_EXPLICIT
    if item.owner.scope is not Scope.USER or (item.status is Status.DELETED and not explicit):
        return True
    if await tx.has_evidence(item.memory_id, grounded.event.event_id):
        return True
    return _surface_alike(item, await surface(tx, item), grounded)


async def is_one_while_shared(tx: WriteTransaction, item: Item, grounded: Grounded) -> bool:
    """Whether `may_be_one` holds only while the item is shared: taken back, it would still surface here."""
    if item.owner.scope is not Scope.USER or item.audience is not Audience.EVERYWHERE:
        return False
    return not _surface_alike(item, replace(await surface(tx, item), everywhere=False), grounded)


def _surface_alike(item: Item, known: Surface, grounded: Grounded) -> bool:
    here, candidate = groups_of(grounded.event), grounded.candidate
    if item.status is Status.DELETED:
        return known.groups <= here
    if same_words(item.fact, candidate.fact):
        # Assistants read a key and tags, too: those the candidate does not bring would come to light.
        named = tells_more(item.fact_key, candidate.fact, proposed=candidate.fact_key)
        return known.covers(here) or not (named or set(item.tags) - set(candidate.tags))
    if item.status in LIVE_STATUSES and not is_in_doubt(item.status, item.reason):
        return known.covers(here)
    return known.groups <= here and not known.everywhere


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
