"""Chats of made-up people, and ids as awkward as platforms may hand them out."""

from dataclasses import replace

from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from hypothesis import strategies as st

_PARTS = ["a", "b", ":", "_", "%", "!", ".", "é", "王", "FriendMessage", "GroupMessage:"]
IDS = st.lists(st.sampled_from(_PARTS), min_size=1, max_size=5).map("".join) | st.text(min_size=1, max_size=6)


def private(platform: str, sender: str) -> Chat:
    return Chat(
        umo=f"{platform}:FriendMessage:{sender}",
        platform_id=platform,
        sender_id=sender,
        sender_name="",
        group_id="",
        conversation_id="",
    )


def in_group(platform: str, group: str, sender: str, *, session: str | None = None) -> Chat:
    return Chat(
        umo=f"{platform}:GroupMessage:{group if session is None else session}",
        platform_id=platform,
        sender_id=sender,
        sender_name="",
        group_id=group,
        conversation_id="",
    )


def with_persona(chat: Chat, persona_id: str) -> Chat:
    return replace(chat, persona_id=persona_id)


def in_project(chat: Chat, project_id: str) -> Chat:
    return replace(chat, project_id=project_id)
