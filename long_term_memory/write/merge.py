"""Stage 5, merge: match a grounded candidate with an item, and find the items it supersedes.

A candidate matches an item of its owner, level and person that says the same: under the same key, in the same
exclusive slot, by its words, or by a near vector that the words do not contradict. A proposed key may name a
question ("home_city"), so it never suffices alone. `may_merge` forbids merges that would show words where
they were not said. Of two values of a slot, or two contraries, what was said later supersedes what was
said earlier.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from ..domain.enums import LIVE_STATUSES, Audience, Level, Origin, Scope, Stance, Status
from ..domain.memory import Item
from ..domain.writing import Candidate, Grounded, Merged, MergeKind
from ..policies.keys import keys_of_fact
from ..policies.slots import is_exclusive
from ..policies.succession import status_rank
from ..prompts.verification import Ruling
from ..text_analysis.fact_relation import Relation, relation, relation_of_near, same_value
from ..text_analysis.quotes import shared_terms
from ..text_analysis.word_forms import normal_words, one_label, same_words
from .conflicts import (
    NEAREST,
    PASSING,
    answers_of,
    as_match,
    groups_of,
    holder_of,
    kind_of,
    may_merge,
    merges_only_while_shared,
    passes,
    split_by_time,
    visibility_of_words,
)
from .protocols import WriteTransaction
from .rule_facts import SAME_ENOUGH, as_ending, is_of_one, is_untyped, lasting_slot, reworded

_NEEDS_NO_SLOT = ("name", "birthday", "age")
"""Slots whose values tell what they answer, also in a fact without a slot."""
_OWNER = re.compile(r"\bUser\b(?!['’]s\b)|用户(?=不再|已经?不|没再)")
"""The owner as a subject, and not as in "User's sister"."""
_MATCH_ORDER = (*list(Status)[:4], Status.DELETED, Status.EXPIRED, Status.SUPERSEDED)
"""Which of several matches counts: a live one first, then a deleted one."""

type _Related = Mapping[Item, Relation]
"""The relation of a candidate to each similar item of its owner, level and person."""


async def merge(
    tx: WriteTransaction, grounded: Grounded, by_rules: Sequence[Item] = (), *, now: datetime
) -> Merged:
    """Match and rank; `by_rules` are the items of the rules from the same messages, which it may replace."""
    grounded = await _as_labelled(tx, grounded)
    provisional = await reworded(tx, grounded, by_rules)
    related = await _related(tx, grounded, provisional)
    if ending := await as_ending(tx, grounded, related):
        return await merge(tx, ending, by_rules, now=now)
    by_key, free = await _under_keys(tx, grounded)
    same = _same(related, None if by_key in provisional else by_key)
    # What another reading of the same message replaced stays replaced.
    read = {item.memory_id for item in by_rules}
    same = [item for item in same if item.status is not Status.SUPERSEDED or item.memory_id not in read]
    same = [item for item in same if await may_merge(tx, item, grounded) and await _binds(tx, item, grounded)]
    for item in same:
        # What a model has refused, only a model or its person brings back.
        is_refused = grounded.candidate.origin is Origin.RULE and item.reason in tuple(Ruling)
        if is_refused or await tx.has_evidence(item.memory_id, grounded.event.event_id):
            return as_match(grounded, MergeKind.KNOWN, item)
    matched = same[0] if same else None
    if gone := await forgotten(tx, grounded, same[:1]):
        return as_match(grounded, MergeKind.TOMBSTONE, gone)
    if saved := await _saved_by_tool(tx, grounded, [item for item in related if item not in provisional]):
        return as_match(grounded, MergeKind.KNOWN, saved)
    shared = await _while_shared(tx, grounded)
    if not shared and matched and await merges_only_while_shared(tx, matched, grounded):
        shared = as_match(grounded, MergeKind.KNOWN, matched)
    if shared:
        return shared
    return await _with_conflicts(tx, grounded, related, matched, free, now=now)


async def _as_labelled(tx: WriteTransaction, grounded: Grounded) -> Grounded:
    """With the label that its person has there already: "Mom" for "mother"."""
    if not grounded.person:
        return grounded
    label, known = one_label(grounded.person), await tx.persons(grounded.owner, grounded.event.level)
    person = next((each for each in known if one_label(each) == label), grounded.person)
    return replace(grounded, person=person)


async def _under_keys(tx: WriteTransaction, grounded: Grounded) -> tuple[Item | None, str]:
    """The match under one of the candidate's keys, if any, and a key that no live item has."""
    keys = keys_of_fact(grounded.candidate.fact, grounded.candidate.fact_key)
    free = ""
    for key in keys:
        item = await tx.find_item(grounded.owner, grounded.event.level, key, grounded.person)
        if item is not None and _is_met(item, grounded.candidate) and await may_merge(tx, item, grounded):
            return item, free or key
        if item is None or item.status not in LIVE_STATUSES:
            free = free or key
    return None, free or keys[-1]


