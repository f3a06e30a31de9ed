"""Stores with something in them, and documents made of them or by hand."""

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, cast

from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.transfer import ImportResult, Kind
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

COMPARED = {
    "ltm_items": "memory_id",
    "ltm_evidence": "evidence_id",
    "ltm_events": "event_id",
    "ltm_paused": "scope, scope_id",
}
LOCAL = {"id", "retry_at", "lease", "leased_until"}
JSON_COLUMNS = {"content", "supersedes", "tags", "extraction_meta"}


async def export(store: Store, target: Path, scope: ScopeRef | None = None) -> Path:
    """What the store holds, as a file."""
    await store.transfers.export(target, scope=scope, plugin_version="1.2.3")
    return target


async def bring_in(
    store: Store, file: Path, import_id: str = "import-1", kind: Kind = Kind.IMPORT
) -> ImportResult:
    """Import it as an operator."""
    return await store.transfers.bring_in(file, import_id=import_id, kind=kind, actor="operator:root")


def read(file: Path) -> dict[str, Any]:
    """The document."""
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


def write(document: Mapping[str, Any], target: Path, *, sealed: bool = True) -> Path:
    """The document as a file, with the checksum it would have."""
    if sealed:
        document = {**document, "manifest": {**document["manifest"], "sha256": checksum(document)}}
    target.write_text(text_of(document), "utf-8")
    return target


def text_of(document: Mapping[str, Any]) -> str:
    """The document with an entry a line, as an export has it."""
    parts = [f"{json.dumps(name)}:{_part(value)}" for name, value in document.items()]
    return "{" + ",\n".join(parts) + "}\n"


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _part(value: Any) -> str:
    if isinstance(value, list):
        entries = cast("list[Any]", value)
        return "[\n" + ",\n".join(_canonical(entry) for entry in entries) + "]"
    return json.dumps(value, ensure_ascii=False)


def multiplied(document: Mapping[str, Any], times: int) -> dict[str, Any]:
    """A document with as many memories like the one of this document, each with its own evidence."""
    sections = ("events", "evidence", "items")
    counts = {**document["manifest"]["counts"], **dict.fromkeys(sections, times)}
    many: dict[str, Any] = {**document, "manifest": {**document["manifest"], "counts": counts}}
    for section in sections:
        (row,) = document[section]
        ids = row.keys() & {"event_id", "evidence_id", "memory_id", "fact", "fact_key"}
        many[section] = [row | {key: f"{row[key]} {number}" for key in ids} for number in range(times)]
    return many


def checksum(document: Mapping[str, Any]) -> str:
    """As the contract has it."""
    manifest = {key: value for key, value in document["manifest"].items() if key != "sha256"}
    whole = {**document, "manifest": manifest}
    return hashlib.sha256(_canonical(whole).encode()).hexdigest()


def rows(path: Path, tables: Sequence[str] = tuple(COMPARED)) -> dict[str, list[dict[str, Any]]]:
    """Every row that travels, as the store has it, but what is of one store alone."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        return {
            table: [
                {key: _plain(key, row[key]) for key in row.keys() if key not in LOCAL}  # noqa: SIM118
                for row in connection.execute(f"SELECT * FROM {table} ORDER BY {COMPARED[table]}")  # noqa: S608
            ]
            for table in tables
        }


def dump(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table of the plugin."""
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'ltm%'")
        return {
            name: connection.execute(f"SELECT * FROM {name}").fetchall()  # noqa: S608 - names of tables
            for (name,) in names.fetchall()
        }


def _plain(key: str, value: Any) -> Any:
    return json.loads(value) if key in JSON_COLUMNS else value
