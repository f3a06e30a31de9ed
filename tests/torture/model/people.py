"""Who talks where: two people, one of them with a second account, in private and in two groups."""

from collections.abc import Mapping
from dataclasses import replace

from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level

from tests.running import group, private

ALICE, BOB = private("alice"), private("bob")
ALICIA = replace(private("alicia"), platform_id="web", umo="web:FriendMessage:alicia")
"""Alice's second account."""
PRIVATE = (ALICE, BOB, ALICIA)
GROUPS = tuple(group(person, name) for person in ("alice", "bob") for name in ("kitchen", "garden"))
CHATS = (*PRIVATE, *GROUPS)
BY_NAME: Mapping[str, Chat] = {f"{chat.sender_id} in {chat.group_id or 'private'}": chat for chat in CHATS}
ALONE = tuple(name for name, chat in BY_NAME.items() if chat in PRIVATE)
TOGETHER = tuple(name for name, chat in BY_NAME.items() if chat in GROUPS)


def account(chat: Chat) -> str:
    """Whose words are said there."""
    return f"{chat.platform_id}:{chat.sender_id}"


def place(chat: Chat) -> str:
    """The group; empty for a private chat."""
    return f"{chat.platform_id}:GroupMessage:{chat.group_id}" if chat.group_id else ""


def level(chat: Chat) -> Level:
    """How confidential it is there."""
    return Level.PUBLIC if chat.group_id else Level.INTERNAL
