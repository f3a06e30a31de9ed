"""The statements of an import, over the temporary tables of `staging` and those of the store."""

from ...domain.words import UNDONE, Status
from .. import evidence
from .rows import COLUMNS
from .staging import AT_ONCE, LIVE

# ruff: noqa: S608 - nothing but our own names goes into these

NEW, KNOWN, GAVE_WAY = 0, 1, 2
"""What becomes of a row: `state` of `arriving_items` and `arriving_events`."""
WRITTEN = ("events", "evidence", "items")
"""In the order in which the store takes them: an item needs its evidence, and that its events."""
IN_USE, WAITS = "status = 'active'", "status IN ('pending', 'shadow')"
MADE_WAY = "supersede"
"""The action of the audit for a memory that waited here while the file has it in use."""
_TAKEN_BACK = f"own.status = '{Status.DELETED}' AND own.reason = '{UNDONE}'"
COMES_AGAIN = f"""
    DELETE FROM main.ltm_items AS own
    WHERE {_TAKEN_BACK} AND memory_id IN (SELECT memory_id FROM arriving_items)
"""
"""What an undo took back counts as if it had never come, so it makes room for itself."""
WEIGH = (
    f"""
    UPDATE arriving_items AS here SET in_place = NULL, state = CASE
        WHEN EXISTS (
            SELECT 1 FROM main.ltm_items AS own
            WHERE own.memory_id = here.memory_id AND NOT ({_TAKEN_BACK})
        )
        THEN {KNOWN} ELSE {NEW} END
    """,
    f"""
    UPDATE arriving_items AS here SET in_place = (
        SELECT own.memory_id FROM main.ltm_items AS own
        WHERE own.scope = here.scope AND own.scope_id = here.scope_id AND own.level = here.level
            AND own.fact_key = here.fact_key AND own.person = here.person AND own.{LIVE}
            AND NOT (here.{IN_USE} AND own.{WAITS})
    ) WHERE state = {NEW} AND here.{LIVE}
    """,
    f"UPDATE arriving_items SET state = {GAVE_WAY} WHERE in_place IS NOT NULL",
    f"""
    UPDATE arriving_events AS here SET state = CASE
        WHEN EXISTS (SELECT 1 FROM main.ltm_events AS own WHERE own.event_id = here.event_id)
        THEN {KNOWN} ELSE {NEW} END
    """,
)
OF_NEW = f"""
    EXISTS (
        SELECT 1 FROM arriving_items AS item WHERE item.memory_id = here.memory_id AND item.state <> {KNOWN}
    )
"""


def _nowhere(section: str, column: str, kind: str, key: str) -> str:
    """Entries that name what neither the document nor the store has."""
    return f"""
        SELECT 1 FROM arriving_{section} AS here WHERE {column} IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM arriving_{kind} AS own WHERE own.{key} = here.{column})
            AND NOT EXISTS (SELECT 1 FROM main.ltm_{kind} AS own WHERE own.{key} = here.{column})
    """


FAULTS = {
    "evidence names a memory that is nowhere": _nowhere("evidence", "memory_id", "items", "memory_id"),
    "evidence names a message that is nowhere": _nowhere("evidence", "event_id", "events", "event_id"),
    "items: superseded_by names a memory that is nowhere": _nowhere(
        "items", "superseded_by", "items", "memory_id"
    ),
    "items: a memory has no evidence": """
        SELECT 1 FROM arriving_items AS here
        WHERE NOT EXISTS (SELECT 1 FROM arriving_evidence AS own WHERE own.memory_id = here.memory_id)
    """,
    "evidence: an id is that of other evidence in the store": f"""
        SELECT 1 FROM arriving_evidence AS here WHERE {OF_NEW}
            AND EXISTS (
                SELECT 1 FROM main.ltm_evidence AS link JOIN main.ltm_items AS own USING (memory_id)
                WHERE link.evidence_id = here.evidence_id AND NOT ({_TAKEN_BACK})
            )
    """,
}
WITHOUT_WORDS = f"""
    SELECT rowid, memory_id, origin_umo, fact, person, relationship, backstory
    FROM arriving_items WHERE rowid > ? AND state <> {KNOWN} AND words IS NULL
    ORDER BY rowid LIMIT {AT_ONCE}
"""
QUOTES = f"""
    SELECT here.quote FROM arriving_evidence AS here
    LEFT JOIN main.ltm_events AS own ON own.event_id = here.event_id
    LEFT JOIN arriving_events AS new ON new.event_id = here.event_id
    WHERE here.memory_id = ? AND coalesce(own.session_id, new.session_id) = ?
    ORDER BY here.rowid DESC LIMIT {evidence.QUOTES_INDEXED}
"""
COUNTS = {
    "items": f"SELECT count(*) FROM arriving_items WHERE state <> {KNOWN}",
    "evidence": f"SELECT count(*) FROM arriving_evidence AS here WHERE {OF_NEW}",
    "events": f"SELECT count(*) FROM arriving_events WHERE state = {NEW}",
    "known": f"SELECT count(*) FROM arriving_items WHERE state = {KNOWN}",
    "known_deleted": f"""
        SELECT count(*) FROM arriving_items AS here JOIN main.ltm_items AS own USING (memory_id)
        WHERE here.state = {KNOWN} AND own.status = 'deleted'
    """,
    "gave_way": f"SELECT count(*) FROM arriving_items WHERE state = {GAVE_WAY}",
}
"""What comes of it, once it is weighed."""


