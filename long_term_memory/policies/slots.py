"""Which question a fact answers when there can be only one answer at a time, and the words that ask it.

A table brings the many names of a question to one (design 5.5). People ask in other words than the fact has
(design 6.2): "User works as a nurse" has no word of "What is my job?". These words count only where somebody
asks about oneself, for "Do you like your job?" has them too.
"""

import re
from functools import lru_cache

from ..text_analysis.word_tables import word_table
from .keys import normal_words

_TABLE = word_table(__file__)
_SLOTS = _TABLE.table("slots")
_ASKED_BY = {slot: _SLOTS.table(slot).text("asked_by") for slot in _SLOTS}
_ALIASES = {slot: _SLOTS.table(slot).words("aliases") for slot in _SLOTS if "aliases" in _SLOTS.table(slot)}
_CANONICAL = {name: slot for slot, others in _ALIASES.items() for name in (slot, *others)}
_OTHER = [group.split() for group in _TABLE.table("other").pattern("groups").split("|")]
_FAVOURITE = re.compile(r"(?:favou?rite|fav)_(?P<of>\w+)|最喜欢的(?P<zh>\w+)|最爱的?(?P<zh2>\w+)")
_OPEN = ("favourite_", "attitude_")
"""Each of these has one answer for whatever follows."""
_HAS_CHILDREN = _TABLE.compiled("has_children")


def canonical(slot: str) -> str:
    """The one name of a slot; an unknown one is merely written plainly. Empty stays empty."""
    plain = "_".join(normal_words(slot).split())
    if favourite := _FAVOURITE.fullmatch(plain):
        return "favourite_" + next(filter(None, favourite.groups()))
    return _CANONICAL.get(plain) or _CANONICAL.get(
        plain.removeprefix("user_").removeprefix("current_"), plain
    )


def is_exclusive(slot: str) -> bool:
    """Whether a slot, by its canonical name, has one answer at a time; an unknown slot has not."""
    return slot in _ALIASES or slot.startswith(_OPEN)


def slot_of(proposed: str, key: str) -> str:
    """The exclusive slot that the proposal, or else the key, names; else the proposal, written plainly."""
    slot, of_key = canonical(proposed), canonical(key)
    return of_key if is_exclusive(of_key) and not is_exclusive(slot) else slot


def words_asked_by(slot: str, fact: str) -> str:
    """The words, in both languages, that ask for it; empty for a fact that answers nothing in particular."""
    if _HAS_CHILDREN.search(fact):
        return f"{_of_slot(slot)} {_ASKED_BY['children']}"
    return _of_slot(slot)


@lru_cache(maxsize=1_024)
def _of_slot(slot: str) -> str:
    """Of a slot that the table does not know its own words, in the other language too."""
    name = canonical(slot)
    own = name.replace("_", " ")
    known = (group for group in _OTHER if any(_is_in(word, own) for word in group))
    return _ASKED_BY.get(name) or " ".join((own, *(word for group in known for word in group)))


def _is_in(word: str, own: str) -> bool:
    return word in own.split() if word.isascii() else word in own
