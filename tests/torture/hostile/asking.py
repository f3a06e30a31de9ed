"""Every question of the API that a text may stand in."""

from collections.abc import Iterator, Mapping

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


async def calls(api: Api, text: str, named: str) -> list[Exception]:
    """Ask all of them; what each was refused with. `named` stands where a name or an id does."""
    refused: list[Exception] = []
    for path, query in _lists(text):
        try:
            await api.get(path, **query)
        except Exception as error:  # noqa: BLE001  which it is, the test decides
            refused.append(error)
    for path, body in _changes(text, named):
        try:
            await api.post(path, body)
        except Exception as error:  # noqa: BLE001  as above
            refused.append(error)
    return refused


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
    yield "policy/preview", {"write": sections, "read": {"recipe": text, "max_items": text}}
    yield "policy/update", {"write": sections, "read": {"recipe": text}, "version": text}
