"""Which ids, senders and chats stand for one person, and that they stand for nobody else."""

from dataclasses import replace

import pytest
from astrbot_plugin_ltm.long_term_memory.access.identity import (
    IdentityRules,
    UserScopeStrategy,
    account_of,
    of_persona,
    sender_of,
    user_scopes,
)
from astrbot_plugin_ltm.long_term_memory.access.persons import Person, person_named, person_of
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Scope
from hypothesis import given
from hypothesis import strategies as st

STRATEGIES: tuple[UserScopeStrategy, ...] = ("platform_user", "unified_msg_origin")
_IDS = st.text(st.sampled_from("ab:!.FriendMessage"), min_size=1, max_size=8) | st.sampled_from(
    ["alice", "FriendMessage:alice", "GroupMessage:42:alice", "!GroupMessage:1", "a:b", "张三"]
)


def chat_of(sender: str, group: str = "", platform: str = "plat") -> Chat:
    kind, where = ("GroupMessage", group) if group else ("FriendMessage", sender)
    return Chat(
        umo=f"{platform}:{kind}:{where}",
        platform_id=platform,
        sender_id=sender,
        sender_name="",
        group_id=group,
        conversation_id="",
    )


def user(scope_id: str) -> ScopeRef:
    return ScopeRef(scope=Scope.USER, scope_id=scope_id)


def named(account: str, **aliases: str) -> Person:
    person = person_named(account, IdentityRules(aliases=aliases))
    assert person
    return person


@given(sender=_IDS, group=st.just("") | _IDS, strategy=st.sampled_from(STRATEGIES))
def test_an_account_leads_back_to_its_sender(sender: str, group: str, strategy: UserScopeStrategy) -> None:
    account = account_of(chat_of(sender, group), IdentityRules(user_scope_strategy=strategy))
    assert sender_of(account) == ("plat", sender)


@given(sender=_IDS, other=_IDS, group=st.just("") | _IDS, persona=st.sampled_from(["", "pirate"]))
def test_a_person_owns_their_scopes_under_each_strategy_and_nobody_elses(
    sender: str, other: str, group: str, persona: str
) -> None:
    account = account_of(chat_of(sender), IdentityRules())
    for strategy in STRATEGIES:
        rules = IdentityRules(user_scope_strategy=strategy)
        for person in (person_of(chat_of(sender, group), rules), named(account)):
            for mine in user_scopes(chat_of(sender, group), rules):
                assert person.owns(of_persona(mine, persona))
                assert not person.owns(replace(mine, scope=Scope.GROUP))
            for theirs in user_scopes(chat_of(other, group), rules):
                assert person.owns(of_persona(theirs, persona)) == (other == sender)


@pytest.mark.parametrize("account", ["plat_a:alice", "plat_a:FriendMessage:alice", "plat_b:ally"])
def test_joined_accounts_are_one_person(account: str) -> None:
    person = named(account, **{"plat_b:ally": "plat_a:alice"})
    assert person.senders == {("plat_a", "alice"), ("plat_b", "ally")}
    assert person.chats == {"plat_a:FriendMessage:alice", "plat_b:FriendMessage:ally"}
    assert person.owns(user("plat_b:GroupMessage:42:ally"))
    assert not person.owns(user("plat_b:GroupMessage:ally:bob"))
    assert not person.owns(user("plat_b:alice"))


def test_a_web_chat_is_its_own_whatever_it_is_called() -> None:
    chat = replace(chat_of("astrbot", platform="webchat"), umo="webchat:FriendMessage:webchat!astrbot!1")
    person = person_of(chat, IdentityRules())
    assert chat.umo in person.chats
    assert person.owns(user(chat.umo))
    assert person.owns(user("webchat:astrbot"))


@pytest.mark.parametrize("account", ["", "plat", "plat:", ":alice", "plat:GroupMessage:42"])
def test_what_names_nobody_is_nobody(account: str) -> None:
    assert sender_of(account) is None
    assert person_named(account, IdentityRules()) is None
