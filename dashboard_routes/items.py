"""GET items and items/<memory_id>: what is remembered, and from which words."""

from collections.abc import Mapping

from .core import (
    EvidenceInContext,
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
from .values import instant, paging, word


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
    """One item with its evidence in time order, and what it took the place of, latest first."""
    explained = await service.manager().item(request.path["memory_id"])
    return {
        "item": _item_json(explained.item),
        "evidence": [_evidence_json(one) for one in explained.evidence],
        "older": [_item_json(item) for item in explained.older],
    }


ROUTES = (
    Route(path="items", method="GET", summary="List memories", handler=list_items),
    Route(
        path="items/<memory_id>",
        method="GET",
        summary="One memory, its evidence and history",
        handler=get_item,
    ),
)


def _filter_of(query: Mapping[str, str]) -> ItemFilter:
    page, page_size = paging(query)
    return ItemFilter(
        scope=word(query, "scope", Scope),
        scope_id=query.get("scope_id") or None,
        type=word(query, "type", MemoryType),
        status=word(query, "status", Status),
        query=query.get("q") or None,
        page=page,
        page_size=page_size,
    )


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
        "teller": item.teller,
        "relationship": item.relationship,
        "backstory": item.backstory,
        "slot": item.slot,
        "superseded_by": item.superseded_by,
        "supersedes": list(item.supersedes),
        "tags": list(item.tags),
        "emotion": item.emotion,
        "persona_id": item.persona_id,
        "access_count": item.access_count,
        "created_at": instant(item.created_at),
        "updated_at": instant(item.updated_at),
        "last_confirmed_at": instant(item.last_confirmed_at),
        "last_accessed_at": instant(item.last_accessed_at),
        "expires_at": instant(item.expires_at),
        "deleted_at": instant(item.deleted_at),
    }


def _evidence_json(one: EvidenceInContext) -> Mapping[str, Json]:
    return {
        "evidence_id": one.evidence.evidence_id,
        "event_id": one.evidence.event_id,
        "quote": one.evidence.quote,
        "extraction_method": one.evidence.method.value,
        "extraction_meta": dict(one.evidence.meta),
        "created_at": instant(one.evidence.created_at),
        "role": one.role.value,
        "sender_id": one.sender_id,
        "sender_name": one.sender_name,
        "said_at": instant(one.said_at),
        "umo": one.umo,
    }
