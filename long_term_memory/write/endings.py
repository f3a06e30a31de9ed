"""Endings: a fact that is over ends what it was, and says so itself (design 5.5)."""

from dataclasses import replace

from ..domain.words import Stance, Status
from ..domain.writing import Grounded
from ..policies.slots import slot_of
from ..text_analysis.fact_relation import (
    Relation,
    is_of_former_days,
    names_value,
    relation,
    relation_of_near,
)
from ..text_analysis.fact_words import is_over, no_longer
from .protocols import WriteTransaction
from .readings import is_of_one
from .transitions import answers_of

_NEAREST = 20
"""Items compared at most by words."""


async def as_ending(tx: WriteTransaction, grounded: Grounded) -> Grounded:
    """A fact that is over as "no longer", where it has the words of what it ends.

    It replaces that, and the answer to its exclusive slot whose value it names.
    """
    candidate = grounded.candidate
    if candidate.stance is not Stance.ENDED:
        return grounded
    fact, owner, level = candidate.fact, grounded.owner, grounded.event.level
    slot = slot_of(candidate.slot, candidate.fact_key)
    answers = await answers_of(tx, owner, level, slot, grounded.person, fact)
    ended = [item.memory_id for item in answers if names_value(fact, item.fact)]
    near = (*candidate.replaces, *grounded.near)
    for item in (
        *await tx.similar(owner, level, fact, limit=_NEAREST),
        *[await tx.get_item(each) for each in near],
    ):
        if item is None or (item.owner, item.level) != (owner, level) or not is_of_one(item, grounded):
            continue
        compare = relation_of_near if item.memory_id in near else relation
        if item.status is Status.DELETED or compare(candidate.fact, item.fact) is not Relation.SAME:
            continue
        is_told = is_over(item.fact) or is_of_former_days(item.fact)
        if not is_told and await tx.stance_of(item.memory_id) is not Stance.ENDED:
            ended.append(item.memory_id)
            fact = no_longer(candidate.fact)
    replaces = tuple(dict.fromkeys((*candidate.replaces, *ended)))
    return replace(grounded, candidate=replace(candidate, fact=fact, replaces=replaces))
