import pytest
from astrbot_plugin_ltm.long_term_memory.policies.kinship import (
    canonical_kin,
    is_kin,
    kin_of_fact,
    named_kin,
)


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
