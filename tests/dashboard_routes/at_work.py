"""A memory that is at work behind the routes."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from astrbot_plugin_ltm.long_term_memory.service import Service
from astrbot_plugin_ltm.long_term_memory.web import Request

from tests.running import A_MINUTE, World

AUTO: Mapping[str, object] = {"write_policy": {"mode": "auto"}, "extraction": {"daily_token_cap": 0}}


@asynccontextmanager
async def serving(world: World, raw: Mapping[str, object] = AUTO) -> AsyncGenerator[Service]:
    """The plugin running on this world."""
    service = Service(world.memory, version="1", patience=A_MINUTE)
    await service.start(raw)
    try:
        yield service
    finally:
        await service.stop()


def sent(values: object, **path: str) -> Request:
    """A request with this JSON body."""
    return Request(body=json.dumps(values).encode(), path=path, actor="operator:root")


def asked(**query: Any) -> Request:
    """A request with this query."""
    return Request(query={name: str(value) for name, value in query.items()}, actor="operator:root")
