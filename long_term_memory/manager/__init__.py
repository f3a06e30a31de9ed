"""LTMManager: all that the rest of the world may ask of memory, and what it answers."""

from .manager import LTMManager

__all__ = ["LTMManager"]
