"""Hand-overs between the stages, made for tests."""

from typing import Any

from astrbot_plugin_ltm.long_term_memory.domain.enums import Audience, Level, MemoryType, Origin, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.writing import (
    Candidate,
    Grounded,
    MergeKind,
    Scored,
)

from tests.write.fakes import ALICE, START, event


def a_candidate(fact: str = "User likes tea", **changes: Any) -> Candidate:
    values: dict[str, Any] = {
        "type": MemoryType.PROFILE,
        "fact": fact,
        "confidence": 0.9,
        "importance": 0.5,
        "origin": Origin.LLM_EXTRACT,
    }
    return Candidate(**(values | changes))


def a_grounded(
    fact: str = "User likes tea", *, event_id: str = "e1", doubt: str = "", **changes: Any
) -> Grounded:
    said = event("I like tea", event_id=event_id)
    candidate = a_candidate(fact, **changes)
    return Grounded(candidate=candidate, event=said, quote="I like tea", owner=ALICE, person="", doubt=doubt)


def scored(
    kind: MergeKind = MergeKind.NEW,
    *,
    existing: Item | None = None,
    doubt: str = "",
    confidence: float = 0.8,
    importance: float = 0.5,
    count: int = 1,
    origin: Origin = Origin.LLM_EXTRACT,
) -> Scored:
    grounded = a_grounded(doubt=doubt, origin=origin)
    return Scored(
        grounded=grounded,
        kind=kind,
        fact_key="user likes tea",
        existing=existing,
        confidence=confidence,
        importance=importance,
        evidence_count=count,
    )


def an_item(memory_id: str = "m1", **changes: Any) -> Item:
    values: dict[str, Any] = {
        "memory_id": memory_id,
        "owner": ALICE,
        "type": MemoryType.PROFILE,
        "fact": "User likes tea",
        "fact_key": "user likes tea",
        "confidence": 0.7,
        "importance": 0.5,
        "evidence_count": 1,
        "ttl_days": None,
        "status": Status.ACTIVE,
        "reason": "",
        "level": Level.INTERNAL,
        "audience": Audience.CHAT,
        "origin": Origin.LLM_EXTRACT,
        "origin_umo": "qq:FriendMessage:alice",
        "person": "",
        "teller": "",
        "relationship": "",
        "backstory": "",
        "slot": "",
        "superseded_by": None,
        "supersedes": (),
        "tags": (),
        "emotion": 0.0,
        "persona_id": "",
        "access_count": 0,
        "created_at": START,
        "updated_at": START,
        "last_confirmed_at": START,
        "last_accessed_at": None,
        "expires_at": None,
        "deleted_at": None,
    }
    return Item(**(values | changes))
