"""`/ltm`: what people and admins type, and what they are told."""

from .answer import Commands
from .confirming import Confirming
from .reply import File, Reply

__all__ = ["Commands", "Confirming", "File", "Reply"]
