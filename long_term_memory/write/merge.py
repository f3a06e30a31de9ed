"""Stage 5, merge: which item of the store a grounded candidate is, if any, and whose place it takes.

Design 5.5. Nothing merges across owner, level or person. A candidate is an item it says the same as: under
the same key, as the answer to the same exclusive slot, by its words, or by a near vector that words do not
contradict. A proposed key may name a question ("home_city") rather than a statement, so it is never enough
by itself. Nor do two whose words would come to light where they were not said, see `surface`. What states
another value of a slot, or the contrary, takes the place of what was said before it; what was said after it
makes the candidate history; both only where whatever goes surfaced no further than what stays.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..domain.memory import Item
from ..domain.words import LIVE_STATUSES, MemoryType, Origin, Stance, Status
from ..domain.writing import Candidate, Grounded, Merged, MergeKind
from ..policies.keys import keys_of_fact, same_words
from ..policies.sameness import Relation, relation, relation_of_near, same_value
from ..policies.slots import is_exclusive, slot_of
from ..policies.succession import height
from ..text_analysis.quotes import find, shared_terms
from .placement import holder_of
from .protocols import WriteTransaction
from .surface import by_time, is_one_while_shared, may_be_one, surface_of

SAME_ENOUGH = 0.5
"""The share of a deleted fact's words by which another wording of it is known."""
NEAREST = 20
"""How many items near by words, and how many near by vectors, are compared."""

_PASSING = frozenset({Stance.TEMPORARY, Stance.PLANNED})
_OF_NOW = frozenset({MemoryType.TASK_STATE, MemoryType.EPISODE})

_PREFERENCE = (
    Status.ACTIVE,
    Status.SHADOW,
    Status.PENDING,
    Status.DISABLED,
    Status.DELETED,
    Status.EXPIRED,
    Status.SUPERSEDED,
)
"""Which of several items that say the same is met: the one in use; then what a person deleted."""


@dataclass(frozen=True, kw_only=True)
class _Around:
    """The items of the same owner, level and person that a candidate may have to do with."""

    items: Sequence[Item]
    relations: Mapping[str, Relation]
    """How the candidate's fact stands to each, by memory id."""
    slot: str
    """The slot the candidate holds; empty when none."""

    def standing(self, relation: Relation) -> list[Item]:
        """The items it stands to like this."""
        return [item for item in self.items if self.relations[item.memory_id] is relation]


async def merge(
    tx: WriteTransaction,
    grounded: Grounded,
    near: Sequence[str] = (),
    provisional: Sequence[Item] = (),
    *,
    now: datetime,
) -> Merged:
    """Meet the store.

    `near` holds ids of items whose vectors are near, found before the transaction; `provisional` what rules
    or the person's own wording made of the same messages, which gives way to what a model makes of them.
    """
    outdated = await _reread(tx, grounded, provisional)
    by_key, free = await _under_keys(tx, grounded)
    by_key = None if by_key in outdated else by_key
    around = await _around(tx, grounded, near, outdated)
    same = [item for item in _same(around, by_key) if await may_be_one(tx, item, grounded)]
    for item in same:
        if await tx.has_evidence(item.memory_id, grounded.event.event_id):
            return end(grounded, MergeKind.KNOWN, item)
    if not same and (gone := await _forgotten(tx, grounded)):
        return end(grounded, MergeKind.TOMBSTONE, gone)
    met = same[0] if same else None
    if met and kind_of(met, grounded) is MergeKind.TOMBSTONE:
        return end(grounded, MergeKind.TOMBSTONE, met)
    if met and await is_one_while_shared(tx, met, grounded):
        return end(grounded, MergeKind.KNOWN, met)
    return await _beside(tx, grounded, around, met, free, now=now)


async def _under_keys(tx: WriteTransaction, grounded: Grounded) -> tuple[Item | None, str]:
    """The item met under one of the candidate's keys, if any, and a key that no live item has."""
    keys = keys_of_fact(grounded.candidate.fact, grounded.candidate.fact_key)
    free = ""
    for key in keys:
        item = await tx.find_item(grounded.owner, grounded.event.level, key, grounded.person)
        if item is not None and _is_met(item, grounded) and await may_be_one(tx, item, grounded):
            return item, free or key
        if item is None or item.status not in LIVE_STATUSES:
            free = free or key
    return None, free or keys[-1]


