import pytest
from astrbot_plugin_ltm.long_term_memory.access.identity import (
    GLOBAL,
    IdentityRules,
    account_of,
    group_scope,
    legacy_scope,
    project_scope,
    sender_of,
    user_scopes,
)
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Scope
from hypothesis import given
from hypothesis import strategies as st

from .chats import IDS, in_group, in_project, private

PLAIN = IdentityRules()
BY_UMO = IdentityRules(user_scope_strategy="unified_msg_origin")


def ids(chat: Chat, rules: IdentityRules = PLAIN) -> list[str]:
    return [ref.scope_id for ref in user_scopes(chat, rules)]


def test_a_person_is_their_account_on_their_platform() -> None:
    assert ids(private("plat_a", "bob")) == ids(in_group("plat_a", "g1", "bob")) == ["plat_a:bob"]


def test_a_matrix_id_keeps_its_colon() -> None:
    assert ids(private("matrix", "@bob:example.org")) == ["matrix:@bob:example.org"]


@pytest.mark.parametrize(
    "sender", ["telegram:8123", "discord:8123", "FriendMessage:8123", "a!.b:8123", "8123"]
)
def test_ids_with_the_platform_of_a_login_in_front_lead_back_to_their_sender(sender: str) -> None:
    alone, member = private("satori", sender), in_group("satori", "telegram:c", sender)
    for chat, rules in ((alone, PLAIN), (member, PLAIN), (member, BY_UMO)):
        assert sender_of(account_of(chat, rules)) == ("satori", sender)


def test_the_same_id_on_the_platforms_of_two_logins_is_two_people_and_two_groups() -> None:
    one, other = (in_group("satori", f"{each}:c", f"{each}:8123", session="c") for each in ("kook", "qq"))
    for rules in (PLAIN, BY_UMO):
        assert set(ids(one, rules)).isdisjoint(ids(other, rules))
    assert group_scope(one) != group_scope(other)


def test_an_alias_joins_an_account_behind_a_login_to_one_of_the_platform_itself() -> None:
    rules = IdentityRules(aliases={"satori:telegram:8123": "tg:8123"})
    assert ids(private("satori", "telegram:8123"), rules) == ["tg:8123", "satori:telegram:8123"]
    assert ids(private("tg", "8123"), rules) == ["tg:8123", "satori:telegram:8123"]
    assert ids(private("satori", "discord:8123"), rules) == ["satori:discord:8123"]


@pytest.mark.parametrize("umo", ["p:FriendMessage:g1", "p:FriendMessage:alice"])
def test_a_room_that_the_host_takes_for_a_private_chat_is_a_group_apart(umo: str) -> None:
    room = Chat(
        umo=umo, platform_id="p", sender_id="alice", sender_name="", group_id="g1", conversation_id=""
    )
    for rules in (PLAIN, BY_UMO):
        assert ids(room, rules) == ["p:alice"]
    assert group_scope(room) not in (None, group_scope(in_group("p", "g1", "alice")))
    assert legacy_scope(room, PLAIN) is None
    assert project_scope(in_project(room, "42")) is None


def test_by_umo_a_person_in_private_is_the_chat() -> None:
    assert ids(private("plat_a", "bob"), BY_UMO) == ["plat_a:FriendMessage:bob"]


def test_by_umo_members_of_one_group_are_still_different_people() -> None:
    assert ids(in_group("plat_a", "g1", "bob"), BY_UMO) == ["plat_a:GroupMessage:g1:bob"]
    assert ids(in_group("plat_a", "g1", "eve"), BY_UMO) == ["plat_a:GroupMessage:g1:eve"]


def test_by_umo_a_chat_of_another_form_falls_back_to_the_account() -> None:
    odd = Chat(
        umo="somewhere", platform_id="p", sender_id="bob", sender_name="", group_id="", conversation_id=""
    )
    assert ids(odd, BY_UMO) == ["p:bob"]


def test_a_private_chat_with_the_umo_of_a_group_is_not_taken_at_its_word() -> None:
    odd = Chat(
        umo="p:GroupMessage:g",
        platform_id="p",
        sender_id="bob",
        sender_name="",
        group_id="",
        conversation_id="",
    )
    assert ids(odd, BY_UMO) == ["p:bob"]
    assert legacy_scope(odd, PLAIN) is None


def test_a_sender_id_that_reads_like_a_chat_does_not_reach_that_chat() -> None:
    mallory = ids(private("p", "FriendMessage:bob"))
    assert mallory == ["p:!FriendMessage:bob"]
    assert mallory != ids(private("p", "!FriendMessage:bob"))
    assert ScopeRef(scope=Scope.USER, scope_id=mallory[0]) != legacy_scope(private("p", "bob"), PLAIN)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (private("a:b", "c"), private("a", "b:c")),
        (private("a:b", "c"), private("a!.b", "c")),
        (private("a!b", "c"), private("a:b", "c")),
        (private("a:FriendMessage", "s"), private("a", "FriendMessage:s")),
        (in_group("p", "g:a", "b"), in_group("p", "g", "a:b")),
        (in_group("p", "g", "a!.b"), in_group("p", "g", "a:b")),
    ],
)
def test_where_one_id_ends_and_the_next_begins_is_never_in_doubt(one: Chat, other: Chat) -> None:
    for rules in (PLAIN, BY_UMO):
        assert set(ids(one, rules)).isdisjoint(ids(other, rules))
    assert legacy_scope(one, PLAIN) != legacy_scope(other, PLAIN) or not one.private


@given(st.tuples(IDS, IDS), st.tuples(IDS, IDS))
def test_two_people_never_share_a_scope(one: tuple[str, str], other: tuple[str, str]) -> None:
    scopes = [
        {
            *ids(private(*who)),
            *ids(in_group(who[0], "g", who[1])),
            legacy_id(who),
            *ids(private(*who), BY_UMO),
        }
        for who in (one, other)
    ]
    assert (one == other) or scopes[0].isdisjoint(scopes[1])


