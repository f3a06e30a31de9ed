"""Loaders of the two recall data sets, in their published form.

LoCoMo (snap-research): long English conversations of two people, with facts, and questions whose answers lie
in certain turns. MemDaily (MemSim): Chinese messages of one person about their days, one fact each, with
questions.
"""

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

POOL = 200
"""So many messages a pool of MemDaily has: one person's own, and those of others as noise."""
ADVERSARIAL = "5"
"""The category of LoCoMo whose questions have no answer; it is reported apart."""

_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D\d+:\d+")
_CHINESE_TIME = re.compile(r"(\d+)年(\d+)月(\d+)日\D*(\d+):(\d+)")


@dataclass(frozen=True, kw_only=True)
class Message:
    """What somebody said."""

    id: str
    """Unique in its pool."""
    speaker: str
    text: str
    at: datetime
    session: int = 1
    """Which of the pool's talks it belongs to."""


@dataclass(frozen=True, kw_only=True)
class Fact:
    """What is remembered of one or more messages."""

    text: str
    person: str
    """Whom it is about; empty when that is the owner of the pool."""
    at: datetime
    said: Sequence[Message]
    """The messages it rests on."""

    @property
    def covers(self) -> frozenset[str]:
        """The ids of those messages."""
        return frozenset(message.id for message in self.said)


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked, and the messages that answer it."""

    text: str
    answered_by: frozenset[str]
    category: str
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Pool:
    """What one person's memory holds, and what they ask."""

    name: str
    messages: Sequence[Message]
    facts: Sequence[Fact]
    questions: Sequence[Question]


def locomo(path: Path) -> list[Pool]:
    """One pool for each conversation: its facts and its turns. The questions are asked after the last one."""
    return [_conversation(raw) for raw in json.loads(path.read_text("utf-8"))]


def _conversation(raw: Mapping[str, Any]) -> Pool:
    turns = list(_turns(raw["conversation"]))
    by_id = {turn.id: turn for turn in turns}
    end = max(turn.at for turn in turns)
    return Pool(
        name=raw["sample_id"],
        messages=turns,
        facts=list(_observations(raw["observation"], by_id)),
        questions=[
            Question(text=qa["question"].strip(), answered_by=gold, category=str(qa["category"]), at=end)
            for qa in raw["qa"]
            # Some references are malformed; a question is asked as long as one of them is good.
            if (gold := frozenset(qa["evidence"]).intersection(by_id))
        ],
    )


def _turns(conversation: Mapping[str, Any]) -> Iterator[Message]:
    for key, session in conversation.items():
        if found := _SESSION.fullmatch(key):
            at = datetime.strptime(f"{conversation[f'{key}_date_time']} +0000", "%I:%M %p on %d %B, %Y %z")
            for number, turn in enumerate(session):
                yield Message(
                    id=turn["dia_id"],
                    speaker=turn["speaker"],
                    text=_spoken(turn),
                    at=at + timedelta(seconds=number),
                    session=int(found[1]),
                )


def _spoken(turn: Mapping[str, str]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['text']} [image: {caption}]" if caption else turn["text"]


def _observations(sessions: Mapping[str, Any], turns: Mapping[str, Message]) -> Iterator[Fact]:
    """The facts that rest on at least one turn that there is: nothing is remembered without its words."""
    for by_person in sessions.values():
        for person, told in by_person.items():
            for text, evidence in told:
                named = _TURN.findall(json.dumps(evidence))
                said = [turns[each] for each in dict.fromkeys(named) if each in turns]
                if said:
                    yield Fact(text=text, person=person, at=said[0].at, said=said)


def as_facts(pool: Pool) -> Pool:
    """The same with its messages for facts, speaker before words: for a memory without a transcript."""
    facts = [
        Fact(text=f"{said.speaker}: {said.text}", person="", at=said.at, said=(said,))
        for said in pool.messages
    ]
    return replace(pool, facts=facts)


def memdaily(path: Path, *, size: int = POOL) -> list[Pool]:
    """One pool for each trajectory, filled up to `size` with other people's messages of the same days."""
    raw = json.loads(path.read_text("utf-8"))
    return [
        _trajectory(number, one, raw["noise"], size=size) for number, one in enumerate(raw["trajectories"])
    ]


def _trajectory(number: int, raw: Mapping[str, Any], noise: Sequence[str], *, size: int) -> Pool:
    source = random.Random(number)  # noqa: S311  it need not be hard to guess
    own = [
        Message(id=str(one["mid"]), speaker="", text=one["message"], at=_chinese_time(one["time"]))
        for one in raw["message_list"]
    ]
    questions = raw["question_list"]
    start, end = own[0].at, max(own[-1].at, *(_chinese_time(one["time"]) for one in questions))
    others = [
        Message(id=f"noise {at}", speaker="", text=text, at=start + source.random() * (end - start))
        for at, text in enumerate(source.sample(noise, max(0, min(size - len(own), len(noise)))))
    ]
    messages = sorted([*own, *others], key=lambda message: message.at)
    return Pool(
        name=f"memdaily-{number}",
        messages=messages,
        facts=[Fact(text=one.text, person="", at=one.at, said=(one,)) for one in messages],
        questions=[
            Question(
                text=one["question"].strip(),
                answered_by=frozenset(map(str, one["target_step_id"])),
                category=raw["kind"],
                at=_chinese_time(one["time"]),
            )
            for one in questions
        ],
    )


def _chinese_time(text: str) -> datetime:
    found = _CHINESE_TIME.match(text)
    if not found:
        raise ValueError(f"not a time: {text}")
    return datetime(*map(int, found.groups()), tzinfo=UTC)  # pyright: ignore[reportArgumentType] - five numbers
