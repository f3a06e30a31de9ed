from astrbot_plugin_ltm.long_term_memory.read.transcript import MAX_EXCERPT, excerpt
from hypothesis import given
from hypothesis import strategies as st

FILLER = "and so it went on " * 60


def test_a_short_text_stays_whole() -> None:
    assert excerpt("  I adopted a cat \n", ["cat"]) == "I adopted a cat"


def test_a_long_text_gives_the_passage_with_most_of_the_words() -> None:
    text = f"The cat slept. {FILLER}My cat Momo hates vacuum cleaners. {FILLER}"
    found = excerpt(text, ["cat", "vacuum"])
    assert "My cat Momo hates vacuum cleaners." in found
    assert found.startswith("…")
    assert found.endswith("…")


def test_of_passages_that_are_equally_good_the_first_is_given() -> None:
    assert excerpt(f"The cat slept. {FILLER} The cat ate.", ["cat"]).startswith("The cat slept. and")


def test_the_end_of_a_text_is_given_in_full() -> None:
    found = excerpt(f"{FILLER}我家的猫叫Momo", ["momo", "猫"])
    assert found.endswith("我家的猫叫Momo")
    assert len(found) > MAX_EXCERPT * 0.9


def test_a_name_that_is_told_by_its_capital_is_found() -> None:
    assert "Will slept" in excerpt(f"{FILLER}Then Will slept. {FILLER}", ["Will"])


def test_a_text_without_the_words_gives_its_beginning() -> None:
    assert excerpt(FILLER, ["cat"]).startswith("and so it went on")


def test_letters_that_grow_when_folded_do_not_move_the_passage() -> None:
    found = excerpt(f"{'İ' * 900} the cat {FILLER}", ["cat"])
    assert " the cat " in found


@given(st.text(max_size=400), st.lists(st.text(min_size=1, max_size=3), max_size=5), st.integers(63, 120))
def test_an_excerpt_is_part_of_the_text_and_no_longer_than_it_may_be(
    text: str, terms: list[str], most: int
) -> None:
    found = excerpt(text, terms, most=most)
    assert len(found) <= most
    assert found in text or found.removeprefix("…").removesuffix("…") in text
