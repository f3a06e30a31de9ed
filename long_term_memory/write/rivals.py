"""Rivals: the items whose place another may take, or that hold a place it wants."""

from collections.abc import Iterable
from datetime import datetime

from ..domain.chat import ScopeRef
from ..domain.memory import Item
from ..domain.words import LIVE_STATUSES, Level, MemoryType, Stance, Status
from ..policies.keys import shown_key
from ..policies.slots import is_exclusive
from ..policies.succession import status_rank
from ..text_analysis.word_forms import relative_told_of
from .protocols import WriteTransaction
from .visibility import Visibility, visibility_of

PASSING = frozenset({Stance.TEMPORARY, Stance.PLANNED})
_OF_NOW = frozenset({MemoryType.TASK_STATE, MemoryType.EPISODE})


async def holder_of(tx: WriteTransaction, item: Item, *, key: str | None = None) -> Item | None:
    """The other live item that has its key, or this one, at its level."""
    found = await tx.find_item(item.owner, item.level, key or item.fact_key, item.person)
    is_other = found and found.memory_id != item.memory_id and found.status in LIVE_STATUSES
    return found if is_other else None


async def answers_of(
    tx: WriteTransaction, owner: ScopeRef, level: Level, slot: str, person: str, fact: str
) -> list[Item]:
    """The items in the exclusive slot of a fact, of the same relative or none, that may be superseded."""
    found = await tx.same_slot(owner, level, slot, person) if is_exclusive(slot) else ()
    whose = person or relative_told_of(fact)
    return [
        item
        for item in found
        if status_rank(item.status) and (item.person or relative_told_of(item.fact)) == whose
    ]


async def answers_beside(tx: WriteTransaction, item: Item) -> list[Item]:
    """The other active items in the exclusive slot of this one."""
    found = await answers_of(tx, item.owner, item.level, item.slot, item.person, item.fact)
    return [other for other in found if other.status is Status.ACTIVE and other.memory_id != item.memory_id]


async def rivals_of(tx: WriteTransaction, item: Item, named: Iterable[Item | None]) -> list[Item]:
    """The replaceable ones of those named and of the other answers, and the holder of its key."""
    others = [other for other in (*named, *await answers_beside(tx, item)) if other]
    ranked = [other for other in others if status_rank(other.status)]
    giving = await replaceable(tx, ranked, await visibility_of(tx, item))
    holder = await holder_of(tx, item, key=shown_key(item.fact_key))
    return list({other.memory_id: other for other in (*giving, holder) if other}.values())


async def replaceable(tx: WriteTransaction, items: Iterable[Item], by: Visibility) -> list[Item]:
    """The items that are visible in no group where their replacement is not."""
    return [item for item in items if by.covers(await tx.said_in(item.memory_id))]


async def split_by_time(
    tx: WriteTransaction, rivals: Iterable[Item], said_at: datetime, here: Visibility, *, now: datetime
) -> tuple[tuple[Item, ...], Item | None]:
    """The rivals said before a fact that it may supersede, and the highest-ranked one said after it.

    A time after `now` comes from a clock that was set back, and counts as before.
    """
    dated = [(await tx.last_said(item.memory_id) or item.last_confirmed_at, item) for item in rivals]
    newer = [
        (status_rank(item.status), said, item)
        for said, item in dated
        if said_at < said <= now and (await visibility_of(tx, item)).covers(here.groups)
    ]
    highest = max(newer, key=lambda each: each[:2], default=None)
    older = await replaceable(tx, (item for said, item in dated if not said_at < said <= now), here)
    return tuple(older), highest[2] if highest else None


async def passes(tx: WriteTransaction, item: Item) -> bool:
    """Whether it holds for a while only."""
    return item.type in _OF_NOW or await tx.stance_of(item.memory_id) in PASSING
