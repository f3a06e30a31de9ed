"""What was said and done, and who changed what; and the switches of memory as a whole."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction, Role, Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError, RefusedError
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.dashboard_routes.calling import put, running
from tests.running import World, private
from tests.stores import GROUP_CHAT, NOW, an_event, an_item, migrated, opened

MINUTE = timedelta(minutes=1)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "host.db")


async def said(world: World) -> None:
    """Three messages, a minute apart."""
    events = [
        an_event('Hi "there" 100%', event_id="e0", extraction=Extraction.DONE),
        an_event("你好，蜜蜂", event_id="e1", umo=GROUP_CHAT, sender_id="bob", extraction=Extraction.DONE),
        an_event("Bees it is", event_id="e2", role=Role.ASSISTANT, extraction=Extraction.FAILED),
    ]
    timed = [replace(event, created_at=NOW + number * MINUTE) for number, event in enumerate(events)]
    async with opened(migrated(world.file)) as database, Store(database, world.clock).transaction() as tx:
        await tx.add_events(timed)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["e2", "e1", "e0"]),
        ({"page": 2, "page_size": 2}, ["e0"]),
        ({"scope": "group"}, ["e1"]),
        ({"scope": "user", "scope_id": "telegram:alice"}, ["e2", "e0"]),
        ({"umo": GROUP_CHAT}, ["e1"]),
        ({"sender_id": "bob"}, ["e1"]),
        ({"role": "assistant"}, ["e2"]),
        ({"extraction": "failed"}, ["e2"]),
        ({"q": "蜜蜂"}, ["e1"]),
        ({"q": "BEES"}, ["e2"]),
        ({"q": '"there"'}, ["e0"]),
        ({"q": "%"}, ["e0"]),
        ({"q": "text"}, []),
    ],
)
async def test_what_was_said_is_listed_newest_first_and_narrowed(
    world: World, query: dict[str, object], found: list[str]
) -> None:
    await said(world)
    async with running(world) as api:
        page = await api.get("events", **query)
    assert [event["event_id"] for event in page["events"]] == found
    assert page["total"] == (3 if "page" in query else len(found))


async def test_an_event_tells_all_but_its_lease(world: World) -> None:
    await said(world)
    async with running(world) as api:
        event = (await api.get("events", q="100%"))["events"][0]
    assert event == {
        "event_id": "e0",
        "message_id": "message",
        "quoted_sender": "",
        "urgent": False,
        "umo": "telegram:FriendMessage:alice",
        "scope": "user",
        "scope_id": "telegram:alice",
        "owner_scope": "user",
        "owner_scope_id": "telegram:alice",
        "role": "user",
        "tool": "",
        "text": 'Hi "there" 100%',
        "quoted": "",
        "sender_id": "alice",
        "sender_name": "Alice",
        "platform_id": "telegram",
        "conversation_id": "conversation",
        "level": "INTERNAL",
        "extraction": "done",
        "attempts": 0,
        "last_error": "",
        "created_at": "2025-06-01T12:00:00+00:00",
    }


async def test_who_changed_what_is_listed_newest_first_and_narrowed(world: World) -> None:
    await put(world, an_item("one", memory_id="a"), an_item("two", memory_id="b"))
    async with running(world) as api:
        await api.patch("a", importance=0.9)
        await api.patch("b", status="disabled")
        await api.post("items/a/delete", actor="operator:bob")
        asked: list[tuple[dict[str, Any], list[str]]] = [
            ({}, ["forget", "disable", "edit"]),
            ({"actor": "operator:ada"}, ["disable", "edit"]),
            ({"action": "edit"}, ["edit"]),
            ({"memory_id": "a"}, ["forget", "edit"]),
            ({"memory_id": "a", "actor": "operator:bob"}, ["forget"]),
            ({"page": 2, "page_size": 2}, ["edit"]),
            ({"actor": "operator"}, []),
            ({"since": "2000-01-31", "until": "2099-01-31"}, ["forget", "disable", "edit"]),
            ({"since": "2099-01-31"}, []),
            ({"memory_id": "a", "until": "2000-01-31"}, []),
        ]
        for query, actions in asked:
            page = await api.get("audit", **query)
            assert [line["action"] for line in page["audit"]] == actions
            known = {"a": "one", "b": "two"}
            assert page["facts"] == {line["memory_id"]: known[line["memory_id"]] for line in page["audit"]}
            assert page["actors"] == ["operator:bob", "operator:ada"]
            assert page["total"] == (3 if "page" in query else len(actions))


async def test_the_audit_names_what_replaced_a_memory(world: World) -> None:
    old, new = [an_item(f"lives in {town}", memory_id=town, slot="home_city") for town in ("Bonn", "Oslo")]
    await put(world, old, replace(new, status=Status.PENDING))
    async with running(world) as api:
        await api.post("review/approve", {"memory_ids": ["Oslo"]})
        page = await api.get("audit", action="supersede")
        assert page["facts"] == {"Bonn": "lives in Bonn", "Oslo": "lives in Oslo"}
        edited = await api.post("items/Oslo/update", {"fact": "lives in Rome"})
        page = await api.get("audit", action="edit")
        assert page["facts"] == {"Oslo": "lives in Rome", page["audit"][0]["before"]: "lives in Oslo"}
        await api.post(f"decisions/{edited['decision_id']}/undo")
        assert (await api.get("audit", action="edit"))["facts"] == dict.fromkeys(
            page["facts"], "lives in Oslo"
        )


async def test_a_line_of_the_audit_has_the_text_that_it_left(world: World) -> None:
    await put(world, an_item("drinks tea", memory_id="one"), an_item("drinks ale", memory_id="gone"))
    async with running(world) as api:
        edited = await api.post("items/one/update", {"fact": "drinks milk"})
        for act in (
            api.post(f"decisions/{edited['decision_id']}/undo"),
            api.post("items/one/update", {"type": "episode"}),
            api.post("items/one/update", {"fact": "drinks oat milk"}),
        ):
            world.clock.move(timedelta(minutes=1))
            await act
        await api.post("items/gone/delete")
        facts = ["drinks tea", "drinks tea", "drinks milk"]
        shown = await api.get("items/one")
        assert [line["fact"] for line in shown["audit"]] == ["drinks oat milk", *facts]
        lines = (await api.get("audit"))["audit"]
        assert [line["fact"] for line in lines] == ["drinks ale", "drinks oat milk", *facts]
        # The edit that was taken back never held.
        assert [one["fact"] for one in shown["older"]] == ["drinks tea"]


@pytest.mark.parametrize(
    ("zone", "day"), [("UTC", "2025-06-01"), ("Pacific/Auckland", "2025-06-02"), ("Etc/GMT+12", "2025-06-01")]
)
async def test_the_days_of_a_filter_are_those_of_the_hosts_time_zone(
    world: World, zone: str, day: str
) -> None:
    world.zone = ZoneInfo(zone)  # in Auckland the second of June has just begun, at GMT-12 the first
    async with running(world) as api:
        alice, manager = private("alice"), api.manager
        await world.tell(manager, alice, "My name is Alice")
        manager.log_recall(alice, "Hi", await manager.recall(alice, "Hi"), sent=True)
        for path in ("items", "audit", "recalls"):
            found = {"since": (await api.get(path, since=day))["total"]}
            found["until"] = (await api.get(path, until=day))["total"]
            whole = await api.get(path, since="0001-01-01", until="9999-12-31")
            others = [("since", "2025-06-03"), ("until", "2025-05-31")]
            others += [("until", "2025-06-01")] if day.endswith("2") else []
            assert found["since"] == found["until"] == whole["total"] > 0
            assert [(await api.get(path, **{name: at}))["total"] for name, at in others] == [0] * len(others)
        assert (await api.get("items/ids", since=day, until=day))["memory_ids"]


@pytest.mark.parametrize(
    ("path", "field", "value"),
    [
        ("events", "role", "user "),
        ("events", "extraction", "maybe"),
        ("events", "scope", "all"),
        ("events", "page", "0"),
        ("events", "level", "PUBLIC"),
        ("audit", "page_size", "201"),
        ("audit", "memory_id", "x" * 501),
        ("audit", "since", "2025"),
    ],
)
async def test_what_cannot_be_asked_is_named(world: World, path: str, field: str, value: str) -> None:
    async with running(world) as api:
        with pytest.raises(InvalidInputError) as refused:
            await api.get(path, **{field: value})
    assert refused.value.field == field


async def test_the_mode_is_switched_and_kept(world: World) -> None:
    async with running(world) as api:
        assert await api.post("mode", {"mode": "manual"}) == {"mode": "manual"}
        assert (await api.get("health"))["mode"] == "manual"
        for wrong in ({"mode": "loud"}, {"mode": None}, {}):
            with pytest.raises(InvalidInputError, match=r"^mode: must be"):
                await api.post("mode", wrong)


async def test_writing_is_switched_off_and_on(world: World) -> None:
    await put(world, an_item(memory_id="m"))
    async with running(world) as api:
        for _ in range(2):
            assert await api.post("readonly", {"on": True}) == {"read_only": True}
        with pytest.raises(RefusedError, match="emergency_read_only"):
            await api.patch("m", importance=0.9)
        with pytest.raises(RefusedError, match="emergency_read_only"):
            await api.post("mode", {"mode": "manual"})
        assert await api.post("readonly", {"on": False}) == {"read_only": False}
        assert (await api.patch("m", importance=0.9))["importance"] == 0.9
        lines = [(line["actor"], line["action"]) for line in (await api.get("audit"))["audit"]]
        assert lines[1:] == [("operator:ada", "readwrite"), ("operator:ada", "readonly")]
        for wrong in ({"on": "yes"}, {"on": 1}, {}):
            with pytest.raises(InvalidInputError, match=r"^on: must be"):
                await api.post("readonly", wrong)
    assert world.kept_read_only == [True, False]
