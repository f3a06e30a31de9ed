"""A store as it lies on the disk: taken away at any moment, and compared by what it says."""

import shutil
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.host.harness.tables import UNTRUE, Row

NAME = "data_v4.db"

SAYINGS = {
    "items": """
        select scope, scope_id, type, fact, fact_key, person, teller, relationship, slot, status, reason,
            level, audience, origin, origin_umo, round(confidence, 6), round(importance, 6), evidence_count,
            ttl_days, tags,
            (select fact from ltm_items as newer where newer.memory_id = ltm_items.superseded_by),
            (select group_concat(older.fact) from ltm_items as older, json_each(ltm_items.supersedes)
             where older.memory_id = json_each.value),
            deleted_at is null
        from ltm_items
    """,
    "evidence": """
        select fact, status, content ->> 'text', quote, extraction_method
        from ltm_evidence join ltm_items using (memory_id) join ltm_events using (event_id)
    """,
    "events": """
        select session_id, sender_id, source_role, content ->> 'text', extraction from ltm_events
    """,
    "index": "select fact, text from ltm_items left join ltm_fts on ltm_fts.rowid = ltm_items.id",
    "vectors": "select fact, model_id, dimension from ltm_vectors join ltm_items using (memory_id)",
    "audit": """
        select actor, action, coalesce(fact, ''), before, after,
            replace(ltm_audit.reason, coalesce(superseded_by, ' '), 'another')
        from ltm_audit left join ltm_items using (memory_id)
        where action <> 'snapshot' -- a file beside the store, which is not copied at a crash
    """,
}
"""What a store says, in words that do not depend on ids and times."""

LIVE_TWICE = """
    select scope, scope_id, fact_key from ltm_items
    where status in ('active', 'shadow', 'pending', 'disabled')
    group by scope, scope_id, level, fact_key, person having count(*) > 1
"""

type Says = Mapping[str, Sequence[Row]]


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """A store's files, and what else outlives a process."""

    folder: Path
    at: float
    """The loop's time in seconds."""
    places: Sequence[str | None]
    """The store's id where the host keeps it."""

    @property
    def file(self) -> Path:
        """The database; what is not yet in it lies beside it."""
        return self.folder / NAME


def copy_files(source: Path, target: Path) -> None:
    """Copy a database with the files beside it, whatever is going on in it."""
    target.mkdir(parents=True)
    for suffix in ("", "-wal", "-shm"):
        beside = source.with_name(source.name + suffix)
        if beside.exists():
            shutil.copyfile(beside, target / (NAME + suffix))


def says(file: Path) -> Says:
    """All that a store says."""
    with closing(sqlite3.connect(file)) as connection:
        return {name: sorted(connection.execute(query), key=repr) for name, query in SAYINGS.items()}


def faults(file: Path) -> list[Row]:
    """What is wrong with a store as it lies there."""
    with closing(sqlite3.connect(file)) as connection:
        return [row for query in (*UNTRUE, LIVE_TWICE) for row in connection.execute(query)]


def is_made(file: Path) -> bool:
    """Whether a first start has come so far."""
    with closing(sqlite3.connect(file)) as connection:
        own = "select 1 from sqlite_master where name like 'ltm!_%' escape '!'"
        return bool(connection.execute(own).fetchall())


def unfinished(file: Path) -> int:
    """How many messages wait for the extraction, and items that may be recalled for their vector."""
    query = """
        select (select count(*) from ltm_events where extraction = 'pending')
            + (select count(*) from ltm_items where status in ('active', 'shadow', 'pending')
               and memory_id not in (select memory_id from ltm_vectors))
    """
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute(query).fetchone()[0])


def told_apart(found: Says, expected: Says) -> str:
    """What one store says and the other does not; empty when they say the same."""
    lines: list[str] = []
    for name in SAYINGS:
        here, there = Counter(found[name]), Counter(expected[name])
        lines += [f"  {name} + {row}" for row in (here - there).elements()]
        lines += [f"  {name} - {row}" for row in (there - here).elements()]
    return "\n".join(lines)
