"""A search of what was said, from the question to the words that are found."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access
from astrbot_plugin_ltm.long_term_memory.domain.enums import Role
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event
from astrbot_plugin_ltm.long_term_memory.domain.reading import Query, QueryVector, Said, Term
from astrbot_plugin_ltm.long_term_memory.read.protocols import Heard, Signals
from astrbot_plugin_ltm.long_term_memory.read.similarity_baseline import SimilarityBaseline
from astrbot_plugin_ltm.long_term_memory.read.transcript import MAX_RESULTS, TranscriptReader
from astrbot_plugin_ltm.long_term_memory.text_analysis.terms import index_terms

from tests.read.fakes import ALICES_CHAT, NOW, Background, FakeAhead, FakeEmbedder, alices_access
from tests.stores import an_event


@dataclass
class FakeTranscript:
    """Messages of talks of their own; those whose text is in `near` have the vector of any question."""

    said: list[Event]
    near: Sequence[str] = ()
    gone: set[str] = field(default_factory=set[str])
    vectors: list[QueryVector | None] = field(default_factory=list[QueryVector | None])

    async def warm(self, access: Access, *, now: datetime) -> bool:
        assert (access, now) == (alices_access(), NOW)
        return bool(self.near)

    async def look_up(
        self, access: Access, terms: Sequence[Term], vector: QueryVector | None, *, now: datetime
    ) -> Heard:
        assert (access, now) == (alices_access(), NOW)
        self.vectors.append(vector)
        wanted = {term.text for term in terms}
        words = [float(len(wanted & {*index_terms(one.text)})) for one in self.said]
        cosine = [(1.0 if one.text in self.near else 0.0) if vector else math.nan for one in self.said]
        times = np.array([one.created_at.timestamp() for one in self.said])
        nothing = np.zeros(len(self.said))
        return Heard(
            signals=Signals(
                words=np.array(words),
                coverage=np.array(words).clip(0, 1),
                cosine=np.array(cosine),
                named=nothing.astype(np.bool_),
                kinds=nothing.astype(np.int8),
                shadowed=nothing.astype(np.bool_),
                importance=nothing,
                said=times,
                confirmed=times,
            ),
            threads=np.arange(len(self.said)),
            event_ids=[one.event_id for one in self.said],
        )

    async def read(self, access: Access, event_ids: Sequence[str]) -> Mapping[str, Event]:
        assert access == alices_access()
        return {
            one.event_id: one
            for one in self.said
            if one.event_id in event_ids and one.event_id not in self.gone
        }


def said(text: str, at: datetime = NOW - timedelta(days=1), event_id: str = "") -> Event:
    return an_event(text, event_id=event_id or text, created_at=at, umo=ALICES_CHAT)


def reader(transcript: Any, baseline: SimilarityBaseline) -> TranscriptReader:
    return TranscriptReader(transcript=transcript, seek=FakeAhead((1.0, 0.0)).vector, baseline=baseline)


def _across(text: str) -> Sequence[float]:
    """The vector of an unrelated text."""
    return (0.01 * (len(text) % 3), 1.0)


async def search(
    transcript: FakeTranscript, text: str, *, max_results: int = 10, before: datetime | None = None
) -> Sequence[Said]:
    query = Query(text=text, at=NOW)
    background = Background()
    baseline = SimilarityBaseline(FakeEmbedder(_across), begin=background.begin)
    baseline.unrelated(text, QueryVector(model_id="fake", numbers=(1.0, 0.0)))
    await background.done()
    return await reader(transcript, baseline).search(
        alices_access(), query, max_results=max_results, before=before
    )


async def test_what_answers_best_comes_first_with_its_words_and_score() -> None:
    page = replace(said("A cat, Momo, eats"), role=Role.TOOL, tool="fetch")
    transcript = FakeTranscript([said("My cat is grey"), said("I like tea"), page])
    found = await search(transcript, "cat Momo")
    assert [(one.text, one.speaker) for one in found] == [
        ("A cat, Momo, eats", "fetch"),
        ("My cat is grey", "Alice"),
    ]
    assert found[0].score == 1.0 > found[1].score >= 0


@pytest.mark.parametrize("text", ["", "  ", "helicopter", "直升机"])
async def test_what_nobody_spoke_of_finds_nothing(text: str) -> None:
    assert await search(FakeTranscript([said("I like tea"), said("我喜欢喝茶")]), text) == ()


async def test_chinese_is_found_by_its_characters() -> None:
    transcript = FakeTranscript([said("我家的猫叫毛毛"), said("我喜欢喝茶")])
    assert [one.text for one in await search(transcript, "我的猫叫什么")] == ["我家的猫叫毛毛"]


async def test_a_day_is_enough_to_find_what_was_said_on_it() -> None:
    transcript = FakeTranscript([said("I like tea"), said("and cake", NOW - timedelta(days=9))])
    assert [one.text for one in await search(transcript, "yesterday")] == ["I like tea"]


async def test_as_many_are_found_as_are_wanted_and_never_too_many() -> None:
    transcript = FakeTranscript([said(f"tea {number}") for number in range(MAX_RESULTS + 5)])
    assert len(await search(transcript, "tea", max_results=3)) == 3
    assert len(await search(transcript, "tea", max_results=10**9)) == MAX_RESULTS
    assert await search(transcript, "tea", max_results=0) == ()


async def test_what_is_being_answered_is_not_found() -> None:
    asked_at = NOW - timedelta(seconds=2, microseconds=1)
    transcript = FakeTranscript([said("I like tea"), said("What tea do I like?", asked_at)])
    assert [one.text for one in await search(transcript, "tea", before=asked_at)] == ["I like tea"]


async def test_a_provider_is_asked_only_where_vectors_can_be_compared() -> None:
    transcript = FakeTranscript([said("I like tea"), said("I own a boat")])
    await search(transcript, "drinks")
    transcript.near = ("I like tea",)
    assert [one.text for one in await search(transcript, "drinks")] == ["I like tea"]
    assert [vector is not None for vector in transcript.vectors] == [False, True]


async def test_what_is_gone_when_it_is_read_is_left_out() -> None:
    transcript = FakeTranscript([said("tea"), said("green tea")], gone={"tea"})
    assert [one.text for one in await search(transcript, "tea")] == ["green tea"]


async def test_of_a_long_message_the_passage_is_given() -> None:
    transcript = FakeTranscript([said(f"{'so on ' * 500}My cat is Momo. {'so on ' * 500}", event_id="1")])
    (found,) = await search(transcript, "Momo")
    assert "My cat is Momo." in found.text
    assert len(found.text) <= 600


async def test_of_a_long_message_the_passage_is_shown_that_names_the_relative_in_other_words() -> None:
    around = "and so it went on " * 60
    found = await search(FakeTranscript([said(f"{around}My dad called. {around}")]), "Who is the father?")
    assert ["My dad called." in one.text for one in found] == [True]
