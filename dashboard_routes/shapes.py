"""What several routes answer with: a memory, and the words it rests on."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, TypedDict

from .core import AuditLine, EvidenceInContext, Item, Page

type LevelName = Literal["PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED"]
type Instant = str
"""As in 2026-01-31T12:00:00+00:00."""


class PageShape(TypedDict):
    """Where a page stands in its list."""

    total: int
    page: int
    page_size: int


def page_shape(found: Page[Any]) -> PageShape:
    """Where this page stands."""
    return PageShape(total=found.total, page=found.page, page_size=found.page_size)


class ItemShape(TypedDict):
    """A memory with every column but its vector."""

    memory_id: str
    scope: str
    scope_id: str
    type: str
    fact: str
    fact_key: str
    confidence: float
    importance: float
    evidence_count: int
    ttl_days: int | None
    status: str
    reason: str
    level: str
    audience: str
    origin: str
    origin_umo: str
    person: str
    teller: str
    relationship: str
    backstory: str
    slot: str
    superseded_by: str | None
    supersedes: list[str]
    tags: list[str]
    emotion: float
    persona_id: str
    access_count: int
    created_at: Instant
    updated_at: Instant
    last_confirmed_at: Instant
    last_accessed_at: Instant | None
    expires_at: Instant | None
    deleted_at: Instant | None


class ChangedAnswer(TypedDict):
    """The memory as it is now."""

    item: ItemShape


class EvidenceShape(TypedDict):
    """A piece of evidence, what stands before and after it, and who said it, as what, when and where."""

    evidence_id: str
    event_id: str
    quote: str
    before: str
    after: str
    extraction_method: str
    extraction_meta: Mapping[str, str | float]
    created_at: Instant
    role: str
    sender_id: str
    sender_name: str
    said_at: Instant
    umo: str


class AuditShape(TypedDict):
    """One line of the audit: who changed what, and never the text of a memory."""

    id: int
    actor: str
    action: str
    memory_id: str
    before: str
    after: str
    reason: str
    at: Instant


def instant(at: datetime) -> Instant:
    """As the API writes it."""
    return at.isoformat()


def maybe(at: datetime | None) -> Instant | None:
    """The same of what may not have happened."""
    return at.isoformat() if at else None


def item_shape(item: Item) -> ItemShape:
    """A memory as the API shows it."""
    return ItemShape(
        memory_id=item.memory_id,
        scope=item.owner.scope.value,
        scope_id=item.owner.scope_id,
        type=item.type.value,
        fact=item.fact,
        fact_key=item.fact_key,
        confidence=item.confidence,
        importance=item.importance,
        evidence_count=item.evidence_count,
        ttl_days=item.ttl_days,
        status=item.status.value,
        reason=item.reason,
        level=item.level.name,
        audience=item.audience.value,
        origin=item.origin.value,
        origin_umo=item.origin_umo,
        person=item.person,
        teller=item.teller,
        relationship=item.relationship,
        backstory=item.backstory,
        slot=item.slot,
        superseded_by=item.superseded_by,
        supersedes=list(item.supersedes),
        tags=list(item.tags),
        emotion=item.emotion,
        persona_id=item.persona_id,
        access_count=item.access_count,
        created_at=instant(item.created_at),
        updated_at=instant(item.updated_at),
        last_confirmed_at=instant(item.last_confirmed_at),
        last_accessed_at=maybe(item.last_accessed_at),
        expires_at=maybe(item.expires_at),
        deleted_at=maybe(item.deleted_at),
    )


def evidence_shape(one: EvidenceInContext) -> EvidenceShape:
    """A piece of evidence as the API shows it."""
    return EvidenceShape(
        evidence_id=one.evidence.evidence_id,
        event_id=one.evidence.event_id,
        quote=one.evidence.quote,
        before=one.before,
        after=one.after,
        extraction_method=one.evidence.method.value,
        extraction_meta=dict(one.evidence.meta),
        created_at=instant(one.evidence.created_at),
        role=one.role.value,
        sender_id=one.sender_id,
        sender_name=one.sender_name,
        said_at=instant(one.said_at),
        umo=one.umo,
    )


def audit_shape(line: AuditLine) -> AuditShape:
    """A line of the audit as the API shows it."""
    return AuditShape(
        id=line.number,
        actor=line.entry.actor,
        action=line.entry.action,
        memory_id=line.entry.memory_id,
        before=line.entry.before,
        after=line.entry.after,
        reason=line.entry.reason,
        at=instant(line.at),
    )
