"""`/ltm`: what people and admins type, and what they are told."""

from .answer import Commands

__all__ = ["Commands"]
