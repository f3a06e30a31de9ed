"""Whose fact it is, and about whom (design 5.3): decided from who said it, never from what a model wishes.

What somebody says of themselves goes to their own scope; of another to the group's in a group, with the
person and who told it, and stays their own in private. In a project's chat what there is to do and what has
happened is the project's, unless they ask to have it remembered.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..domain.chat import ScopeRef
from ..domain.memory import Event
from ..domain.words import MemoryType, Origin, Role, Scope
from ..domain.writing import Candidate
from ..policies.keys import normal_words
from ..prompts.transcript import speaker_labels
from ..text_analysis.word_tables import word_table

_ONESELF, _UNNAMED, _RELATIVE = word_table(__file__).patterns().values()
_OF_PROJECTS = frozenset({MemoryType.TASK_STATE, MemoryType.EPISODE})
_LABEL = re.compile(r"\bU\d{1,3}\b")


@dataclass(frozen=True, kw_only=True)
class Attribution:
    """The scope a fact goes to and the person it is about, empty for the one whose scope it is."""

    owner: ScopeRef
    person: str = ""
    teller: str = ""


def is_unnamed(person: str) -> bool:
    """Whether it says nothing of whom a fact is about, as "she" does."""
    return bool(_UNNAMED.fullmatch(normal_words(person)))


def attribute(candidate: Candidate, event: Event, events: Sequence[Event]) -> Attribution:
    """Whose fact it is when it rests on this message of the segment."""
    of_project = event.at_scope.scope is Scope.PROJECT and candidate.type in _OF_PROJECTS
    owner = event.at_scope if of_project and candidate.origin is not Origin.USER_EXPLICIT else event.owner
    person = " ".join((candidate.person or candidate.about).split())
    named = _speaker(person, event, events)
    if named == "":
        return Attribution(owner=owner)
    in_group = event.at_scope.scope is Scope.GROUP
    teller = (event.sender_name or event.sender_id) if in_group else ""
    relative = _RELATIVE.fullmatch(person)
    possessor = _speaker(relative["of"] or "", event, events) if relative else None
    if relative and possessor is not None:
        person = f"{possessor or teller}'s {relative['whom']}" if in_group else relative["whom"]
    return Attribution(owner=event.at_scope if in_group else owner, person=named or person, teller=teller)


def with_names(fact: str, event: Event, events: Sequence[Event]) -> str:
    """The fact with names for the labels of the prompt; what the words themselves call "U2" is a band."""
    labels, people = speaker_labels(events), [each for each in events if each.role is Role.USER]
    names = {labels[each.sender_id]: each.sender_name or each.sender_id for each in people}
    names[labels.get(event.sender_id, "")] = "User"
    names |= {said: said for said in _LABEL.findall(event.text)}
    return _LABEL.sub(lambda found: names.get(found.group(), found.group()), fact)


def _speaker(person: str, event: Event, events: Sequence[Event]) -> str | None:
    """The speaker who is meant by label, name or id: empty for the sender, None when it is nobody here."""
    said, labels = normal_words(person), speaker_labels(events)
    if _ONESELF.fullmatch(said):
        return ""
    for each in (event, *(other for other in events if other.role is Role.USER)):
        if said in map(normal_words, (labels.get(each.sender_id, ""), each.sender_name, each.sender_id)):
            return "" if each.sender_id == event.sender_id else each.sender_name or each.sender_id
    return None
