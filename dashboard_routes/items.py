"""GET items and items/<memory_id>: what is remembered, and from which words."""

from collections.abc import Mapping
from datetime import datetime
from enum import Enum

from .core import (
    EvidenceInContext,
    InvalidInputError,
    Item,
    ItemFilter,
    Json,
    MemoryType,
    Request,
    Route,
    Scope,
    Service,
    Status,
)

MAX_PAGE_SIZE = 200
MAX_PAGE = 1_000_000


async def list_items(service: Service, request: Request) -> Mapping[str, Json]:
    """One page of items, newest first; filters `scope`, `scope_id`, `type`, `status`, `q`."""
    page = await service.manager().items(_filter_of(request.query))
    return {
        "items": [_item_json(item) for item in page.items],
        "total": page.total,
        "page": page.page,
        "page_size": page.page_size,
    }


async def get_item(service: Service, request: Request) -> Mapping[str, Json]:
    """One item with its evidence in time order."""
    explained = await service.manager().item(request.path["memory_id"])
    evidence = [_evidence_json(one) for one in explained.evidence]
    return {"item": _item_json(explained.item), "evidence": evidence}


ROUTES = (
    Route(path="items", method="GET", summary="List memories", handler=list_items),
    Route(path="items/<memory_id>", method="GET", summary="One memory with its evidence", handler=get_item),
)


def _filter_of(query: Mapping[str, str]) -> ItemFilter:
    return ItemFilter(
        scope=_word(query, "scope", Scope),
        scope_id=query.get("scope_id") or None,
        type=_word(query, "type", MemoryType),
        status=_word(query, "status", Status),
        query=query.get("q") or None,
        page=_number(query, "page", default=1, most=MAX_PAGE),
        page_size=_number(query, "page_size", default=50, most=MAX_PAGE_SIZE),
    )


def _word[E: Enum](query: Mapping[str, str], name: str, words: type[E]) -> E | None:
    value = query.get(name)
    if not value:
        return None
    try:
        return words(value)
    except ValueError:
        allowed = ", ".join(str(word.value) for word in words)
        raise InvalidInputError(name, f"must be one of {allowed}") from None


def _number(query: Mapping[str, str], name: str, *, default: int, most: int) -> int:
    value = query.get(name)
    if value is None or value == "":
        return default
    # isascii: int() also reads digits of other scripts, and a long run of digits costs quadratic time.
    if not (value.isascii() and value.isdigit() and len(value) <= 9 and 1 <= int(value) <= most):
        raise InvalidInputError(name, f"must be a whole number from 1 to {most}")
    return int(value)


def _item_json(item: Item) -> Mapping[str, Json]:
    return {
        "memory_id": item.memory_id,
        "scope": item.owner.scope.value,
        "scope_id": item.owner.scope_id,
        "type": item.type.value,
        "fact": item.fact,
        "fact_key": item.fact_key,
        "confidence": item.confidence,
        "importance": item.importance,
        "evidence_count": item.evidence_count,
        "ttl_days": item.ttl_days,
        "status": item.status.value,
        "reason": item.reason,
        "level": item.level.name,
        "audience": item.audience.value,
        "origin": item.origin.value,
        "origin_umo": item.origin_umo,
        "person": item.person,
        "relationship": item.relationship,
        "backstory": item.backstory,
        "slot": item.slot,
        "superseded_by": item.superseded_by,
        "tags": list(item.tags),
        "emotion": item.emotion,
        "persona_id": item.persona_id,
        "access_count": item.access_count,
        "created_at": _instant(item.created_at),
        "updated_at": _instant(item.updated_at),
        "last_confirmed_at": _instant(item.last_confirmed_at),
        "last_accessed_at": _instant(item.last_accessed_at),
        "expires_at": _instant(item.expires_at),
        "deleted_at": _instant(item.deleted_at),
    }


def _evidence_json(one: EvidenceInContext) -> Mapping[str, Json]:
    return {
        "evidence_id": one.evidence.evidence_id,
        "event_id": one.evidence.event_id,
        "quote": one.evidence.quote,
        "extraction_method": one.evidence.method.value,
        "extraction_meta": dict(one.evidence.meta),
        "created_at": _instant(one.evidence.created_at),
        "role": one.role.value,
        "sender_id": one.sender_id,
        "sender_name": one.sender_name,
        "said_at": _instant(one.said_at),
        "umo": one.umo,
    }


def _instant(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
