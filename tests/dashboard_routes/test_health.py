"""`GET health` over a memory that is at work."""

from pathlib import Path

from astrbot_plugin_ltm.dashboard_routes.health import health
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction
from astrbot_plugin_ltm.long_term_memory.service import Service
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.web import Request

from tests.running import A_MINUTE, World
from tests.stores import NOW, an_event, migrated, opened


async def test_messages_that_only_the_rules_have_read_are_counted(tmp_path: Path) -> None:
    over = [
        an_event(extraction=Extraction.SKIPPED, last_error=why) for why in ("queue_full", "", "queue_full")
    ]
    async with (
        opened(migrated(tmp_path / "host.db")) as database,
        Store(database, lambda: NOW).transaction() as tx,
    ):
        await tx.add_events(over)
    service = Service(World(tmp_path / "host.db").memory, version="1", patience=A_MINUTE)
    await service.start({})
    try:
        body = await health(service, Request())
    finally:
        await service.stop()
    assert (body["state"], body.get("passed_over"), body.get("last_error")) == ("running", 2, "")
