"""A chat by an account and a place: the same scopes as the host's own event gives."""

import pytest
from astrbot_plugin_ltm.long_term_memory.access.gatekeeper import LevelRules, access_of
from astrbot_plugin_ltm.long_term_memory.access.identity import IdentityRules, UserScopeStrategy
from astrbot_plugin_ltm.long_term_memory.access.persons import chat_named
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, Scope
from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError


def said(umo: str, sender: str, group: str = "", project: str = "") -> Chat:
    """What the host's event says."""
    return Chat(
        umo=umo,
        platform_id="plat",
        sender_id=sender,
        sender_name="",
        group_id=group,
        conversation_id="",
        project_id=project,
    )


CHATS = [
    said("plat:FriendMessage:alice", "alice"),
    said("plat:FriendMessage:web!alice!7", "alice"),
    said("plat:GroupMessage:kitchen", "alice", "kitchen"),
    said("plat:GroupMessage:alice_kitchen", "alice", "kitchen"),
    said("plat:OtherMessage:a:b", "alice", "a:b"),
    said("plat:FriendMessage:alice", "alice", project="garden"),
    said("plat:GroupMessage:kitchen", "GroupMessage:x:y", "kitchen"),
]


@pytest.mark.parametrize("strategy", ["platform_user", "unified_msg_origin"])
@pytest.mark.parametrize("chat", CHATS)
@pytest.mark.parametrize("per_persona", [False, True])
def test_a_named_chat_reaches_what_the_events_of_that_chat_reach(
    chat: Chat, strategy: UserScopeStrategy, per_persona: bool
) -> None:
    rules = IdentityRules(user_scope_strategy=strategy, per_persona=per_persona)
    real = access_of(chat, rules, LevelRules(), Level.PUBLIC)
    named = chat_named(
        real.owner.scope_id, chat.umo, known_as=real.group or real.project, raised=Level.PUBLIC
    )
    assert access_of(named, rules, LevelRules(), Level.PUBLIC) == real


def test_what_is_known_of_a_place_is_taken_without_its_persona_and_for_its_own_kind_alone() -> None:
    kept = ScopeRef(scope=Scope.GROUP, scope_id="!pcat:plat:GroupMessage:kitchen")
    in_group = chat_named("plat:alice", "plat:GroupMessage:alice_kitchen", known_as=kept, raised=Level.PUBLIC)
    assert in_group.group_id == "kitchen"
    in_private = chat_named("plat:alice", "plat:FriendMessage:alice", known_as=kept, raised=Level.INTERNAL)
    assert (in_private.group_id, in_private.project_id, in_private.raised) == ("", "", Level.INTERNAL)


@pytest.mark.parametrize("account", ["", "alice", ":", "plat:", ":alice", "plat:GroupMessage:kitchen"])
def test_an_account_must_name_somebody(account: str) -> None:
    with pytest.raises(InvalidInputError, match="account: must name an account"):
        chat_named(account, "plat:FriendMessage:alice", raised=Level.PUBLIC)


@pytest.mark.parametrize(
    "umo",
    [
        "",
        "plat",
        "plat:",
        "plat:alice",
        "plat:FriendMessage",
        "plat:FriendMessage:",
        "plat:friendmessage:alice",
        "qq:FriendMessage:alice",
        "platform:FriendMessage:alice",
    ],
)
def test_a_place_must_be_on_the_platform_of_the_account(umo: str) -> None:
    with pytest.raises(InvalidInputError, match="umo: must name a chat of the account's platform"):
        chat_named("plat:alice", umo, raised=Level.PUBLIC)
