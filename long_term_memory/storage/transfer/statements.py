"""The SQL of an import, over temporary tables like the store's and those of the store."""

from collections.abc import Mapping, Sequence

from ...domain.words import LIVE_STATUSES, UNDONE, Status
from .. import evidence
from ..columns import quoted
from .rows import COLUMNS, TABLES

# ruff: noqa: S608 - nothing but our own names goes into the statements

MADE_WAY = "supersede"
"""The action of the audit for a memory that waited here while the file has it in use."""
PRAGMAS = (
    "foreign_keys = ON",
    "secure_delete = ON",
    "synchronous = FULL",
    "temp_store = FILE",
    "cache_size = -8000",
    "temp.cache_size = -8000",
)
_LIVE = f"status IN ({quoted(sorted(LIVE_STATUSES))})"
_IN_USE, _WAITS = "status = 'active'", "status IN ('pending', 'shadow')"
_TAKEN_BACK = f"own.status = '{Status.DELETED}' AND own.reason = '{UNDONE}'"
_SAME_FACT = " AND ".join(
    f"own.{name} = here.{name}" for name in ("scope", "scope_id", "level", "fact_key", "person")
)
_KEYS: Mapping[str, Sequence[str]] = {
    "events": ["event_id"],
    "items": ["memory_id"],
    "evidence": ["evidence_id", "memory_id, event_id"],
    "links": ["account"],
    "paused": ["scope, scope_id"],
}
"""What is unique in each list."""
STAGING = (
    *(
        f"CREATE TEMP TABLE arriving_{section} AS SELECT {', '.join(COLUMNS[section])} FROM {table} WHERE 0"
        for section, table in TABLES.items()
    ),
    *(
        f"CREATE UNIQUE INDEX temp.arriving_{section}_{number} ON arriving_{section} ({key})"
        for section, keys in _KEYS.items()
        for number, key in enumerate(keys)
    ),
    "ALTER TABLE arriving_events ADD COLUMN known INTEGER",  # by the store, under this id
    "ALTER TABLE arriving_items ADD COLUMN known INTEGER",
    "ALTER TABLE arriving_items ADD COLUMN gives_way_to TEXT",
    "ALTER TABLE arriving_items ADD COLUMN words TEXT",  # for the full-text index
    f"""
    CREATE UNIQUE INDEX temp.arriving_items_live
    ON arriving_items (scope, scope_id, level, fact_key, person) WHERE {_LIVE}
    """,
)
WEIGH = (
    f"""
    UPDATE arriving_items AS here SET gives_way_to = NULL, known = EXISTS (
        SELECT 1 FROM main.ltm_items AS own WHERE own.memory_id = here.memory_id AND NOT ({_TAKEN_BACK})
    )
    """,
    f"""
    UPDATE arriving_items AS here SET gives_way_to = (
        SELECT own.memory_id FROM main.ltm_items AS own
        WHERE {_SAME_FACT} AND own.{_LIVE} AND NOT (here.{_IN_USE} AND own.{_WAITS})
    ) WHERE NOT known AND here.{_LIVE}
    """,
    """
    UPDATE arriving_events AS here SET known = EXISTS (
        SELECT 1 FROM main.ltm_events AS own WHERE own.event_id = here.event_id
    )
    """,
)
WORDS = f"""
    UPDATE arriving_items AS here SET words = ltm_words(fact, person, relationship, backstory, (
        SELECT json_group_array(quote) FROM (
            SELECT link.quote FROM arriving_evidence AS link
            LEFT JOIN main.ltm_events AS own ON own.event_id = link.event_id
            LEFT JOIN arriving_events AS new ON new.event_id = link.event_id
            WHERE link.memory_id = here.memory_id
                AND coalesce(own.session_id, new.session_id) = here.origin_umo
            ORDER BY link.rowid DESC LIMIT {evidence.QUOTES_INDEXED}
        )
    )) WHERE NOT known AND words IS NULL
"""
_OF_NEW = """
    EXISTS (
        SELECT 1 FROM arriving_items AS item WHERE item.memory_id = here.memory_id AND NOT item.known
    )
"""


def _unknown(section: str, column: str, kind: str, key: str) -> str:
    """Entries with an id that neither the document nor the store has."""
    return f"""
        SELECT 1 FROM arriving_{section} AS here WHERE {column} IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM arriving_{kind} AS own WHERE own.{key} = here.{column})
            AND NOT EXISTS (SELECT 1 FROM main.ltm_{kind} AS own WHERE own.{key} = here.{column})
    """


