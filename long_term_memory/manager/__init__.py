"""LTMManager: all that the rest of the world may ask of memory, and what it answers."""

from ..write.stages import Saved
from .browsing import ExplainedRecall, Known, Shown, TriedRecall
from .bulk_review import Decided, WaitingPage
from .components import Components
from .editing import Edit, Lifetime
from .erasing import Erased
from .governing import InForce, Preview, Version
from .keyed import NotAtLevelError
from .linking import Linked, NotLinked, Unlinked
from .manager import LTMManager
from .own_memories import Explained, NotAccepted, OwnWaiting
from .people import People
from .session_levels import SessionLevels
from .sharing import NotShared, Shared, WhyNotShared
from .status import Counts
from .switches import NotKeptError, Progress
from .transferring import Transferring
from .why_not import WhyNot

__all__ = [
    "Components",
    "Counts",
    "Decided",
    "Edit",
    "Erased",
    "Explained",
    "ExplainedRecall",
    "InForce",
    "Known",
    "LTMManager",
    "Lifetime",
    "Linked",
    "NotAccepted",
    "NotAtLevelError",
    "NotKeptError",
    "NotLinked",
    "NotShared",
    "OwnWaiting",
    "People",
    "Preview",
    "Progress",
    "Saved",
    "SessionLevels",
    "Shared",
    "Shown",
    "Transferring",
    "TriedRecall",
    "Unlinked",
    "Version",
    "WaitingPage",
    "WhyNot",
    "WhyNotShared",
]
