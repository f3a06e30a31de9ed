from dataclasses import replace

import pytest
from astrbot_plugin_ltm.long_term_memory.access.gatekeeper import LevelRules, access_of
from astrbot_plugin_ltm.long_term_memory.access.identity import GLOBAL, IdentityRules, UserScopeStrategy
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, Chat, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, Scope
from hypothesis import given
from hypothesis import strategies as st

from .chats import IDS, in_group, in_project, private

STRATEGIES = st.sampled_from(["platform_user", "unified_msg_origin"])


def user(scope_id: str) -> ScopeRef:
    return ScopeRef(scope=Scope.USER, scope_id=scope_id)


def access(chat: Chat, rules: IdentityRules | None = None) -> Access:
    return access_of(chat, rules or IdentityRules(), LevelRules(), Level.PUBLIC)


@given(st.sampled_from(Level), st.sampled_from(Level), st.sampled_from(Level), st.booleans())
def test_the_level_is_the_highest_of_the_floor_the_conversation_and_the_turn(
    floor: Level, session: Level, turn: Level, in_private: bool
) -> None:
    rules = LevelRules(group=floor, private=floor)
    chat = private("p", "bob") if in_private else in_group("p", "g", "bob")
    seen = access_of(replace(chat, raised=turn), IdentityRules(), rules, session)
    assert seen.level is max(floor, session, turn)


@pytest.mark.parametrize("switched_on", [False, True])
def test_other_groups_count_in_groups_alone_and_only_where_the_operator_says_so(*, switched_on: bool) -> None:
    rules = LevelRules(cross_group=switched_on)
    group, alone = in_group("p", "g", "bob"), private("p", "bob")
    assert access_of(group, IdentityRules(), rules, Level.PUBLIC).cross_group is switched_on
    assert not access_of(alone, IdentityRules(), rules, Level.PUBLIC).cross_group


def test_in_private_one_reads_ones_own_the_old_chat_and_what_is_for_all() -> None:
    seen = access(private("p", "bob"))
    assert seen.readable == (user("p:bob"), user("p:FriendMessage:bob"), GLOBAL)
    assert (seen.owner, seen.group, seen.private, seen.level) == (user("p:bob"), None, True, Level.INTERNAL)


def test_in_a_group_one_reads_ones_own_the_groups_and_what_is_for_all() -> None:
    seen = access(in_group("p", "g", "bob"))
    group = ScopeRef(scope=Scope.GROUP, scope_id="p:GroupMessage:g")
    assert seen.readable == (user("p:bob"), group, GLOBAL)
    assert (seen.owner, seen.group, seen.private, seen.level) == (user("p:bob"), group, False, Level.PUBLIC)
    assert seen.umo == "p:GroupMessage:g"


def test_joined_accounts_write_to_one_and_read_all() -> None:
    seen = access(private("b", "bob2"), IdentityRules(aliases={"b:bob2": "a:bob"}))
    assert seen.owner == user("a:bob")
    assert seen.readable == (user("a:bob"), user("b:bob2"), user("b:FriendMessage:bob2"), GLOBAL)


def test_linked_accounts_write_to_one_and_read_all_in_groups_too() -> None:
    seen = access(in_group("b", "g", "bob2"), IdentityRules(links={"b:bob2": "a:bob"}))
    assert seen.owner == user("a:bob")
    assert [ref for ref in seen.readable if ref.scope is Scope.USER] == [user("a:bob"), user("b:bob2")]


def test_in_a_project_one_reads_the_project_too() -> None:
    seen = access(in_project(private("webchat", "root"), "42"))
    project = ScopeRef(scope=Scope.PROJECT, scope_id="webchat:42")
    assert seen.readable == (user("webchat:root"), user("webchat:FriendMessage:root"), project, GLOBAL)
    assert (seen.project, seen.owner) == (project, user("webchat:root"))
    assert access(private("webchat", "root")).project is None


def test_by_umo_no_scope_is_read_twice() -> None:
    seen = access(private("p", "bob"), IdentityRules(user_scope_strategy="unified_msg_origin"))
    assert seen.readable == (user("p:FriendMessage:bob"), GLOBAL)


@given(st.tuples(IDS, IDS), st.tuples(IDS, IDS), IDS, STRATEGIES)
def test_nobody_in_a_group_reads_another_persons_scope(
    one: tuple[str, str], other: tuple[str, str], group: str, strategy: UserScopeStrategy
) -> None:
    rules = IdentityRules(user_scope_strategy=strategy)
    mine = access(in_group(one[0], group, one[1]), rules).readable
    chats = [private(*other), in_group(other[0], group, other[1]), in_group(other[0], "elsewhere", other[1])]
    theirs = {ref for chat in chats for ref in access(chat, rules).readable if ref.scope is Scope.USER}
    assert one == other or theirs.isdisjoint(mine)
