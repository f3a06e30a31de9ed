"""No answer of a model, whatever is in it, does more than be read or be refused."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType, Origin
from astrbot_plugin_ltm.long_term_memory.domain.errors import AnswerError
from astrbot_plugin_ltm.long_term_memory.domain.writing import Candidate
from astrbot_plugin_ltm.long_term_memory.prompts.extraction import ParsedAnswer, parse
from hypothesis import strategies as st
from hypothesis.errors import HypothesisException

from tests.torture.parsers.answers import KNOWN, answers, readable
from tests.torture.parsers.fuzzing import Outcomes, fuzz
from tests.torture.parsers.reading import KEPT, Parse, heard, read
from tests.torture.parsers.spoiling import marred

FEW = 400
EVENTS = heard()
told = st.sampled_from(EVENTS).map(lambda event: event.text)


@pytest.mark.torture
def test_every_answer_is_read_or_refused() -> None:
    found = fuzz("answers of a model", answers, partial(_read, parse), few=FEW)
    assert len(found.of) >= 10
    assert kept(found) > 0


@pytest.mark.torture
def test_whatever_was_said_a_fact_is_held_against_it() -> None:
    pairs = st.tuples(readable, marred(told) | st.text(max_size=400))
    found = fuzz(
        "answers beside any words",
        pairs,
        lambda pair: read(parse, pair[0], KNOWN, heard(pair[1])),
        few=FEW // 2,
    )
    assert len(found.of) >= 10
    assert kept(found) > 0


def kept(found: Outcomes) -> int:
    """Of how many answers a fact was kept."""
    return sum(number for outcome, number in found.of.items() if KEPT in outcome.split())


def _read(parser: Parse, text: str) -> str:
    return read(parser, text, KNOWN, EVENTS)


def naive(text: str, known: Sequence[str] = ()) -> ParsedAnswer:
    """As it is first written: the whole text is JSON, and a fact is what it says it is."""
    facts = json.loads(text)
    return ParsedAnswer(candidates=tuple(_candidate(fact, known) for fact in facts), rejected=())


def trusting(text: str, known: Sequence[str] = ()) -> ParsedAnswer:
    """As it is written next: whatever is wrong with the JSON is caught, what the JSON says is believed."""
    try:
        return naive(text, known)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        raise AnswerError("no list of facts in the answer") from error


def wordy(text: str, known: Sequence[str] = ()) -> ParsedAnswer:
    """The real one, but its reasons repeat what the model said."""
    answer = parse(text, known)
    return replace(answer, rejected=tuple(f"{reason} in {text[:40]}" for reason in answer.rejected))


def deaf(text: str, known: Sequence[str] = ()) -> ParsedAnswer:
    """The real one, but whatever it does not understand is a memory of nothing at all."""
    answer = parse(text, known)
    return replace(
        answer, candidates=tuple(replace(one, replaces=("memory-9",)) for one in answer.candidates)
    )


def _candidate(fact: Any, known: Sequence[str]) -> Candidate:
    return Candidate(
        type=MemoryType(fact["type"]),
        fact=fact["fact"],
        confidence=fact.get("confidence", 1.0),
        importance=fact.get("importance", 1.0),
        origin=Origin.LLM_EXTRACT,
        quotes=(fact["quote"],) if fact.get("quote") else (),
        replaces=(known[int(fact["replaces"][1:])],) if fact.get("replaces") else (),
    )


@pytest.mark.parametrize("broken", [naive, trusting, wordy, deaf])
def test_a_parser_that_is_not_careful_is_caught(broken: Parse) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever it is that goes wrong
        fuzz(f"answers, {broken.__name__}", answers, partial(_read, broken), few=FEW)
    assert not isinstance(caught.value, HypothesisException)