async def _while_shared(tx: WriteTransaction, grounded: Grounded) -> Merged | None:
    """As known, or told again where it was told before, what its person shares, in the same words."""
    level, here = grounded.event.level, groups_of(grounded.event)
    for key in keys_of_fact(grounded.candidate.fact, grounded.candidate.fact_key):
        item = await tx.find_item(grounded.owner, Level.PUBLIC, key, grounded.person)
        is_shared = item and (item.audience, item.status) == (Audience.EVERYWHERE, Status.ACTIVE)
        if not item or not is_shared or not same_words(item.fact, grounded.candidate.fact):
            continue
        said_at = await tx.level_said_at(item.memory_id)
        if said_at is level is Level.PUBLIC:
            return None  # it is the same memory without the sharing too
        # Its evidence says where it is visible, and at which level, once the sharing ends.
        is_within = here <= await tx.said_in(item.memory_id) and level <= said_at and not grounded.doubt
        return as_match(grounded, MergeKind.CONFIRM if is_within else MergeKind.KNOWN, item)
    return None


def _is_met(item: Item, candidate: Candidate) -> bool:
    """Whether the item under a key is a match. An explicit save has its plain statement as key."""
    if same_words(item.fact, candidate.fact):
        return True
    if candidate.origin is Origin.USER_EXPLICIT:
        return bool(candidate.fact_key) and same_words(item.fact, candidate.fact_key)
    in_other_words = item.origin is Origin.USER_EXPLICIT and same_words(item.fact_key, candidate.fact)
    return item.status is Status.DELETED or in_other_words


async def _related(tx: WriteTransaction, grounded: Grounded, provisional: Sequence[Item]) -> _Related:
    candidate, owner, level = grounded.candidate, grounded.owner, grounded.event.level
    slot = lasting_slot(candidate)
    found = [
        *await tx.similar(owner, level, candidate.fact, limit=NEAREST),
        *(await tx.same_slot(owner, level, slot, grounded.person) if is_exclusive(slot) else ()),
        *[await tx.get_item(each) for each in (*grounded.near[:NEAREST], *candidate.replaces)],
        *provisional,
    ]
    related: dict[Item, Relation] = {}
    for item in found:
        if not item or not item.fact.strip() or item in related:
            continue
        if item.level is not level or (item.owner != owner and not _is_of_sender(item, grounded)):
            continue
        how = _relation(item, grounded, slot, provisional)
        if how is Relation.CONTRARY and candidate.stance in PASSING and item not in provisional:
            how = how if await passes(tx, item) else Relation.DIFFERENT
        if how is not None:
            related[item] = how
    return related


def _relation(item: Item, grounded: Grounded, slot: str, provisional: Sequence[Item]) -> Relation | None:
    """How the candidate relates to an item; None for an item about somebody else."""
    candidate = grounded.candidate
    if item.owner != grounded.owner:
        return Relation.DIFFERENT
    if not is_of_one(item, grounded):
        return Relation.DIFFERENT if _names_the_other(item, grounded) else None
    if item in provisional:
        is_same = _is_same_answer(item, candidate, slot) and not is_untyped(item, candidate)
        return Relation.SAME if is_same else Relation.CONTRARY
    if item.memory_id in candidate.replaces and not same_words(candidate.fact, item.fact):
        return Relation.DIFFERENT  # "navy instead of green" has all words of "green"
    if _is_same_answer(item, candidate, slot):
        return Relation.SAME
    compare = relation_of_near if item.memory_id in grounded.near else relation
    return compare(candidate.fact, item.fact)


def _is_same_answer(item: Item, candidate: Candidate, slot: str) -> bool:
    """Whether it gives the item's exclusive slot the same value in other words."""
    fits = slot == item.slot or (not slot and item.slot in _NEEDS_NO_SLOT)
    plain = candidate.stance is Stance.LASTING and item.memory_id not in candidate.replaces
    return plain and fits and is_exclusive(item.slot) and same_value(candidate.fact, item.fact)


def _is_of_sender(item: Item, grounded: Grounded) -> bool:
    """Whether the group knows the item of the sender or from them, and their own word there replaces it."""
    event = grounded.event
    is_own_word = grounded.owner == event.owner and item.memory_id in grounded.candidate.replaces
    is_of_group = item.owner == event.at_scope and item.owner.scope is Scope.GROUP and bool(item.person)
    names = {*map(normal_words, (event.sender_name, event.sender_id))} - {""}
    return is_own_word and is_of_group and not names.isdisjoint(map(normal_words, (item.person, item.teller)))


def _names_the_other(item: Item, grounded: Grounded) -> bool:
    """Whether it replaces it, and one labels whom the other names: "David was added", "adds David".

    Of the owner it tells where both are its subjects: "Gwen chairs it, User no longer does".
    """
    new_fact = grounded.candidate.fact
    labels = ((item.person, new_fact), (grounded.person, item.fact))
    named = any(label and label.casefold() in fact.casefold() for label, fact in labels)
    if not item.person and _OWNER.search(new_fact):
        named = named or grounded.person.casefold() in new_fact.casefold()
    return named and item.memory_id in grounded.candidate.replaces


