"""Whose fact it is, and about whom (design 5.3): decided from who said it, never from what a model wishes.

What somebody says of themselves goes to their own scope. What they say of another goes to the group's scope
in a group, with the person and who told it, and stays their own in private. Never does it become the other's.
In a project's chat what there is to do and what has happened is the project's, all else the speaker's; what
they ask to have remembered is theirs everywhere.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..domain.chat import ScopeRef
from ..domain.memory import Event
from ..domain.words import MemoryType, Origin, Role, Scope
from ..domain.writing import Candidate
from ..policies.keys import normal_words
from ..policies.kinship import canonical_kin, is_kin, kin_of_fact, named_kin
from ..prompts.extraction import speaker_labels


def _listed(words: str) -> frozenset[str]:
    return frozenset(word.strip() for word in words.split(","))


_ONESELF = _listed("user, the user, speaker, the speaker, self, me, i, myself, 用户, 使用者, 我, 本人, 自己")
_UNNAMED = _listed(
    """he, she, they, him, her, them, it, someone, somebody, someone else, other, another, another person,
    person, unknown, none, null, n a, 他, 她, 他们, 她们, 它, 有人, 某人, 别人, 其他人, 对方, 未知, 无"""
)
_OF_PROJECTS = frozenset({MemoryType.TASK_STATE, MemoryType.EPISODE})
_OF_SPEAKER = re.compile(r"(?P<of>.{1,64}?)(?:['’]s |的)(?P<kin>.{1,60})")
_LABEL = re.compile(r"\bU\d{1,3}\b")


@dataclass(frozen=True, kw_only=True)
class Whose:
    """The scope a fact goes to and the person it is about, empty for the one whose scope it is."""

    owner: ScopeRef
    person: str
    teller: str
    is_speaker: bool
    """Whether the person is somebody who speaks in these events, so that the name needs no evidence."""
    relation: str = ""
    """The words that tie the person to the speaker, such as "sister", where that is all there is."""

    @property
    def is_clear(self) -> bool:
        """Whether it says of whom the fact is; "she" says nothing."""
        return normal_words(self.person) not in _UNNAMED


def whose(candidate: Candidate, event: Event, events: Sequence[Event]) -> Whose:
    """Whose fact it is when it rests on this event of the batch."""
    person, possessor = _split(*_meant(candidate), event, events)
    if _is_sender(person, event, events):
        person = "" if candidate.origin is Origin.USER_EXPLICIT else kin_of_fact(candidate.fact)
        possessor = ""
        if not person:
            return Whose(owner=_in_private(candidate, event), person="", teller="", is_speaker=True)
    in_group = event.at_scope.scope is Scope.GROUP
    owner = event.at_scope if in_group else _in_private(candidate, event)
    teller = (event.sender_name or event.sender_id) if in_group else ""
    other = _speaker(person, events)
    if other:
        return Whose(owner=owner, person=other, teller=teller, is_speaker=True)
    if is_kin(person):
        of = _speaker(possessor, events) if possessor and not _is_sender(possessor, event, events) else ""
        named = canonical_kin(person, of or teller)
        return Whose(owner=owner, person=named, teller=teller, is_speaker=False, relation=person)
    return Whose(owner=owner, person=person, teller=teller, is_speaker=False)


def with_names(fact: str, event: Event, events: Sequence[Event]) -> str:
    """The fact with the labels of the prompt put back: "U1 likes tea" is the sender's, "U2" has a name.

    What the words themselves call "U2" is a band.
    """
    labels = speaker_labels(events)
    names = {label: _name(sender, events) for sender, label in labels.items()}
    names[labels.get(event.sender_id, "")] = "User"
    names |= {said: said for said in _LABEL.findall(event.text)}
    return _LABEL.sub(lambda found: names.get(found.group(), found.group()), fact)


def _in_private(candidate: Candidate, event: Event) -> ScopeRef:
    """The speaker's scope, or the project's for how its work goes."""
    of_project = event.at_scope.scope is Scope.PROJECT and candidate.type in _OF_PROJECTS
    return event.at_scope if of_project and candidate.origin is not Origin.USER_EXPLICIT else event.owner


def _meant(candidate: Candidate) -> tuple[str, str]:
    """Whom the proposer means, and whose relative that is when both are said."""
    person, about = (" ".join(text.split()) for text in (candidate.person, candidate.about))
    return (named_kin(person), about) if person else (named_kin(about), "")


def _split(person: str, possessor: str, event: Event, events: Sequence[Event]) -> tuple[str, str]:
    """A speaker's relative as the relative and the speaker: "Alice's sister"."""
    found = _OF_SPEAKER.fullmatch(person)
    if not found or not is_kin(found["kin"]):
        return person, possessor
    of = found["of"]
    return (
        (found["kin"], of) if _is_sender(of, event, events) or _speaker(of, events) else (person, possessor)
    )


def _is_sender(person: str, event: Event, events: Sequence[Event]) -> bool:
    said = normal_words(person)
    own = {normal_words(event.sender_name), normal_words(event.sender_id), ""}
    label = speaker_labels(events).get(event.sender_id, "")
    return said in _ONESELF or said in own or said == normal_words(label)


def _speaker(person: str, events: Sequence[Event]) -> str:
    """The name of the speaker of the batch who is meant by label, name or id; empty when none is."""
    said = normal_words(person)
    for sender, label in speaker_labels(events).items():
        name = _name(sender, events)
        if said and said in (normal_words(label), normal_words(name), normal_words(sender)):
            return name
    return ""


def _name(sender: str, events: Sequence[Event]) -> str:
    names: Mapping[str, str] = {e.sender_id: e.sender_name for e in events if e.role is Role.USER}
    return names.get(sender) or sender