async def _reread(tx: WriteTransaction, grounded: Grounded, provisional: Sequence[Item]) -> list[Item]:
    """What was made of the very words that the candidate rests on, in another wording."""
    if grounded.candidate.origin is Origin.RULE:
        return []
    found: list[Item] = []
    for read in provisional:
        item = await tx.get_item(read.memory_id)
        if item is None or not height(item.status):
            continue
        whose = (item.owner, item.person) == (grounded.owner, grounded.person)
        if whose and await tx.has_evidence(item.memory_id, grounded.event.event_id):
            quotes = await tx.quotes_of(item.memory_id)
            touching = any(find(quote, grounded.quote) or find(grounded.quote, quote) for quote in quotes)
            whole = item.origin is Origin.RULE and any(same_words(quote, grounded.quote) for quote in quotes)
            found += [item] if touching and _is_reading(item, grounded.candidate, whole=whole) else []
    return found


def _is_reading(item: Item, candidate: Candidate, *, whole: bool) -> bool:
    """Whether a candidate on the same words reads them otherwise: one sentence may tell several facts.

    `whole` is whether a rule has read just the words that the candidate rests on.
    """
    if same_words(item.fact, candidate.fact):
        return bool(candidate.replaces) or candidate.stance is not Stance.LASTING
    same_slot = bool(item.slot) and item.slot == _slot_of(candidate)
    return whole or same_slot or shared_terms(item.fact, candidate.fact) >= SAME_ENOUGH


async def _around(
    tx: WriteTransaction, grounded: Grounded, near: Sequence[str], outdated: Sequence[Item]
) -> _Around:
    candidate, owner, level = grounded.candidate, grounded.owner, grounded.event.level
    slot = _slot_of(candidate)
    named = [memory_id for memory_id in (*near[:NEAREST], *candidate.replaces) if memory_id]
    found = [
        *await tx.similar(owner, level, candidate.fact, limit=NEAREST),
        *(await tx.same_slot(owner, level, slot, grounded.person) if is_exclusive(slot) else ()),
        *[item for memory_id in named if (item := await tx.get_item(memory_id))],
    ]
    here = {item.memory_id: item for item in (*found, *outdated) if _is_here(item, grounded)}
    relations: dict[str, Relation] = {item.memory_id: Relation.CONTRARY for item in outdated}
    for memory_id, item in here.items():
        if memory_id in relations:
            continue
        relations[memory_id] = (
            _relation(candidate.fact, item, slot, is_near=memory_id in near)
            if item.person == grounded.person
            else Relation.DIFFERENT
        )
        await asyncio.sleep(0)  # comparing long facts takes milliseconds each
    return _Around(items=tuple(here.values()), relations=relations, slot=slot)


def _relation(fact: str, item: Item, slot: str, *, is_near: bool) -> Relation:
    if is_exclusive(slot) and item.slot == slot and same_value(fact, item.fact):
        return Relation.SAME
    return relation_of_near(fact, item.fact) if is_near else relation(fact, item.fact)


def _is_here(item: Item, grounded: Grounded) -> bool:
    is_there = bool(item.fact.strip()) and not item.is_undone
    same_place = (item.owner, item.level) == (grounded.owner, grounded.event.level)
    return is_there and same_place and (item.person == grounded.person or _is_of_one(item, grounded))


def _is_of_one(item: Item, grounded: Grounded) -> bool:
    """Whether a replaced item and its replacement are about one person whom only one of them labels.

    "User is adding her husband David" is of no person, "David has been added" is of David.
    """
    if item.memory_id not in grounded.candidate.replaces or (item.person and grounded.person):
        return False
    unlabelled = grounded.candidate.fact if item.person else item.fact
    return (item.person or grounded.person).casefold() in unlabelled.casefold()


def _same(around: _Around, by_key: Item | None) -> list[Item]:
    """The items that say the same, the one that is met first."""
    found = sorted(around.standing(Relation.SAME), key=lambda item: item.updated_at, reverse=True)
    if by_key:
        found = [by_key, *(item for item in found if item.memory_id != by_key.memory_id)]
    return sorted(found, key=lambda item: _PREFERENCE.index(item.status))


async def _forgotten(tx: WriteTransaction, grounded: Grounded) -> Item | None:
    """A deleted item that these very words were evidence of, when the fact is the same in other words.

    That the person likes both is no likeness. One whose text is gone cannot be compared, so nothing is learnt
    again from its event.
    """
    if grounded.candidate.origin is Origin.USER_EXPLICIT:
        return None
    said = f"{grounded.candidate.fact} {grounded.quote}"
    for item in await tx.deleted_on(grounded.event.event_id):
        is_here = (item.owner, item.level) == (grounded.owner, grounded.event.level)
        if is_here and (not item.fact.strip() or shared_terms(item.fact, said) > SAME_ENOUGH):
            return item
    return None


