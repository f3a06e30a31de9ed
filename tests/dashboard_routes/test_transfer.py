"""Memory as a file by the API: an export, a check, an import, its undo, and snapshots."""

import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.dashboard_routes import transfer
from astrbot_plugin_ltm.long_term_memory.domain.enums import Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import (
    InvalidInputError,
    NotFoundError,
    RefusedError,
    TooLargeError,
)
from astrbot_plugin_ltm.long_term_memory.web import Request, Upload

from tests.dashboard_routes.calling import Api, put, running
from tests.running import World
from tests.stores import BOB, an_item


def uploaded(content: bytes) -> Upload:
    """A file that came with a request."""

    async def save(to: Path, max_bytes: int) -> None:
        if len(content) > max_bytes:
            raise TooLargeError("file", f"must have at most {max_bytes} bytes")
        to.write_bytes(content)  # noqa: ASYNC240 - a few bytes

    return Upload(name="C:\\exports\\..\\of\u202e May.json", save=save)


@pytest.fixture
async def api(tmp_path: Path) -> AsyncGenerator[Api]:
    world = World(tmp_path / "mine" / "host.db")
    world.file.parent.mkdir()
    await put(world, an_item("Alice lives in Beijing"), an_item("Bob drinks tea", owner=BOB))
    async with running(world) as api:
        yield api


@pytest.fixture
async def empty(tmp_path: Path) -> AsyncGenerator[Api]:
    async with running(World(tmp_path / "host.db")) as api:
        yield api


async def exported(api: Api, **query: str) -> bytes:
    download = await transfer.export(api.service, Request(query=query))
    assert download.filename == "ltm-export-2025-06-01.json"
    return download.path.read_bytes()


def with_file(content: bytes) -> Request:
    return Request(files={"file": uploaded(content)}, actor="operator:ada")


async def test_an_export_is_checked_imported_and_undone(api: Api, empty: Api) -> None:
    file = await exported(api)
    checked = await transfer.check_import(empty.service, with_file(file))
    manifest = json.loads(file)["manifest"]
    assert checked == {
        "import_id": None,
        "added": {"items": 2, "evidence": 2, "events": 2},
        "named": [
            {
                "memory_id": each["memory_id"],
                "scope": "user",
                "scope_id": scope_id,
                "person": "",
                "fact": each["fact"],
                "otherwise": [],
            }
            for each, scope_id in zip(json.loads(file)["items"], ("telegram:alice", "qq:bob"), strict=True)
        ],
        "known": {"items": 0, "deleted": 0},
        "differing": {"items": 0, "named": []},
        "gave_way": {"items": 0},
        "newcomers": ["Alice (qq:bob)", "Alice (telegram:alice)"],
        "manifest": {key: value for key, value in manifest.items() if key != "format"},
    }
    done = await transfer.bring_in(empty.service, with_file(file))
    assert done == checked | {"import_id": done["import_id"]}
    page = await empty.get("imports", page_size=1)
    assert page == {
        "imports": [
            {
                "import_id": done["import_id"],
                "kind": "import",
                "name": "of May.json",
                "actor": "operator:ada",
                "at": "2025-06-01T12:00:00+00:00",
                "sha256": manifest["sha256"],
                "items": 2,
                "events": 2,
                "undone_at": None,
            }
        ],
        "total": 1,
        "page": 1,
        "page_size": 1,
    }
    brought = {"import_id": done["import_id"], "status": "active"}
    assert (await empty.get("items", **brought))["total"] == 2
    undone = await empty.post(f"imports/{done['import_id']}/undo")
    assert (await empty.get("items", **brought))["total"] == 0
    assert undone == {"deleted": 2, "kept": 0, "returned": 0}
    (listed,) = (await empty.get("imports"))["imports"]
    assert listed["undone_at"] == "2025-06-01T12:00:00+00:00"
    with pytest.raises(RefusedError):
        await empty.post(f"imports/{done['import_id']}/undo")
    with pytest.raises(NotFoundError):
        await empty.post("imports/nothing/undo")
    again = await transfer.bring_in(empty.service, with_file(file))
    assert (again["added"]["items"], again["known"]) == (2, {"items": 0, "deleted": 0})


async def test_one_scope_is_exported_by_both_its_names(api: Api) -> None:
    whole: dict[str, Any] = json.loads(await exported(api, scope="user", scope_id="qq:bob"))
    assert [item["fact"] for item in whole["items"]] == ["Bob drinks tea"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"scope": "user"}, "query"),
        ({"scope_id": "qq:bob"}, "query"),
        ({"scope": "city", "scope_id": "x"}, "scope"),
        ({"all": "1"}, "all"),
    ],
)
async def test_half_a_scope_is_refused(api: Api, query: dict[str, str], field: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        await transfer.export(api.service, Request(query=query))
    assert refused.value.field == field


async def test_a_file_must_come_along_and_have_few_enough_bytes(empty: Api) -> None:
    for route in (transfer.bring_in, transfer.check_import):
        with pytest.raises(InvalidInputError) as refused:
            await route(empty.service, Request())
        assert refused.value.field == "file"
        with pytest.raises(TooLargeError):
            await route(empty.service, with_file(b"x" * (transfer.MAX_FILE + 1)))
        with pytest.raises(InvalidInputError, match="file: "):
            await route(empty.service, with_file(b"hello"))


async def test_a_snapshot_is_made_listed_and_restored(api: Api, empty: Api) -> None:
    with pytest.raises(InvalidInputError):
        await empty.post("snapshots/create")
    made = await api.post("snapshots/create")
    assert (made["items"], made["good"], made["why"]) == (2, True, "")
    assert await api.get("snapshots") == {"snapshots": [made], "offer": None}
    restored = await api.post("snapshots/restore", {"name": made["name"]})
    assert (restored["added"]["items"], restored["known"]["items"]) == (0, 2)
    with pytest.raises(NotFoundError):
        await api.post("snapshots/restore", {"name": "nothing"})
    for wrong in ({}, {"name": 7}, {"name": "x", "y": 1}):
        with pytest.raises(InvalidInputError):
            await api.post("snapshots/restore", wrong)


async def test_the_check_of_an_import_tells_what_says_otherwise_here(api: Api, tmp_path: Path) -> None:
    world, town = World(tmp_path / "host.db"), "Alice lives in Shanghai"
    over = an_item("Alice lives in Lyon", memory_id="over", status=Status.SUPERSEDED)
    sister = an_item("Alice lives in Oslo", memory_id="sister", person="sister")
    await put(world, an_item(town, memory_id="here"), over, sister)
    async with running(world) as here:
        checked = await transfer.check_import(here.service, with_file(await exported(api)))
    assert {each["fact"]: each["otherwise"] for each in checked["named"]} == {
        "Alice lives in Beijing": [town],
        "Bob drinks tea": [],
    }


async def test_a_restore_says_before_what_it_would_bring_back(api: Api, empty: Api) -> None:
    brought = await transfer.bring_in(empty.service, with_file(await exported(api)))
    made = await empty.post("snapshots/create")
    await empty.post(f"imports/{brought['import_id']}/undo")
    checked = await empty.post("snapshots/restore/check", {"name": made["name"]})
    assert (checked["import_id"], checked["added"]["items"], len(checked["named"])) == (None, 2, 2)
    assert (await empty.get("items", status="live"))["total"] == 0
    done = await empty.post("snapshots/restore", {"name": made["name"]})
    assert done == checked | {"import_id": done["import_id"]}
    with pytest.raises(NotFoundError):
        await empty.post("snapshots/restore/check", {"name": "nothing"})
