import pytest
from astrbot_plugin_ltm.long_term_memory.text_analysis.terms import (
    content_words,
    index_terms,
    terms,
    without_stop_words,
)
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Alice likes HIKING", ["alic", "lik", "hik"]),
        ("The cat is on a mat", ["cat", "mat"]),
        ("喝绿茶", ["喝", "绿", "茶", "喝绿", "绿茶"]),
        ("用Python写代码", ["用", "python", "写", "代", "码", "写代", "代码"]),
        ("ＡＢＣ Café", ["abc", "caf"]),
        ("My Mum met Will", ["Will", "mother", "meet"]),
        ("Don't go, will you", ["go"]),
        ("He prefers Go to C++ and c#", ["Go", "C++", "C#", "prefer", "go", "c", "c"]),
        ("老爸", ["爸", "爸", "爸爸"]),
        ("", []),
    ],
)
def test_an_index_holds_stems_bigrams_and_single_characters(text: str, found: list[str]) -> None:
    assert list(index_terms(text)) == found


def test_a_term_is_listed_as_often_as_it_occurs() -> None:
    assert list(index_terms("tea, tea and teas")) == ["tea", "tea", "tea"]


def test_the_terms_of_the_full_text_index_are_not_stemmed() -> None:
    assert list(terms("Alice likes 绿茶")) == ["alice", "likes", "绿茶"]
    assert without_stop_words(["the", "cat"]) == ["cat"]
    assert without_stop_words(["the"]) == ["the"]


@given(st.text(max_size=200))
def test_any_text_can_be_indexed(text: str) -> None:
    assert all(0 < len(term) <= 300 for term in index_terms(text))


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("User flies to Oslo on Monday, 2026-11-23", ["20261123"]),
        ("用户2026年11月3日去北京", ["20261103"]),
        ("Paid on 2026/1/9.", ["20260109"]),
        ("Version 1.2024.3.4, call 0047-2024-12-31, in 11月3日", []),
    ],
)
def test_a_day_written_with_its_year_is_one_term_in_whatever_form(text: str, days: list[str]) -> None:
    assert [term for term in index_terms(text) if len(term) == 8 and term.isdecimal()] == days


def test_words_that_only_serve_a_question_are_out_in_the_language_of_the_text() -> None:
    for text, words in (
        ("Wann ist denn eigentlich mein Termin beim Zahnarzt?", ["termin", "zahnarzt"]),
        ("Was darf ich nicht essen?", ["essen"]),
        ("¿Cuándo tengo que ir al dentista?", ["dentista"]),
        ("¿Y a quién le debo plata todavía?", ["debo", "plata"]),
        ("Quel est le prénom de ma sœur ?", ["prénom", "sœur"]),
        ("Qual è il nome del mio gatto?", ["nome", "gatto"]),
        ("Qual é o nome do meu cachorro?", ["nome", "cachorro"]),
        ("как зовут мою сестру?", ["зовут", "сестру"]),
        ("Die Hard is my favourite movie", ["die", "hard", "favourite", "movie"]),
        ("I was in Die, France", ["die", "france"]),
        ("What is la dolce vita?", ["la", "dolce", "vita"]),
        ("My son is a chef", ["son", "chef"]),
        ("Is the fare due per person?", ["fare", "due", "per", "person"]),
        ("Comment on my son", ["comment", "son"]),
        ("Weiß ich das noch?", []),
        ("nada", ["nada"]),
        ("mein Hund", ["mein", "hund"]),
    ):
        assert list(content_words(text)) == words
