"""What the routes know of the plugin: the only crossing from this package into the other."""

from ..long_term_memory.domain.chat import ScopeRef
from ..long_term_memory.domain.errors import InvalidInputError, NotFoundError, RefusedError, TooLargeError
from ..long_term_memory.domain.memory import (
    Event,
    EventFilter,
    EvidenceInContext,
    Item,
    ItemFilter,
    Page,
    WaitingFilter,
    reworded_at,
)
from ..long_term_memory.domain.recalls import Given, LeftOut, ListedRecall, RecallFilter
from ..long_term_memory.domain.statistics import Overview, ScopeCounts
from ..long_term_memory.domain.transfer import Arrived, Imported, Manifest, Snapshot
from ..long_term_memory.domain.words import (
    Extraction,
    ItemOrder,
    Level,
    MemoryType,
    Mode,
    Origin,
    Role,
    Scope,
    Status,
)
from ..long_term_memory.domain.writing import AuditFilter, AuditLine
from ..long_term_memory.manager import (
    Counts,
    Decided,
    Edit,
    InForce,
    Known,
    Lifetime,
    LTMManager,
    NotShared,
    Progress,
    Shared,
    Shown,
    Version,
    WhyNotShared,
)
from ..long_term_memory.manager.governing import Change
from ..long_term_memory.policies.live import Setting
from ..long_term_memory.service import Service
from ..long_term_memory.web import Download, Json, Request, Route, Upload

__all__ = [
    "Arrived",
    "AuditFilter",
    "AuditLine",
    "Change",
    "Counts",
    "Decided",
    "Download",
    "Edit",
    "Event",
    "EventFilter",
    "EvidenceInContext",
    "Extraction",
    "Given",
    "Imported",
    "InForce",
    "InvalidInputError",
    "Item",
    "ItemFilter",
    "ItemOrder",
    "Json",
    "Known",
    "LTMManager",
    "LeftOut",
    "Level",
    "Lifetime",
    "ListedRecall",
    "Manifest",
    "MemoryType",
    "Mode",
    "NotFoundError",
    "NotShared",
    "Origin",
    "Overview",
    "Page",
    "Progress",
    "RecallFilter",
    "RefusedError",
    "Request",
    "Role",
    "Route",
    "Scope",
    "ScopeCounts",
    "ScopeRef",
    "Service",
    "Setting",
    "Shared",
    "Shown",
    "Snapshot",
    "Status",
    "TooLargeError",
    "Upload",
    "Version",
    "WaitingFilter",
    "WhyNotShared",
    "reworded_at",
]
