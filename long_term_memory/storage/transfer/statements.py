"""The SQL of an import, over temporary tables like the store's and those of the store."""

from ...domain.enums import LIVE_STATUSES
from .. import evidence
from ..columns import quoted
from .rows import COLUMNS, TABLES

# ruff: noqa: S608 - nothing but our own names goes into the statements

PRAGMAS = (
    "foreign_keys = ON",
    "secure_delete = ON",
    "synchronous = FULL",
    "temp_store = FILE",
    "cache_size = -8000",
    "temp.cache_size = -8000",
)
_LIVE = f"status IN ({quoted(sorted(LIVE_STATUSES))})"
_WAITS = "status IN ('pending', 'shadow')"
_SAME_FACT = " AND ".join(
    f"own.{name} = here.{name}" for name in ("scope", "scope_id", "level", "fact_key", "person")
)
STAGING = (
    *(
        f"CREATE TEMP TABLE arriving_{section} AS SELECT {', '.join(COLUMNS[section])} FROM {table} WHERE 0"
        for section, table in TABLES.items()
    ),
    "CREATE UNIQUE INDEX temp.arriving_events_id ON arriving_events (event_id)",
    "CREATE UNIQUE INDEX temp.arriving_items_id ON arriving_items (memory_id)",
    "CREATE UNIQUE INDEX temp.arriving_evidence_id ON arriving_evidence (memory_id, event_id)",
    "ALTER TABLE arriving_items ADD COLUMN words TEXT",  # for the full-text index
)
KNOWN = """
    SELECT count(*), coalesce(sum(own.status = 'deleted'), 0)
    FROM arriving_items JOIN main.ltm_items AS own USING (memory_id)
"""
"""How many memories the store has under the same id, and how many of these are deleted there."""
MAX_NAMED = 20
_DIFFERING = """
    FROM arriving_items AS here JOIN main.ltm_items AS own USING (memory_id)
    WHERE own.fact <> here.fact AND own.status <> 'deleted'
"""
COUNT_DIFFERING = f"SELECT count(*) {_DIFFERING}"
NAME_DIFFERING = f"""
    SELECT memory_id, own.scope, own.scope_id, own.person, own.fact {_DIFFERING}
    ORDER BY here.rowid LIMIT {MAX_NAMED}
"""
"""Those that the store has under the same id with another text."""
NAME_ADDED = f"""
    SELECT memory_id, scope, scope_id, person, fact FROM arriving_items
    ORDER BY status <> 'active', rowid LIMIT {MAX_NAMED}
"""
WEIGH = (
    "DELETE FROM arriving_events WHERE event_id IN (SELECT event_id FROM main.ltm_events)",
    "DELETE FROM arriving_items WHERE memory_id IN (SELECT memory_id FROM main.ltm_items)",
    "DELETE FROM arriving_evidence WHERE memory_id NOT IN (SELECT memory_id FROM arriving_items)",
    f"""
    UPDATE arriving_items AS here
    SET status = 'superseded', superseded_by = own.memory_id, reason = 'gave_way'
    FROM main.ltm_items AS own
    WHERE here.{_LIVE} AND own.{_LIVE} AND {_SAME_FACT} AND NOT (here.status = 'active' AND own.{_WAITS})
    """,
)
"""What leaves over only what is new, and at last decides which of it gives way."""
_MAKES_WAY = f"here.status = 'active' AND own.{_WAITS} AND {_SAME_FACT}"
COUNT_WORDS = f"""
    UPDATE arriving_items AS here SET evidence_count = (
        SELECT count(*) FROM arriving_evidence AS link WHERE link.memory_id = here.memory_id
    ), words = ltm_words(fact, person, relationship, backstory, (
        SELECT json_group_array(quote) FROM (
            SELECT link.quote || ' ' || coalesce(json_extract(link.extraction_meta, '$.tags'), '') AS quote
            FROM arriving_evidence AS link
            LEFT JOIN main.ltm_events AS own ON own.event_id = link.event_id
            LEFT JOIN arriving_events AS new ON new.event_id = link.event_id
            WHERE link.memory_id = here.memory_id
                AND coalesce(own.session_id, new.session_id) = here.origin_umo
            ORDER BY link.rowid DESC LIMIT {evidence.QUOTES_INDEXED}
        )
    ))
"""
"""What of the items is the same whatever the store holds by the time of the merge."""
NEWCOMERS = """
    WITH people AS (SELECT DISTINCT scope_id FROM arriving_items WHERE scope = 'user'
        AND scope_id NOT IN (SELECT scope_id FROM main.ltm_items WHERE scope = 'user') LIMIT 100)
    SELECT people.scope_id, max(sender_name) FROM people LEFT JOIN arriving_events AS said
        ON said.owner_scope_id = people.scope_id AND said.source_role = 'user' GROUP BY 1
"""


def _put(section: str, last: str = "ORDER BY rowid") -> str:
    columns = ", ".join(COLUMNS[section])
    return f"INSERT INTO ltm_{section} ({columns}) SELECT {columns} FROM arriving_{section} {last}"


_OF_ANOTHER_STORE = ":store_id IS NOT (SELECT value FROM main.ltm_meta WHERE name = 'store_id')"
_FIRST_RESTORE = """
    :kind = 'restore' AND NOT EXISTS (
        SELECT 1 FROM ltm_imports
        WHERE kind = 'restore' AND store_id = :store_id AND import_id <> :import_id
    )
"""
_AUDIT = "INSERT INTO ltm_audit (actor, action, memory_id, before, after, reason, created_at)"
MERGE = (
    """
    INSERT INTO ltm_imports (import_id, actor, kind, sha256, store_id, items, evidence, events, created_at)
    VALUES (:import_id, :actor, :kind, :sha256, :store_id, :items, :evidence, :events, :at)
    """,
    _put("events"),
    """
    INSERT INTO ltm_imported_events (event_id, import_id)
    SELECT event_id, :import_id FROM arriving_events
    """,
    _put("evidence"),  # an item needs its evidence when it goes in
    f"""
    {_AUDIT} SELECT :actor, 'supersede', own.memory_id, own.status, 'superseded', :import_id, :at
    FROM arriving_items AS here JOIN main.ltm_items AS own WHERE {_MAKES_WAY}
    """,
    f"""
    UPDATE main.ltm_items AS own
    SET status = 'superseded', reason = 'superseded', superseded_by = here.memory_id, updated_at = :at
    FROM arriving_items AS here WHERE {_MAKES_WAY}
    """,
    _put("items"),
    """
    INSERT INTO ltm_fts (rowid, text)
    SELECT own.id, here.words FROM arriving_items AS here JOIN main.ltm_items AS own USING (memory_id)
    """,
    """
    INSERT INTO ltm_imported_items (memory_id, import_id, updated_at)
    SELECT memory_id, :import_id, updated_at FROM arriving_items
    """,
    f"{_AUDIT} SELECT :actor, :kind, memory_id, '', status, :import_id, :at FROM arriving_items",
    _put("paused", f"WHERE {_OF_ANOTHER_STORE} ON CONFLICT DO NOTHING"),
    _put("links", f"WHERE {_OF_ANOTHER_STORE} AND {_FIRST_RESTORE} ON CONFLICT DO NOTHING"),
    f"{_AUDIT} VALUES (:actor, :kind, '', :name, :import_id, :counted, :at)",
)
MARK = "SELECT 1 FROM main.ltm_meta WHERE name = 'to_scrub'"
"""Left by an erasure until no byte of it is left."""
