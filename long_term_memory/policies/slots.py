"""Slots: questions that facts answer, such as `home_city`, and the words that ask them.

`slots.toml` maps synonyms to one name per slot, and lists the words of questions it answers: "job" finds
"User works as a nurse". These words count only if the question is about oneself.
"""

import re
from functools import lru_cache

from ..domain.enums import MemoryType
from ..domain.memory import Item
from ..text_analysis.fact_relation import same_value, says_otherwise
from ..text_analysis.word_forms import normal_words, relative_told_of
from ..text_analysis.word_tables import word_table

_TABLE = word_table(__file__)
_SLOTS = _TABLE.table("slots")
_ASKED_BY = {slot: _SLOTS.table(slot).text("asked_by") for slot in _SLOTS}
_ALIASES = {slot: _SLOTS.table(slot).words("aliases") for slot in _SLOTS if "aliases" in _SLOTS.table(slot)}
_CANONICAL = {name: slot for slot, others in _ALIASES.items() for name in (slot, *others)}
_OTHER = [group.split() for group in _TABLE.table("other").pattern("groups").split("|")]
_FAVOURITE = re.compile(r"(?:favou?rite|fav)_(?P<of>\w+)|最喜欢的(?P<zh>\w+)|最爱的?(?P<zh2>\w+)")
_OPEN = ("favourite_", "attitude_")
"""Prefixes of exclusive slots, one per object."""
_HAS_CHILDREN = _TABLE.compiled("has_children")


def canonical(slot: str) -> str:
    """The canonical name of a slot; an unknown one is normalised. Empty stays empty."""
    plain = "_".join(normal_words(slot).split())
    if favourite := _FAVOURITE.fullmatch(plain):
        return "favourite_" + next(filter(None, favourite.groups()))
    bare = plain.removeprefix("user_").removeprefix("current_")
    return _CANONICAL.get(plain) or _CANONICAL.get(bare, plain)


def is_exclusive(slot: str) -> bool:
    """Whether a slot, by its canonical name, has one answer at a time; unknown slots have many."""
    return slot in _ALIASES or slot.startswith(_OPEN)


def slot_of(proposed: str, key: str) -> str:
    """The slot that the proposal names, or the key if only the key names an exclusive one."""
    slot, of_key = canonical(proposed), canonical(key)
    return of_key if is_exclusive(of_key) and not is_exclusive(slot) else slot


def words_asked_by(slot: str, fact: str) -> str:
    """The words of questions for the slot, in both languages; empty without a slot."""
    return f"{_of_slot(slot)} {_ASKED_BY['children']}" if _HAS_CHILDREN.search(fact) else _of_slot(slot)


def same_question(one: Item, other: Item) -> bool:
    """Whether both are in one exclusive slot, of the same person and relative."""
    whose, of_other = (each.person or relative_told_of(each.fact) for each in (one, other))
    return is_exclusive(one.slot) and one.slot == other.slot and whose == of_other


def say_otherwise(one: Item, other: Item) -> bool:
    """Whether two memories of one person say different things of the same matter; what happened may recur."""
    if one.person != other.person or one.type is other.type is MemoryType.EPISODE:
        return False
    if same_question(one, other):
        return not same_value(one.fact, other.fact)
    return says_otherwise(one.fact, other.fact)


@lru_cache(maxsize=1_024)
def _of_slot(slot: str) -> str:
    name = canonical(slot)
    own = name.replace("_", " ")
    known = (
        group for group in _OTHER if any(word in (own.split() if word.isascii() else own) for word in group)
    )
    return _ASKED_BY.get(name) or " ".join((own, *(word for group in known for word in group)))
