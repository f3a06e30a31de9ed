from collections.abc import Sequence
from dataclasses import replace

from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, MemoryType, Scope
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import MemoryReadPolicy
from astrbot_plugin_ltm.long_term_memory.read.diversify import diversify
from hypothesis import given
from hypothesis import strategies as st

from .fakes import NOW, in_this_order, item

POLICY = MemoryReadPolicy()
GROUP = ScopeRef(scope=Scope.GROUP, scope_id="plat_a:GroupMessage:g")


def outcome(items: Sequence[Item], policy: MemoryReadPolicy = POLICY) -> tuple[list[str], dict[str, str]]:
    """What is kept, in order, and what is not, by its rule."""
    ranking = in_this_order(items)
    varied = [(items[place].memory_id, rule) for place, rule in diversify(ranking, policy)]
    return [each for each, rule in varied if not rule], {each: rule for each, rule in varied if rule}


def test_the_same_words_are_said_once() -> None:
    first, again = item("first", "Likes  Tea."), item("again", "likes ｔｅａ", MemoryType.PREFERENCE)
    assert outcome([first, again]) == (["first"], {"again": "duplicate"})


def test_the_same_words_in_another_order_are_said_once_when_they_mean_the_same() -> None:
    same = [item("a", "Likes tea and coffee"), item("b", "likes coffee and tea")]
    assert outcome(same) == (["a"], {"b": "duplicate"})
    swapped = [item("a", "Tom told Ann"), item("b", "Ann told Tom")]
    assert outcome(swapped)[1] == {}


def test_a_fact_and_its_denial_are_two_facts() -> None:
    assert outcome([item("a", "用户喜欢喝茶"), item("b", "用户不喜欢喝茶")])[1] == {}
    assert outcome([item("a", "User likes tea"), item("b", "User does not like tea")])[1] == {}


def test_the_same_words_of_two_people_are_two_facts() -> None:
    assert outcome([item("a", "喜欢茶。"), item("b", "喜欢茶", person="小明")])[0] == ["a", "b"]


def test_facts_that_differ_by_a_sign_are_two_facts() -> None:
    assert outcome([item("a", "Writes C"), item("b", "Writes C++"), item("c", "Writes C#")])[1] == {}


def test_no_type_takes_more_than_its_share() -> None:
    items = [item(f"p{number}", f"fact {number}") for number in range(12)]
    task = item("task", "Writing a novel", MemoryType.TASK_STATE)
    kept, omitted = outcome([*items, task], MemoryReadPolicy(max_per_type=2))
    assert kept == ["p0", "p1", "task"]
    assert omitted == {f"p{number}": "max_per_type" for number in range(2, 12)}


def home(
    memory_id: str, fact: str, *, days_old: float, person: str = "", owner: ScopeRef | None = None
) -> Item:
    told = item(memory_id, fact, days_old=days_old, person=person)
    return replace(told, slot="home_city", owner=owner or told.owner)


def test_values_that_differ_stand_side_by_side_the_newest_first() -> None:
    rome, oslo = home("rome", "Lives in Rome", days_old=9), home("oslo", "Lives in Oslo", days_old=1)
    between = item("between", "Likes tea")
    assert outcome([rome, between, oslo])[0] == ["oslo", "rome", "between"]


def test_a_value_said_later_at_another_level_leaves_out_the_one_it_could_not_replace() -> None:
    shared = replace(home("rome", "Lives in Rome", days_old=9), level=Level.PUBLIC)
    of_sister = replace(home("sister", "User's sister lives in Bonn", days_old=9), level=Level.PUBLIC)
    oslo, later = home("oslo", "Lives in Oslo", days_old=1), replace(shared, last_confirmed_at=NOW)
    assert outcome([shared, oslo, of_sister]) == (["oslo", "sister"], {"rome": "earlier_state"})
    assert outcome([later, oslo]) == (["rome"], {"oslo": "earlier_state"})
    hobbies = [replace(each, slot="hobby") for each in (shared, oslo)]
    assert sorted(outcome(hobbies)[0]) == ["oslo", "rome"]


def test_values_of_two_people_and_of_the_group_are_not_compared() -> None:
    homes = [
        home("own", "Lives in Rome", days_old=9),
        home("bobs", "Lives in Oslo", days_old=1, person="Bob"),
        home("groups", "Meets in Bonn", days_old=0, owner=GROUP),
    ]
    assert outcome(homes)[0] == ["own", "bobs", "groups"]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["茶", "tea", "Tea.", "咖啡", "tea and milk", "milk and tea"]),
            st.sampled_from(MemoryType),
            st.sampled_from(["", "Bob"]),
            st.sampled_from(["", "", "drink"]),
            st.integers(0, 3),
        ),
        max_size=15,
    ),
    st.integers(1, 4),
)
def test_everything_is_accounted_for_once_and_only_what_answers_the_same_changes_places(
    given_items: list[tuple[str, MemoryType, str, str, int]], most: int
) -> None:
    items = [
        replace(item(f"m{number}", fact, kind, person=person, days_old=days), slot=slot)
        for number, (fact, kind, person, slot, days) in enumerate(given_items)
    ]
    kept, omitted = outcome(items, MemoryReadPolicy(max_per_type=most))
    assert sorted([*kept, *omitted]) == sorted(each.memory_id for each in items)
    plain = [each.memory_id for each in items if not each.slot]
    assert [each for each in kept if each in plain] == [each for each in plain if each in kept]
    kinds = [each.type for each in items if each.memory_id in kept]
    assert all(kinds.count(kind) <= most for kind in kinds)
