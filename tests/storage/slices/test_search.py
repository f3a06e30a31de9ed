"""The arrays against the same formulas in plain Python."""

import math
import random
from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.reading import QueryVector, Term
from astrbot_plugin_ltm.long_term_memory.domain.words import Scope
from astrbot_plugin_ltm.long_term_memory.storage.slices import search as searching
from astrbot_plugin_ltm.long_term_memory.storage.slices.bm25 import K1, LENGTH_SHARES, WEIGHTS
from astrbot_plugin_ltm.long_term_memory.storage.slices.documents import Field
from astrbot_plugin_ltm.long_term_memory.storage.slices.search import Seen
from astrbot_plugin_ltm.long_term_memory.storage.slices.slice import Slice
from astrbot_plugin_ltm.long_term_memory.storage.slices.together import Together
from astrbot_plugin_ltm.long_term_memory.text_analysis.terms import index_terms
from hypothesis import given
from hypothesis import strategies as st

from tests.storage.slices.papers import MODEL, Paper, a_slice, documents, row_of
from tests.stores import ALICE, BOB, GROUP

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


def by_hand(papers: Sequence[Paper], terms: Sequence[Term]) -> tuple[list[float], list[float], list[bool]]:
    """Words, coverage and named, document by document."""
    held = [[Counter(index_terms(t)) for t in (p.text, p.quotes, p.names, p.answers)] for p in papers]

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
                / (1 - LENGTH_SHARES[each] + LENGTH_SHARES[each] * size[each] / means[each])
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


def search(slices: Sequence[Slice[Paper]], terms: Sequence[Term], vector: QueryVector | None) -> Seen[Paper]:
    return searching.search(Together(slices), terms, vector)


@given(papers=PAPERS, terms=TERMS, cut=st.integers(0, 8))
def test_words_are_scored_by_the_statistics_of_all_slices_together(
    papers: list[tuple[str, str, str, str]], terms: list[Term], cut: int
) -> None:
    made = [Paper(name=str(n), text=t, quotes=q, names=w, answers=a) for n, (t, q, w, a) in enumerate(papers)]
    seen = search([a_slice(*made[:cut]), a_slice(*made[cut:], ref=GROUP)], terms, None)
    words, coverage, named = by_hand(made, terms)
    assert [paper.name for paper in seen.documents] == [paper.name for paper in made]
    assert seen.signals.words.tolist() == pytest.approx(words, rel=1e-5)
    assert seen.signals.coverage.tolist() == pytest.approx(coverage, rel=1e-5)
    assert seen.signals.named.tolist() == named
    assert not seen.vectors
    assert np.isnan(seen.signals.cosine).all()


def a_vector(*numbers: float) -> bytes:
    return array("f", numbers).tobytes()


def asked(*numbers: float, model_id: str = MODEL) -> QueryVector:
    return QueryVector(model_id=model_id, numbers=numbers)


NORTH = Paper(name="north", vector=a_vector(0, 1))
EAST = Paper(name="east", vector=a_vector(1, 0))
NOWHERE = Paper(name="nowhere")


@pytest.mark.parametrize(
    ("vector", "cosines"),
    [
        (asked(0, 9), [1, 0, None]),
        (asked(0, 1e300), [1, 0, None]),
        (asked(0, 5e-324), [1, 0, None]),
        (asked(-3, 3), [math.sqrt(0.5), -math.sqrt(0.5), None]),
        (asked(0, 0), [None, None, None]),
        (asked(), [None, None, None]),
        (asked(0, 1, 0), [None, None, None]),
        (asked(0, 1, model_id="other"), [None, None, None]),
        (None, [None, None, None]),
    ],
)
def test_a_cosine_needs_a_vector_of_the_same_model_and_length(
    vector: QueryVector | None, cosines: list[float | None]
) -> None:
    for slices in ([a_slice(NORTH, EAST, NOWHERE)], [a_slice(NORTH), a_slice(EAST, NOWHERE, ref=GROUP)]):
        seen = search(slices, [], vector)
        found = [None if math.isnan(cosine) else cosine for cosine in seen.signals.cosine.tolist()]
        assert found == pytest.approx(cosines, abs=1e-6)
        assert seen.vectors == (cosines[0] is not None)


def test_vectors_take_part_when_any_document_has_one() -> None:
    slices = [a_slice(NOWHERE), a_slice(NORTH, Paper(name="long", vector=a_vector(0, 0, 1)), ref=GROUP)]
    seen = search(slices, [], asked(0, 1))
    assert seen.vectors
    np.testing.assert_array_equal(seen.signals.cosine, [np.nan, 1, np.nan])
    assert not search([a_slice(NOWHERE)], [], asked(0, 1)).vectors


LOW, HIGH, ELSE = (
    Paper(name="low", key="home", level=1),
    Paper(name="high", key="home", level=2),
    Paper(name="else", key="work", level=1),
)


@pytest.mark.parametrize(
    ("slices", "shadowed"),
    [
        ([a_slice(LOW, HIGH, ELSE)], ["low"]),
        ([a_slice(HIGH, LOW, ELSE)], ["low"]),
        ([a_slice(LOW), a_slice(HIGH, ELSE, ref=BOB)], ["low"]),
        ([a_slice(HIGH), a_slice(LOW, ELSE, ref=BOB)], ["low"]),
        ([a_slice(LOW), a_slice(HIGH, ELSE, ref=GROUP)], []),
        ([a_slice(LOW, HIGH), a_slice(ref=BOB), a_slice(ELSE, ref=GROUP)], ["low"]),
        ([a_slice()], []),
        ([], []),
    ],
)
def test_a_lower_version_in_the_same_kind_of_scope_is_shadowed(
    slices: list[Slice[Paper]], shadowed: list[str]
) -> None:
    seen = search(slices, [], None)
    flags = seen.signals.shadowed.tolist()
    assert [paper.name for paper, flag in zip(seen.documents, flags, strict=True) if flag] == shadowed


