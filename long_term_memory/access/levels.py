"""How confidential a chat is before anything is said in it, and which tools raise that (design 7)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..domain.chat import Chat, ScopeRef
from ..domain.words import Level

OWN_TOOLS = frozenset(
    {"memory_save", "memory_get", "memory_search", "memory_list", "memory_delete", "session_search"}
)
"""The tools of this plugin: they give nothing above the level of the session, so they never raise it."""


@dataclass(frozen=True, kw_only=True)
class LevelRules:
    """The floor by kind of chat, the chats that differ, and the tools that raise a conversation."""

    group: Level = Level.PUBLIC
    private: Level = Level.INTERNAL
    chats: Mapping[str, Level] = field(default_factory=dict[str, Level])
    """By umo, or by the id of the group's scope."""
    tools: Mapping[str, Level] = field(default_factory=dict[str, Level])
    """By the tool's name: a conversation in which it was used is at least at this level from then on."""
    cross_group: bool = False
    """Whether what somebody says in one group may surface for them in their other groups."""


def floor_of(chat: Chat, group: ScopeRef | None, rules: LevelRules) -> Level:
    """Give the level of this chat; the umo decides before the group, the group before the kind."""
    by_kind = rules.private if group is None else rules.group
    by_group = by_kind if group is None else rules.chats.get(group.scope_id, by_kind)
    return rules.chats.get(chat.umo, by_group)