def legacy_id(who: tuple[str, str]) -> str:
    ref = legacy_scope(private(*who), PLAIN)
    assert ref is not None
    return ref.scope_id


@given(st.tuples(IDS, IDS, IDS), st.tuples(IDS, IDS, IDS))
def test_by_umo_two_members_of_groups_never_share_a_scope(
    one: tuple[str, str, str], other: tuple[str, str, str]
) -> None:
    assert (one == other) == (ids(in_group(*one), BY_UMO) == ids(in_group(*other), BY_UMO))


@given(st.tuples(IDS, IDS), st.tuples(IDS, IDS))
def test_two_groups_never_share_a_scope(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert (one == other) == (group_scope(in_group(*one, "x")) == group_scope(in_group(*other, "y")))


def test_a_group_is_one_for_its_members_though_each_has_a_session_of_their_own() -> None:
    bob = in_group("p", "g1", "bob", session="bob_g1")
    assert group_scope(bob) == ScopeRef(scope=Scope.GROUP, scope_id="p:GroupMessage:g1")
    assert group_scope(bob) == group_scope(in_group("p", "g1", "eve", session="eve"))


def test_a_chat_of_unknown_kind_is_not_the_group_of_the_same_id() -> None:
    notice = Chat(
        umo="p:OtherMessage:g1",
        platform_id="p",
        sender_id="bob",
        sender_name="",
        group_id="g1",
        conversation_id="",
    )
    assert group_scope(notice) == ScopeRef(scope=Scope.GROUP, scope_id="p:OtherMessage:g1")


def test_a_private_chat_has_no_group() -> None:
    assert group_scope(private("p", "bob")) is None


def test_aliases_join_accounts_and_read_what_each_had() -> None:
    rules = IdentityRules(aliases={"plat_b:bob2": "plat_a:bob"})
    assert ids(private("plat_b", "bob2"), rules) == ["plat_a:bob", "plat_b:bob2"]
    assert ids(private("plat_a", "bob"), rules) == ["plat_a:bob", "plat_b:bob2"]
    assert ids(private("plat_a", "eve"), rules) == ["plat_a:eve"]


def test_chains_of_aliases_end_at_one_account() -> None:
    rules = IdentityRules(aliases={"c:3": "b:2", "b:2": "a:1"})
    assert {tuple(ids(private(p, s), rules)) for p, s in ("a1", "b2", "c3")} == {("a:1", "b:2", "c:3")}


def test_a_circle_of_aliases_is_one_person_with_everybody_who_points_into_it() -> None:
    rules = IdentityRules(aliases={"b:2": "c:3", "c:3": "b:2", "d:4": "c:3", "e:5": "e:5"})
    assert {tuple(ids(private(p, s), rules)) for p, s in ("b2", "c3", "d4")} == {("b:2", "c:3", "d:4")}
    assert ids(private("e", "5"), rules) == ["e:5"]


@given(st.dictionaries(st.sampled_from("abcdefg"), st.sampled_from("abcdefg")))
def test_joined_accounts_are_one_group_seen_from_each(aliases: dict[str, str]) -> None:
    joined = IdentityRules(aliases=aliases).joined
    assert all(joined[other] == group for group in joined.values() for other in group)
    assert all(joined[account] == joined[of] for account, of in aliases.items())
    assert all(account in group for account, group in joined.items())


def test_the_old_scope_of_a_private_chat_is_read_until_switched_off() -> None:
    bob = private("p", "bob")
    assert legacy_scope(bob, PLAIN) == ScopeRef(scope=Scope.USER, scope_id="p:FriendMessage:bob")
    assert legacy_scope(bob, IdentityRules(include_legacy_umo_on_read=False)) is None
    assert legacy_scope(in_group("p", "g", "bob"), PLAIN) is None


def test_links_and_aliases_join_accounts_alike() -> None:
    rules = IdentityRules(aliases={"b:bob2": "a:bob"}, links={"c:bobby": "b:bob2"})
    assert ids(private("c", "bobby"), rules) == ["a:bob", "b:bob2", "c:bobby"]
    assert account_of(private("c", "bobby"), rules) == "c:bobby"
    assert rules.joined_by_operator["b:bob2"] == ("a:bob", "b:bob2")
    assert "c:bobby" not in rules.joined_by_operator


def test_a_link_reads_the_old_scope_of_this_chat_and_of_no_other() -> None:
    rules = IdentityRules(links={"b:bob2": "a:bob"})
    assert legacy_scope(private("b", "bob2"), rules) == ScopeRef(
        scope=Scope.USER, scope_id="b:FriendMessage:bob2"
    )


def test_a_private_chat_of_a_project_has_its_scope_and_a_group_has_none() -> None:
    chat = in_project(private("webchat", "astrbot"), "42")
    assert project_scope(chat) == ScopeRef(scope=Scope.PROJECT, scope_id="webchat:42")
    assert project_scope(private("webchat", "astrbot")) is None
    assert project_scope(in_project(in_group("webchat", "g", "astrbot"), "42")) is None


@given(st.tuples(IDS, IDS), st.tuples(IDS, IDS))
def test_two_projects_never_share_a_scope(one: tuple[str, str], other: tuple[str, str]) -> None:
    scopes = [
        project_scope(in_project(private(platform, "x"), project)) for platform, project in (one, other)
    ]
    assert (one == other) == (scopes[0] == scopes[1])


def test_everybody_reads_one_global_scope() -> None:
    assert ScopeRef(scope=Scope.GLOBAL, scope_id="global") == GLOBAL
