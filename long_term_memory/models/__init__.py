"""The tables (design 4), on a registry of their own so that the host can reload the plugin.

They mirror what `migrations/` creates; a test holds the two equal. Full-text index and triggers are SQL and
stand in the migrations only.
"""

from .keeping import (
    AUDIT,
    EVENT_VECTORS,
    IMPORTED_EVENTS,
    IMPORTED_ITEMS,
    IMPORTS,
    LINKS,
    META,
    NAMESPACES,
    PAUSED,
    POLICY_VERSIONS,
    RECALLS,
    SESSION_LEVELS,
    TOKENS,
    VECTORS,
)
from .memory import EVENT_CONTENT, EVENTS, EVIDENCE, ITEMS, METADATA

__all__ = [
    "AUDIT",
    "EVENTS",
    "EVENT_CONTENT",
    "EVENT_VECTORS",
    "EVIDENCE",
    "IMPORTED_EVENTS",
    "IMPORTED_ITEMS",
    "IMPORTS",
    "ITEMS",
    "LINKS",
    "META",
    "METADATA",
    "NAMESPACES",
    "PAUSED",
    "POLICY_VERSIONS",
    "RECALLS",
    "SESSION_LEVELS",
    "TOKENS",
    "VECTORS",
]
