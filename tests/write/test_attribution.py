"""Whose a fact is, and about whom: from who said it, never from what a model wishes."""

from dataclasses import replace
from datetime import UTC
from typing import Any

from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType, Origin, Scope
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event
from astrbot_plugin_ltm.long_term_memory.domain.writing import Segment
from astrbot_plugin_ltm.long_term_memory.write.attribution import attribute, with_names
from astrbot_plugin_ltm.long_term_memory.write.ground import ground

from tests.write.fakes import ALICE, BOB, GROUP, event
from tests.write.made import a_candidate

PROJECT = ScopeRef(scope=Scope.PROJECT, scope_id="webchat:42")


def in_group(text: str, sender: str = "alice") -> Event:
    return event(text, sender=sender, event_id=sender, in_group=True)


SAID, BOB_TOO = in_group("words"), in_group("hello", "bob")


def whose(said: Event = SAID, *others: Event, **candidate: Any) -> tuple[ScopeRef, str, str]:
    return attribute(a_candidate(**candidate), said, (said, *others))


def test_a_fact_of_oneself_goes_to_ones_own_scope() -> None:
    for about in ("", "user", "The user", "U1", "alice", "Alice", "我", "用户", "ME", "the speaker"):
        assert whose(SAID, BOB_TOO, about=about) == (ALICE, "", ""), about
        assert whose(SAID, BOB_TOO, person=about) == (ALICE, "", ""), about


def test_words_for_nobody_are_an_empty_field() -> None:
    for nobody in ("none", "N/A", "null", "Nobody", "无", "没有"):
        assert whose(SAID, BOB_TOO, person=nobody) == (ALICE, "", ""), nobody
        assert whose(SAID, BOB_TOO, about=nobody) == (ALICE, "", ""), nobody
        assert whose(SAID, BOB_TOO, person=nobody, about="U2") == (GROUP, "Bob", "Alice"), nobody


def test_the_owner_is_who_said_it_whoever_else_is_in_the_chat() -> None:
    for about in ("U2", "Bob", "bob", "", "user"):
        assert attribute(a_candidate(about=about), BOB_TOO, (SAID, BOB_TOO)) == (BOB, "", ""), about


def test_what_one_says_of_another_in_a_group_is_the_groups_and_names_both() -> None:
    for about, person in (("U2", "Bob"), ("BOB", "Bob"), ("qq-bob", "qq-bob"), ("Carol", "Carol")):
        assert whose(SAID, BOB_TOO, about=about) == (GROUP, person, "Alice"), about


def test_in_private_what_one_says_of_another_stays_ones_own() -> None:
    assert whose(event("words"), person="Carol") == (ALICE, "Carol", "")
    assert whose(event("words"), person="Alice") == (ALICE, "", "")


def test_a_matter_of_the_whole_group_is_the_groups_and_tells_who_said_it() -> None:
    for about in ("group", "The group", "all", "everyone", "群", "全群", "大家"):
        assert whose(SAID, BOB_TOO, about=about) == (GROUP, "", "Alice"), about
        assert whose(event("words"), about=about) == (ALICE, "", ""), about
    assert whose(SAID, BOB_TOO, about="group", person="Carol") == (GROUP, "Carol", "Alice")
    assert whose(SAID, BOB_TOO, about="everyone", person="everyone") == (GROUP, "", "Alice")
    assert whose(SAID, replace(BOB_TOO, sender_name="All"), about="All") == (GROUP, "All", "Alice")
    for kept in ("The User Group meets on Friday", "用户组周五开会", "群里的用户交报告"):
        assert with_names(a_candidate(kept, about="group"), SAID, (SAID, BOB_TOO)) == kept
    stores = a_candidate("User stores the tools", about="group")
    assert with_names(stores, SAID, (SAID, BOB_TOO)) == "Alice stores the tools"
    told = a_candidate("The money goes to User (Alice), 用户收 and U2 helps", about="group")
    assert with_names(told, SAID, (SAID, BOB_TOO)) == "The money goes to Alice, Alice收 and Bob helps"


def test_in_what_the_group_knows_of_a_members_people_the_member_is_named() -> None:
    events = (SAID, BOB_TOO)
    for text, about, told in (
        ("User's (Alice's) sister is vegan", "", "Alice's sister is vegan"),
        ("用户的姐姐吃素", "U1", "Alice的姐姐吃素"),
        ("U1's sister lives with User", "group", "Alice's sister lives with Alice"),
    ):
        assert with_names(a_candidate(text, about=about, person="sister"), SAID, events) == told
    own = a_candidate("User's sister is vegan", person="sister")
    assert with_names(own, event("words"), (event("words"),)) == "User's sister is vegan"
    assert with_names(a_candidate("User is vegan", person="Alice"), SAID, events) == "User is vegan"


