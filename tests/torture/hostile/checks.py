"""What is wrong with a block or a prompt that was made of hostile text; nothing, if it was made well."""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType, Origin, Role
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.domain.writing import Segment
from astrbot_plugin_ltm.long_term_memory.prompts.verification import Statement

from tests.torture.hostile import reading
from tests.torture.hostile.eye import (
    begins_with_note,
    block_marks,
    prompt_marks,
    seen,
    shows_nothing,
    words,
)
from tests.torture.hostile.reading import BrokenError, ToldFact, ToldMessage

UNREADABLE = "unreadable"
_DATED = "said20"
_NEVER_CUT = 40
"""Characters of the shortest text that may be shown in part."""
_CUT_ENTITY = 8
"""What is left of an entity that was cut in two reads otherwise."""


def faults_of_block(block: str, items: Sequence[Item]) -> list[str]:
    """Whether the block, read strictly, gives these very facts, and nothing in it passes for a mark."""
    try:
        facts = reading.facts_of(block)
    except BrokenError as error:
        return [str(error)]
    if len(facts) != len(items):
        return [f"{len(facts)} facts of {len(items)}"]
    pairs = zip(facts, items, strict=True)
    return [*_unseen(block), *(fault for fact, item in pairs for fault in _faults_of_fact(fact, item))]


def faults_of_conversation(
    prompt: str, events: Sequence[Event], known: Sequence[str] = (), earlier: Sequence[Event] = ()
) -> list[str]:
    """The same of a prompt that asks what is to be remembered."""
    try:
        faults = _faults_of_segment(prompt, events, known, earlier)
    except BrokenError as error:
        return [str(error)]
    fences = 2 * (1 + bool(known) + bool(earlier))
    return [*faults, *_marks_too_many(prompt, len(events) + len(known), fences=fences)]


def faults_of_verification(prompt: str, segment: Segment, statements: Sequence[Statement]) -> list[str]:
    """The same of a prompt that asks whether facts were said; each of them displaces one."""
    known = [item.fact for item in segment.known]
    try:
        faults = _faults_of_segment(prompt, segment.events, known, segment.earlier)
        told = reading.judged_of(reading.fenced(prompt, "facts"))
    except BrokenError as error:
        return [str(error)]
    if len(told) != len(statements):
        return [f"{len(told)} facts of {len(statements)}"]
    for one, statement in zip(told, statements, strict=True):
        faults += _faults_of_text(one.fact, statement.fact)
        faults += _faults_of_text(one.about, statement.person)
        faults += _faults_of_text(one.instead_of, statement.instead_of[0])
    labels = len(segment.events) + len(known) + len(statements)
    fences = 2 * (2 + bool(known) + bool(segment.earlier))
    return [*faults, *_marks_too_many(prompt, labels, fences=fences)]


def _faults_of_segment(
    prompt: str, events: Sequence[Event], known: Sequence[str], earlier: Sequence[Event]
) -> list[str]:
    """Raises BrokenError."""
    told = reading.messages_of(reading.fenced(prompt, "conversation"))
    facts = reading.known_of(reading.fenced(prompt, "known") if known else ())
    lines = reading.fenced(prompt, "earlier") if earlier else ()
    before = reading.earlier_of(lines)
    found, wanted = (len(told), len(facts), len(before)), (len(events), len(known), len(earlier))
    if found != wanted:
        return [f"{found} messages, facts and earlier messages of {wanted}"]
    faults = [f"a mark {mark!r} before the conversation" for line in lines for mark in prompt_marks(line)]
    said = [*zip(told, events, strict=True), *zip(before, map(_unquoted, earlier), strict=True)]
    for one, event in said:
        faults += _faults_of_message(one, event)
    for fact, text in zip(facts, known, strict=True):
        faults += _faults_of_text(fact, text)
    return [*_unseen(prompt), *faults]


def faults_of_asked(prompt: str, events: Sequence[Event], facts: Sequence[str]) -> list[str]:
    """The same of a prompt about some of these events, beside some of these facts."""
    try:
        told = reading.messages_of(reading.fenced(prompt, "conversation"))
        known = reading.known_of(_fenced_if_there(prompt, "known"))
        before = reading.earlier_of(_fenced_if_there(prompt, "earlier"))
    except BrokenError as error:
        return [str(error)]
    said = [next((event for event in events if _is(one, event)), None) for one in told]
    earlier = [next((event for event in events if _is(one, _unquoted(event))), None) for one in before]
    meant = [next((fact for fact in facts if _says(one, fact)), None) for one in known]
    if None in said or None in meant or None in earlier:
        return [f"nobody said it: {told} {known} {before}"]
    return faults_of_conversation(
        prompt,
        [event for event in said if event],
        [fact for fact in meant if fact is not None],
        [event for event in earlier if event],
    )


