"""Which columns travel, and where the rows of a document lie before they are brought in."""

from collections.abc import Mapping, Sequence

from ...domain.words import LIVE_STATUSES
from ...models import EVENTS, EVIDENCE, ITEMS, LINKS, PAUSED
from ..columns import quoted

_STAYS = {"id", "retry_at", "lease", "leased_until"}
"""What is of this store alone: row numbers, and who is extracting what at the moment."""

TABLES = {"events": EVENTS, "items": ITEMS, "evidence": EVIDENCE, "links": LINKS, "paused": PAUSED}
COLUMNS: Mapping[str, Sequence[str]] = {
    section: tuple(column.name for column in table.c if column.name not in _STAYS)
    for section, table in TABLES.items()
}
KEYS: Mapping[str, Sequence[Sequence[str]]] = {
    "events": [("event_id",)],
    "items": [("memory_id",)],
    "evidence": [("evidence_id",), ("memory_id", "event_id")],
    "links": [("account",)],
    "paused": [("scope", "scope_id")],
}
"""What stands but once in each list."""

NEW, KNOWN, GAVE_WAY = 0, 1, 2
"""What becomes of a row: `state` of `arriving_items` and `arriving_events`."""
LIVE = f"status IN ({quoted(sorted(LIVE_STATUSES))})"

SPOOL = """
    CREATE TEMP TABLE arriving (
        section TEXT NOT NULL, n INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (section, n)
    ) WITHOUT ROWID
"""


def staging() -> Sequence[str]:
    """Makes a temporary table like each of the store's, its rows in the order of the document."""
    made = [
        f"CREATE TEMP TABLE arriving_{section} AS SELECT {', '.join(COLUMNS[section])} FROM {table} WHERE 0"  # noqa: S608 - our own names
        for section, table in TABLES.items()
    ]
    made += [
        f"CREATE UNIQUE INDEX temp.arriving_{section}_{number} ON arriving_{section} ({', '.join(key)})"
        for section, keys in KEYS.items()
        for number, key in enumerate(keys)
    ]
    return [
        *made,
        "ALTER TABLE arriving_events ADD COLUMN state INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE arriving_items ADD COLUMN state INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE arriving_items ADD COLUMN in_place TEXT",
        "ALTER TABLE arriving_items ADD COLUMN words TEXT",
        "CREATE INDEX temp.arriving_items_superseded ON arriving_items (superseded_by)",
        f"""
        CREATE UNIQUE INDEX temp.arriving_items_live
        ON arriving_items (scope, scope_id, level, fact_key, person) WHERE {LIVE}
        """,
    ]
