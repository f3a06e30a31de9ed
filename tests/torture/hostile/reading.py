"""What is written, read back strictly: a block, and the prompts.

Any of Unicode's line ends ends a line here, for it does so for some model.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from astrbot_plugin_ltm.long_term_memory.read.format import HEAD, TAIL

_FACT = re.compile(
    r"- \[(?P<type>profile|preference|task_state|constraint|episode)\] "
    r"(?:\((?=about|said by|agreed)(?:about (?P<about>[^(),]+))?"
    r"(?:(?:, |(?<=\())said by (?P<teller>[^(),]+))?"
    r"(?P<agreed>(?:, |(?<=\())agreed)?\) )?"
    r"(?P<fact>.+) \(confidence: (?P<confidence>[01]\.\d\d)\)"
)
_MESSAGE = re.compile(
    r"\[(?P<number>\d+)\] (?P<who>user U\d+|assistant|tool)"
    r"(?:(?<=tool) (?P<tool>[^:\[\]()]*)|(?<!tool) \((?P<name>[^:\[\]()]+)\))?: (?P<text>.*)"
)
_EARLIER = re.compile(_MESSAGE.pattern.removeprefix(r"\[(?P<number>\d+)\] "))
_QUOTING = re.compile(r"    quoting: (?P<text>.*)")
_DAY = re.compile(r"On [A-Z][a-z]+day \d{4}-\d\d-\d\d:")
_KNOWN = re.compile(r"\[K(?P<number>\d+)\] (?P<who>[^:\[\]()]+): (?P<fact>.*)")
_JUDGED = re.compile(
    r"\[F(?P<number>\d+)\] (?P<who>U\d+)(?:, about (?P<about>[^:,()\[\]]+))?: (?P<fact>.*) \(events [\d, ]+\)"
)
_INSTEAD = re.compile(r"    instead of a: (?P<text>.*)")
_NUMBERED = re.compile(r"\[(?P<number>\d+)\] (?P<fact>.*)")


class BrokenError(ValueError):
    """A text is not written as it has to be."""


@dataclass(frozen=True, kw_only=True)
class ToldFact:
    """One line of a block."""

    type: str
    about: str
    teller: str
    agreed: bool
    fact: str
    confidence: str


@dataclass(frozen=True, kw_only=True)
class ToldMessage:
    """One message of a prompt."""

    who: str
    name: str
    text: str
    quoted: str | None


@dataclass(frozen=True, kw_only=True)
class ToldJudged:
    """One fact that a model is to judge."""

    about: str
    fact: str
    instead_of: str


def facts_of(block: str) -> Sequence[ToldFact]:
    """The facts of a block. Raises BrokenError."""
    lines = block.splitlines()
    if len(lines) < 3 or (lines[0], lines[-1]) != (HEAD, TAIL) or block != "\n".join(lines):
        raise BrokenError("a block has a head, a fact or more, a tail")
    return [_fact(line) for line in lines[1:-1]]


def fenced(prompt: str, name: str) -> Sequence[str]:
    """The lines between the two fences of this name. Raises BrokenError unless there is one of each."""
    lines = prompt.splitlines()
    begin, end = f"<<<{name}>>>", f"<<<end of {name}>>>"
    if (lines.count(begin), lines.count(end)) != (1, 1) or prompt != "\n".join(lines):
        raise BrokenError(f"{name} has one fence before it and one behind it")
    return lines[lines.index(begin) + 1 : lines.index(end)]


def messages_of(lines: Sequence[str]) -> Sequence[ToldMessage]:
    """The messages of a conversation, numbered from 1. Raises BrokenError."""
    told: list[ToldMessage] = []
    for line in lines:
        if _DAY.fullmatch(line):
            continue
        quoting, message = _QUOTING.fullmatch(line), _MESSAGE.fullmatch(line)
        if quoting and told and told[-1].quoted is None:
            last = told.pop()
            told.append(
                ToldMessage(who=last.who, name=last.name, text=last.text, quoted=quoting["text"]),
            )
        elif message and int(message["number"]) == len(told) + 1:
            told.append(_message(message))
        else:
            raise BrokenError(f"no message: {line!r}")
    return told


def earlier_of(lines: Sequence[str]) -> Sequence[ToldMessage]:
    """The messages before a conversation, which have no numbers. Raises BrokenError."""
    found = [_EARLIER.fullmatch(line) for line in lines]
    told = [_message(each) for each in found if each]
    if len(told) != len(lines):
        raise BrokenError("no message before the conversation")
    return told


def judged_of(lines: Sequence[str]) -> Sequence[ToldJudged]:
    """The facts that are to be judged, each with the one it displaces. Raises BrokenError."""
    told: list[ToldJudged] = []
    for first, second in zip(lines[::2], lines[1::2], strict=True):
        fact, instead = _numbered(_JUDGED, first, len(told) + 1), _INSTEAD.fullmatch(second)
        if instead is None:
            raise BrokenError(f"displaces nothing: {second!r}")
        told.append(ToldJudged(about=fact["about"] or "", fact=fact["fact"], instead_of=instead["text"]))
    return told


def known_of(lines: Sequence[str]) -> Sequence[str]:
    """The facts of what is known, numbered from 1. Raises BrokenError."""
    return [_numbered(_KNOWN, line, number)["fact"] for number, line in enumerate(lines, start=1)]


def numbered_of(lines: Sequence[str]) -> Sequence[str]:
    """The facts that are to be summed up, numbered from 1. Raises BrokenError."""
    return [_numbered(_NUMBERED, line, number)["fact"] for number, line in enumerate(lines, start=1)]


def _message(found: re.Match[str]) -> ToldMessage:
    name = found["name"] or found["tool"] or ""
    return ToldMessage(who=found["who"], name=name, text=found["text"], quoted=None)


def _numbered(pattern: re.Pattern[str], line: str, number: int) -> re.Match[str]:
    found = pattern.fullmatch(line)
    if found is None or int(found["number"]) != number:
        raise BrokenError(f"no numbered line: {line!r}")
    return found


def _fact(line: str) -> ToldFact:
    found = _FACT.fullmatch(line)
    if found is None:
        raise BrokenError(f"no fact: {line!r}")
    return ToldFact(
        type=found["type"],
        about=found["about"] or "",
        teller=found["teller"] or "",
        agreed=found["agreed"] is not None,
        fact=found["fact"],
        confidence=found["confidence"],
    )
