from astrbot_plugin_ltm.long_term_memory.policies.slots import canonical, is_exclusive, slot_of
from hypothesis import given
from hypothesis import strategies as st

NAMES = {
    "home_city": "home_city",
    "City": "home_city",
    "current location": "home_city",
    "user_residence": "home_city",
    "所在地": "home_city",
    "Occupation": "job",
    "workplace": "employer",
    "date of birth": "birthday",
    "婚姻状况": "marital_status",
    "preferred-name": "nickname",
    "favorite_color": "favourite_color",
    "Favourite Food": "favourite_food",
    "最喜欢的颜色": "favourite_颜色",
    "pet": "pet",
    "Some Thing": "some_thing",
    "": "",
}


def test_a_slot_has_one_name_however_it_is_written() -> None:
    assert {written: canonical(written) for written in NAMES} == NAMES


@given(st.text(max_size=40))
def test_the_one_name_of_a_slot_is_its_own(written: str) -> None:
    assert canonical(canonical(written)) == canonical(written)


def test_only_what_has_one_answer_at_a_time_is_exclusive() -> None:
    one = ("name", "home_city", "job", "age", "birthday", "marital_status", "favourite_food", "attitude_cats")
    many = ("", "pet", "allergy", "child", "hobby", "language", "friend", "anything else")
    many = (
        *many,
        *map(canonical, ("work", "position", "role", "career", "工作", "university", "college", "大学")),
    )
    assert [is_exclusive(slot) for slot in (*one, *many)] == [True] * len(one) + [False] * len(many)


def test_a_fact_holds_the_slot_it_is_proposed_for_or_that_its_key_names() -> None:
    cases = [
        ("location", "", "home_city"),
        ("", "user city", "home_city"),
        ("nonsense", "job", "job"),
        ("employer", "job", "employer"),
        ("pet", "dog called rex", "pet"),
        ("", "likes tea", ""),
    ]
    assert [case for case in cases if slot_of(*case[:2]) != case[2]] == []
