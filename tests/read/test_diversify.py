from dataclasses import replace

from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.reading import Omitted, Sifted
from astrbot_plugin_ltm.long_term_memory.domain.words import Level, MemoryType, Scope
from astrbot_plugin_ltm.long_term_memory.policies.read_policy import MemoryReadPolicy
from astrbot_plugin_ltm.long_term_memory.read.diversify import diversify
from hypothesis import given
from hypothesis import strategies as st

from .fakes import hit, item, ranked

POLICY = MemoryReadPolicy()
GROUP = ScopeRef(scope=Scope.GROUP, scope_id="plat_a:GroupMessage:g")
OTHER_ACCOUNT = ScopeRef(scope=Scope.USER, scope_id="plat_b:alice")


def varied(
    items: list[Item], *, unmatched: tuple[Item, ...] = (), policy: MemoryReadPolicy = POLICY
) -> Sifted:
    before = Sifted(kept=[ranked(each) for each in items], omitted=[])
    return diversify(before, [hit(each) for each in (*items, *unmatched)], policy)


def outcome(sifted: Sifted) -> tuple[list[str], dict[str, str]]:
    kept = [each.item.memory_id for each in sifted.kept]
    return kept, {each.memory_id: each.rule for each in sifted.omitted}


def test_the_highest_visible_level_shadows_the_lower() -> None:
    low = item("low", "Lives in Rome", key="home", level=Level.PUBLIC)
    high = item("high", "Lives in Oslo", key="home", level=Level.INTERNAL, days_old=9)
    assert outcome(varied([low, high])) == (["high"], {"low": "shadowed"})
    assert outcome(varied([high, low])) == (["high"], {"low": "shadowed"})


def test_a_lower_version_stays_shadowed_though_the_higher_one_did_not_match() -> None:
    low = item("low", "喜欢喝绿茶", MemoryType.PREFERENCE, key="drink", level=Level.PUBLIC)
    high = item("high", "喜欢喝咖啡", MemoryType.PREFERENCE, key="drink")
    assert outcome(varied([low], unmatched=(high,))) == ([], {"low": "shadowed"})


def test_joined_accounts_show_the_value_confirmed_last() -> None:
    old = item("old", "Lives in Rome", key="home", days_old=5)
    new = replace(item("new", "Lives in Oslo", key="home"), owner=OTHER_ACCOUNT)
    assert outcome(varied([old, new])) == (["new"], {"old": "shadowed"})


def test_facts_of_two_people_and_of_the_group_are_not_versions_of_each_other() -> None:
    own = item("own", "Dentist is Dr. Wu", key="dentist")
    dads = item("dads", "Dentist is Dr. Li", key="dentist", person="Dad")
    groups = item("groups", "Dentist next door", key="dentist", owner=GROUP)
    assert outcome(varied([own, dads, groups])) == (["own", "dads", "groups"], {})


def test_the_same_words_are_said_once() -> None:
    first, again = item("first", "Likes  Tea."), item("again", "likes ｔｅａ", MemoryType.PREFERENCE)
    assert outcome(varied([first, again])) == (["first"], {"again": "duplicate"})


def test_the_same_words_of_two_people_are_two_facts() -> None:
    assert outcome(varied([item("a", "喜欢茶。"), item("b", "喜欢茶", person="小明")]))[0] == ["a", "b"]


def test_facts_that_differ_by_a_sign_are_two_facts() -> None:
    assert outcome(varied([item("a", "Writes C"), item("b", "Writes C++"), item("c", "Writes C#")]))[1] == {}


def test_no_type_takes_more_than_its_share() -> None:
    items = [item(f"p{number}", f"fact {number}") for number in range(4)]
    task = item("task", "Writing a novel", MemoryType.TASK_STATE)
    kept, omitted = outcome(varied([*items, task], policy=MemoryReadPolicy(max_per_type=2)))
    assert kept == ["p0", "p1", "task"]
    assert omitted == {"p2": "max_per_type", "p3": "max_per_type"}


def test_what_was_left_out_before_stays_in_the_account() -> None:
    gone = Omitted(memory_id="gone", rule="not_relevant")
    assert diversify(Sifted(kept=[], omitted=[gone]), [], POLICY).omitted == [gone]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["k1", "k2", "k3"]),
            st.sampled_from(["茶", "tea", "Tea.", "咖啡"]),
            st.sampled_from(MemoryType),
            st.sampled_from(Level),
            st.sampled_from(["", "Bob"]),
        ),
        max_size=15,
    ),
    st.integers(1, 4),
)
def test_it_never_grows_never_reorders_and_accounts_for_everything(
    given_items: list[tuple[str, str, MemoryType, Level, str]], most: int
) -> None:
    items = [
        item(f"m{number}", fact, kind, key=key, level=level, person=person)
        for number, (key, fact, kind, level, person) in enumerate(given_items)
    ]
    kept, omitted = outcome(varied(items, policy=MemoryReadPolicy(max_per_type=most)))
    ids = [each.memory_id for each in items]
    assert [each for each in ids if each in kept] == kept
    assert sorted([*kept, *omitted]) == sorted(ids)
    identities = [(each.fact_key, each.person) for each in items if each.memory_id in kept]
    assert len(identities) == len(set(identities))