def _same(related: _Related, by_key: Item | None) -> list[Item]:
    """The items that say the same, the best match first."""
    found = [item for item, how in related.items() if how is Relation.SAME and item != by_key]
    found.sort(key=lambda item: item.updated_at, reverse=True)
    return sorted([by_key, *found] if by_key else found, key=lambda item: _MATCH_ORDER.index(item.status))


async def _saved_by_tool(tx: WriteTransaction, grounded: Grounded, others: Sequence[Item]) -> Item | None:
    """What a tool saved of the same message, where the rules only word it in another way."""
    candidate = grounded.candidate
    for item in others if candidate.origin in (Origin.RULE, Origin.USER_EXPLICIT) else ():
        is_saved = item.origin is not Origin.RULE and item.status in LIVE_STATUSES
        is_same = is_saved and relation_of_near(candidate.fact, item.fact) is Relation.SAME
        if is_same and await tx.has_evidence(item.memory_id, grounded.event.event_id):
            return item
    return None


async def forgotten(tx: WriteTransaction, grounded: Grounded, matched: Sequence[Item]) -> Item | None:
    """The deleted item that forbids to learn this fact.

    If any of `matched` is live or deleted, a deleted one of these; else any of the owner that says the same,
    or something similar in the same message. One whose text was erased cannot be compared, so nothing is
    learnt from its event again.
    """
    candidate, owner = grounded.candidate, grounded.owner
    if candidate.origin is Origin.USER_EXPLICIT:
        return None
    if any(item.status in LIVE_STATUSES | {Status.DELETED} for item in matched):
        return next((item for item in matched if item.status is Status.DELETED), None)
    said, slot = f"{candidate.fact} {grounded.quote}", lasting_slot(candidate)
    for item in await tx.deleted_on(grounded.event.event_id):
        is_alike = not item.fact.strip() or shared_terms(item.fact, said) > SAME_ENOUGH
        if is_alike and item.owner == owner and await _binds(tx, item, grounded):
            return item
    for item in await tx.similar(owner, None, candidate.fact, limit=NEAREST):
        is_same = item.status is Status.DELETED and _relation(item, grounded, slot, ()) is Relation.SAME
        if is_same and not await holder_of(tx, item) and await _binds(tx, item, grounded):
            return item
    return None


async def _binds(tx: WriteTransaction, item: Item, grounded: Grounded) -> bool:
    """False for what another member of the group had told and has forgotten since."""
    if item.status is not Status.DELETED or item.owner.scope is not Scope.GROUP:
        return True
    lines = [line for _, line in await tx.history(item.memory_id)]
    actor = next((line.actor for line in reversed(lines) if line.after == Status.DELETED != line.before), "")
    tellers = {(event.platform_id, event.sender_id) for event in await tx.rests_on(item.memory_id)}
    by_member = bool(actor) and not actor.startswith("operator")
    return not by_member or (grounded.event.platform_id, grounded.event.sender_id) in tellers


async def _with_conflicts(
    tx: WriteTransaction, fact: Grounded, related: _Related, matched: Item | None, free: str, *, now: datetime
) -> Merged:
    """The candidate as `matched` or as a new item, with the items that it supersedes or gives way to."""
    candidate, event = fact.candidate, fact.event
    in_use = matched if matched and matched.status in LIVE_STATUSES else None
    # An item in use keeps its slot.
    slot = (in_use.slot if in_use else "") or lasting_slot(candidate)
    found = await answers_of(tx, fact.owner, event.level, slot, fact.person, candidate.fact)
    answers = [item for item in found if item != matched]
    for item in answers:
        is_contrary = related.get(item) is Relation.CONTRARY
        if not is_contrary and await tx.has_evidence(item.memory_id, event.event_id):
            # One message gives both answers, so both hold.
            answers, slot = [], in_use.slot if in_use else ""
            break
    contested = [
        item
        for item, how in related.items()
        if status_rank(item.status) and (how is Relation.CONTRARY or await _replaces(tx, candidate, item))
    ]
    conflicts = dict.fromkeys(
        item for item in (*answers, *contested) if item != matched and related.get(item) is not Relation.SAME
    )
    here = visibility_of_words(fact, matched)
    older, newer = await split_by_time(tx, conflicts, event.created_at, here, owner=fact.owner, now=now)
    if newer and in_use:
        slot = in_use.slot
    return Merged(
        grounded=replace(fact, candidate=replace(candidate, slot=slot)),
        kind=kind_of(matched, fact) if matched else MergeKind.NEW,
        # Its own key, unless another live item has it meanwhile.
        fact_key=matched.fact_key if matched and not await holder_of(tx, matched) else free,
        existing=matched,
        older=older,
        newer=newer,
    )


async def _replaces(tx: WriteTransaction, candidate: Candidate, item: Item) -> bool:
    """Whether it replaces the item, by proposer or verifier; a passing fact replaces no lasting one."""
    if item.memory_id not in candidate.replaces:
        return False
    return candidate.stance not in PASSING or await passes(tx, item)
