"""The arrays against the same formulas in plain Python."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from astrbot_plugin_ltm.long_term_memory.domain.reading import QueryVector, Term
from astrbot_plugin_ltm.long_term_memory.storage.index.scope_index import (
    Field,
    ScopeIndex,
    _hashes,  # pyright: ignore[reportPrivateUsage] - what it keeps is looked at
    documents_of,
    vectors_of,
)
from astrbot_plugin_ltm.long_term_memory.storage.index.search import K1, LONGER, WEIGHTS, MergedIndex
from astrbot_plugin_ltm.long_term_memory.text_analysis.terms import index_terms
from hypothesis import given
from hypothesis import strategies as st

VOCABULARY = "tea tea bee hike hiking Bob brother 北京 绿茶 茶 喝绿茶 O'Neill 3.14 naïve ﬁne".split()  # noqa: SIM905 - reads better
TEXT = st.lists(st.sampled_from(VOCABULARY), max_size=6).map(" ".join)
PAPERS = st.lists(st.tuples(TEXT, TEXT, TEXT, TEXT), max_size=8)
TERMS = st.lists(
    st.builds(
        Term,
        st.sampled_from([*dict.fromkeys(index_terms(" ".join(VOCABULARY))), "unheard"]),
        weight=st.sampled_from([1.0, 0.5]),
        tells=st.booleans(),
        day=st.booleans(),
        asks=st.booleans(),
    ),
    unique_by=lambda term: term.text,
    max_size=6,
)

type Paper = tuple[str, str, str, str]
"""Its text for each `Field`."""


def an_index(papers: Sequence[Paper], ids: Sequence[int]) -> ScopeIndex:
    texts = [[paper[field] for paper in papers] for field in Field]
    return documents_of(list(papers), texts, id=ids, identity=ids, expires=np.inf)


def by_hand(papers: Sequence[Paper], terms: Sequence[Term]) -> tuple[list[float], list[float], list[bool]]:
    """Words, coverage and named, document by document."""
    held = [[Counter(index_terms(text)) for text in paper] for paper in papers]

    def has(counters: Sequence[Counter[str]], term: Term) -> bool:
        counting = counters if term.asks else counters[: Field.ANSWERS]
        return any(counter[term.text] for counter in counting)

    sizes = [[sum(counter.values()) for counter in counters] for counters in held]
    filled = [[size for size in column if size] for column in zip(*sizes, strict=True)]
    means = [sum(column) / len(column) if column else 1.0 for column in filled]
    rarity = {
        term.text: math.log1p((len(papers) - having + 0.5) / (having + 0.5))
        for term in terms
        for having in [sum(has(counters, term) for counters in held)]
    }
    telling = sum(rarity[term.text] for term in terms if term.tells)
    words, coverage, named = list[float](), list[float](), list[bool]()
    for counters, size in zip(held, sizes, strict=True):
        score = covered = 0.0
        for term in terms:
            often = sum(
                WEIGHTS[each]
                * counters[each][term.text]
                / (1 - LONGER[each] + LONGER[each] * size[each] / means[each])
                for each in Field
            ) * has(counters, term)
            score += term.weight * rarity[term.text] * often * (K1 + 1) / (often + K1)
            covered += rarity[term.text] * (term.tells and has(counters, term))
        words.append(score)
        coverage.append(covered / telling if telling else 0.0)
        named.append(
            any(
                (counters[Field.NAMES][term.text] and term.tells) or (term.day and has(counters, term))
                for term in terms
            )
        )
    return words, coverage, named


@given(papers=PAPERS, more=PAPERS, terms=TERMS, cut=st.integers(0, 8), gone=st.sets(st.integers(0, 8)))
def test_words_are_scored_by_the_statistics_of_all_documents_together(
    papers: list[Paper], more: list[Paper], terms: list[Term], cut: int, gone: set[int]
) -> None:
    first = an_index(papers[:cut], range(min(cut, len(papers))))
    first = first.updated(gone, an_index(more, range(100, 100 + len(more))))
    second = an_index(papers[cut:], range(200, 200 + len(papers[cut:])))
    left = [paper for at, paper in enumerate(papers[:cut]) if at not in gone] + more + papers[cut:]
    signals = MergedIndex([first, second]).search(terms, None, ())
    words, coverage, named = by_hand(left, terms)
    assert [*first.columns["row"], *second.columns["row"]] == left
    assert signals.words.tolist() == pytest.approx(words, rel=1e-5)
    assert signals.coverage.tolist() == pytest.approx(coverage, rel=1e-5)
    assert signals.named.tolist() == named
    assert np.isnan(signals.cosine).all()


def asked(*numbers: float) -> QueryVector:
    return QueryVector(model_id="plane", numbers=numbers)


def the_vectors(vectors: dict[int, tuple[float, ...]]) -> ScopeIndex:
    return vectors_of([(row, np.array(vector, np.float32).tobytes()) for row, vector in vectors.items()])


@pytest.mark.parametrize(
    ("vector", "cosines"),
    [
        (asked(0, 1), [1, 0, None]),
        (asked(-0.8, 0.6), [0.6, -0.8, None]),
        (asked(), [None, None, None]),
        (asked(0, 1, 0), [None, None, None]),
        (None, [None, None, None]),
    ],
)
def test_a_cosine_needs_a_vector_of_the_same_length(
    vector: QueryVector | None, cosines: list[float | None]
) -> None:
    nothing: Any = ("",) * len(Field)
    indexes = [an_index([nothing, nothing], [7, 5]), an_index([nothing], [6])]
    # A vector of what is not seen here, and rows in another order, change nothing.
    vectors = [the_vectors({1: (0.6, 0.8), 5: (1, 0), 7: (0, 1)}), the_vectors({})]
    signals = MergedIndex(indexes).search([], vector, vectors if vector else ())
    found = [None if math.isnan(cosine) else cosine for cosine in signals.cosine.tolist()]
    assert found == pytest.approx(cosines, abs=1e-6)


def test_vectors_that_changed_make_way_and_those_of_another_length_replace_all() -> None:
    held = the_vectors({1: (0, 1), 2: (1, 0)})
    renewed = held.updated({2, 3}, the_vectors({3: (0.6, 0.8)}))
    assert renewed.columns["id"].tolist() == [1, 3]
    assert renewed.columns["vector"].tolist() == [pytest.approx([0, 1]), pytest.approx([0.6, 0.8])]
    assert held.updated({1}, the_vectors({})).columns["id"].tolist() == [2]
    assert held.updated({1}, the_vectors({1: (0, 0, 1)})).columns["id"].tolist() == [1]


@given(st.text(alphabet=[*"aé e\u0301茶緑 \u3000\t´½ﬁ.ẞ", "\u00a0"]))
def test_no_term_spans_a_space(text: str) -> None:
    assert list(index_terms(text)) == [term for word in text.split() for term in index_terms(word)]


def test_words_are_kept_for_the_next_text_and_sentences_without_spaces_are_not() -> None:
    _hashes.cache_clear()
    an_index([("咖啡 今天下午三点半我们在公司楼下的咖啡馆见面讨论下个季度的计划", "", "", "")], [1])
    assert _hashes.cache_info().currsize == 1
