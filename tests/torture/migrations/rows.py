"""What people told the plugin before this version: raw rows for each table of each released schema."""

import json
import sqlite3
import struct
from collections.abc import Iterator, Mapping

type Row = Mapping[str, object]

EVENTS, ITEMS = 240, 120
"""Enough for several pages of each table."""
AT = "2025-06-01 12:00:00.000000"
GONE = {2: "compaction", 20: "undo_import"}
"""Numbers of items that 0006 removes, and their reasons."""
_TYPES = ("profile", "preference", "task_state", "constraint", "episode")
_STATUSES = ("active", "shadow", "pending", "disabled", "superseded", "expired", "deleted")
_ROLES = ("user", "user", "assistant", "tool", "system")
_STATES = ("done", "done", "pending", "failed", "skipped")
_ORIGINS = ("llm_extract", "rule", "user_explicit", "import")
_SCOPES = (("user", "qq:alice"), ("user", "telegram:鲍勃"), ("group", "qq:GroupMessage:42"), ("global", ""))
_VECTOR = struct.pack("<4f", 0.5, -0.5, 0.5, 0.5)


def fill(connection: sqlite3.Connection, revision: str) -> None:
    """Give every table of this revision rows, in one transaction; what triggers write is left to them."""
    with connection:
        for since, table, rows in _tables():
            if since <= revision:
                for row in rows:
                    _insert(connection, table, {k: v for k, v in row.items() if _is_known(k, revision)})


def _is_known(column: str, revision: str) -> bool:
    """Whether a column was there: `reason@0002` came with that revision."""
    return column.partition("@")[2] <= revision


def _insert(connection: sqlite3.Connection, table: str, row: Row) -> None:
    names = ", ".join(f'"{name.partition("@")[0]}"' for name in row)
    values = [json.dumps(value) if isinstance(value, list | dict) else value for value in row.values()]
    places = ", ".join("?" * len(values))
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", values)  # noqa: S608 - our own names


def _tables() -> Iterator[tuple[str, str, Iterator[Row]]]:
    """Since when, which table, and its rows, in an order that the rules of the tables allow."""
    yield "0001", "ltm_events", (_event(n) for n in range(EVENTS))
    yield "0001", "ltm_evidence", (_evidence(n, n) for n in range(ITEMS))
    yield "0001", "ltm_evidence", (_evidence(n, n + ITEMS) for n in range(0, ITEMS, 3))
    yield "0001", "ltm_items", (_item(n) for n in range(ITEMS))
    yield "0001", "ltm_fts", ({"rowid": n + 1, "text": f"told number {n}"} for n in range(ITEMS))
    yield "0001", "ltm_vectors", (_vector("memory", n) for n in range(0, ITEMS, 2))
    yield "0001", "ltm_audit", (_audit(n) for n in range(ITEMS))
    yield "0001", "ltm_recalls", (_recall(n) for n in range(60))
    yield "0001", "ltm_policy_versions", iter([{"version": 1, "policy": {"a": 1}, "created_at": AT}])
    yield (
        "0001",
        "ltm_tokens",
        iter([{"day": "2025-06-01", "provider_id": "p", "calls": 3, "prompt_tokens": 9}]),
    )
    yield "0001", "ltm_paused", iter([{"scope": "user", "scope_id": "qq:mallory", "created_at": AT}])
    yield "0001", "ltm_meta", iter([{"name": "store_id", "value": "store-1"}])
    yield "0002", "ltm_links", iter([{"account": "qq:ally", "joined_to": "qq:alice", "created_at": AT}])
    yield "0002", "ltm_event_vectors", (_vector("event", n) for n in range(0, EVENTS, 4))
    yield "0003", "ltm_session_levels", (_session_level(n) for n in range(9))
    yield "0004", "ltm_imports", iter([_import()])
    yield (
        "0004",
        "ltm_imported_items",
        (_imported("memory", n) | {"updated_at": AT} for n in range(0, ITEMS, 5)),
    )
    yield "0004", "ltm_imported_events", (_imported("event", n) for n in range(0, EVENTS, 5))


def _event(n: int) -> Row:
    scope, scope_id = _SCOPES[n % 4]
    return {
        "event_id": f"event-{n}",
        "scope": scope,
        "scope_id": scope_id,
        "owner_scope": "user",
        "owner_scope_id": "qq:alice",
        "source_type": "tool_result" if _ROLES[n % 5] == "tool" else "message",
        "source_role": _ROLES[n % 5],
        "content": {
            "text": f"我住在北京, and this is number {n}. " + "so " * (n % 40),
            "tool": "",
            "quoted": "",
        },
        "session_id": "qq:FriendMessage:alice",
        "level": 1 + n % 4,
        "extraction": _STATES[n % 5],
        "attempts": n % 3,
        "retry_at": AT if n % 7 == 0 else None,
        "urgent": n % 2,
        "created_at": AT,
    }


def _item(n: int) -> Row:
    scope, scope_id = _SCOPES[n % 4]
    status = _STATUSES[n % 7]
    return {
        "memory_id": f"memory-{n}",
        "scope": scope,
        "scope_id": scope_id,
        "type": _TYPES[n % 5],
        "fact": f"用户 told number {n}",
        "fact_key": f"number {n}",
        "confidence": (n % 11) / 10,
        "importance": (n % 6) / 5,
        "evidence_count": 2 if n % 3 == 0 else 1,
        "ttl_days": n if n % 4 == 0 else None,
        "status": status,
        "reason": GONE.get(n, ""),
        "level": 1 + n % 4,
        "audience": "everywhere" if n % 5 else "chat",
        "origin": _ORIGINS[n % 4],
        "superseded_by": "memory-0" if status == "superseded" else None,
        "tags": ["home", "家"],
        "created_at": AT,
        "updated_at": AT,
        "last_confirmed_at": AT,
        "deleted_at": AT if status == "deleted" else None,
    }


def _evidence(item: int, event: int) -> Row:
    return {
        "evidence_id": f"evidence-{item}-{event}",
        "memory_id": f"memory-{item}",
        "event_id": f"event-{event}",
        "quote": f"this is number {event}",
        "extraction_method": _ORIGINS[item % 4],
        "created_at": AT,
    }


def _vector(of: str, n: int) -> Row:
    return {f"{of}_id": f"{of}-{n}", "model_id": "m", "dimension": 4, "vector": _VECTOR, "created_at": AT}


def _audit(n: int) -> Row:
    return {
        "actor": "operator",
        "action": "edit",
        "memory_id": f"memory-{n}",
        "before": "a",
        "created_at": AT,
    }


def _recall(n: int) -> Row:
    return {
        "recall_id": f"recall-{n}",
        "owner_scope": "user",
        "owner_scope_id": "qq:alice",
        "level": 2,
        "query": "我住在哪里?",
        "injected": [{"memory_id": f"memory-{n}", "score": 0.5}],
        "vectors": n % 2,
        "reason@0002": "nothing_fits",
        "created_at": AT,
    }


def _session_level(n: int) -> Row:
    return {"umo": f"qq:FriendMessage:{n}", "conversation_id": "c", "level": 3, "updated_at": AT}


def _import() -> Row:
    return {
        "import_id": "import-1",
        "actor": "operator",
        "kind": "import",
        "sha256": "0" * 64,
        "created_at": AT,
    }


def _imported(what: str, n: int) -> dict[str, object]:
    return {f"{what}_id": f"{what}-{n}", "import_id": "import-1"}
