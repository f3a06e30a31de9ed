"""The one place that says what a message may read and where it writes (design 6.1 and 7)."""

from ..domain.chat import Access, Chat
from ..domain.words import Level
from .identity import GLOBAL, IdentityRules, group_scope, legacy_scope, project_scope, user_scopes
from .levels import LevelRules, floor_of
from .personas import of_persona


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