def _fenced_if_there(prompt: str, name: str) -> Sequence[str]:
    return reading.fenced(prompt, name) if f"\n<<<{name}>>>\n" in prompt else ()


def _unquoted(event: Event) -> Event:
    """As it stands before a conversation."""
    return replace(event, quoted="")


def faults_of_line(text: str) -> list[str]:
    """What stands in a line that a model or a person is shown, and must not."""
    return [*_unseen(text), *(f"a mark {mark!r}" for mark in block_marks(text))]


def _faults_of_fact(told: ToldFact, item: Item) -> Iterator[str]:
    if (told.type, told.confidence) != (item.type.value, f"{item.confidence:.2f}"):
        yield f"another type or confidence: {told}"
    if not _noted(told, item) or bool(told.teller) != bool(item.teller):
        yield f"about another: {told}"
    if told.agreed != (item.origin is Origin.CONFIRMED):
        yield f"agreed to by nobody, or without a word of it: {told}"
    if not _says(_unspoken(told, item), item.fact, dated=item.type is MemoryType.EPISODE):
        yield f"another fact: {told.fact!r}"
    for text in (told.fact, told.about, told.teller):
        yield from (f"a mark {mark!r} in {text!r}" for mark in block_marks(text))
    if any(seen(char) in {"(", ")"} for char in told.about + told.teller):
        yield f"a name that ends its note: {told}"
    if begins_with_note(told.fact):
        yield f"a note at the beginning: {told.fact!r}"


def _noted(told: ToldFact, item: Item) -> bool:
    """Whether the line says whom the fact is about; its owner may name the person in the fact."""
    if told.about or not item.person or item.teller:
        return bool(told.about) == bool(item.person)
    named, fact = ("".join(filter(str.isalnum, seen(text))) for text in (item.person, item.fact))
    return named.removeprefix("users") in fact


def _unspoken(told: ToldFact, item: Item) -> str:
    """The fact without the words that say it is in the person's own words."""
    if item.origin is not Origin.USER_EXPLICIT or item.type is not MemoryType.EPISODE or item.person:
        return told.fact
    return re.sub(r"^(?:User said: |用户说：)", "", told.fact)


def _faults_of_message(told: ToldMessage, event: Event) -> Iterator[str]:
    who = told.who.split(" ", maxsplit=1)[0]
    if who != event.role.value or (told.quoted is None) != (not event.quoted.strip()):
        yield f"said by another: {told}"
    name = event.sender_name if event.role is Role.USER else event.tool
    if not _says(told.name, name):
        yield f"another name: {told.name!r}"
    yield from _faults_of_text(told.text, event.text)
    yield from _faults_of_text(told.quoted or "", event.quoted)


def _is(told: ToldMessage, event: Event) -> bool:
    return not [*_faults_of_message(told, event)]


def _faults_of_text(told: str, text: str) -> Iterator[str]:
    if not _says(told, text):
        yield f"another text: {told!r}"


def _says(told: str, text: str, *, dated: bool = False) -> bool:
    """Whether it tells the words of the text, from its beginning on and nothing else."""
    said = words(told)
    if dated and _DATED in said:
        said = said[: said.rindex(_DATED)]
    if not said or said == UNREADABLE:
        if not words(text):
            return True
        if not said:
            return False
    ways = [text, "".join(char for char in text if not shows_nothing(char))]
    ways += [html.unescape(way) for way in ways]
    ways += [html.unescape(way) for way in ways[2:]]
    whole = [words(way) for way in ways]
    if "&" in text and len(text) > _NEVER_CUT:
        said = said[:-_CUT_ENTITY]
    return said in whole if len(text) <= _NEVER_CUT else any(one.startswith(said) for one in whole)


def _unseen(text: str) -> Iterator[str]:
    yield from (f"unseen {char!r}" for char in set(text) if char != "\n" and shows_nothing(char))


def _marks_too_many(prompt: str, labels: int, *, fences: int) -> Iterator[str]:
    """A fence is two marks, for it has two ends."""
    data = [
        line
        for line in prompt.splitlines()
        if line.startswith(("[", "    quoting:", "    instead of a:", "<<<"))
    ]
    found = [mark for line in data for mark in prompt_marks(line)]
    if len(found) != labels + 2 * fences:
        yield f"{len(found)} marks of {labels + 2 * fences}"
