"""Facts that rules extracted from a message, and what a model extracts from the same words.

What a rule found is provisional. A model's rewording supersedes it, and a fact that verification refuses
expires the same one of a rule. What else a model makes of a clause is another fact and replaces nothing.
An ending in the words of what it ends is read as "no longer".
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import tzinfo

from ..domain.enums import MemoryType, Origin, Stance, Status
from ..domain.memory import Item
from ..domain.writing import Candidate, Grounded
from ..policies.keys import is_chosen, shown_key
from ..policies.slots import slot_of
from ..policies.succession import status_rank
from ..prompts.verification import Ruling
from ..text_analysis.dates import end_named
from ..text_analysis.fact_relation import Relation, is_of_former_days, names_value, relation, relation_of_near
from ..text_analysis.fact_words import is_over, no_longer, polarity, tells_end
from ..text_analysis.quotes import find, shared_terms
from ..text_analysis.word_forms import relatives, same_words
from .conflicts import answers_of
from .protocols import WriteTransaction
from .transitions import Decision, reject

SAME_ENOUGH = 0.5
"""The share of words that identifies a rewording, also of a request to remember."""


async def reworded(tx: WriteTransaction, grounded: Grounded, by_rules: Sequence[Item]) -> list[Item]:
    """The items that the rules made of the words that the candidate rests on."""
    found: list[Item] = []
    for read in by_rules if grounded.candidate.origin is not Origin.RULE else ():
        item = await tx.get_item(read.memory_id)
        if item is None or not status_rank(item.status):
            continue
        whose = item.owner == grounded.owner and is_of_one(item, grounded)
        if whose and await tx.has_evidence(item.memory_id, grounded.event.event_id):
            quotes = await tx.quotes_of(item.memory_id)
            touching = any(find(quote, grounded.quote) or find(grounded.quote, quote) for quote in quotes)
            whole = read.origin is Origin.RULE and any(same_words(quote, grounded.quote) for quote in quotes)
            found += [item] if touching and _rewords(read, grounded.candidate, whole=whole) else []
    return found


def _rewords(item: Item, candidate: Candidate, *, whole: bool) -> bool:
    """Whether the candidate rewords the item; one sentence may tell several facts.

    `whole`: a rule read exactly the words that the candidate rests on. Another type, a plan, or what is told
    beside the item is mostly another fact: a nut allergy, and the wish for a snack without nuts.
    """
    if same_words(item.fact, candidate.fact):
        ends = candidate.stance is not Stance.LASTING or bool(candidate.replaces)
        return ends or is_untyped(item, candidate)
    same_slot = bool(item.slot) and item.slot == lasting_slot(candidate)
    alike = shared_terms(item.fact, candidate.fact) >= SAME_ENOUGH
    by_rule = item.origin is Origin.RULE and candidate.type is item.type
    in_own_words = item.origin is Origin.USER_EXPLICIT or is_chosen(shown_key(item.fact_key))
    if candidate.stance is Stance.PLANNED or not (by_rule or in_own_words):
        return same_slot or (alike and shared_terms(candidate.fact, item.fact) >= SAME_ENOUGH)
    return whole or same_slot or alike


def is_untyped(item: Item, candidate: Candidate) -> bool:
    """Whether a tool saved it, which knows no types, and the candidate has one."""
    by_tool = item.type is MemoryType.EPISODE and is_chosen(shown_key(item.fact_key))
    return by_tool and candidate.type is not item.type and not candidate.key


async def as_ending(tx: WriteTransaction, grounded: Grounded, related: Iterable[Item]) -> Grounded | None:
    """A fact that is over as "no longer" where it has the words of what it ends; None where nothing is new.

    It replaces that, and the answer to its exclusive slot whose value it names.
    """
    candidate, near = grounded.candidate, {*grounded.near, *grounded.candidate.replaces}
    if candidate.stance is not Stance.ENDED:
        return None
    fact, over = candidate.fact, no_longer(candidate.fact)
    slot = slot_of(candidate.slot, candidate.fact_key)
    answers = await answers_of(tx, grounded.owner, grounded.event.level, slot, grounded.person, fact)
    ended = [item.memory_id for item in answers if names_value(fact, item.fact)]
    for item in related:
        is_near = item.memory_id in near and not tells_end(candidate.fact)
        compare = relation_of_near if is_near else relation
        if item.status is Status.DELETED or compare(candidate.fact, item.fact) is not Relation.SAME:
            continue
        # "No longer" adds nothing to what is told as over, or as not so.
        is_former = is_over(item.fact) or is_of_former_days(item.fact)
        is_known = is_former or compare(over, item.fact) is Relation.SAME
        if not is_known and await tx.stance_of(item.memory_id) is not Stance.ENDED:
            ended.append(item.memory_id)
            fact = over
    if fact == candidate.fact and {*ended} <= {*candidate.replaces}:
        return None
    replaces = tuple(dict.fromkeys((*candidate.replaces, *ended)))
    return replace(grounded, candidate=replace(candidate, fact=fact, replaces=replaces))


def last_to_count(fact: Grounded) -> tuple[bool, bool, bool]:
    """The refused and the badly quoted late: the same fact may stand in the answer again, better told.

    The withdrawn come last, for they forget what else was found in their words.
    """
    shown = shared_terms(fact.candidate.fact, fact.quote) >= SAME_ENOUGH
    return fact.candidate.stance is Stance.WITHDRAWN, bool(fact.refused), bool(fact.doubt) or not shown


async def as_asked(tx: WriteTransaction, fact: Grounded, by_rules: Sequence[Item], zone: tzinfo) -> Grounded:
    """The fact as an explicit save, where it rewords a request to remember from the same message."""
    if fact.doubt or fact.is_of_bot or fact.candidate.origin is Origin.CONFIRMED:
        return fact
    text, event = fact.candidate.fact, fact.event
    asked = (item for item in by_rules if item.origin is Origin.USER_EXPLICIT and item.owner == fact.owner)
    for item in asked:
        alike = shared_terms(text, item.fact) >= SAME_ENOUGH
        alike = alike and polarity(text).sides == polarity(item.fact).sides
        if alike and await tx.has_evidence(item.memory_id, event.event_id):
            until = end_named(text, event.created_at.astimezone(zone))
            asked_for = replace(fact.candidate, origin=Origin.USER_EXPLICIT, confidence=1.0, until=until)
            return replace(fact, candidate=asked_for)
    return fact


async def expire_refused(
    tx: WriteTransaction, fact: Grounded, by_rules: Sequence[Item], decision: Decision
) -> None:
    """Expire what the rules found where verification refuses the same; rules alone do not bring it back."""
    for item in by_rules if fact.refused in tuple(Ruling) else ():
        is_rule = item.origin is Origin.RULE and item.owner == fact.owner
        is_same = is_rule and relation(fact.candidate.fact, item.fact) is Relation.SAME
        if is_same and await tx.has_evidence(item.memory_id, fact.event.event_id):
            await reject(tx, item, decision, refused=fact.refused)


def is_of_one(item: Item, grounded: Grounded) -> bool:
    """Whether both are about one person: of one label, or one has none and both name one relative."""
    if item.person == grounded.person:
        return True
    named, other = (relatives(fact.casefold()) for fact in (item.fact, grounded.candidate.fact))
    return "" in (item.person, grounded.person) and not named.isdisjoint(other)


def lasting_slot(candidate: Candidate) -> str:
    """The proposed slot of a lasting fact; none for one that is temporary, planned or of former days."""
    lasts = candidate.stance is Stance.LASTING and not is_of_former_days(candidate.fact)
    return slot_of(candidate.slot, candidate.fact_key) if lasts else ""
