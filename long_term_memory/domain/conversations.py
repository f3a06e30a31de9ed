"""The host's conversations, as far as their confidentiality goes (design 7)."""

from dataclasses import dataclass
from datetime import datetime

from .words import Level


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """One conversation of one chat."""

    umo: str
    conversation_id: str
    """As the host names it; never empty."""


@dataclass(frozen=True, kw_only=True)
class Raised:
    """What a tool has made of a conversation."""

    where: Conversation
    level: Level
    tool: str
    at: datetime
