"""`/ltm`: what people and admins type, and what they are told."""

from .answer import Commands
from .command import File, Reply
from .confirming import Confirming

__all__ = ["Commands", "Confirming", "File", "Reply"]
