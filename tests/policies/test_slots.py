import pytest
from astrbot_plugin_ltm.long_term_memory.policies.slots import canonical, is_exclusive, is_of_now, slot_of
from astrbot_plugin_ltm.long_term_memory.write.rules_en import read_clause as read_en
from astrbot_plugin_ltm.long_term_memory.write.rules_zh import read_clause as read_zh
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("home_city", "home_city"),
        ("City", "home_city"),
        ("current location", "home_city"),
        ("user_residence", "home_city"),
        ("所在地", "home_city"),
        ("Occupation", "job"),
        ("workplace", "employer"),
        ("date of birth", "birthday"),
        ("婚姻状况", "marital_status"),
        ("preferred-name", "nickname"),
        ("favorite_color", "favourite_color"),
        ("Favourite Food", "favourite_food"),
        ("最喜欢的颜色", "favourite_颜色"),
        ("pet", "pet"),
        ("Some Thing", "some_thing"),
        ("", ""),
    ],
)
def test_a_slot_has_one_name_however_it_is_written(written: str, name: str) -> None:
    assert canonical(written) == name


@given(st.text(max_size=40))
def test_the_one_name_of_a_slot_is_its_own(written: str) -> None:
    assert canonical(canonical(written)) == canonical(written)


def test_only_what_has_one_answer_at_a_time_is_exclusive() -> None:
    one = ("name", "home_city", "employer", "job", "age", "birthday", "marital_status", "favourite_food")
    many = ("", "pet", "allergy", "child", "hobby", "language", "friend", "anything else")
    assert [is_exclusive(slot) for slot in (*one, *many)] == [True] * len(one) + [False] * len(many)


@pytest.mark.parametrize(
    ("proposed", "key", "fact", "slot"),
    [
        ("location", "", "User lives in Beijing", "home_city"),
        ("", "user city", "User moved to Shanghai", "home_city"),
        ("", "", "User lives in Oslo", "home_city"),
        ("", "", "用户住在上海", "home_city"),
        ("nonsense", "", "用户的职业是老师", "job"),
        ("", "", "User works at Siemens", "employer"),
        ("", "", "用户在华为上班", "employer"),
        ("", "", "User is 30 years old", "age"),
        ("", "", "用户今年30岁", "age"),
        ("", "", "User is divorced", "marital_status"),
        ("marital_status", "", "User is not married", "marital_status"),
        ("", "", "User's name is Will", "name"),
        ("name", "", "User wants to be called Al", "nickname"),
        ("", "", "用户希望被称为小王", "nickname"),
        ("job", "", "User works as a wedding planner", "job"),
        ("job", "", "User works as a travel agent", "job"),
        ("job", "", "用户是将军", "job"),
        ("favorite_food", "", "User's favorite food is sushi", "favourite_food"),
        ("pet", "", "User has a dog", "pet"),
        ("", "", "User likes tea", ""),
        ("name", "", "用户的名字是小美", "name"),
    ],
)
def test_a_fact_holds_the_slot_it_answers(proposed: str, key: str, fact: str, slot: str) -> None:
    assert slot_of(proposed, key, fact, fact) == slot


@pytest.mark.parametrize(
    ("proposed", "fact"),
    [
        ("home_city", "User used to live in Oslo"),
        ("home_city", "User lived in Oslo"),
        ("home_city", "User plans to move to Tokyo"),
        ("home_city", "User is moving to Tokyo next month"),
        ("home_city", "User no longer lives in Oslo"),
        ("home_city", "User does not live in Oslo"),
        ("home_city", "User lives in a small flat"),
        ("home_city", "User is visiting Paris this week"),
        ("home_city", "User's mother lives in Oslo"),
        ("home_city", "User likes Oslo"),
        ("home_city", "用户以前住在北京"),
        ("home_city", "用户打算搬到上海"),
        ("home_city", "用户不再住在北京"),
        ("home_city", "用户住在公寓里"),
        ("home_city", "用户这周在北京出差"),
        ("home_city", "用户的妈妈住在北京"),
        ("job", "User also works as a barista"),
        ("job", "User has a part-time job"),
        ("job", "用户兼职做摄影师"),
        ("name", "User's dog's name is Rex"),
        ("name", "用户的女儿叫小美"),
        ("favourite_food", "User likes sushi"),
    ],
)
def test_what_is_past_or_planned_or_one_more_or_of_another_holds_no_exclusive_slot(
    proposed: str, fact: str
) -> None:
    assert slot_of(proposed, "", fact, fact) == ""


@pytest.mark.parametrize("words", ["I also work as a barista", "我还兼职做咖啡师"])
def test_one_more_is_heard_from_the_words_the_fact_rests_on(words: str) -> None:
    fact = "User works as a barista"
    assert slot_of("job", "", fact, words) == ""
    assert slot_of("job", "", fact, f"{words} {'and so on ' * 20}") == "job"


@pytest.mark.parametrize(
    "said",
    ["my name is Alice", "call me Al", "I live in Oslo", "I work as a nurse", "I work at Siemens",
     "my birthday is May 3", "I was born in May 1990"],
)  # fmt: skip
def test_the_slots_of_the_english_rules_are_known(said: str) -> None:
    told = read_en(said)
    assert told
    assert slot_of(told.slot, "", told.fact, said) == told.slot != ""


@pytest.mark.parametrize(
    "said",
    ["我叫王小明", "叫我小王", "我住在北京", "我是一名老师", "我在华为公司上班", "我的生日是5月3日"],
)
def test_the_slots_of_the_chinese_rules_are_known(said: str) -> None:
    told = read_zh(said)
    assert told
    assert slot_of(told.slot, "", told.fact, said) == told.slot != ""


def test_only_what_is_so_now_is_of_now() -> None:
    assert is_of_now("User lives in Oslo")
    assert is_of_now("User was born in Oslo")
    assert is_of_now("User has worked at Siemens for years")
    assert not is_of_now("User was a nurse")
    assert not is_of_now("用户曾经是护士")
