"""What the schema itself refuses, to any program that opens the file: foreign keys off, no code of ours."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

AT = "2025-06-01 12:00:00.000000"
EVENT = f"""
    INSERT INTO ltm_events (event_id, scope, scope_id, owner_scope, owner_scope_id, source_type, source_role,
        level, extraction, created_at)
    VALUES ('e1', 'user', 'alice', 'user', 'alice', 'message', 'user', 2, 'pending', '{AT}')
"""  # noqa: S608 - a constant
EVIDENCE = f"""
    INSERT INTO ltm_evidence (evidence_id, memory_id, event_id, quote, extraction_method, created_at)
    VALUES ('v1', 'm1', 'e1', 'I live in Beijing', 'rule', '{AT}')
"""  # noqa: S608 - a constant
ITEM = f"""
    INSERT INTO ltm_items (memory_id, scope, scope_id, type, fact, fact_key, confidence, importance,
        evidence_count, status, level, audience, origin, created_at, updated_at, last_confirmed_at)
    VALUES ('m1', 'user', 'alice', 'profile', 'lives in Beijing', 'home', 0.9, 0.5,
        1, 'active', 2, 'chat', 'rule', '{AT}', '{AT}', '{AT}')
"""  # noqa: S608 - a constant
VECTOR = f"""
    INSERT INTO ltm_vectors (memory_id, model_id, dimension, vector, created_at)
    VALUES ('m1', 'model', 2, x'0000803f00000000', '{AT}')
