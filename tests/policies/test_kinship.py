import pytest
from astrbot_plugin_ltm.long_term_memory.policies.kinship import (
    canonical_kin,
    forms_of,
    in_one_form,
    is_kin,
    kin_of_fact,
    named_kin,
)
from astrbot_plugin_ltm.long_term_memory.policies.stems import stem


@pytest.mark.parametrize(
    ("said", "form"),
    [
        ("my sister", "User's sister"),
        ("sister", "User's sister"),
        ("User's sister", "User's sister"),
        ("the user's Mom", "User's mother"),
        ("dentist", "User's dentist"),
        ("my father's dentist", "User's father's dentist"),
        ("my dad’s dentist", "User's father's dentist"),
        ("my older brother", "User's older brother"),
        ("my landlord's agent", "User's landlord's agent"),
        ("我姐姐", "用户的姐姐"),
        ("用户的姐姐", "用户的姐姐"),
        ("我爸的牙医", "用户的爸爸的牙医"),
        ("老妈", "用户的妈妈"),
    ],
)
def test_a_relative_has_one_form(said: str, form: str) -> None:
    assert is_kin(said)
    assert canonical_kin(said) == form
    assert canonical_kin(form) == form


def test_whose_relative_it_is_can_be_said() -> None:
    assert canonical_kin("my sister", "Alice") == "Alice's sister"
    assert canonical_kin("我姐姐", "小红") == "小红的姐姐"


@pytest.mark.parametrize("name", ["Bob", "小明", "Bob's sister", "Dr. Smith"])
def test_a_name_is_no_relative(name: str) -> None:
    assert not is_kin(name)
    assert named_kin(name) == name


def test_a_name_behind_the_relation_is_the_person() -> None:
    assert not is_kin("my friend Bob")
    assert named_kin("my friend Bob") == "Bob"
    assert named_kin("User's wife Anna Lee") == "Anna Lee"


@pytest.mark.parametrize(
    ("fact", "kin"),
    [
        ("User's sister is vegan", "sister"),
        ("User's father's dentist lives in Rome", "father's dentist"),
        ("用户的姐姐是医生", "姐姐"),
        ("用户妈妈对花生过敏", "妈妈"),
        ("User's sister is called Anna", ""),
        ("User's sister is Anna", ""),
        ("User's wife's name is Anna", ""),
        ("User's sister and User like jazz", ""),
        ("User's cat is ill", ""),
        ("用户的姐姐叫小红", ""),
        ("User likes tea", ""),
    ],
)
def test_a_fact_may_have_a_relative_as_its_subject(fact: str, kin: str) -> None:
    assert kin_of_fact(fact) == kin


@pytest.mark.parametrize(
    ("said", "form"),
    [
        ("My Mum and my dad's neighbors", "My mother and my father's neighbours"),
        ("我父亲和老妈", "我爸爸和妈妈"),
        ("姐姐和弟弟", "姐姐和弟弟"),
        ("我哥特别高", "我哥哥特别高"),
        ("姑妈，表姐，姐夫，兄弟", "姑妈，表姐，姐夫，兄弟"),
        ("墨西哥，芝加哥，哥伦布，哥特，帅哥，妹子，徒弟", "墨西哥，芝加哥，哥伦布，哥特，帅哥，妹子，徒弟"),
        ("小哥哥，表姐姐，哥们", "小哥哥，表姐姐，哥们"),
        ("momentum", "momentum"),
    ],
)
def test_the_relatives_in_a_text_have_one_form_and_other_words_stay(said: str, form: str) -> None:
    assert in_one_form(said) == form
    assert in_one_form(form) == form


def test_each_word_for_a_relative_is_known_by_its_one_form() -> None:
    assert {"mother", "mom", "mum"} <= {*forms_of("mother")}
    assert {"爸爸", "父亲"} <= {*forms_of("爸爸")}
    assert forms_of("tea") == ["tea"]


def test_a_relative_is_known_by_a_stem_too() -> None:
    assert {"coworker", "coworkers"} <= {*forms_of(stem("colleagues"))}
    assert {"mum", "mom"} <= {*forms_of("mother")}
