"""Where a fact is visible, which items it may merge with, and whose place it may take.

A person's item is visible in their private chats and in each group its words were said in. Two facts stay
two where a merge would show a chat words that were never said in it. A group keeps what it was told: a fact
said again in another group does not supersede the one said in the first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..domain.chat import ScopeRef
from ..domain.enums import LIVE_STATUSES, Audience, Level, MemoryType, Origin, Scope, Stance, Status
from ..domain.memory import Event, Item
from ..domain.writing import Grounded, Merged, MergeKind
from ..policies.keys import shown_key, tells_more, waits
from ..policies.slots import is_exclusive, same_question, say_otherwise
from ..policies.succession import is_in_doubt, status_rank
from ..text_analysis.word_forms import relative_told_of, same_words
from .protocols import WriteTransaction

NEAREST = 20
"""Items compared at most, by words and by vectors each."""
PASSING = frozenset({Stance.TEMPORARY, Stance.PLANNED})
_OF_NOW = frozenset({MemoryType.TASK_STATE, MemoryType.EPISODE})


@dataclass(frozen=True, kw_only=True)
class Visibility:
    """Where a fact is visible beside its owner's private chats."""

    groups: frozenset[ScopeRef]
    everywhere: bool

    def covers(self, groups: frozenset[ScopeRef]) -> bool:
        """Whether it is visible in each of these groups."""
        return self.everywhere or groups <= self.groups


async def visibility_of(tx: WriteTransaction, item: Item) -> Visibility:
    """Where an item is visible; items of a group, a project or all are visible wherever that is read."""
    everywhere = item.owner.scope is not Scope.USER or item.audience is Audience.EVERYWHERE
    return Visibility(groups=await tx.said_in(item.memory_id), everywhere=everywhere)


def visibility_of_words(grounded: Grounded, matched: Item | None = None) -> Visibility:
    """Where these words make a new or `matched` item visible, whatever was said before."""
    # A deleted item returns to the chat alone in which it is said again.
    is_shared = matched and matched.audience is Audience.EVERYWHERE and matched.status is not Status.DELETED
    everywhere = bool(is_shared) or grounded.owner.scope is not Scope.USER
    return Visibility(groups=groups_of(grounded.event), everywhere=everywhere)


def groups_of(event: Event) -> frozenset[ScopeRef]:
    """The group in which words were said; empty for private chats."""
    return frozenset({event.at_scope} if event.at_scope.scope is Scope.GROUP else ())


async def is_visible_here(tx: WriteTransaction, item: Item, event: Event) -> bool:
    """Whether an item is visible where these words were said."""
    return (await visibility_of(tx, item)).covers(groups_of(event))


async def may_merge(tx: WriteTransaction, item: Item, grounded: Grounded) -> bool:
    """Whether a merge shows neither text in a chat where only the other was said.

    An item in use keeps its text; an item that returns or is freed from doubt takes the candidate's. A
    deleted item is known wherever it is said, and returns only where it is saved again. A
    version that waits for a chosen key never merges.
    """
    if waits(item.fact_key):
        return False
    explicit = grounded.candidate.origin is Origin.USER_EXPLICIT
    if item.owner.scope is not Scope.USER or (item.status is Status.DELETED and not explicit):
        return True
    if await tx.has_evidence(item.memory_id, grounded.event.event_id):
        return True
    return _compatible(item, await visibility_of(tx, item), grounded)


async def merges_only_while_shared(tx: WriteTransaction, item: Item, grounded: Grounded) -> bool:
    """Whether `may_merge` holds only because the item is shared with everyone."""
    if item.owner.scope is not Scope.USER or item.audience is not Audience.EVERYWHERE:
        return False
    return not _compatible(item, replace(await visibility_of(tx, item), everywhere=False), grounded)


def _compatible(item: Item, known: Visibility, grounded: Grounded) -> bool:
    here, candidate = groups_of(grounded.event), grounded.candidate
    if item.status is Status.DELETED:
        return known.groups <= here
    if same_words(item.fact, candidate.fact):
        # Assistants read the key and the tags too: here, those that the candidate lacks must stay hidden.
        named = tells_more(item.fact_key, candidate.fact, proposed=candidate.fact_key)
        return known.covers(here) or not (named or set(item.tags) - set(candidate.tags))
    if item.status in LIVE_STATUSES and not is_in_doubt(item.status, item.reason):
        return known.covers(here)
    return known.groups <= here and not known.everywhere


def as_match(grounded: Grounded, kind: MergeKind, item: Item) -> Merged:
    """A candidate that matches this item and supersedes nothing."""
    return Merged(grounded=grounded, kind=kind, fact_key=item.fact_key, existing=item)


def kind_of(item: Item, grounded: Grounded) -> MergeKind:
    """The effect on the item it matches; only an explicit save revives a deleted one."""
    if item.status in LIVE_STATUSES:
        return MergeKind.CONFIRM
    if item.status is Status.DELETED and grounded.candidate.origin is not Origin.USER_EXPLICIT:
        return MergeKind.TOMBSTONE
    return MergeKind.REVIVE


