"""Which scopes a message may read, and where it writes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..domain.chat import Access, Chat, ScopeRef
from ..domain.enums import Level
from .identity import GLOBAL, IdentityRules, group_scope, legacy_scope, of_persona, project_scope, user_scopes

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


@dataclass(frozen=True, kw_only=True)
class GroupRules:
    """Which groups are listened to where nobody spoke to the bot."""

    passive_capture: bool = False
    only: frozenset[str] = frozenset()
    """Ids of groups, bare or as their scope has them; empty is every group."""
    but: frozenset[str] = frozenset()
    """Ids of groups that are never listened to."""

    def listens_to(self, *names: str) -> bool:
        """Whether the group that goes by these names is listened to; `but` wins over `only`."""
        if not self.passive_capture or not self.but.isdisjoint(names):
            return False
        return not self.only or not self.only.isdisjoint(names)


def access_of(
    chat: Chat, identity_rules: IdentityRules, level_rules: LevelRules, session_level: Level
) -> Access:
    """Say what this message may read: its sender's memory, its group's, everybody's; nothing else decides.

    `session_level` is what tools have raised the conversation to; it counts above the floor of the chat.
    A persona with memories of its own reads also what was learnt without one, before or under the default
    persona, and writes to its own alone.
    """
    own, group = user_scopes(chat, identity_rules), group_scope(chat)
    persona = chat.persona_id if identity_rules.per_persona else ""
    here = of_persona(group, persona) if group else None
    refs = (
        *(of_persona(ref, persona) for ref in own),
        *own,
        legacy_scope(chat, identity_rules),
        here,
        group,
        project_scope(chat),
        GLOBAL,
    )
    return Access(
        umo=chat.umo,
        private=chat.private,
        level=max(floor_of(chat, group, level_rules), session_level, chat.raised),
        owner=of_persona(own[0], persona),
        group=here,
        also_here=(group,) if group and group != here else (),
        readable=tuple(dict.fromkeys(ref for ref in refs if ref)),
        cross_group=level_rules.cross_group and not chat.private,
    )
