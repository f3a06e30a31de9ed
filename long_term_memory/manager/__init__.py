"""LTMManager: the few things the rest of the world may ask of memory."""

from ..write.writer import Saved
from .parts import Parts
from .review import WaitingPage
from .standing import Counts
from .verbs import Explained, LTMManager

__all__ = ["Counts", "Explained", "LTMManager", "Parts", "Saved", "WaitingPage"]
