"""The routes of memories: lists in every order, one memory with all there is to know, and its changes."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import (
    Audience,
    Level,
    Origin,
    Scope,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.domain.errors import (
    InvalidInputError,
    LtmError,
    NotFoundError,
    RefusedError,
)
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.dashboard_routes.calling import put, running
from tests.running import World
from tests.stores import (
    ALICE,
    BOB,
    GROUP,
    GROUP_CHAT,
    NOW,
    PRIVATE_CHAT,
    an_event,
    an_evidence,
    an_item,
    migrated,
    opened,
)

HOUR = timedelta(hours=1)
SORTS = ("created", "updated", "importance", "confidence", "accessed", "expires")


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "host.db")


def three() -> list[Item]:
    """Of which the first comes first in each order, and the last has no end and was never used."""
    return [
        an_item(
            f"fact {number}",
            memory_id=f"m{number}",
            created_at=NOW + number * HOUR,
            updated_at=NOW + number * HOUR,
            importance=number / 10,
            confidence=number / 10,
            last_accessed_at=None if number == 0 else NOW + number * HOUR,
            expires_at=None if number == 2 else NOW + number * HOUR + 24 * HOUR,
        )
        for number in range(3)
    ]


@pytest.mark.parametrize("sort", SORTS)
async def test_each_order_can_be_turned_round(world: World, sort: str) -> None:
    await put(world, *three())
    async with running(world) as api:
        up = [item["memory_id"] for item in (await api.get("items", sort=sort))["items"]]
        down = [item["memory_id"] for item in (await api.get("items", sort=f"-{sort}"))["items"]]
    assert up == ["m0", "m1", "m2"]
    assert down == up[::-1]


@pytest.mark.parametrize("sort", SORTS)
async def test_what_is_equal_stands_once_on_the_pages_of_a_list(world: World, sort: str) -> None:
    await put(world, *(an_item(f"fact {number}", memory_id=f"m{number}") for number in range(7)))
    async with running(world) as api:
        pages = [await api.get("items", sort=sort, page=page, page_size=3) for page in (1, 2, 3, 4)]
    found = [item["memory_id"] for page in pages for item in page["items"]]
    assert found == [f"m{number}" for number in range(7)]
    assert [page["total"] for page in pages] == [7] * 4


async def test_the_newest_comes_first_when_nothing_is_asked(world: World) -> None:
    await put(world, *three())
    async with running(world) as api:
        listed = await api.get("items")
    assert [item["memory_id"] for item in listed["items"]] == ["m2", "m1", "m0"]


@pytest.mark.parametrize(
    ("query", "facts"),
    [
        ({"level": "PUBLIC"}, ["public"]),
        ({"origin": "user_explicit"}, ["explicit"]),
        ({"person": "telegram:alice"}, ["public", "explicit", "of a persona"]),
        ({"person": "qq:bob"}, ["of Bob"]),
        ({"person": "car"}, ["about Carol"]),
        ({"person": "DAN"}, ["about Carol"]),
        ({"person": "%"}, []),
        ({"person": "nobody:here"}, []),
        ({"person": "telegram:alice", "level": "PUBLIC", "q": "PUB"}, ["public"]),
        ({"q": "nothing", "page": 3}, []),
    ],
)
async def test_lists_are_narrowed(world: World, query: dict[str, object], facts: list[str]) -> None:
    of_persona = ScopeRef(scope=Scope.USER, scope_id="!pcat:telegram:alice")
    await put(
        world,
        an_item("public", level=Level.PUBLIC),
        an_item("explicit", origin=Origin.USER_EXPLICIT),
        an_item("of a persona", owner=of_persona),
        an_item("of Bob", owner=BOB),
        an_item("about Carol", owner=GROUP, person="Carol", teller="Dan", origin_umo=GROUP_CHAT),
    )
    async with running(world) as api:
        listed = await api.get("items", sort="created", **query)
    assert ([item["fact"] for item in listed["items"]], listed["total"]) == (facts, len(facts))


@pytest.mark.parametrize(
    ("query", "facts"),
    [
        ({"q": "9bd183d5"}, ["one"]),
        ({"q": "(9bd1)"}, ["one"]),
        ({"q": "9bd"}, []),
        ({"q": "d183d5-8"}, []),
        ({"q": "9bd183d5", "status": "disabled"}, []),
        ({"q": "bead"}, ["two beads", "of the id"]),
        ({"status": "live"}, ["one", "two beads"]),
        ({"status": "deleted"}, ["of the id"]),
    ],
)
async def test_a_memory_is_found_by_how_its_id_begins_and_live_ones_together(
    world: World, query: dict[str, object], facts: list[str]
) -> None:
    await put(
        world,
        an_item("one", memory_id="9bd183d5-807d-4676-8d15-5ca07b6cc7ea"),
        an_item("two beads", memory_id="11111111-9bd1-4676-8d15-5ca07b6cc7ea", status=Status.DISABLED),
        an_item("of the id", memory_id="bead183d-807d-4676-8d15-5ca07b6cc7ea", status=Status.DELETED),
    )
    async with running(world) as api:
        listed = await api.get("items", sort="created", **query)
    assert ([item["fact"] for item in listed["items"]], listed["total"]) == (facts, len(facts))


async def test_those_of_one_author_and_one_time_are_found_with_all_their_ids(world: World) -> None:
    first = NOW - timedelta(days=40)
    days = [first + number * timedelta(days=10) for number in range(3)]
    of_group = an_item("of the group", memory_id="g", owner=GROUP, origin_umo=GROUP_CHAT)
    bobs = an_event(of_group.fact, owner=BOB, sender_id="bob", platform_id="qq")
    said = [
        (an_item("old", memory_id="o"), an_event()),
        (an_item("newer", memory_id="n"), an_event()),
        (of_group, bobs),
    ]
    async with (
        opened(migrated(world.file)) as database,
        Store(database, world.clock).transaction() as writing,
    ):
        for (item, event), at in zip(said, days, strict=True):
            await writing.add_events([event])
            # What takes over a key takes over its age; its words are of their own day.
            learnt = an_evidence(item, event, created_at=at)
            await writing.insert_item(replace(item, created_at=first), [learnt])
    async with running(world) as api:
        middle = days[1].date()
        for query, found in (
            ({"author": "qq:bob"}, ["g"]),
            ({"author": "bob"}, []),
            ({"since": middle}, ["n", "g"]),
            ({"until": middle}, ["o", "n"]),
            ({"since": middle, "until": middle, "q": "newer"}, ["n"]),
            ({"import_id": "none"}, []),
        ):
            listed = await api.get("items", sort="created", **query)
            assert ([item["memory_id"] for item in listed["items"]], listed["total"]) == (found, len(found))
            assert (await api.get("items/ids", sort="created", **query))["memory_ids"] == found


@pytest.mark.parametrize(
    ("field", "value"),
    [("sort", "fact"), ("sort", "--created"), ("level", "1"), ("origin", "guess"), ("person", "x" * 501)],
)
async def test_what_cannot_be_asked_is_named(world: World, field: str, value: str) -> None:
    async with running(world) as api:
        with pytest.raises(InvalidInputError) as refused:
            await api.get("items", **{field: value})
    assert refused.value.field == field


async def test_a_memory_tells_who_may_see_it(world: World) -> None:
    said_in_a_group = an_item("in a group", memory_id="g", origin_umo=GROUP_CHAT)
    shared = an_item("shared", memory_id="s", audience=Audience.EVERYWHERE, level=Level.PUBLIC)
    of_the_group = an_item("of the group", memory_id="o", owner=GROUP, origin_umo=GROUP_CHAT)
    await put(world, an_item("in private", memory_id="p"), said_in_a_group, shared, of_the_group)
    async with running(world) as api:
        seen = {each: (await api.get(f"items/{each}"))["audience"] for each in "pgso"}
    person = {"everywhere": False, "scope": "user", "level": "INTERNAL"}
    assert seen["p"] == {"chats": [PRIVATE_CHAT], **person}
    assert seen["g"] == {"chats": sorted((GROUP_CHAT, PRIVATE_CHAT)), **person}
    assert seen["s"] == {"chats": [], "everywhere": True, "scope": "user", "level": "PUBLIC"}
    assert seen["o"] == {"chats": [GROUP_CHAT], "everywhere": False, "scope": "group", "level": "INTERNAL"}


async def test_a_memory_tells_what_was_done_to_it_latest_first(world: World) -> None:
    await put(world, an_item(memory_id="m"))
    async with running(world) as api:
        await api.patch("m", importance=0.9)
        world.clock.move(HOUR)
        await api.patch("m", status="disabled")
        lines = (await api.get("items/m"))["audit"]
    assert [line["action"] for line in lines] == ["disable", "edit"]
    assert lines[1] == {
        "id": lines[1]["id"],
        "actor": "operator:ada",
        "action": "edit",
        "memory_id": "m",
        "before": "0.5",
        "after": "0.9",
        "reason": "importance",
        "at": "2025-06-01T12:00:00+00:00",
        "fact": "Alice lives in Beijing",
    }


CHANGES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"importance": 0}, {"importance": 0.0}),
    ({"importance": 1}, {"importance": 1.0}),
    ({"ttl_days": 3}, {"ttl_days": 3, "expires_at": "2025-06-04T12:00:00+00:00"}),
    ({"ttl_days": None}, {"ttl_days": None, "expires_at": None}),
    ({"ttl_days": 36_500}, {"ttl_days": 36_500}),
    ({"ttl_days": 0}, {"ttl_days": 0, "status": "expired", "reason": "ttl"}),
    ({"level": "PUBLIC"}, {"level": "PUBLIC"}),
    ({"type": "constraint"}, {"type": "constraint"}),
    ({"status": "disabled"}, {"status": "disabled", "reason": "switched_off"}),
    ({"status": "deleted"}, {"status": "deleted", "reason": "forgotten"}),
    ({"fact": "  Alice\tlives in\u202e Ber\u200bgen "}, {"fact": "Alice lives in Bergen"}),
]


@pytest.mark.parametrize(("change", "after"), CHANGES)
async def test_what_is_named_changes_and_nothing_else(
    world: World, change: dict[str, Any], after: dict[str, Any]
) -> None:
    await put(world, an_item(memory_id="m", ttl_days=10, expires_at=NOW + timedelta(days=10)))
    async with running(world) as api:
        before = await api.item("m")
        changed = await api.patch("m", **change)
        assert changed == await api.item("m")
    at_once = {"updated_at", "expires_at", "deleted_at", "fact_key"}
    assert {name: changed[name] for name in after} == after
    assert {name for name in changed if changed[name] != before[name]} <= set(after) | at_once


async def test_the_twins_do_the_same(world: World) -> None:
    await put(world, an_item("one", memory_id="a"), an_item("two", memory_id="b"))
    async with running(world) as api:
        assert (await api.post("items/a/update", {"importance": 0.1}))["item"]["importance"] == 0.1
        assert (await api.post("items/a/delete"))["item"]["status"] == "deleted"
        assert (await api.post("items/a/delete"))["item"]["status"] == "deleted"
        assert await api.told("a") == [
            ("edit", "0.5", "0.1", "importance"),
            ("forget", "active", "deleted", "forgotten"),
        ]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({}, "body"),
        ([], "body"),
        ("fact", "body"),
        ({"status": "shadow"}, "status"),
        ({"importance": 1.01}, "importance"),
        ({"importance": -0.1}, "importance"),
        ({"importance": True}, "importance"),
        ({"importance": "1"}, "importance"),
        ({"ttl_days": -1}, "ttl_days"),
        ({"ttl_days": 36_501}, "ttl_days"),
        ({"ttl_days": 1.5}, "ttl_days"),
        ({"ttl_days": 10**400}, "ttl_days"),
        ({"ttl_days": 10**30}, "ttl_days"),
        ({"fact": ""}, "fact"),
        ({"fact": "\u200b\u202e \t"}, "fact"),
        ({"fact": "x" * 501}, "fact"),
        ({"fact": ["x"]}, "fact"),
        ({"level": "CONFIDENTIAL"}, "level"),
        ({"level": 1}, "level"),
        ({"type": "mood"}, "type"),
        ({"confidence": 1}, "confidence"),
        ({"importance": 0.9, "level": "RESTRICTED"}, "level"),
    ],
)
async def test_a_change_that_cannot_be_is_refused_by_its_field_and_changes_nothing(
    world: World, change: object, field: str
) -> None:
    await put(world, an_item(memory_id="m"))
    async with running(world) as api:
        before = await api.get("items/m")
        with pytest.raises(InvalidInputError) as refused:
            await api.post("items/m/update", change)
        assert refused.value.field == field
        assert await api.get("items/m") == before


async def test_what_is_so_already_is_no_change_and_leaves_no_line(world: World) -> None:
    await put(world, an_item(memory_id="m"))
    async with running(world) as api:
        before = await api.get("items/m")
        same = {"importance": 0.5, "ttl_days": None, "level": "INTERNAL", "status": "active"}
        world.clock.move(HOUR)
        assert await api.patch("m", **same, fact="Alice lives in Beijing") == before["item"]
        assert await api.get("items/m") == before


@pytest.mark.parametrize(
    "path",
    ["items/x/update", "items/x/delete", "items/x/share", "items/x/unshare"],
    ids=lambda path: path[8:],
)
async def test_an_unknown_memory_is_not_found_and_nothing_is_written_while_read_only(
    world: World, path: str
) -> None:
    body = {"importance": 0.9}
    await put(world, an_item(memory_id="m"))
    async with running(world) as api:
        with pytest.raises(NotFoundError):
            await api.post(path, body)
    async with running(world, emergency_read_only=True) as api:
        before = await api.get("items/m")
        with pytest.raises(RefusedError, match="emergency_read_only"):
            await api.post(path.replace("/x/", "/m/"), body)
        assert await api.get("items/m") == before


async def test_an_operator_shares_a_memory_and_takes_that_back(world: World) -> None:
    await put(world, an_item(memory_id="m"))
    async with running(world) as api:
        for path, seen in (("share", ("everywhere", "PUBLIC")), ("unshare", ("chat", "INTERNAL"))):
            item = (await api.post(f"items/m/{path}"))["item"]
            assert (item["audience"], item["level"]) == seen
            with pytest.raises(RefusedError):  # it is so already
                await api.post(f"items/m/{path}")
        assert await api.told("m") == [
            ("share", "chat INTERNAL", "everywhere PUBLIC", ""),
            ("unshare", "everywhere PUBLIC", "chat INTERNAL", ""),
        ]


@pytest.mark.parametrize(
    ("item", "why"),
    [
        (an_item(owner=GROUP, origin_umo=GROUP_CHAT), "not_personal"),
        (an_item(status=Status.SHADOW), "not_in_use: the memory .* is shadow"),
        (an_item(status=Status.DELETED, deleted_at=NOW), "not_in_use: the memory .* is deleted"),
    ],
)
async def test_what_is_not_in_use_or_nobody_s_own_is_not_shared(world: World, item: Item, why: str) -> None:
    await put(world, item)
    async with running(world) as api:
        with pytest.raises(RefusedError, match=why):
            await api.post(f"items/{item.memory_id}/share")
        assert await api.told(item.memory_id) == []


async def test_nobody_s_memory_is_changed_by_what_is_no_memory_s_id(world: World) -> None:
    await put(world, an_item(memory_id="m", owner=ALICE))
    async with running(world) as api:
        for strange in ("%", "M", "m ", "0", "a' or '1'='1"):
            with pytest.raises(LtmError):
                await api.post(f"items/{strange}/delete")
        assert (await api.item("m"))["status"] == "active"
