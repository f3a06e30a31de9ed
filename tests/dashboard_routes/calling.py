"""The API over a memory that is at work, without a host."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from astrbot_plugin_ltm.dashboard_routes import ROUTES
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.service import Service
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.web import Request

from tests.running import A_MINUTE, World
from tests.stores import keep, migrated, opened

QUIET: Mapping[str, object] = {"extraction": {"daily_token_cap": 0}, "write_policy": {"mode": "auto"}}
"""No model is asked."""


@dataclass(frozen=True)
class Api:
    """Calls routes as the host does, by their path with its names filled in."""

    service: Service

    async def get(self, path: str, /, **query: object) -> dict[str, Any]:
        asked = {name: str(value) for name, value in query.items()}
        return await self._call("GET", path, Request(query=asked))

    async def post(self, path: str, body: object = None, *, actor: str = "operator:ada") -> dict[str, Any]:
        return await self._call("POST", path, Request(body=json.dumps(body).encode(), actor=actor))

    async def patch(self, memory_id: str, **change: object) -> dict[str, Any]:
        """The memory as it is after the change."""
        request = Request(body=json.dumps(change).encode(), actor="operator:ada")
        return (await self._call("PATCH", f"items/{memory_id}", request))["item"]

    async def item(self, memory_id: str) -> dict[str, Any]:
        return (await self.get(f"items/{memory_id}"))["item"]

    async def told(self, memory_id: str) -> list[tuple[str, ...]]:
        """The audit of a memory, oldest line first: action, before, after, reason."""
        lines = (await self.get(f"items/{memory_id}"))["audit"]
        return [tuple(line[name] for name in ("action", "before", "after", "reason")) for line in lines[::-1]]

    @property
    def manager(self) -> LTMManager:
        return self.service.manager()

    async def _call(self, method: str, path: str, request: Request) -> dict[str, Any]:
        for route in ROUTES:
            known = {route.path: route.method} | ({route.twin: "POST"} if route.twin else {})
            for pattern, of in known.items():
                values = _matched(pattern, path)
                if of == method and values is not None:
                    answer = await route.handler(self.service, replace(request, path=values))
                    assert isinstance(answer, dict)
                    json.dumps(answer, allow_nan=False)
                    return answer
        raise AssertionError(f"no route {method} {path}")


def _matched(pattern: str, path: str) -> dict[str, str] | None:
    names, parts = pattern.split("/"), path.split("/")
    if len(names) != len(parts):
        return None
    pairs = list(zip(names, parts, strict=True))
    if any(name != part for name, part in pairs if not name.startswith("<")):
        return None
    return {name.strip("<>"): part for name, part in pairs if name.startswith("<")}


async def put(world: World, *items: Item, said: str | None = None) -> None:
    """A store that holds these items with their words."""
    file = world.file if world.file.exists() else migrated(world.file)
    async with opened(file) as database:
        await keep(Store(database, world.clock), *items, said=said)


@asynccontextmanager
async def running(world: World, **raw: object) -> AsyncGenerator[Api]:
    """The API while the memory is at work."""
    service = Service(world.memory, version="1", patience=A_MINUTE)
    await service.start({**QUIET, **raw})
    try:
        yield Api(service)
    finally:
        await service.stop()