def _listed(section: str) -> str:
    return ", ".join(COLUMNS[section])


_STATUS = f"CASE state WHEN {GAVE_WAY} THEN 'superseded' ELSE status END"
_PART = "here.rowid BETWEEN :first AND :last"
_MAKES_WAY = f"""
    {_PART} AND here.state = {NEW} AND here.{IN_USE} AND own.{WAITS}
    AND own.scope = here.scope AND own.scope_id = here.scope_id AND own.level = here.level
    AND own.fact_key = here.fact_key AND own.person = here.person
"""
_ITEM_VALUES = ", ".join(
    {
        "status": _STATUS,
        "evidence_count": """
            (SELECT count(*) FROM arriving_evidence AS own WHERE own.memory_id = here.memory_id)
        """,
        "superseded_by": f"CASE state WHEN {GAVE_WAY} THEN in_place ELSE superseded_by END",
        "reason": f"CASE state WHEN {GAVE_WAY} THEN 'gave_way' ELSE reason END",
    }.get(column, column)
    for column in COLUMNS["items"]
)
INSERT = {
    "events": (
        f"""
        INSERT INTO ltm_events ({_listed("events")}) SELECT {_listed("events")}
        FROM arriving_events AS here WHERE {_PART} AND state = {NEW} ORDER BY here.rowid
        """,
        f"""
        INSERT INTO ltm_imported_events (event_id, import_id) SELECT event_id, :import_id
        FROM arriving_events AS here WHERE {_PART} AND state = {NEW}
        """,
    ),
    "evidence": (
        f"""
        INSERT INTO ltm_evidence ({_listed("evidence")}) SELECT {_listed("evidence")}
        FROM arriving_evidence AS here WHERE {_PART} AND {OF_NEW} ORDER BY here.rowid
        """,
    ),
    "items": (
        f"""
        INSERT INTO ltm_audit (actor, action, memory_id, before, after, reason, created_at)
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
        FROM arriving_items AS here WHERE {_PART} AND state <> {KNOWN} ORDER BY here.rowid
        """,
        f"""
        INSERT INTO ltm_fts (rowid, text) SELECT own.id, here.words
        FROM arriving_items AS here JOIN main.ltm_items AS own ON own.memory_id = here.memory_id
        WHERE {_PART} AND here.state <> {KNOWN}
        """,
        f"""
        INSERT INTO ltm_imported_items (memory_id, import_id, updated_at)
        SELECT memory_id, :import_id, updated_at FROM arriving_items AS here
        WHERE {_PART} AND state <> {KNOWN}
        """,
        f"""
        INSERT INTO ltm_audit (actor, action, memory_id, before, after, reason, created_at)
        SELECT :actor, :kind, memory_id, '', {_STATUS}, :import_id, :at FROM arriving_items AS here
        WHERE {_PART} AND state <> {KNOWN}
        """,
    ),
}
"""Of each list the statements for the rows from `:first` to `:last`."""


def _where_missing(section: str) -> str:
    columns = _listed(section)
    return f"""
        INSERT INTO ltm_{section} ({columns}) SELECT {columns} FROM arriving_{section} WHERE true
        ON CONFLICT DO NOTHING
    """


PAUSES, LINKS = _where_missing("paused"), _where_missing("links")
BEGUN = """
    INSERT INTO ltm_imports (import_id, actor, kind, sha256, store_id, created_at)
    VALUES (:import_id, :actor, :kind, :sha256, :store_id, :at)
"""
ENDED = """
    UPDATE ltm_imports SET items = :items, evidence = :evidence, events = :events
    WHERE import_id = :import_id
"""
NOTED = """
    INSERT INTO ltm_audit (actor, action, before, after, reason, created_at)
    VALUES (:actor, :kind, :name, :import_id, :reason, :at)
"""
MARK = "SELECT 1 FROM main.ltm_meta WHERE name = 'to_scrub'"
"""Left by an erasure until no byte of it is left."""
STORE_ID = "SELECT value FROM main.ltm_meta WHERE name = 'store_id'"
RESTORED = """
    SELECT 1 FROM ltm_imports WHERE kind = 'restore' AND store_id = :store_id AND import_id <> :import_id
"""
"""Whether a snapshot of that store was restored before."""
