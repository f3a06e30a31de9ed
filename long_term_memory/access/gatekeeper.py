"""The one place that says what a message may read and where it writes (design 6.1 and 7)."""

from ..domain.chat import Access, Chat
from .identity import GLOBAL, IdentityRules, group_scope, legacy_scope, user_scopes
from .levels import LevelRules, floor_of


def access_of(chat: Chat, identity_rules: IdentityRules, level_rules: LevelRules) -> Access:
    """Say what this message may read: its sender's memory, its group's, everybody's; nothing else decides."""
    own = user_scopes(chat, identity_rules)
    group = group_scope(chat)
    legacy = legacy_scope(chat, identity_rules)
    return Access(
        umo=chat.umo,
        private=chat.private,
        level=floor_of(chat, group, level_rules),
        owner=own[0],
        group=group,
        readable=tuple(dict.fromkeys([*own, *(ref for ref in (legacy, group) if ref), GLOBAL])),
    )
