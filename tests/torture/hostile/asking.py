"""Every question of the API that a text may stand in."""

from collections.abc import Awaitable, Iterator, Mapping

from tests.dashboard_routes.calling import Api

type Values = Mapping[str, object]

QUERIES: Mapping[str, tuple[str, ...]] = {
    "items": ("q", "person", "scope_id"),
    "events": ("q", "umo", "sender_id", "scope_id"),
    "audit": ("actor", "action", "memory_id"),
    "recalls": ("umo", "scope_id"),
    "review": ("reason", "scope_id"),
    "people": ("q",),
}
"""The lists, and what they are narrowed by."""


async def calls(api: Api, text: str, named: str) -> list[Exception | None]:
    """Ask all of them; what each was refused with, if it was. `named` stands where a name or an id does."""
    lists = [await _refusal(api.get(path, **query)) for path, query in _lists(text)]
    return [*lists, *[await _refusal(api.post(path, body)) for path, body in _changes(text, named)]]


async def _refusal(call: Awaitable[object]) -> Exception | None:
    try:
        await call
    except Exception as error:  # noqa: BLE001  which it is, the test decides
        return error
    return None


def _lists(text: str) -> Iterator[tuple[str, Values]]:
    for path, fields in QUERIES.items():
        for field in fields:
            yield path, {field: text}
    yield "items", {"scope": text, "level": text, "sort": text, "type": text, "page": text, text: text}


def _changes(text: str, named: str) -> Iterator[tuple[str, Values]]:
    umo = f"plat:GroupMessage:{named}"
    yield "recall/try", {"account": f"plat:{named}", "umo": umo, "text": text}
    yield "recall/try", {"account": text, "umo": text, "text": text, "level": text}
    yield "people/pause", {"account": f"plat:{named}"}
    yield "people/resume", {"account": f"plat:{named}"}
    yield "people/erase", {"account": text, "confirm": text}
    yield "review/approve", {"memory_ids": [text], "reason": text}
    yield "review/reject", {"memory_ids": [text]}
    yield "snapshots/restore", {"name": text}
    yield "mode", {"mode": text}
    yield "readonly", {"on": text}
    yield "policy/rollback", {"version": text}
    sections = {"mode": text, "allowed_types": [text], "require_approval_types": text, text: text}
    yield "policy/preview", {"write": sections, "read": {"max_per_type": text, "max_items": text}}
    yield "policy/update", {"write": sections, "read": {"max_per_type": text}, "version": text}
