"""What the routes know of the plugin: the only crossing from this package into the other."""

from ..long_term_memory.domain.errors import InvalidInputError
from ..long_term_memory.domain.memory import Event, EvidenceInContext, Item, ItemFilter
from ..long_term_memory.domain.words import MemoryType, Scope, Status
from ..long_term_memory.manager import Counts, LTMManager
from ..long_term_memory.service import Service
from ..long_term_memory.web import Json, Request, Route

__all__ = [
    "Counts",
    "Event",
    "EvidenceInContext",
    "InvalidInputError",
    "Item",
    "ItemFilter",
    "Json",
    "LTMManager",
    "MemoryType",
    "Request",
    "Route",
    "Scope",
    "Service",
    "Status",
]
