"""What one stage of the read pipeline hands to the next."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from hashlib import blake2b
from secrets import token_bytes, token_hex
from typing import Any, NamedTuple

from .chat import Access
from .enums import MemoryType, Role
from .memory import Item, wordings


@dataclass(frozen=True, kw_only=True)
class Query:
    """What memories are asked for."""

    text: str
    at: datetime


@dataclass(frozen=True, kw_only=True, eq=False)
class QueryVector:
    """What is looked for, as one embedding model has it: each asked for anew is one of its own."""

    model_id: str
    numbers: Sequence[float]
    """Of norm 1."""


class NoVector(StrEnum):
    """Why words alone answer a question."""

    NO_QUESTION = "no_question"
    """There is no text to embed."""
    NO_PROVIDER = "no_provider"
    DEADLINE = "deadline"
    """The provider was not done in time."""
    PROVIDER_DOWN = "provider_down"
    """It failed, or has not answered for so long that it is not waited for."""


class Term(NamedTuple):
    """A word of a question, or a pair of characters, as an index holds it (`text_analysis/terms.py`)."""

    text: str
    weight: float = 1.0
    """How much a match counts for the order, > 0 and at most 1."""
    tells: bool = True
    """Whether a match says that a memory has to do with the question: "good" and "time" say nothing."""
    day: bool = False
    """Whether it is a day that the question may mean: what is about that day is named by it."""
    asks: bool = False
    """Whether it asks for something of the person's own: then it finds what answers that in other words."""


@dataclass(frozen=True, kw_only=True)
class Period:
    """The days a question names, such as those of last May: from `start` up to but without `end`."""

    start: datetime
    end: datetime


@dataclass(frozen=True, kw_only=True)
class UnrelatedCosines:
    """The cosines that a question has with texts it has nothing to do with, by its model."""

    mean: float
    spread: float
    """Their standard deviation, > 0."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """One read, bounded: who may see what, and what is looked for."""

    access: Access
    at: datetime
    text: str
    """What is embedded."""
    terms: Sequence[Term] = ()
    """What is looked for, as an index holds it, each once."""
    sentences: Sequence[tuple[Sequence[Term], float]] = ()
    """The terms of each sentence and how much it counts, when there are several; else empty."""
    period: Period | None = None
    everything: bool = False
    """Whether it asks for whatever is remembered of the one who asks."""
    zone: tzinfo = UTC
    """Where the operator's days begin."""


_PROCESS, _KEY = token_hex(4), token_bytes(16)
"""Kept in no file: nobody can test there what an erased memory said. An edit can be undone as long."""


def wording_of(memory_id: str, fact: str) -> str:
    """Sixteen letters that tell the wordings of a memory apart, to this process alone."""
    worded = f"{memory_id} {fact}".encode("utf-8", "surrogatepass")
    return _PROCESS + blake2b(worded, key=_KEY, digest_size=4).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Met:
    """A memory as a recall met it; older rows of the log have no type, and no `wording_of` this process."""

    memory_id: str
    type: MemoryType | None = None
    wording: str = ""

    def fact_at(self, at: datetime, now: Item, older: Sequence[Item]) -> str | None:
        """What the memory said at the recall; None when nobody knows. `older` is as for `reworded_at`."""
        earlier = wordings(now, older)
        if self.wording.startswith(_PROCESS):
            facts = [one.fact for one in (now, *earlier)]
            return next((fact for fact in facts if wording_of(self.memory_id, fact) == self.wording), None)
        # The first rewording since then ended what was said then.
        return next((one.fact for one in reversed(earlier) if one.updated_at > at), now.fact)


@dataclass(frozen=True, kw_only=True)
class Given(Met):
    """A memory that a request carried, with the score that ordered it and each signal's share of it."""

    score: float
    similarity: float
    """The share of words, of vectors, and of what stands whatever is asked."""
    importance: float
    recency: float
    """The share of age and, in a small memory, of type, which may make it negative."""
    words: float | None = None
    """What words gave before it was brought to a scale; None when they were not asked."""
    cosine: float | None = None
    """-1..1; None when vectors were not asked or the item has none."""


@dataclass(frozen=True, kw_only=True)
class Ranked(Given):
    """The same with the item itself, and what the log does not keep."""

    item: Item
    named: float = 0.0
    """For being about somebody whom the question names."""
    timing: float = 0.0
    """For having been told in the days that the question names, or being planned where it asks for plans."""


@dataclass(frozen=True, kw_only=True)
class Omitted(Met):
    """A visible item that is not injected, and the rule that left it out."""

    rule: str
    score: float | None = None
    """What would have ordered it; None where it was left out before that."""


def met(item: Item) -> Mapping[str, Any]:
    """The fields of `Met` of an item as it is."""
    return {"memory_id": item.memory_id, "type": item.type, "wording": wording_of(item.memory_id, item.fact)}


@dataclass(frozen=True, kw_only=True)
class Recall:
    """The outcome of one read: what is injected, as text and as items, and what is not."""

    block: str
    """Empty when nothing is injected."""
    injected: Sequence[Ranked]
    omitted: Callable[[], Iterable[Omitted]] = tuple
    """Gives the next best one after the other, each with its reason: no reply waits for them."""
    vectors: bool
    """Whether vectors took part."""
    reason: str = ""
    """Why nothing is injected (`NoBlock`), else why vectors took no part (`NoVector`), else empty."""


@dataclass(frozen=True, kw_only=True)
class Said:
    """One message of a person or the bot, or one result of a tool."""

    event_id: str
    role: Role
    speaker: str
    """The name a person had then, or the tool's; empty for the bot."""
    text: str
    """In a search no more than the passage that answers."""
    said_at: datetime
    umo: str
    score: float = 0.0
    """0..1 beside the best of its search, which has 1; 0 where nothing was looked for."""
