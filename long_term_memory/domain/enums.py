"""The closed vocabularies: whatever column, setting or reply takes one of these values takes it from here."""

from enum import IntEnum, StrEnum
from typing import Final, Literal


class Scope(StrEnum):
    """Whose memory it is."""

    USER = "user"
    GROUP = "group"
    PROJECT = "project"
    GLOBAL = "global"


class Level(IntEnum):
    """How confidential a memory is; a chat reads its own level and everything below it."""

    PUBLIC = 1
    INTERNAL = 2
    CONFIDENTIAL = 3
    RESTRICTED = 4

    @classmethod
    def named(cls, name: object) -> "Level":
        """The level of this name. Raises ValueError."""
        if isinstance(name, str) and name in cls.__members__:
            return cls[name]
        raise ValueError(f"must be one of {', '.join(cls.__members__)}")


class MemoryType(StrEnum):
    """What kind of fact an item states."""

    PROFILE = "profile"
    PREFERENCE = "preference"
    TASK_STATE = "task_state"
    CONSTRAINT = "constraint"
    EPISODE = "episode"


NOTE: Final = "note"
"""What lists call an episode that somebody asked to remember: the rules could not tell its type."""
type ListedType = MemoryType | Literal["note"]
LISTED_TYPES: Final[tuple[ListedType, ...]] = (*MemoryType, NOTE)


class Mode(StrEnum):
    """What automatic writing may do: keep aside, use at once, or wait for approval."""

    SHADOW = "shadow"
    AUTO = "auto"
    MANUAL = "manual"


class Status(StrEnum):
    """Where an item stands. Only `ACTIVE` items are ever injected."""

    ACTIVE = "active"
    SHADOW = "shadow"
    PENDING = "pending"
    DISABLED = "disabled"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    DELETED = "deleted"


LIVE_STATUSES = frozenset({Status.ACTIVE, Status.SHADOW, Status.PENDING, Status.DISABLED})
"""At most one item with these statuses exists per (scope, scope_id, level, fact_key, person)."""

WAITING = (Status.SHADOW, Status.PENDING)
"""What an approval would make active."""
HELD_BACK = (*WAITING, Status.DISABLED)
"""What somebody must decide before it is used."""

STANDING_TYPES = (MemoryType.PROFILE, MemoryType.CONSTRAINT)
"""Types that matter whatever the talk is about; the others must have to do with the question."""

EDITED = "edited"
"""Why an item is superseded by itself as somebody has reworded it."""
BY_ITSELF = "system"
"""The actor of automatic changes."""


class Audience(StrEnum):
    """Beside the level: the chat a fact was said in and its owner's private chats, or everywhere."""

    CHAT = "chat"
    EVERYWHERE = "everywhere"


class Origin(StrEnum):
    """How an item came to be."""

    LLM_EXTRACT = "llm_extract"
    CONFIRMED = "confirmed"
    """The bot said it and the person agreed."""
    RULE = "rule"
    USER_EXPLICIT = "user_explicit"
    IMPORT = "import"


class Stance(StrEnum):
    """How long a fact holds."""

    LASTING = "lasting"
    TEMPORARY = "temporary"
    PLANNED = "planned"
    ENDED = "ended"
    """It tells that something is over."""
    WITHDRAWN = "withdrawn"
    """It tells that its speaker asks not to keep something; it is never stored."""


class Role(StrEnum):
    """Who spoke."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Extraction(StrEnum):
    """How far the extraction of an event has come."""

    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"