def test_the_best_of_three_versions_stands() -> None:
    middle = Paper(name="middle", key="home", level=1)
    for papers in ([LOW, middle, HIGH], [HIGH, middle, LOW], [middle, HIGH, LOW]):
        seen = search([a_slice(*papers)], [], None)
        standing = [p.name for p, flag in zip(seen.documents, seen.signals.shadowed, strict=True) if not flag]
        assert standing == ["high"]


def test_equal_hashes_alone_make_no_versions() -> None:
    # -1 and -2 have one hash.
    one, two = Paper(name="one", key=-1), Paper(name="two", key=-2)  # pyright: ignore[reportArgumentType]
    assert hash(-1) == hash(-2)
    assert not search([a_slice(one, two)], [], None).signals.shadowed.any()


def test_documents_are_taken_by_row_from_whatever_slice() -> None:
    found = search([a_slice(LOW, HIGH), a_slice(), a_slice(ELSE, ref=GROUP)], [], None).documents
    assert len(found) == 3
    assert (found[0], found[2], found[-1], found[-3]) == (LOW, ELSE, ELSE, LOW)
    assert found[1:] == [HIGH, ELSE]
    assert list(found) == [LOW, HIGH, ELSE]
    for row in (3, -4):
        with pytest.raises(IndexError):
            found[row]


def test_a_document_that_is_taken_again_is_the_same() -> None:
    many = a_slice(*(Paper(name=str(number)) for number in range(300)))
    first = many.take(0)
    assert many.take(0) is first
    assert [many.take(row).name for row in range(300)] == [str(number) for number in range(300)]


def some_papers(source: random.Random, names: range) -> list[Paper]:
    return [
        Paper(
            name=str(name),
            text=" ".join(source.choices(VOCABULARY, k=3)),
            quotes=" ".join(source.choices(VOCABULARY, k=2)),
            names=source.choice(["", "Bob"]),
            said=source.randrange(10**15),
            key=str(name % 400),
            level=source.randrange(3),
            vector=a_vector(1, name) if source.random() < 0.5 else b"",
        )
        for name in names
    ]


def shown(seen: Seen[Paper]) -> dict[str, Any]:
    columns = [
        getattr(seen.signals, name).tolist() for name in ("words", "coverage", "cosine", "shadowed", "said")
    ]
    return {
        paper.name: pytest.approx(values, rel=1e-6, nan_ok=True)
        for paper, *values in zip(seen.documents, *columns, strict=True)
    }


@pytest.mark.parametrize("size", [20, 700])
def test_changes_put_into_a_slice_one_by_one_make_the_same_slice(size: int) -> None:
    source = random.Random(size)  # noqa: S311 - no secret
    kept = {paper.name: paper for paper in some_papers(source, range(size))}
    grown = a_slice(*kept.values())
    terms = [Term(text) for text in index_terms("tea hiking Bob 绿茶")]
    for round_ in range(14):
        touched = {str(source.randrange(size + 20)) for _ in range(source.choice([1, 5, 40]))}
        found = some_papers(source, range(size + 20))
        changed = [paper for paper in found if paper.name in touched and source.random() < 0.7]
        kept = {name: paper for name, paper in kept.items() if name not in touched}
        kept |= {paper.name: paper for paper in changed}
        grown = grown.updated({*map(int, touched)}, documents(changed))
        anew = a_slice(*kept.values())
        mine, others = (search([each], terms, asked(1, 1)) for each in (grown, anew))
        assert {paper.name for paper in mine.documents} == kept.keys()
        expected = shown(others)
        for paper, *values in zip(
            mine.documents,
            *(
                getattr(mine.signals, name).tolist()
                for name in ("words", "coverage", "cosine", "shadowed", "said")
            ),
            strict=True,
        ):
            assert values == expected[paper.name], (round_, paper)
        assert grown.next_expiry == anew.next_expiry


def test_vectors_of_another_length_take_the_place_of_those_that_are_gone() -> None:
    long = Paper(name="north", vector=a_vector(0, 0, 1))
    renewed = a_slice(NORTH).updated({row_of("north")}, documents([long]))
    assert search([renewed], [], asked(0, 0, 1)).signals.cosine.tolist() == [1]
    mixed = a_slice(NORTH, EAST).updated({row_of("north")}, documents([long]))
    assert np.isnan(search([mixed], [], asked(0, 1)).signals.cosine).tolist() == [False, True]


@given(st.text(alphabet=[*"aé e\u0301茶緑 \u3000\t´½ﬁ.ẞ", "\u00a0"]))
def test_no_term_spans_a_space(text: str) -> None:
    assert list(index_terms(text)) == [term for word in text.split() for term in index_terms(word)]


def test_a_slice_of_another_project_is_compared_with_its_like_only() -> None:
    projects = [ScopeRef(scope=Scope.PROJECT, scope_id=name) for name in "ab"]
    seen = search(
        [a_slice(LOW, ref=projects[0]), a_slice(HIGH, ref=projects[1]), a_slice(ELSE, ref=ALICE)], [], None
    )
    assert seen.signals.shadowed.tolist() == [True, False, False]
