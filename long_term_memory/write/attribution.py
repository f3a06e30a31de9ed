"""Whose fact it is, and about whom (design 5.3): decided from who said it, never from what a model wishes.

What somebody says of themselves goes to their own scope. What they say of another goes to the group's scope
in a group, with the person and who told it, and stays their own in private. Never does it become the other's.
In a project's chat what there is to do and what has happened is the project's, all else the speaker's; what
they ask to have remembered is theirs everywhere.
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


def _listed(words: str) -> frozenset[str]:
    return frozenset(word.strip() for word in words.split(","))


_ONESELF = _listed("user, the user, speaker, the speaker, self, me, i, myself, 用户, 使用者, 我, 本人, 自己")
_UNNAMED = _listed(
    """he, she, they, him, her, them, it, someone, somebody, someone else, other, another, another person,
    person, unknown, none, null, n a, 他, 她, 他们, 她们, 它, 有人, 某人, 别人, 其他人, 对方, 未知, 无"""
)
_OF_PROJECTS = frozenset({MemoryType.TASK_STATE, MemoryType.EPISODE})
_OF_SPEAKER = re.compile(r"(?P<of>[^'’的]{1,64})(?:['’]s\s+|\s?的)(?P<whom>.{1,80})")
_MY = re.compile(r"(?:my|our|我的?|咱)\s*(?P<whom>.{1,80})", re.IGNORECASE)
_LABEL = re.compile(r"\bU\d{1,3}\b")


@dataclass(frozen=True, kw_only=True)
class Attribution:
    """The scope a fact goes to and the person it is about, empty for the one whose scope it is."""

    owner: ScopeRef
    person: str
    teller: str

    @property
    def is_clear(self) -> bool:
        """Whether it says of whom the fact is; "she" says nothing."""
        return normal_words(self.person) not in _UNNAMED


def attribute(candidate: Candidate, event: Event, events: Sequence[Event]) -> Attribution:
    """Whose fact it is when it rests on this message of the segment."""
    own = Attribution(owner=_own_scope(candidate, event), person="", teller="")
    person = " ".join((candidate.person or candidate.about).split())
    possessor, relative = _split(person, event, events)
    if _is_sender(person, event, events):
        return own
    in_group = event.at_scope.scope is Scope.GROUP
    teller = (event.sender_name or event.sender_id) if in_group else ""
    named = _speaker(person, events) or relative or person
    if in_group and relative:
        named = f"{possessor or teller}'s {relative}"
    return Attribution(owner=event.at_scope if in_group else own.owner, person=named, teller=teller)


def with_names(fact: str, event: Event, events: Sequence[Event]) -> str:
    """The fact with the labels of the prompt put back: "U1 likes tea" is the sender's, "U2" has a name.

    What the words themselves call "U2" is a band.
    """
    labels = speaker_labels(events)
    names = {label: _name(sender, events) for sender, label in labels.items()}
    names[labels.get(event.sender_id, "")] = "User"
    names |= {said: said for said in _LABEL.findall(event.text)}
    return _LABEL.sub(lambda found: names.get(found.group(), found.group()), fact)


def _own_scope(candidate: Candidate, event: Event) -> ScopeRef:
    """The speaker's scope, or the project's for how its work goes."""
    of_project = event.at_scope.scope is Scope.PROJECT and candidate.type in _OF_PROJECTS
    return event.at_scope if of_project and candidate.origin is not Origin.USER_EXPLICIT else event.owner


def _split(person: str, event: Event, events: Sequence[Event]) -> tuple[str, str]:
    """Whose relative somebody is, empty for the sender's, and the relative: "Alice's sister", 我的姐姐."""
    if mine := _MY.fullmatch(person):
        return "", mine["whom"]
    found = _OF_SPEAKER.fullmatch(person)
    if found and _is_sender(found["of"], event, events):
        return "", found["whom"]
    other = _speaker(found["of"], events) if found else ""
    return (other, found["whom"]) if found and other else ("", "")


def _is_sender(person: str, event: Event, events: Sequence[Event]) -> bool:
    said = normal_words(person)
    label = speaker_labels(events).get(event.sender_id, "")
    own = {normal_words(each) for each in (event.sender_name, event.sender_id, label, "")}
    return said in _ONESELF or said in own


def _speaker(person: str, events: Sequence[Event]) -> str:
    """The name of the speaker of the segment who is meant by label, name or id; empty when none is."""
    said = normal_words(person)
    for sender, label in speaker_labels(events).items():
        name = _name(sender, events)
        if said and said in (normal_words(label), normal_words(name), normal_words(sender)):
            return name
    return ""


def _name(sender: str, events: Sequence[Event]) -> str:
    names = {e.sender_id: e.sender_name for e in events if e.role is Role.USER}
    return names.get(sender) or sender
