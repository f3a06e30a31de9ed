"""`GET stats`: how much there is of what, and what each of the last days brought."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.dashboard_routes.health import stats
from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType, Role, Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError
from astrbot_plugin_ltm.long_term_memory.domain.writing import TokenReservation
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.dashboard_routes.at_work import asked, serving
from tests.running import World
from tests.stores import (
    BOB,
    GROUP,
    GROUP_CHAT,
    NOW,
    a_given,
    a_recall,
    an_event,
    an_item,
    keep,
    migrated,
    opened,
)

DAY = timedelta(days=1)
# Nothing comes and goes in the background while it is looked at.
STILL: dict[str, object] = {"emergency_read_only": True}


async def some_days(file: Path) -> World:
    """Memories of two people and a group, told over a month."""
    async with opened(migrated(file)) as database:
        store = Store(database, lambda: NOW)
        await keep(
            store,
            an_item("one", type=MemoryType.EPISODE),
            an_item("two", created_at=NOW - 29 * DAY),
            an_item("three", created_at=NOW - 30 * DAY, status=Status.SHADOW),
            an_item("four", status=Status.PENDING),
            an_item("five", owner=BOB, status=Status.DELETED),
            an_item("six", owner=GROUP, origin_umo=GROUP_CHAT, status=Status.SUPERSEDED, reason="edited"),
        )
        async with store.transaction() as transaction:
            await transaction.add_events(
                [
                    an_event("later", sender_name="Alice B.", created_at=NOW + timedelta(seconds=1)),
                    an_event(
                        "reply", role=Role.ASSISTANT, sender_name="Bot", created_at=NOW + timedelta(seconds=2)
                    ),
                    # The last instant of a day, and the first of the next.
                    an_event("a", created_at=NOW.replace(hour=0) - DAY - timedelta(microseconds=1)),
                    an_event("b", created_at=NOW.replace(hour=0) - DAY),
                ]
            )
            for day, provider in (("2025-06-01", "a"), ("2025-06-01", "b"), ("2025-05-02", "a")):
                await transaction.book(
                    TokenReservation(day=day, provider_id=provider, prompt_tokens=100, answer_tokens=10)
                )
        await store.recalls.noted(
            [
                a_recall(given=[a_given("memory-1")]),
                a_recall(),
                a_recall(at=NOW - 13 * DAY),
                a_recall(at=NOW - 14 * DAY),
            ],
            kept=True,
        )
    return World(file)


async def told(world: World, **query: int) -> dict[str, Any]:
    async with serving(world, STILL) as service:
        return dict(await stats(service, asked(**query)))


async def test_scopes_come_with_what_they_hold_and_who_they_are_the_fullest_first(tmp_path: Path) -> None:
    found = await told(await some_days(tmp_path / "host.db"))
    assert found["scopes"] == [
        {
            "scope": "user",
            "scope_id": "telegram:alice",
            "name": "Alice B.",
            "items": 4,
            "active": 2,
            "waiting": 2,
        },
        {
            "scope": "group",
            "scope_id": "qq:GroupMessage:42",
            "name": "Alice",
            "items": 1,
            "active": 0,
            "waiting": 0,
        },
    ]
    assert (found["total"], found["page"], found["page_size"]) == (2, 1, 50)


async def test_scopes_are_given_in_pages(tmp_path: Path) -> None:
    world = await some_days(tmp_path / "host.db")
    second = await told(world, page=2, page_size=1)
    assert [scope["scope"] for scope in second["scopes"]] == ["group"]
    beyond = await told(world, page=3, page_size=1)
    assert (beyond["scopes"], beyond["total"]) == ([], 2)


async def test_each_type_has_its_numbers_by_status(tmp_path: Path) -> None:
    found = await told(await some_days(tmp_path / "host.db"))
    assert found["types"] == {
        "profile": {"active": 1, "shadow": 1, "pending": 1, "superseded": 1, "deleted": 1},
        "preference": {},
        "task_state": {},
        "constraint": {},
        "episode": {"active": 1},
    }


async def test_every_day_is_there_with_what_it_brought(tmp_path: Path) -> None:
    found = await told(await some_days(tmp_path / "host.db"))
    growth = {each["day"]: (each["items"], each["events"]) for each in found["growth"]}
    assert (len(found["growth"]), min(growth), max(growth)) == (30, "2025-05-03", "2025-06-01")
    assert [each["day"] for each in found["growth"]] == sorted(growth)
    assert {day: counted for day, counted in growth.items() if any(counted)} == {
        "2025-05-03": (1, 0),
        "2025-05-30": (0, 1),
        "2025-05-31": (0, 1),
        "2025-06-01": (3, 8),
    }
    recalls = {each["day"]: (each["total"], each["empty"]) for each in found["recalls"]}
    assert (len(recalls), min(recalls)) == (14, "2025-05-19")
    assert {day: counted for day, counted in recalls.items() if any(counted)} == {
        "2025-05-19": (1, 1),
        "2025-06-01": (2, 1),
    }
    tokens = {each["day"]: each for each in found["tokens"]}
    assert (len(tokens), min(tokens)) == (30, "2025-05-03")
    assert tokens["2025-06-01"] == {
        "day": "2025-06-01",
        "calls": 2,
        "prompt_tokens": 200,
        "answer_tokens": 20,
    }
    assert sum(each["calls"] for each in tokens.values()) == 2


async def test_an_empty_store_has_its_days_too(tmp_path: Path) -> None:
    migrated(tmp_path / "host.db")
    found = await told(World(tmp_path / "host.db"))
    assert (found["scopes"], found["total"]) == ([], 0)
    assert [len(found[name]) for name in ("growth", "recalls", "tokens")] == [30, 14, 30]


async def test_a_page_that_cannot_be_is_refused(tmp_path: Path) -> None:
    migrated(tmp_path / "host.db")
    async with serving(World(tmp_path / "host.db"), STILL) as service:
        for field, value in (("page", 0), ("page_size", 201), ("page", 10**30), ("colour", "red")):
            with pytest.raises(InvalidInputError, match=f"{field}: must"):
                await stats(service, asked(**{field: value}))
