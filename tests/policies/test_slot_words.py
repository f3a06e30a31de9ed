import pytest
from astrbot_plugin_ltm.long_term_memory.policies.slots import is_exclusive, words_asked_by
from astrbot_plugin_ltm.long_term_memory.read.query_intent import asks_of_oneself
from astrbot_plugin_ltm.long_term_memory.read.query_terms import query_terms
from astrbot_plugin_ltm.long_term_memory.text_analysis.terms import index_terms


def asks_for(question: str, slot: str, fact: str = "") -> bool:
    """Whether a word of the question that tells something is one of those."""
    wanted = {term.text for term in query_terms(question) if term.tells}
    return asks_of_oneself(question) and not wanted.isdisjoint(index_terms(words_asked_by(slot, fact)))


@pytest.mark.parametrize(
    ("question", "slot"),
    [
        ("What is my job?", "job"),
        ("What do I do for a living?", "job"),
        ("我的工作是什么？", "job"),
        ("我是做什么工作的", "job"),
        ("Which city do I live in?", "home_city"),
        ("Any events in my city this weekend?", "home_city"),
        ("我在哪个城市", "home_city"),
        ("我家在哪里", "home_city"),
        ("我住在哪", "home_city"),
        ("How old am I?", "age"),
        ("我今年几岁", "age"),
        ("我多大了", "age"),
        ("When is my birthday?", "birthday"),
        ("When was I born?", "birthday"),
        ("我哪天出生的", "birthday"),
        ("Which company do I work for?", "employer"),
        ("我在哪里上班", "employer"),
        ("What is my name?", "name"),
        ("我叫什么名字", "name"),
        ("How tall am I?", "height"),
        ("What can I eat tonight?", "diet"),
        ("How many children do I have?", "children"),
    ],
)
def test_a_slot_is_asked_for_in_either_language(question: str, slot: str) -> None:
    assert asks_for(question, slot)


@pytest.mark.parametrize("fact", ["User has 2 kids", "User has three grown-up sons", "用户有两个女儿"])
def test_children_are_asked_for_where_a_fact_tells_of_them(fact: str) -> None:
    assert asks_for("How many children do I have?", "", fact)
    assert asks_for("我有几个孩子", "", fact)


@pytest.mark.parametrize("fact", ["User likes kids' books", "User teaches children", "用户喜欢孩子"])
def test_who_speaks_of_children_need_not_have_any(fact: str) -> None:
    assert words_asked_by("", fact) == ""


def test_a_slot_that_nobody_listed_is_asked_for_by_its_own_words() -> None:
    assert asks_for("Do I have any allergies?", "food_allergy")
    assert asks_for("我的宠物叫什么？", "pet_name")
    assert asks_for("What is my pet called?", "宠物")


@pytest.mark.parametrize(
    "question",
    [
        "Do you like your job?",
        "Give me a regex for an address",
        "Which city is best?",
        "给我写一篇关于城市的作文",
        "你几岁",
    ],
)
@pytest.mark.parametrize("slot", ["home_city", "job", "age"])
def test_what_is_asked_of_others_asks_for_nothing_of_ones_own(question: str, slot: str) -> None:
    assert not asks_for(question, slot)


def test_nothing_asks_for_a_fact_that_answers_nothing() -> None:
    assert words_asked_by("", "User likes tea") == ""


def test_a_slot_of_the_table_has_the_name_it_is_stored_by() -> None:
    for slot in ("name", "home_city", "job", "blood_type", "zodiac"):
        assert is_exclusive(slot)
        assert words_asked_by(slot, "") == words_asked_by(f"user_{slot}", "")
