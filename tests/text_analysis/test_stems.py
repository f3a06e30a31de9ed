import pytest
from astrbot_plugin_ltm.long_term_memory.text_analysis.word_forms import are_akin, stem
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    "forms",
    [
        "hike hikes hiked hiking",
        "story stories",
        "tie ties tied",
        "cat cats",
        "class classes",
        "watch watches watched watching",
        "run runs ran running",
        "buy buys bought buying",
        "swim swims swam swum swimming",
        "live lives lived living",
        "child children",
        "wife wives",
        "café cafe cafés",
        "dance dances danced dancing",
    ],
)
def test_the_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    "words",
    [
        "sing sink",
        "need nee",
        "bus busy",
        "king kin",
        "red re",
        "tennis tenni",
        "spring spr",
        "c++ c",
        "люди люд",
    ],
)
def test_words_that_only_look_like_forms_keep_theirs(words: str) -> None:
    one, other = words.split()
    assert stem(one) != stem(other)


@pytest.mark.parametrize("word", ["tea", "2025", "c3po", "猫", "茶", ""])
def test_short_words_numbers_and_other_scripts_stay(word: str) -> None:
    assert stem(word) == word


AKIN = [
    "allergy allergic",
    "teacher teaching",
    "swim swimmer",
    "program programmer",
    "pianist piano",
    "vegan veganism",
    "dentist dentistry",
    "diabetes diabetic",
    "intolerant intolerance",
    "pregnant pregnancy",
    "accountant accounting",
    "photographer photography",
    "biologist biology",
    "dance dancer",
    "marriage married",
    "scientist science",
    "electrician electrical",
    "color colour",
    "favourite favorite",
    "theatre theater",
    "organise organizes",
    "behaviour behavior",
    "trabajo trabaja",
    "книга книги",
]
UNLIKE = [
    "chicken chickpeas",
    "chicken chickpea",
    "antibiotics antidepressants",
    "coconut cocoa",
    "hypertension hyperthyroidism",
    "psychology psychiatry",
    "watermelon watercolor",
    "cooking cookies",
    "cook cookie",
    "vegetarian vegetables",
    "planet plane",
    "country count",
    "internal international",
    "painter pain",
    "contract contrast",
    "grapes grapefruit",
    "peanuts pea",
    "butter butterfly",
    "pineapple pine",
    "2026 2027",
]


@pytest.mark.parametrize("words", AKIN)
def test_words_made_from_one_word_are_akin(words: str) -> None:
    one, other = words.split()
    assert are_akin(one, other)
    assert are_akin(other, one)


@pytest.mark.parametrize("words", UNLIKE)
def test_words_that_only_begin_alike_are_not(words: str) -> None:
    one, other = words.split()
    assert not are_akin(one, other)
    assert not are_akin(other, one)


@given(st.text(max_size=30))
def test_any_text_has_a_stem_that_is_no_longer(word: str) -> None:
    assert len(stem(word)) <= 4 * len(word) + 4
    assert bool(stem(word)) or not word or not word.isalnum()
