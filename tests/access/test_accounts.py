"""Who is one person: what aliases and links come to together, however and in whatever order they are made."""

from collections.abc import Mapping, Sequence

import pytest
from astrbot_plugin_ltm.long_term_memory.access.accounts import join_accounts, with_link, without_links
from hypothesis import given
from hypothesis import strategies as st

NAMES = st.sampled_from("abcdefgh")
ALIASES = st.dictionaries(NAMES, NAMES, max_size=4)
PAIRS = st.lists(st.tuples(NAMES, NAMES), max_size=7)


def after(pairs: Sequence[tuple[str, str]], aliases: Mapping[str, str]) -> Mapping[str, str]:
    """The links once these pairs have been joined one after the other, the second having given the code."""
    links: Mapping[str, str] = {}
    for one, other in pairs:
        joined = join_accounts(aliases, links)
        person, to = joined.get(one, (one,)), joined.get(other, (other,))[0]
        if to not in person:
            links = with_link(links, person, to)
    return links


def persons(aliases: Mapping[str, str], links: Mapping[str, str]) -> set[frozenset[str]]:
    """Who is who, those aside who stand alone."""
    return {frozenset(person) for person in join_accounts(aliases, links).values() if len(person) > 1}


def hanging_together(pairs: Sequence[tuple[str, str]]) -> set[frozenset[str]]:
    """The same, worked out in the plainest way."""
    groups: list[set[str]] = [{one, other} for one, other in pairs]
    for name in "abcdefgh":
        with_it = [group for group in groups if name in group]
        groups = [group for group in groups if name not in group]
        groups.append({name for group in with_it for name in group})
    return {frozenset(group) for group in groups if len(group) > 1}


def test_who_gives_the_code_is_written_to() -> None:
    links = with_link({}, ("b",), "a")
    assert join_accounts({}, links) == {"a": ("a", "b"), "b": ("a", "b")}


@pytest.mark.parametrize("ties", [{"b": "c", "c": "d", "d": "c"}, {"c": "b", "d": "c"}])
def test_whoever_is_joined_comes_along(ties: Mapping[str, str]) -> None:
    person = join_accounts({}, ties)["d"]
    together = with_link(ties, person, "a")
    assert join_accounts({}, together)["d"] == ("a", "b", "c", "d")
    assert set(together.values()) == {"a"}


def test_a_third_account_joins_the_two() -> None:
    for pairs in ([("b", "a"), ("c", "a")], [("b", "a"), ("c", "b")], [("c", "b"), ("b", "a")]):
        assert join_accounts({}, after(pairs, {}))["c"] == ("a", "b", "c")


def test_an_alias_and_a_link_lead_on_from_each_other() -> None:
    assert join_accounts({"phone": "home"}, {"home": "work"})["phone"] == ("work", "home", "phone")
    assert join_accounts({"phone": "home"}, {"work": "phone"})["work"] == ("home", "phone", "work")


def test_two_persons_that_an_alias_joins_later_are_one() -> None:
    links = after([("b", "a"), ("d", "c")], {})
    assert set(join_accounts({"b": "d"}, links)["a"]) == {"a", "b", "c", "d"}


def test_who_leaves_stands_alone_and_the_others_stay_together() -> None:
    links = after([("b", "a"), ("c", "a")], {})
    assert persons({}, without_links(links, ("b",))) == {frozenset("ac")}
    assert join_accounts({}, without_links(links, ("a",)))["c"] == ("b", "c")
    assert without_links({"b": "a"}, ("a",)) == without_links({"b": "a"}, ("b",)) == {}
    assert without_links({"b": "a"}, ("x",)) == {"b": "a"}


def test_who_leaves_a_chain_leaves_its_ends_joined() -> None:
    assert without_links({"c": "b", "b": "a"}, ("b",)) == {"c": "a"}
    assert without_links({"b": "a", "a": "b"}, ("a",)) == {}


@pytest.mark.parametrize("links", [{"a": "b", "b": "a"}, {"a": "b", "b": "c", "c": "a"}])
def test_a_circle_of_links_is_one_person(links: Mapping[str, str]) -> None:
    assert join_accounts({}, links)["b"] == tuple(sorted(links))


@given(PAIRS, ALIASES)
def test_nobody_is_joined_but_by_a_chain_of_aliases_and_links(
    pairs: list[tuple[str, str]], aliases: dict[str, str]
) -> None:
    assert persons(aliases, after(pairs, aliases)) == hanging_together([*pairs, *aliases.items()])


@given(PAIRS.flatmap(lambda pairs: st.tuples(st.just(pairs), st.permutations(pairs))), ALIASES)
def test_the_order_of_links_does_not_matter(
    orders: tuple[list[tuple[str, str]], list[tuple[str, str]]], aliases: dict[str, str]
) -> None:
    one, other = orders
    assert persons(aliases, after(one, aliases)) == persons(aliases, after(other, aliases))
    turned = [(second, first) for first, second in one]
    assert persons(aliases, after(one, aliases)) == persons(aliases, after(turned, aliases))


@given(PAIRS, ALIASES)
def test_the_head_is_the_same_seen_from_each_and_however_the_links_lie(
    pairs: list[tuple[str, str]], aliases: dict[str, str]
) -> None:
    links = after(pairs, aliases)
    joined = join_accounts(aliases, links)
    assert joined == join_accounts(dict([*aliases.items()][::-1]), dict([*links.items()][::-1]))
    assert all(joined[account] == person for person in joined.values() for account in person)
    assert all(len(set(person)) == len(person) for person in joined.values())


@given(PAIRS, NAMES, NAMES, ALIASES)
def test_a_new_link_writes_to_the_side_that_gave_the_code(
    pairs: list[tuple[str, str]], one: str, other: str, aliases: dict[str, str]
) -> None:
    before = join_accounts(aliases, after(pairs, aliases)).get(other, (other,))[0]
    assert join_accounts(aliases, after([*pairs, (one, other)], aliases)).get(one, (one,))[0] == before


@given(PAIRS, NAMES)
def test_leaving_parts_the_one_who_leaves_and_nobody_else(pairs: list[tuple[str, str]], name: str) -> None:
    links = after(pairs, {})
    left = {person - {name} for person in persons({}, links)}
    assert persons({}, without_links(links, (name,))) == {person for person in left if len(person) > 1}


@given(PAIRS, NAMES, ALIASES)
def test_who_leaves_takes_along_whom_the_operator_has_joined_to_them(
    pairs: list[tuple[str, str]], name: str, aliases: dict[str, str]
) -> None:
    own = join_accounts(aliases, {}).get(name, (name,))
    alone = join_accounts(aliases, without_links(after(pairs, aliases), own)).get(name, (name,))
    assert set(alone) == set(own)
