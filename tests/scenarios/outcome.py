"""What is in the store after a scenario, read from its file as it is."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Kept:
    """An item of the store and the words it rests on."""

    memory_id: str
    scope: str
    scope_id: str
    fact: str
    type: str
    status: str
    reason: str
    level: int
    person: str
    teller: str
    slot: str
    origin: str
    heard: int
    evidence: Sequence["Words"]
    superseded_by: str = ""

    @property
    def live(self) -> bool:
        return self.status in {"active", "pending", "shadow", "disabled"}


@dataclass(frozen=True, kw_only=True)
class Words:
    """A quote and the event it is from."""

    quote: str
    text: str
    role: str
    sender_id: str
    sender_name: str
    owner_id: str
    scope_id: str


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What is in the store after the last line."""

    items: Sequence[Kept]
    refusals: Sequence[str]
    """The reason of each refusal in the audit."""
    failed: Sequence[str]
    """The error of each message that was given up."""
    stuck: int
    """Messages that the model should have been asked about and was not."""
    answers: Sequence[str] = ()
    """What the model answered."""
    unasked: Sequence[str] = ()
    """Facts with a verdict that the model was never asked for."""


def outcome_of(file: Path, *, stuck: int, answers: Sequence[str], unasked: Sequence[str] = ()) -> Outcome:
    """Read the store; the rest is what the stage knows."""
    with sqlite3.connect(file) as db:
        db.row_factory = sqlite3.Row
        items = [_kept(db, row) for row in db.execute("SELECT * FROM ltm_items ORDER BY id")]
        refusals = [row[0] for row in db.execute("SELECT reason FROM ltm_audit WHERE action = 'refuse'")]
        failed = [
            row[0] for row in db.execute("SELECT last_error FROM ltm_events WHERE extraction = 'failed'")
        ]
    db.close()
    return Outcome(
        items=items,
        refusals=refusals,
        failed=failed,
        stuck=stuck,
        answers=answers,
        unasked=unasked,
    )


_WORDS = """
    SELECT e.quote, v.content, v.source_role, v.sender_id, v.sender_name, v.owner_scope_id, v.scope_id
    FROM ltm_evidence e JOIN ltm_events v USING (event_id) WHERE e.memory_id = ? ORDER BY e.id
"""


def _kept(db: sqlite3.Connection, row: sqlite3.Row) -> Kept:
    words = [
        Words(
            quote=each["quote"],
            text=json.loads(each["content"]).get("text", ""),
            role=each["source_role"],
            sender_id=each["sender_id"],
            sender_name=each["sender_name"],
            owner_id=each["owner_scope_id"],
            scope_id=each["scope_id"],
        )
        for each in db.execute(_WORDS, (row["memory_id"],))
    ]
    return Kept(
        memory_id=row["memory_id"],
        scope=row["scope"],
        scope_id=row["scope_id"],
        fact=row["fact"],
        type=row["type"],
        status=row["status"],
        reason=row["reason"],
        level=row["level"],
        person=row["person"],
        teller=row["teller"],
        slot=row["slot"],
        origin=row["origin"],
        heard=row["evidence_count"],
        evidence=words,
        superseded_by=row["superseded_by"] or "",
    )
