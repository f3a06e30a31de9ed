"""LTMManager: the few things the rest of the world may ask of memory."""

from ..write.writer import Saved
from .linking import Linked, Linking, NotLinked, Unlinked
from .own import Explained
from .parts import Parts
from .people import People
from .review import WaitingPage
from .standing import Counts
from .verbs import LTMManager
from .why_not import WhyNot

__all__ = [
    "Counts",
    "Explained",
    "LTMManager",
    "Linked",
    "Linking",
    "NotLinked",
    "Parts",
    "People",
    "Saved",
    "Unlinked",
    "WaitingPage",
    "WhyNot",
]
