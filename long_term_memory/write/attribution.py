"""Whose a fact is: it comes from the sender, not from the model.

A fact about the sender goes to their own scope. In a group, a fact about another person or about the whole
group goes to the group's scope; in private it stays the sender's own.
"""

import re
from collections.abc import Sequence

from ..domain.chat import ScopeRef
from ..domain.enums import MemoryType, Origin, Role, Scope
from ..domain.memory import Event
from ..domain.writing import Candidate
from ..prompts.transcript import speaker_labels
from ..text_analysis.word_forms import normal_words
from ..text_analysis.word_tables import word_table

_TABLE = word_table(__file__)
_ONESELF, UNNAMED, _NOBODY, _EVERYBODY, _RELATIVE, AGREES, FIRST_PERSON = map(
    _TABLE.compiled,
    ("oneself", "unnamed", "nobody", "everybody", "relative", "agrees", "first_person"),
)
_OF_PROJECTS = frozenset({MemoryType.TASK_STATE, MemoryType.EPISODE})
"""In a project's chat these belong to the project, unless somebody asks to have them remembered."""
_LABEL = re.compile(r"\bU\d{1,3}\b")
_USER = _TABLE.text("user")


def attribute(candidate: Candidate, event: Event, events: Sequence[Event]) -> tuple[ScopeRef, str, str]:
    """The owner, person and teller of a fact that rests on this message, as `Grounded` has them."""
    of_project = event.at_scope.scope is Scope.PROJECT and candidate.type in _OF_PROJECTS
    owner = event.at_scope if of_project and candidate.origin is not Origin.USER_EXPLICIT else event.owner
    in_group = event.at_scope.scope is Scope.GROUP
    teller = (event.sender_name or event.sender_id) if in_group else ""
    person, of_all = _told_of(candidate, event, events)
    if in_group and of_all and not person:
        return event.at_scope, "", teller
    named = _speaker(person, event, events)
    if named == "":
        return owner, "", ""
    relative = _RELATIVE.fullmatch(person)
    possessor = _speaker(relative["of"] or "", event, events) if relative else None
    if relative and possessor is not None:
        person = f"{possessor or teller}'s {relative['whom']}" if in_group else relative["whom"]
    return event.at_scope if in_group else owner, named or person, teller


def _told_of(candidate: Candidate, event: Event, events: Sequence[Event]) -> tuple[str, bool]:
    """Whom it is about by its own fields, empty for nobody; and whether it is about the whole group."""
    told = [" ".join(each.split()) for each in (candidate.person, candidate.about)]
    is_all = [
        bool(_EVERYBODY.fullmatch(normal_words(each))) and _speaker(each, event, events) is None
        for each in told
    ]
    named = (
        each
        for each, of_all in zip(told, is_all, strict=True)
        if not of_all and not _NOBODY.fullmatch(normal_words(each))
    )
    return next(named, ""), any(is_all)


def with_names(candidate: Candidate, event: Event, events: Sequence[Event]) -> str:
    """The fact with names for the labels of the prompt, except where the message itself says "U2".

    "User" is the owner alone: in what is the group's it becomes the name of whom it means.
    """
    labels, people = speaker_labels(events), [each for each in events if each.role is Role.USER]
    names = {labels[each.sender_id]: each.sender_name or each.sender_id for each in people}
    label, user = labels.get(event.sender_id, ""), _user_of(candidate, event, events)
    is_sender = user == names.get(label)
    names |= {label: user if is_sender else "User", **{said: said for said in _LABEL.findall(event.text)}}
    fact = _LABEL.sub(lambda found: names.get(found.group(), found.group()), candidate.fact)
    is_labelled = not is_sender and label in _LABEL.findall(candidate.fact)
    if not user or is_labelled or re.search(_USER, event.text):
        return fact
    pattern = re.compile(rf"(?:{_USER})(?P<own>['’]s)?(?:\s?[(（]{re.escape(user)}(?:['’]s)?[)）])?")
    edge = r"(?<!\w){}(?!\w)" if user.isascii() else "{}"
    is_named = not is_sender and re.search(edge.format(re.escape(user)), pattern.sub("", fact))
    return fact if is_named else pattern.sub(lambda found: user + (found["own"] or ""), fact)


def _user_of(candidate: Candidate, event: Event, events: Sequence[Event]) -> str:
    """Whom "User" means in what is the group's; empty in what is the sender's own, or unclear."""
    in_group, sender = event.at_scope.scope is Scope.GROUP, event.sender_name or event.sender_id
    person, of_all = _told_of(candidate, event, events)
    about = "" if of_all else _speaker(candidate.about, event, events)
    if candidate.person and person == " ".join(candidate.person.split()):
        is_of_other = _speaker(person, event, events) != ""
        return sender if in_group and is_of_other and about == "" else ""
    return sender if in_group and of_all else about or ""


def _speaker(person: str, event: Event, events: Sequence[Event]) -> str | None:
    """The speaker with this label, name or id: empty for the sender, None for nobody here."""
    said = normal_words(person)
    if _ONESELF.fullmatch(said):
        return ""
    for each in (event, *(other for other in events if other.role is Role.USER)):
        if said in names_of(each, events):
            return "" if each.sender_id == event.sender_id else each.sender_name or each.sender_id
    return None


def names_of(said: Event, events: Sequence[Event]) -> Sequence[str]:
    """What its sender is called: the label, the name and the id."""
    label = speaker_labels(events).get(said.sender_id, "")
    return [normal_words(each) for each in (label, said.sender_name, said.sender_id)]