def test_who_has_no_name_is_known_by_the_id() -> None:
    nameless = replace(SAID, sender_name="")
    assert whose(nameless, person="Carol") == (GROUP, "Carol", "alice")
    assert whose(SAID, replace(BOB_TOO, sender_name=""), about="U2") == (GROUP, "bob", "Alice")


def test_in_a_group_a_relative_is_named_after_whose_it_is() -> None:
    for person, named in (
        ("my sister", "Alice's sister"),
        ("Alice's sister", "Alice's sister"),
        ("the user's sister", "Alice's sister"),
        ("U1's sister", "Alice's sister"),
        ("我的姐姐", "Alice's 姐姐"),
        ("Bob's sister", "Bob's sister"),
        ("U2's sister", "Bob's sister"),
        ("Carol's sister", "Carol's sister"),
    ):
        assert whose(SAID, BOB_TOO, person=person) == (GROUP, named, "Alice"), person


def test_in_private_a_relative_of_ones_own_is_named_plainly_and_a_fact_of_two_stays_two() -> None:
    people = ("my dentist", "dentist", "User's dentist", "my father's dentist", "用户的牙医")
    named = [whose(event("words"), person=person)[1] for person in people]
    assert named == ["dentist", "dentist", "dentist", "father's dentist", "牙医"]


def test_a_person_without_a_name_is_doubtful() -> None:
    said = event("she is vegan")
    for person in ("she", "someone", "他", "对方", "unknown"):
        found = ground(
            a_candidate("Is vegan", quotes=(said.text,), person=person), Segment(events=(said,)), UTC
        )
        assert found.doubt == "person_unclear", person


def test_in_a_project_how_its_work_goes_is_the_projects() -> None:
    said = replace(event("words"), at_scope=PROJECT)
    for kind, origin, owner in (
        (MemoryType.TASK_STATE, Origin.LLM_EXTRACT, PROJECT),
        (MemoryType.EPISODE, Origin.RULE, PROJECT),
        (MemoryType.PREFERENCE, Origin.LLM_EXTRACT, ALICE),
        (MemoryType.PROFILE, Origin.RULE, ALICE),
        (MemoryType.CONSTRAINT, Origin.LLM_EXTRACT, ALICE),
        (MemoryType.TASK_STATE, Origin.USER_EXPLICIT, ALICE),
    ):
        assert whose(said, type=kind, origin=origin) == (owner, "", "")
        assert whose(said, type=kind, origin=origin, person="Carol") == (owner, "Carol", "")


def test_the_labels_of_the_prompt_are_put_back() -> None:
    events = (SAID, BOB_TOO)
    for text, told in (
        ("U1 likes tea", "User likes tea"),
        ("U2 likes tea", "Bob likes tea"),
        ("U1 and U2 like tea", "User and Bob like tea"),
        ("U9 likes tea", "U9 likes tea"),
    ):
        assert with_names(a_candidate(text), SAID, events) == told
    assert with_names(a_candidate("U2 likes tea"), BOB_TOO, events) == "User likes tea"


def test_user_is_the_sender_alone() -> None:
    events = (SAID, BOB_TOO)
    for text, about, person, told in (
        ("User likes tea, the User's favourite", "U2", "", "Bob likes tea, Bob's favourite"),
        ("User (Bob) likes tea", "Bob", "", "Bob likes tea"),
        ("用户喜欢茶", "U2", "", "Bob喜欢茶"),
        ("User likes tea", "U1", "", "User likes tea"),
        ("User likes tea", "", "", "User likes tea"),
        ("User (U2) likes tea", "U2", "none", "Bob likes tea"),
        ("Bob borrowed User's drill", "U2", "", "Bob borrowed User's drill"),
        ("U2 and User are married", "U2", "", "Bob and User are married"),
        ("U1 lent a drill to somebody", "U2", "", "User lent a drill to somebody"),
        ("用户从事用户体验设计", "U2", "", "Bob从事用户体验设计"),
        ("用户名下有两套房", "U2", "", "Bob名下有两套房"),
        ("User and Bobby are friends", "U2", "", "Bob and Bobby are friends"),
        ("User's sister likes tea", "U2", "sister", "User's sister likes tea"),
    ):
        assert with_names(a_candidate(text, about=about, person=person), SAID, events) == told
    asked = in_group("a User is somebody")
    assert with_names(a_candidate("Bob says what a User is", about="U2"), asked, events).startswith("Bob")


def test_what_the_words_call_u2_is_no_speaker() -> None:
    loves = a_candidate("U1 loves U2")
    assert with_names(loves, in_group("I love U2"), (SAID, BOB_TOO)) == "User loves U2"
