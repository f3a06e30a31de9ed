"""The tables (design 4), on a registry of their own so that the host can reload the plugin.

They mirror what `migrations/` creates; a test holds the two equal. Full-text index and triggers are SQL and
stand in the migrations only.
"""

from . import keeping, memory, moving, reading
from .base import Base

__all__ = ["Base", "keeping", "memory", "moving", "reading"]

EVENTS = Base.metadata.tables["ltm_events"]
ITEMS = Base.metadata.tables["ltm_items"]
EVIDENCE = Base.metadata.tables["ltm_evidence"]
VECTORS = Base.metadata.tables["ltm_vectors"]
NAMESPACES = Base.metadata.tables["ltm_namespaces"]
AUDIT = Base.metadata.tables["ltm_audit"]
RECALLS = Base.metadata.tables["ltm_recalls"]
POLICY_VERSIONS = Base.metadata.tables["ltm_policy_versions"]
TOKENS = Base.metadata.tables["ltm_tokens"]
PAUSED = Base.metadata.tables["ltm_paused"]
META = Base.metadata.tables["ltm_meta"]
EVENT_VECTORS = Base.metadata.tables["ltm_event_vectors"]
LINKS = Base.metadata.tables["ltm_links"]
SESSION_LEVELS = Base.metadata.tables["ltm_session_levels"]
IMPORTS = Base.metadata.tables["ltm_imports"]
IMPORTED_ITEMS = Base.metadata.tables["ltm_imported_items"]
IMPORTED_EVENTS = Base.metadata.tables["ltm_imported_events"]
