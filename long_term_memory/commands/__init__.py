"""`/ltm`: what people and admins type, and what they are told."""

from ..manager.confirmation_codes import Confirming
from .answer import Commands
from .command import File, Reply

__all__ = ["Commands", "Confirming", "File", "Reply"]
