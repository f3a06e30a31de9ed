"""How confidential a chat is before anything is said in it (design 7)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..domain.chat import Chat, ScopeRef
from ..domain.words import Level


@dataclass(frozen=True, kw_only=True)
class LevelRules:
    """The floor by kind of chat, and the chats that differ, by umo or by the id of the group's scope."""

    group: Level = Level.PUBLIC
    private: Level = Level.INTERNAL
    chats: Mapping[str, Level] = field(default_factory=dict[str, Level])


def floor_of(chat: Chat, group: ScopeRef | None, rules: LevelRules) -> Level:
    """Give the level of this chat; the umo decides before the group, the group before the kind."""
    by_kind = rules.private if group is None else rules.group
    by_group = by_kind if group is None else rules.chats.get(group.scope_id, by_kind)
    return rules.chats.get(chat.umo, by_group)