FAULTS = {
    "evidence: the memory of an entry is unknown": _unknown("evidence", "memory_id", "items", "memory_id"),
    "evidence: the message of an entry is unknown": _unknown("evidence", "event_id", "events", "event_id"),
    "items: superseded_by is an unknown memory": _unknown("items", "superseded_by", "items", "memory_id"),
    "items: a memory has no evidence": """
        SELECT 1 FROM arriving_items AS here
        WHERE NOT EXISTS (SELECT 1 FROM arriving_evidence AS own WHERE own.memory_id = here.memory_id)
    """,
    "evidence: an id is that of other evidence in the store": f"""
        SELECT 1 FROM arriving_evidence AS here WHERE {_OF_NEW}
            AND EXISTS (
                SELECT 1 FROM main.ltm_evidence AS link JOIN main.ltm_items AS own USING (memory_id)
                WHERE link.evidence_id = here.evidence_id AND NOT ({_TAKEN_BACK})
            )
    """,
}
"""Why a document is refused, and the query that finds a row of that kind."""
COUNTS = {
    "items": "SELECT count(*) FROM arriving_items WHERE NOT known",
    "evidence": f"SELECT count(*) FROM arriving_evidence AS here WHERE {_OF_NEW}",
    "events": "SELECT count(*) FROM arriving_events WHERE NOT known",
    "known": "SELECT count(*) FROM arriving_items WHERE known",
    "known_deleted": """
        SELECT count(*) FROM arriving_items AS here JOIN main.ltm_items AS own USING (memory_id)
        WHERE here.known AND own.status = 'deleted'
    """,
    "gave_way": "SELECT count(*) FROM arriving_items WHERE gives_way_to IS NOT NULL",
}
NEWCOMERS = """
    WITH people AS (SELECT DISTINCT scope_id FROM arriving_items WHERE NOT known AND scope = 'user'
        AND scope_id NOT IN (SELECT scope_id FROM main.ltm_items WHERE scope = 'user') LIMIT 100)
    SELECT people.scope_id, max(sender_name) FROM people LEFT JOIN arriving_events AS said
        ON said.owner_scope_id = people.scope_id AND said.source_role = 'user' GROUP BY 1
"""


def _listed(section: str) -> str:
    return ", ".join(COLUMNS[section])


_STATUS = "CASE WHEN gives_way_to IS NULL THEN status ELSE 'superseded' END"
_MAKES_WAY = f"NOT here.known AND gives_way_to IS NULL AND here.{_IN_USE} AND own.{_WAITS} AND {_SAME_FACT}"
_ITEM_VALUES = ", ".join(
    {
        "status": _STATUS,
        "evidence_count": """
            (SELECT count(*) FROM arriving_evidence AS own WHERE own.memory_id = here.memory_id)
        """,
        "superseded_by": "coalesce(gives_way_to, superseded_by)",
        "reason": "CASE WHEN gives_way_to IS NULL THEN reason ELSE 'gave_way' END",
    }.get(column, column)
    for column in COLUMNS["items"]
)
_AUDIT = "INSERT INTO ltm_audit (actor, action, memory_id, before, after, reason, created_at)"
MERGE = (
    """
    INSERT INTO ltm_imports (import_id, actor, kind, sha256, store_id, items, evidence, events, created_at)
    VALUES (:import_id, :actor, :kind, :sha256, :store_id, :items, :evidence, :events, :at)
    """,
    f"""
    DELETE FROM main.ltm_items AS own
    WHERE {_TAKEN_BACK} AND memory_id IN (SELECT memory_id FROM arriving_items)
    """,
    f"""
    INSERT INTO ltm_events ({_listed("events")}) SELECT {_listed("events")}
    FROM arriving_events AS here WHERE NOT known ORDER BY here.rowid
    """,
    """
    INSERT INTO ltm_imported_events (event_id, import_id) SELECT event_id, :import_id
    FROM arriving_events WHERE NOT known
    """,
    # An item needs its evidence when it goes in.
    f"""
    INSERT INTO ltm_evidence ({_listed("evidence")}) SELECT {_listed("evidence")}
    FROM arriving_evidence AS here WHERE {_OF_NEW} ORDER BY here.rowid
    """,
    f"""
    {_AUDIT}
    SELECT :actor, '{MADE_WAY}', own.memory_id, own.status, 'superseded', :import_id, :at
    FROM arriving_items AS here JOIN main.ltm_items AS own WHERE {_MAKES_WAY}
    """,
    f"""
    UPDATE main.ltm_items AS own
    SET status = 'superseded', superseded_by = here.memory_id, updated_at = :at
    FROM arriving_items AS here WHERE {_MAKES_WAY}
    """,
    f"""
    INSERT INTO ltm_items ({_listed("items")}) SELECT {_ITEM_VALUES}
    FROM arriving_items AS here WHERE NOT known ORDER BY here.rowid
    """,
    """
    INSERT INTO ltm_fts (rowid, text) SELECT own.id, here.words
    FROM arriving_items AS here JOIN main.ltm_items AS own ON own.memory_id = here.memory_id
    WHERE NOT here.known
    """,
    """
    INSERT INTO ltm_imported_items (memory_id, import_id, updated_at)
    SELECT memory_id, :import_id, updated_at FROM arriving_items WHERE NOT known
    """,
    f"""
    {_AUDIT}
    SELECT :actor, :kind, memory_id, '', {_STATUS}, :import_id, :at FROM arriving_items
    WHERE NOT known
    """,
    *(
        f"""
        INSERT INTO ltm_{section} ({_listed(section)}) SELECT {_listed(section)} FROM arriving_{section}
        WHERE :store_id IS NOT (SELECT value FROM main.ltm_meta WHERE name = 'store_id') {only}
        ON CONFLICT DO NOTHING
        """
        for section, only in {
            "paused": "",
            "links": """
                AND :kind = 'restore' AND NOT EXISTS (
                    SELECT 1 FROM ltm_imports
                    WHERE kind = 'restore' AND store_id = :store_id AND import_id <> :import_id
                )
            """,
        }.items()
    ),
    f"{_AUDIT} VALUES (:actor, :kind, '', :name, :import_id, :counted, :at)",
)
MARK = "SELECT 1 FROM main.ltm_meta WHERE name = 'to_scrub'"
"""Left by an erasure until no byte of it is left."""
