import pytest
from astrbot_plugin_ltm.long_term_memory.policies.counts import miscounted, misplaced


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


TOM_AND_ANN = "My brother Tom is 12 and my sister Ann is 15"


@pytest.mark.parametrize(
    ("fact", "text", "wrong"),
    [
        ("User's brother Tom is 15", TOM_AND_ANN, "15"),
        ("User's brother Tom is twelve", TOM_AND_ANN, ""),
        ("User's sister Ann is 15", TOM_AND_ANN, ""),
        ("User's salary is 900", "My rent is 900 and my salary is 3000", "900"),
        ("User's salary is 3000", "My rent is 900 and my salary is 3000", ""),
        ("User has 5-year-old and 2-year-old sons", "My sons are 5 and 2", ""),
        ("User wakes at 6 and works at 9", "I wake up at 6 and I work at 9", ""),
        ("User's brother Tom is 45", "My brother Tom has 2 kids and is 45", ""),
        ("User's brother Tom is 45", "My brother Tom has 2 kids. He is 45", ""),
        ("User's daughter is 7", "My son is 7, daughter 5", "7"),
        ("User's sister weighs 80 kg", "My brother weighs 80 kg and sister weighs 60 kg", "80"),
        ("User is 34 and a mother of 2", "I'm 34 and mother of 2", ""),
        ("User's daughter is 7", "My son Tom just turned 7 and daughter Ann is 5", "7"),
        ("User's daughter is 5", "My son Tom just turned 7 and daughter Ann is 5", ""),
        ("用户的弟弟15岁", "我弟弟12岁，我妹妹15岁", "15"),
        ("用户的妹妹15岁", "我弟弟12岁，我妹妹15岁", ""),
        ("用户的弟弟45岁", "我弟弟有2个孩子，今年45岁", ""),
    ],
)
def test_a_number_belongs_to_whom_it_was_said_of(fact: str, text: str, wrong: str) -> None:
    assert misplaced(fact, text) == wrong