async def holder_of(tx: WriteTransaction, item: Item, *, key: str | None = None) -> Item | None:
    """The other live item that has its key, or this one, at its level."""
    found = await tx.find_item(item.owner, item.level, key or item.fact_key, item.person)
    is_other = found and found.memory_id != item.memory_id and found.status in LIVE_STATUSES
    return found if is_other else None


async def answers_of(
    tx: WriteTransaction, owner: ScopeRef, level: Level, slot: str, person: str, fact: str
) -> list[Item]:
    """The items in the exclusive slot of a fact, of the same relative or none, that may be superseded.

    What its person shares answers too, if it was told at this level or a higher one.
    """
    levels = dict.fromkeys((level, Level.PUBLIC) if is_exclusive(slot) else ())
    found = [item for each in levels for item in await tx.same_slot(owner, each, slot, person)]
    found = [item for item in found if item.level is level or await _is_shared_from(tx, item, level)]
    found = [item for item in found if status_rank(item.status)]
    whose = person or relative_told_of(fact)
    return [item for item in found if (item.person or relative_told_of(item.fact)) == whose]


async def _is_shared_from(tx: WriteTransaction, item: Item, level: Level) -> bool:
    return item.audience is Audience.EVERYWHERE and level <= await tx.level_said_at(item.memory_id)


async def answers_beside(tx: WriteTransaction, item: Item, *levels: Level) -> list[Item]:
    """The other active items in the exclusive slot of this one, at its level or these."""
    return [other for other in await _answers(tx, item, *levels) if other.status is Status.ACTIVE]


async def _answers(tx: WriteTransaction, item: Item, *levels: Level) -> list[Item]:
    at = ((tx, item.owner, level, item.slot, item.person, item.fact) for level in levels or (item.level,))
    return [one for each in at for one in await answers_of(*each) if one.memory_id != item.memory_id]


async def conflicts_of(tx: WriteTransaction, item: Item, named: Iterable[Item | None]) -> list[Item]:
    """The replaceable ones of those named and of the other answers, and the holder of its key."""
    others = [other for other in (*named, *await answers_beside(tx, item)) if other]
    ranked = [other for other in others if status_rank(other.status)]
    giving = await replaceable(tx, ranked, await visibility_of(tx, item)) if ranked else []
    holder = await holder_of(tx, item, key=shown_key(item.fact_key))
    return list({other.memory_id: other for other in (*giving, holder) if other}.values())


async def contested_by(tx: WriteTransaction, item: Item, conflicts: Sequence[Item]) -> list[Item]:
    """Those in use or waiting that say otherwise than an item, and that its use leaves or would leave so."""
    alike = await tx.similar(item.owner, None, item.fact, limit=NEAREST)
    answers = sorted(await _answers(tx, item, *Level), key=lambda one: -status_rank(one.status))
    return [
        one
        for one in dict.fromkeys((*answers[:NEAREST], *alike))
        if status_rank(one.status) and one not in (item, *conflicts) and say_otherwise(item, one)
        if one.status is Status.ACTIVE or not await _is_replaced(tx, one, item)
    ]


async def _is_replaced(tx: WriteTransaction, one: Item, other: Item) -> bool:
    """Whether of two that wait the later one takes the place of the earlier once both are approved."""
    earlier, later = sorted((one, other), key=lambda each: (each.last_confirmed_at, each.memory_id))
    if earlier.memory_id in later.supersedes:
        return True
    is_answer = earlier.level is later.level and same_question(one, other)
    return is_answer and bool(await replaceable(tx, [earlier], await visibility_of(tx, later)))


async def replaceable(tx: WriteTransaction, items: Iterable[Item], by: Visibility) -> list[Item]:
    """The items that are visible in no group where their replacement is not."""
    return [item for item in items if by.covers(await tx.said_in(item.memory_id))]


async def split_by_time(
    tx: WriteTransaction,
    conflicts: Iterable[Item],
    said_at: datetime,
    here: Visibility,
    *,
    owner: ScopeRef,
    now: datetime,
) -> tuple[tuple[Item, ...], Item | None]:
    """The items said before a fact that it may supersede, and its owner's highest-ranked one said after it.

    A time after `now` comes from a clock that was set back, and counts as before.
    """
    dated = [(await tx.last_said(item.memory_id) or item.last_confirmed_at, item) for item in conflicts]
    newer = [
        (status_rank(item.status), said, item)
        for said, item in dated
        if item.owner == owner and said_at < said <= now
        if (await visibility_of(tx, item)).covers(here.groups)
    ]
    highest = max(newer, key=lambda each: each[:2], default=None)
    older = await replaceable(tx, (item for said, item in dated if not said_at < said <= now), here)
    return tuple(older), highest[2] if highest else None


async def passes(tx: WriteTransaction, item: Item) -> bool:
    """Whether it holds for a while only."""
    return item.type in _OF_NOW or await tx.stance_of(item.memory_id) in PASSING
