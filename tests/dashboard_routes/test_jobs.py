"""`GET jobs`, `POST jobs/retry` and `POST jobs/read-now`, over a memory that is at work."""

import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from datetime import timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.dashboard_routes.events import list_jobs, read_now, retry_jobs
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction
from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError, RefusedError
from astrbot_plugin_ltm.long_term_memory.service import Service
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.web import Request

from tests.running import A_MINUTE, World, private, until
from tests.stores import NOW, an_event, migrated, opened

ASKED = Request()
NO_CALLS: dict[str, object] = {"extraction": {"daily_token_cap": 0}}


async def failed(file: Path, *texts: str) -> None:
    """A store in which extraction gave up on these messages, one second after the other."""
    async with opened(migrated(file)) as database, Store(database, lambda: NOW).transaction() as transaction:
        await transaction.add_events(
            [
                an_event(
                    text,
                    event_id=f"event-{place}",
                    extraction=Extraction.FAILED,
                    attempts=10,
                    last_error="no answer",
                    created_at=NOW + timedelta(seconds=place),
                )
                for place, text in enumerate(texts)
            ]
        )


@asynccontextmanager
async def running(file: Path, raw: dict[str, object], world: World | None = None) -> AsyncGenerator[Service]:
    service = Service((world or World(file)).memory, version="1", patience=A_MINUTE)
    await service.start(raw)
    try:
        yield service
    finally:
        await service.stop()


async def test_failed_messages_are_listed_newest_first_without_their_words(tmp_path: Path) -> None:
    await failed(tmp_path / "host.db", "my secret", "another")
    async with running(tmp_path / "host.db", NO_CALLS) as service:
        body = await list_jobs(service, ASKED)
        assert body == {
            "jobs": [
                {
                    "event_id": f"event-{place}",
                    "umo": "telegram:FriendMessage:alice",
                    "scope": "user",
                    "scope_id": "telegram:alice",
                    "role": "user",
                    "attempts": 10,
                    "last_error": "no answer",
                    "created_at": f"2025-06-01T12:00:0{place}+00:00",
                }
                for place in (1, 0)
            ],
            "total": 2,
            "page": 1,
            "page_size": 50,
        }
        second = await list_jobs(service, Request(query={"page": "2", "page_size": "1"}))
        assert (second["total"], second["page"], "event-0" in str(second["jobs"])) == (2, 2, True)


@pytest.mark.parametrize(("field", "value"), [("page", "0"), ("page", "x"), ("page_size", "201")])
async def test_a_page_that_cannot_be_is_refused_by_its_name(tmp_path: Path, field: str, value: str) -> None:
    async with running(tmp_path / "host.db", NO_CALLS) as service:
        with pytest.raises(InvalidInputError, match=f"{field}: must be"):
            await list_jobs(service, Request(query={field: value}))


async def test_what_failed_is_tried_again_once(tmp_path: Path) -> None:
    await failed(tmp_path / "host.db", "one", "two")
    async with running(tmp_path / "host.db", NO_CALLS) as service:
        assert await retry_jobs(service, ASKED) == {"retried": 2}
        assert (await list_jobs(service, ASKED))["total"] == 0
        assert (await service.manager().status.counts()).events["pending"] == 2
        assert await retry_jobs(service, ASKED) == {"retried": 0}
    with closing(sqlite3.connect(tmp_path / "host.db")) as store:
        lines = store.execute("SELECT actor, action, before, after, reason FROM ltm_audit").fetchall()
    assert lines == [("operator:dashboard", "retry", "failed", "pending", "2")]


async def test_while_nothing_may_be_written_nothing_is_tried_again(tmp_path: Path) -> None:
    file = tmp_path / "host.db"
    await failed(file, "one")
    async with running(file, NO_CALLS | {"emergency_read_only": True}) as service:
        with pytest.raises(RefusedError, match="emergency_read_only"):
            await retry_jobs(service, ASKED)
        assert (await list_jobs(service, ASKED))["total"] == 1


async def test_what_waits_for_quiet_is_read_at_once_when_an_operator_asks_for_that(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db")
    async with running(world.file, {}, world) as service:
        manager = service.manager()
        assert (await manager.status.counts()).next_reading_at is None
        await world.tell(manager, private(), "The weather is strange in these parts")
        assert (await manager.status.counts()).next_reading_at == world.clock() + timedelta(minutes=2)
        assert world.model.prompts == []
        assert await read_now(service, ASKED) == {"hastened": 1}
        assert (await manager.status.counts()).next_reading_at in (world.clock(), None)
        await until(lambda: len(world.model.prompts) == 1)
    async with running(world.file, {"emergency_read_only": True}, world) as service:
        with pytest.raises(RefusedError, match="emergency_read_only"):
            await read_now(service, ASKED)
    with closing(sqlite3.connect(world.file)) as store:
        lines = store.execute("SELECT actor, action, before, after, reason FROM ltm_audit").fetchall()
    assert lines == [("operator:dashboard", "read_now", "pending", "pending", "1")]
