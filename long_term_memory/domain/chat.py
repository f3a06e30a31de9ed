"""Who speaks where and in which conversation, and which memories that may reach."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from .enums import Level, Scope


@dataclass(frozen=True, kw_only=True)
class Chat:
    """The place and the speaker of one message, taken from the host's event and from nothing else."""

    umo: str
    """The host's unified message origin of the chat."""
    platform_id: str
    """The platform instance, not its type."""
    sender_id: str
    sender_name: str
    group_id: str
    """Empty in a private chat."""
    conversation_id: str
    """The host's conversation; empty when it keeps none."""
    persona_id: str = ""
    """The persona that answers here; empty when the host's default does."""
    project_id: str = ""
    """The web chat's project that this chat belongs to; empty when it belongs to none."""
    raised: Level = Level.PUBLIC
    """The highest level of the tools that this turn has used itself, whatever becomes of its conversation."""

    @property
    def private(self) -> bool:
        """Whether nobody but the sender and the bot reads this chat."""
        return not self.group_id


@dataclass(frozen=True, kw_only=True, order=True)
class ScopeRef:
    """One scope of memory."""

    scope: Scope
    scope_id: str

    def __hash__(self) -> int:
        """Of the id alone: equal scopes have equal ids, and few ids are of two kinds of scope."""
        return hash(self.scope_id)


@dataclass(frozen=True, kw_only=True)
class Access:
    """What one message may read and where it writes: the only key to any read path.

    `readable` names whole scopes; within them an item is visible when its level is at most `level` and it
    was said in `group` (with `cross_group`: in any), or its audience is everywhere, or `private` is true.
    """

    umo: str
    private: bool
    level: Level
    owner: ScopeRef
    """The sender's own scope: where facts about oneself are written."""
    group: ScopeRef | None
    """The chat's group scope: where facts about others are written; none in a private chat."""
    readable: tuple[ScopeRef, ...]
    also_here: tuple[ScopeRef, ...] = ()
    """More scopes of that same group: what was said in them was said here."""
    cross_group: bool = False
    """Whether what its owner said in any other group counts as said in this one; never in a private chat."""

    def __hash__(self) -> int:
        """Of what tells most of them apart: each message looks several things up by its access."""
        return hash((self.umo, self.owner.scope_id))

    @property
    def project(self) -> ScopeRef | None:
        """The project that the chat belongs to: where facts about its work are written."""
        return next((ref for ref in self.readable if ref.scope is Scope.PROJECT), None)

    @property
    def at_scope(self) -> ScopeRef:
        """The scope of the chat, as events have it."""
        return self.group or self.project or self.owner

    @property
    def own(self) -> Sequence[ScopeRef]:
        """The scopes the sender decides about: their own, and the project's, whose creator they are."""
        return [ref for ref in self.readable if ref.scope in (Scope.USER, Scope.PROJECT)]


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One completed exchange: what a person wrote and what the bot answered."""

    chat: Chat
    message_id: str
    user_text: str
    reply_text: str
    """Empty when the run was aborted: the host's filler is nobody's words."""
    at: datetime
    """When the message arrived (aware, UTC)."""
    quoted: str = ""
    """The message it answers, as the platform quotes it; never part of `user_text`."""
    quoted_from: str = ""
    """Who said that, as far as the platform tells."""
    quoted_sender: str = ""
    """Their sender id on the same platform; empty where it does not tell."""


@dataclass(frozen=True, kw_only=True)
class ToolUse:
    """One tool result of a turn."""

    chat: Chat
    message_id: str
    tool: str
    result: str
    at: datetime


type ConversationId = tuple[str, str]
"""The umo of its chat, and the id the host gives it there; never empty."""


@dataclass(frozen=True, kw_only=True)
class ToolLevel:
    """What a tool has made of a conversation."""

    umo: str
    conversation_id: str
    level: Level
    raised_by: str
    updated_at: datetime
