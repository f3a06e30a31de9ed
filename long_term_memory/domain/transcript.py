"""What was said, as a search of the transcript finds it."""

from dataclasses import dataclass
from datetime import datetime

from .words import Role


@dataclass(frozen=True, kw_only=True)
class Said:
    """One message of a person or the bot, or one result of a tool."""

    event_id: str
    role: Role
    speaker: str
    """The name a person had then, or the tool's; empty for the bot."""
    text: str
    """In a search no more than the passage that answers."""
    said_at: datetime
    umo: str
    """The chat it was said in."""
    score: float = 0.0
    """0..1 beside the best of its search, which has 1; 0 where nothing was looked for."""
