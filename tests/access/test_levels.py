from astrbot_plugin_ltm.long_term_memory.access.gatekeeper import LevelRules, floor_of
from astrbot_plugin_ltm.long_term_memory.access.identity import group_scope
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level

from .chats import in_group, private


def test_a_group_is_public_and_a_private_chat_internal() -> None:
    group = in_group("p", "g", "bob")
    assert floor_of(group, group_scope(group), LevelRules()) is Level.PUBLIC
    assert floor_of(private("p", "bob"), None, LevelRules()) is Level.INTERNAL


def test_the_operator_sets_the_level_of_each_kind() -> None:
    rules = LevelRules(group=Level.CONFIDENTIAL, private=Level.RESTRICTED)
    group = in_group("p", "g", "bob")
    assert floor_of(group, group_scope(group), rules) is Level.CONFIDENTIAL
    assert floor_of(private("p", "bob"), None, rules) is Level.RESTRICTED


def test_a_chat_named_by_umo_or_by_group_differs_and_the_umo_decides() -> None:
    rules = LevelRules(
        chats={
            "p:GroupMessage:g": Level.CONFIDENTIAL,
            "p:GroupMessage:eve_g": Level.RESTRICTED,
            "p:FriendMessage:bob": Level.PUBLIC,
        }
    )
    bob, eve = (in_group("p", "g", name, session=f"{name}_g") for name in ("bob", "eve"))
    assert floor_of(bob, group_scope(bob), rules) is Level.CONFIDENTIAL
    assert floor_of(eve, group_scope(eve), rules) is Level.RESTRICTED
    assert floor_of(private("p", "bob"), None, rules) is Level.PUBLIC
