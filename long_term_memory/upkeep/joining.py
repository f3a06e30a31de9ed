"""Whether two items may become one, and what the one is then: pure decisions (design 5.4, 5.6, 7).

What is joined says the same of the same person, and nothing of it comes to light where it was not before. A
person's own item surfaces in the groups its words were said in, so the one that stays must surface wherever
the other did already, or have the other's very text.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..domain.chat import ScopeRef
from ..domain.memory import Evidence, Item
from ..domain.words import Origin, Scope, Status
from ..policies.confidence import averaged
from ..policies.keys import is_chosen, same_words, tells_more
from ..policies.sameness import Relation, relation, relation_of_near
from ..policies.worth import worth

NEAR = 0.85
"""The cosine above which two facts may be one (design 5.4)."""
DUPLICATE = "duplicate"


@dataclass(frozen=True, kw_only=True)
class Placed:
    """An item, and the groups in which its words were said."""

    item: Item
    said_in: frozenset[ScopeRef]


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two items that become one."""

    keeper: Placed
    other: Placed


def say_the_same(fact: str, other: str, cosine: float | None) -> bool:
    """Whether two facts are one: by their words, or by vectors when no name, number or denial differs."""
    is_near = cosine is not None and cosine > NEAR
    return (relation_of_near if is_near else relation)(fact, other) is Relation.SAME


def paired(one: Placed, other: Placed, *, now: datetime) -> Pair | None:
    """Which of two items that say the same stays; None when neither may stand for the other.

    What a person saved in their own words always stays, so two of those stay two. Else the one stays that is
    more worth keeping, unless only the other surfaces wherever either does.
    """
    if not (_is_of_use(one.item, now) and _is_of_use(other.item, now)) or not _same_family(one, other):
        return None
    worthier, lesser = sorted((one, other), key=lambda placed: _rank(placed.item, now), reverse=True)
    for keeper, gone in ((worthier, lesser), (lesser, worthier)):
        if not _is_explicit(gone.item) and _surfaces_no_further(keeper, gone):
            return Pair(keeper=keeper, other=gone)
    return None


def joined(pair: Pair, evidence: Sequence[Evidence], *, now: datetime) -> Item:
    """The one that stays, resting on all this evidence.

    Texts of the other are taken over only when both surface in the same places.
    """
    item, other = pair.keeper.item, pair.other.item
    alike = pair.keeper.said_in == pair.other.said_in
    return replace(
        item,
        confidence=averaged(item.confidence, item.evidence_count, other.confidence, other.evidence_count),
        importance=max(item.importance, other.importance),
        emotion=max(item.emotion, other.emotion),
        evidence_count=len(evidence),
        relationship=item.relationship or (other.relationship if alike else ""),
        backstory=item.backstory or (other.backstory if alike else ""),
        slot=item.slot or (other.slot if alike else ""),
        access_count=item.access_count + other.access_count,
        updated_at=now,
        last_confirmed_at=max(item.last_confirmed_at, other.last_confirmed_at),
        last_accessed_at=max(filter(None, (item.last_accessed_at, other.last_accessed_at)), default=None),
        expires_at=_later(item.expires_at, other.expires_at),
    )


def superseded(pair: Pair, *, now: datetime) -> Item:
    """The one that gives way."""
    return replace(
        pair.other.item,
        status=Status.SUPERSEDED,
        reason=DUPLICATE,
        superseded_by=pair.keeper.item.memory_id,
        updated_at=now,
    )


def _is_of_use(item: Item, now: datetime) -> bool:
    return item.status is Status.ACTIVE and (item.expires_at is None or item.expires_at > now)


def _same_family(one: Placed, other: Placed) -> bool:
    a, b = one.item, other.item
    same = (a.owner, a.level, a.person, a.audience, a.type, a.persona_id) == (
        b.owner,
        b.level,
        b.person,
        b.audience,
        b.type,
        b.persona_id,
    )
    return (
        same
        and a.memory_id != b.memory_id
        and _fits(a.relationship, b.relationship)
        and _fits(a.slot, b.slot)
    )


def _fits(text: str, other: str) -> bool:
    return not text or not other or same_words(text, other)


def _surfaces_no_further(keeper: Placed, other: Placed) -> bool:
    """Whether the keeper's text comes to light nowhere new once it rests on the other's words too.

    Nor once it is taken back, if it is shared.
    """
    item = keeper.item
    if item.owner.scope is not Scope.USER:
        return True
    return other.said_in <= keeper.said_in or _tells_no_more(item, other.item)


def _tells_no_more(item: Item, other: Item) -> bool:
    texts = (
        (item.relationship, other.relationship),
        (item.backstory, other.backstory),
        (item.slot, other.slot),
        (item.teller, other.teller),
    )
    return (
        same_words(item.fact, other.fact)
        and all(text in ("", known) for text, known in texts)
        and set(item.tags) <= set(other.tags)
        and (item.fact_key == other.fact_key or not tells_more(item.fact_key, item.fact))
    )


def _rank(item: Item, now: datetime) -> tuple[bool, float, str]:
    return _is_explicit(item), worth(item, now=now), item.memory_id


def _is_explicit(item: Item) -> bool:
    """Whether somebody saved it: under a key of their choice it must be found again, asked for or not."""
    return item.origin is Origin.USER_EXPLICIT or is_chosen(item.fact_key)


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return None if one is None or other is None else max(one, other)
