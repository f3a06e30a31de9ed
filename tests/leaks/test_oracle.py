"""The oracle itself, on what the rules say in words."""

from random import Random

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level

from tests.leaks.canaries import Words
from tests.leaks.cast import Cast, Variant
from tests.leaks.found import canaries_in
from tests.leaks.oracle import Fact, Oracle, Utterance

pytestmark = pytest.mark.torture

ALICE, AL = ("alice", "plat_a:FriendMessage:alice"), ("al", "plat_b:FriendMessage:al")
BOB, NAMESAKE = ("bob", "plat_a:FriendMessage:bob"), ("alice", "plat_b:FriendMessage:alice")
KITCHEN, GARDEN = ("alice", "plat_a:GroupMessage:kitchen"), ("alice", "plat_a:GroupMessage:garden")
BOB_IN_KITCHEN = ("bob", "plat_a:GroupMessage:kitchen")
EVERYWHERE = (ALICE, AL, BOB, NAMESAKE, KITCHEN, GARDEN, BOB_IN_KITCHEN)

type Place = tuple[str, str]


@pytest.fixture
def oracle() -> Oracle:
    return Oracle(Variant(name="usual"))


CAST = Cast(Variant(name="usual"))
PAIR = Words(Random(1)).pair(chinese=False)  # noqa: S311 - any will do


def told_at(place: Place, level: Level = Level.PUBLIC, *, whose: str = "") -> Fact:
    seat = CAST.at(*place)
    groups = frozenset(() if seat.private else (seat.room,))
    return Fact(pair=PAIR, whose=whose or seat.who, level=level, groups=groups)


def surfaces(oracle: Oracle) -> set[Place]:
    return {place for place in EVERYWHERE if oracle.remembered(CAST.at(*place))}


def test_what_was_said_in_private_surfaces_in_ones_own_private_chats(oracle: Oracle) -> None:
    oracle.facts.append(told_at(ALICE))
    assert surfaces(oracle) == {ALICE, AL}


def test_what_was_said_in_a_group_surfaces_there_and_in_private_for_who_said_it(oracle: Oracle) -> None:
    oracle.facts.append(told_at(KITCHEN))
    assert surfaces(oracle) == {ALICE, AL, KITCHEN}


def test_what_is_of_a_group_is_for_all_who_are_in_it(oracle: Oracle) -> None:
    oracle.facts.append(told_at(KITCHEN, whose=KITCHEN[1]))
    assert surfaces(oracle) == {KITCHEN, BOB_IN_KITCHEN}


def test_what_is_shared_surfaces_wherever_its_owner_is_and_is_public(oracle: Oracle) -> None:
    fact = told_at(ALICE, Level.RESTRICTED)
    fact.everywhere = fact.shared = True
    oracle.facts.append(fact)
    assert surfaces(oracle) == {ALICE, AL, KITCHEN, GARDEN}


def test_what_is_too_high_surfaces_once_a_tool_has_raised_the_conversation(oracle: Oracle) -> None:
    oracle.facts.append(told_at(ALICE, Level.CONFIDENTIAL))
    assert surfaces(oracle) == {AL}
    oracle.used(CAST.at(*ALICE), Level.RESTRICTED)
    oracle.used(CAST.at(*ALICE), Level.PUBLIC)
    assert surfaces(oracle) == {AL, ALICE}


def test_groups_are_open_to_each_other_where_the_operator_says_so() -> None:
    oracle = Oracle(Variant(name="open", cross_group=True))
    oracle.facts.append(told_at(KITCHEN))
    assert surfaces(oracle) == {ALICE, AL, KITCHEN, GARDEN}


@pytest.mark.parametrize(("by", "in_private"), [("alice", {ALICE, AL}), ("", set[Place]())])
def test_the_transcript_of_a_group_is_for_the_group_and_ones_own_words_for_oneself(
    oracle: Oracle, by: str, in_private: set[Place]
) -> None:
    words = Utterance(pair=PAIR, by=by, beside="", room=KITCHEN[1], level=Level.PUBLIC, in_group=True)
    oracle.utterances.append(words)
    heard = {place for place in EVERYWHERE if oracle.said(CAST.at(*place))}
    assert heard == {KITCHEN, BOB_IN_KITCHEN, *in_private}


def test_a_canary_is_found_within_a_word_and_in_whatever_case() -> None:
    chinese = Words(Random(1)).pair(chinese=True).canary  # noqa: S311 - any will do
    text = f"x{PAIR.canary.upper()}y 的{chinese}了"
    assert canaries_in(text, {PAIR.canary, chinese, "neverthere"}) == {PAIR.canary, chinese}
    assert canaries_in(PAIR.canary[:-1], {PAIR.canary}) == set()
