"""LTMManager: the few things the rest of the world may ask of memory."""

from ..write.writer import Saved
from .erasing import Erased, Erasing
from .exporting import Exported
from .keyed import Keyed, NotAtLevelError
from .linking import Linked, Linking, NotLinked, Unlinked
from .own import Explained
from .parts import Parts
from .people import People
from .review import WaitingPage
from .session_levels import SessionLevels
from .sharing import NotShared, Shared, WhyNotShared
from .standing import Counts
from .verbs import LTMManager
from .why_not import WhyNot

__all__ = [
    "Counts",
    "Erased",
    "Erasing",
    "Explained",
    "Exported",
    "Keyed",
    "LTMManager",
    "Linked",
    "Linking",
    "NotAtLevelError",
    "NotLinked",
    "NotShared",
    "Parts",
    "People",
    "Saved",
    "SessionLevels",
    "Shared",
    "Unlinked",
    "WaitingPage",
    "WhyNot",
    "WhyNotShared",
]
