import pytest
from astrbot_plugin_ltm.long_term_memory.policies.counts import miscounted


@pytest.mark.parametrize(
    ("fact", "text", "wrong"),
    [
        ("User has 5 cats and 3 dogs", "I have 3 cats and 5 dogs", "5 cat"),
        ("User has three cats", "I have 3 cats and 5 dogs", ""),
        ("User has 3 cats", "I have a cat", ""),
        ("User wakes at 6 am", "I wake at 7 am", ""),
        ("User has 3 in Rome", "I have 5 in Oslo", ""),
        ("用户有两只猫和三条狗", "我有三只猫两条狗", "2 猫"),
        ("用户有三只猫和两条狗", "我有三只猫两条狗", ""),
        ("用户2022年搬家", "我3年前搬的家", ""),
    ],
)
def test_a_number_belongs_to_the_noun_it_was_said_of(fact: str, text: str, wrong: str) -> None:
    assert miscounted(fact, text) == wrong