"""  # noqa: S608 - a constant
AUDIT = f"INSERT INTO ltm_audit (actor, action, created_at) VALUES ('system', 'insert', '{AT}')"  # noqa: S608


@pytest.fixture
def raw(file: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (0,)
        yield connection


@pytest.fixture
def kept(raw: sqlite3.Connection) -> sqlite3.Connection:
    """The file with one item."""
    for statement in (EVENT, EVIDENCE, ITEM, VECTOR):
        raw.execute(statement)
    raw.execute("INSERT INTO ltm_fts (rowid, text) SELECT id, 'lives in beijing' FROM ltm_items")
    return raw


def number(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608 - our names


def test_an_item_without_evidence_is_refused(raw: sqlite3.Connection) -> None:
    raw.execute(EVENT)
    with pytest.raises(sqlite3.IntegrityError, match="an item needs evidence"):
        raw.execute(ITEM)
    assert number(raw, "ltm_items") == 0


def test_an_item_with_evidence_is_taken_and_its_texts_default_to_empty(kept: sqlite3.Connection) -> None:
    texts = "person, slot, relationship, backstory, reason, persona_id"
    assert kept.execute(f"SELECT {texts} FROM ltm_items").fetchall() == [("",) * 6]  # noqa: S608


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM ltm_evidence",
        "DELETE FROM ltm_evidence WHERE evidence_id = 'v1'",
        "UPDATE ltm_evidence SET memory_id = 'other'",
        "UPDATE ltm_evidence SET event_id = 'other'",
        "UPDATE OR REPLACE ltm_evidence SET evidence_id = 'other'",
        "UPDATE ltm_items SET memory_id = 'other'",
        "UPDATE ltm_items SET id = 99",
        EVIDENCE.replace("INSERT", "INSERT OR REPLACE").replace("'m1'", "'other'"),
    ],
)
def test_no_statement_takes_the_last_evidence_from_an_item(kept: sqlite3.Connection, statement: str) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        kept.execute(statement)
    assert kept.execute("SELECT memory_id, event_id FROM ltm_evidence").fetchall() == [("m1", "e1")]


def test_all_evidence_but_the_last_can_be_removed(kept: sqlite3.Connection) -> None:
    kept.execute(EVENT.replace("e1", "e2"))
    kept.execute(EVIDENCE.replace("e1", "e2").replace("v1", "v2"))
    kept.execute("DELETE FROM ltm_evidence WHERE event_id = 'e1'")
    with pytest.raises(sqlite3.IntegrityError, match="an item needs evidence"):
        kept.execute("DELETE FROM ltm_evidence")


@pytest.mark.parametrize("foreign_keys", ["ON", "OFF"])
def test_deleting_an_item_takes_everything_of_it_along(kept: sqlite3.Connection, foreign_keys: str) -> None:
    kept.execute(f"PRAGMA foreign_keys = {foreign_keys}")
    kept.execute("DELETE FROM ltm_items")
    for table in ("ltm_items", "ltm_evidence", "ltm_vectors", "ltm_fts"):
        assert number(kept, table) == 0
    assert number(kept, "ltm_events") == 1


def test_an_event_that_is_evidence_cannot_be_deleted(kept: sqlite3.Connection) -> None:
    kept.execute("PRAGMA foreign_keys = ON")
    with pytest.raises(sqlite3.IntegrityError):
        kept.execute("DELETE FROM ltm_events")


def test_evidence_without_an_item_does_not_survive_the_commit(raw: sqlite3.Connection) -> None:
    raw.execute("PRAGMA foreign_keys = ON")
    raw.execute(EVENT)
    raw.execute("BEGIN")
    raw.execute(EVIDENCE)
    with pytest.raises(sqlite3.IntegrityError):
        raw.execute("COMMIT")


def test_the_same_event_counts_once_for_an_item(kept: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        kept.execute(EVIDENCE.replace("v1", "v2"))


@pytest.mark.parametrize("column", ["scope", "type", "status", "audience", "origin"])
def test_a_word_outside_a_vocabulary_is_refused(kept: sqlite3.Connection, column: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match=f"ltm_{column}"):
        kept.execute(f"UPDATE ltm_items SET {column} = 'Active'")  # noqa: S608 - our names


@pytest.mark.parametrize("column", ["scope", "owner_scope", "source_type", "source_role", "extraction"])
def test_an_event_outside_a_vocabulary_is_refused(kept: sqlite3.Connection, column: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match=f"ltm_{column}"):
        kept.execute(f"UPDATE ltm_events SET {column} = 'bot'")  # noqa: S608 - our names


@pytest.mark.parametrize("column", ["confidence", "importance", "emotion"])
@pytest.mark.parametrize("value", [-0.01, 1.01, float("nan"), float("inf"), "high", None])
def test_a_share_outside_0_to_1_is_refused(kept: sqlite3.Connection, column: str, value: object) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        kept.execute(f"UPDATE ltm_items SET {column} = ?", (value,))  # noqa: S608 - our names


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("ltm_items", "fact", ""),
        ("ltm_items", "fact", " \t\r\n "),
        ("ltm_evidence", "quote", ""),
        ("ltm_evidence", "quote", "\n"),
        ("ltm_items", "level", 0),
        ("ltm_items", "level", 5),
        ("ltm_items", "evidence_count", 0),
        ("ltm_items", "access_count", -1),
        ("ltm_items", "ttl_days", -1),
        ("ltm_events", "attempts", -1),
        ("ltm_items", "person", None),
        ("ltm_vectors", "dimension", 3),
        ("ltm_vectors", "vector", b""),
    ],
)
def test_a_value_without_sense_is_refused(
    kept: sqlite3.Connection, table: str, column: str, value: object
) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        kept.execute(f"UPDATE {table} SET {column} = ?", (value,))  # noqa: S608 - our names


@pytest.mark.parametrize("status", ["active", "shadow", "pending", "disabled"])
def test_a_second_live_item_of_one_identity_is_refused(kept: sqlite3.Connection, status: str) -> None:
    kept.execute(f"UPDATE ltm_items SET status = '{status}'")  # noqa: S608 - our names
    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        another(kept)


@pytest.mark.parametrize("status", ["superseded", "expired", "deleted"])
def test_beside_an_item_that_lives_no_more_there_is_room_for_another(
    kept: sqlite3.Connection, status: str
) -> None:
    kept.execute(f"UPDATE ltm_items SET status = '{status}'")  # noqa: S608 - our names
    another(kept)


@pytest.mark.parametrize(
    ("old", "new"),
    [("'alice', 'profile'", "'bob', 'profile'"), ("'active', 2", "'active', 1"), ("'home'", "'job'")],
)
def test_another_scope_level_or_key_is_another_identity(kept: sqlite3.Connection, old: str, new: str) -> None:
    another(kept, old, new)


def another(connection: sqlite3.Connection, old: str = "", new: str = "") -> None:
    connection.execute(EVIDENCE.replace("v1", "v2").replace("m1", "m2"))
    connection.execute(ITEM.replace("m1", "m2").replace(old, new) if old else ITEM.replace("m1", "m2"))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ltm_audit SET action = 'nothing'",
        "DELETE FROM ltm_audit",
        AUDIT.replace("(actor", "(id, actor")
        .replace("('system'", "(1, 'nobody'")
        .replace("INSERT", "REPLACE"),
    ],
)
def test_the_audit_only_grows(raw: sqlite3.Connection, statement: str) -> None:
    raw.execute(AUDIT)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        raw.execute(statement)
    assert raw.execute("SELECT actor, action FROM ltm_audit").fetchall() == [("system", "insert")]


def test_a_changed_fact_loses_its_vector_and_another_change_does_not(kept: sqlite3.Connection) -> None:
    kept.execute("UPDATE ltm_items SET status = 'shadow', fact = fact")
    assert number(kept, "ltm_vectors") == 1
    kept.execute("UPDATE ltm_items SET fact = 'lives in Shanghai'")
    assert number(kept, "ltm_vectors") == 0
