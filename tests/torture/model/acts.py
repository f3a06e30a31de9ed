"""What may happen to a memory, each counted when it has come to something."""

from enum import StrEnum, auto


class Act(StrEnum):
    """One kind of what happens; the trial is worth nothing for those that never come to anything."""

    RECORD = auto()
    EXTRACT = auto()
    """A model reads words that no rule has understood."""
    MERGE = auto()
    """A fact that is known is said again."""
    SUPERSEDE = auto()
    EXPIRE = auto()
    SAVE = auto()
    SAVE_UNDER_A_KEY = auto()
    DELETE_A_KEY = auto()
    FORGET = auto()
    SHARE = auto()
    UNSHARE = auto()
    APPROVE = auto()
    REJECT = auto()
    SWITCH_OFF = auto()
    DELETE = auto()
    BRING_BACK = auto()
    REWORD = auto()
    PAUSE = auto()
    RESUME = auto()
    PAUSE_A_GROUP = auto()
    RESUME_A_GROUP = auto()
    JOIN_ACCOUNTS = auto()
    PART_ACCOUNTS = auto()
    ERASE = auto()
    TURN_READ_ONLY = auto()
    RELOAD = auto()
    EMBED_ANEW = auto()
    """What has vectors gets those of another model."""
    EXPORT = auto()
    IMPORT_AGAIN = auto()
    IMPORT_INTO_ANOTHER_STORE = auto()
    SNAPSHOT = auto()
    RESTORE = auto()