async def _beside(
    tx: WriteTransaction,
    grounded: Grounded,
    around: _Around,
    met: Item | None,
    free: str,
    *,
    now: datetime,
) -> Merged:
    """What the candidate does to the other items, being `met` or new."""
    slot = _slot(met, around)
    answers = await _answers(tx, grounded, slot, met)
    for item in answers:
        contrary = around.relations.get(item.memory_id) is Relation.CONTRARY
        if not contrary and await tx.has_evidence(item.memory_id, grounded.event.event_id):
            # One message gives both answers, so both hold.
            answers, slot = [], met.slot if met and met.status in LIVE_STATUSES else ""
            break
    contested, alike = await _contested(tx, around, grounded), around.standing(Relation.SAME)
    rivals = {item.memory_id: item for item in (*answers, *contested) if item not in (met, *alike)}
    here = surface_of(grounded, met)
    older, newer = await by_time(tx, rivals.values(), grounded.event.created_at, here, now=now)
    if newer and met and met.status in LIVE_STATUSES:
        slot = met.slot
    kind = kind_of(met, grounded) if met else MergeKind.NEW
    return Merged(
        grounded=replace(grounded, candidate=replace(grounded.candidate, slot=slot)),
        kind=kind,
        # Its own key, unless it comes back while another live item has that.
        fact_key=met.fact_key if met and not await holder_of(tx, met) else free,
        existing=met,
        older=older,
        newer=newer,
    )


def _slot(met: Item | None, around: _Around) -> str:
    """The slot the fact holds from now on: an item in use keeps its own."""
    kept = met.slot if met and met.status in LIVE_STATUSES else ""
    return kept or around.slot


def _slot_of(candidate: Candidate) -> str:
    """The slot as proposed; what holds for a while, is planned or is over answers none."""
    return slot_of(candidate.slot, candidate.fact_key) if candidate.stance is Stance.LASTING else ""


async def _answers(tx: WriteTransaction, grounded: Grounded, slot: str, met: Item | None) -> list[Item]:
    """The other items that answer the same exclusive slot and may be displaced."""
    if not is_exclusive(slot):
        return []
    found = await tx.same_slot(grounded.owner, grounded.event.level, slot, grounded.person)
    return [
        item for item in found if height(item.status) and (met is None or item.memory_id != met.memory_id)
    ]


async def _contested(tx: WriteTransaction, around: _Around, grounded: Grounded) -> list[Item]:
    """The items that state the contrary, and those the candidate replaces as its proposer says."""
    named = [item for item in around.items if item.memory_id in grounded.candidate.replaces]
    replaced = [item for item in named if await _may_replace(tx, grounded, item)]
    return [item for item in (*around.standing(Relation.CONTRARY), *replaced) if height(item.status)]


async def _may_replace(tx: WriteTransaction, grounded: Grounded, item: Item) -> bool:
    """What holds for a while or is planned displaces nothing that holds for good (design 5.5)."""
    if grounded.candidate.stance not in _PASSING or item.type in _OF_NOW:
        return True
    return await tx.stance_of(item.memory_id) in _PASSING


def end(grounded: Grounded, kind: MergeKind, item: Item) -> Merged:
    """That a candidate is this item, and takes nobody's place."""
    return Merged(grounded=grounded, kind=kind, fact_key=item.fact_key, existing=item)


def _is_met(item: Item, grounded: Grounded) -> bool:
    """A deleted key stays deleted whatever words come under it, unless a person saves them."""
    candidate = grounded.candidate
    forgotten = item.status is Status.DELETED and candidate.origin is not Origin.USER_EXPLICIT
    return forgotten or same_words(item.fact, candidate.fact) or _in_other_words(item, candidate)


def _in_other_words(item: Item, candidate: Candidate) -> bool:
    """An explicit save keeps the person's words, and has for its key the plain statement they make."""
    if candidate.origin is Origin.USER_EXPLICIT:
        return bool(candidate.fact_key) and same_words(item.fact, candidate.fact_key)
    return item.origin is Origin.USER_EXPLICIT and same_words(item.fact_key, candidate.fact)


def kind_of(item: Item, grounded: Grounded) -> MergeKind:
    """What a candidate does to the item it is; a deleted one comes back only when a person asks for it."""
    if item.status in LIVE_STATUSES:
        return MergeKind.CONFIRM
    if item.status is Status.DELETED and grounded.candidate.origin is not Origin.USER_EXPLICIT:
        return MergeKind.TOMBSTONE
    return MergeKind.REVIVE
