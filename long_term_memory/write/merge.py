"""Stage 4, merge: which item of the store a grounded candidate is, if any (design 5.4).

A proposed key may name a question ("home_city") rather than a statement, so meeting a live item under it
confirms the item only when both say the same; else the candidate goes by its own words. Otherwise
"lives in Shanghai" would become evidence for "lives in Beijing".
"""

from ..domain.memory import Item
from ..domain.words import LIVE_STATUSES, Origin, Status
from ..domain.writing import Candidate, Grounded, Merged, MergeKind
from ..policies.keys import keys_of_fact, same_words
from ..policies.overlap import coverage
from .protocols import WriteTransaction

SAME_ENOUGH = 0.5
"""The share of a deleted fact's words by which another wording of it is known."""


async def merge(tx: WriteTransaction, grounded: Grounded) -> Merged:
    """Meet the store, by the identity of owner, level, key and person."""
    candidate, event = grounded.candidate, grounded.event
    keys = keys_of_fact(candidate.fact, candidate.fact_key)
    free = ""
    for key in keys:
        item = await tx.find_item(grounded.owner, event.level, key, grounded.person)
        if item is not None and _is_met(item, grounded):
            known = await tx.has_evidence(item.memory_id, event.event_id)
            kind = MergeKind.KNOWN if known else _kind(item, grounded)
            return Merged(grounded=grounded, kind=kind, fact_key=key, existing=item)
        if item is None or item.status not in LIVE_STATUSES:
            free = free or key
    key = free or keys[-1]
    gone = await _forgotten(tx, grounded)
    kind = MergeKind.TOMBSTONE if gone else MergeKind.NEW
    return Merged(grounded=grounded, kind=kind, fact_key=key, existing=gone)


async def _forgotten(tx: WriteTransaction, grounded: Grounded) -> Item | None:
    """A deleted item that these very words were evidence of, when the fact is the same in other words.

    One whose text is gone cannot be compared, so nothing is learnt again from its event.
    """
    if grounded.candidate.origin is Origin.USER_EXPLICIT:
        return None
    said = f"{grounded.candidate.fact} {grounded.quote}"
    for item in await tx.deleted_on(grounded.event.event_id):
        is_here = (item.owner, item.level) == (grounded.owner, grounded.event.level)
        if is_here and (not item.fact.strip() or coverage(item.fact, said) >= SAME_ENOUGH):
            return item
    return None


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


def _kind(item: Item, grounded: Grounded) -> MergeKind:
    if item.status in LIVE_STATUSES:
        return MergeKind.CONFIRM
    if item.status is Status.DELETED and grounded.candidate.origin is not Origin.USER_EXPLICIT:
        return MergeKind.TOMBSTONE
    return MergeKind.REVIVE
