"""Memory as a file through the dashboard's API: export, import, undo, snapshots, and a move to a new host."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.plugin_files import PLUGIN
from tests.host.harness.waiting import wait_for
from tests.hosts import HostMaker

ROUTES = f"plugins/extensions/{PLUGIN}"
FACTS = ("I keep a quokka named Xylonbert", "我养了一只猞猁叫麒麟")


def get(host: Host, path: str, **query: str) -> Any:
    return answered(host.dashboard.get(f"{ROUTES}/{path}", params=query))


def post(host: Host, path: str, body: dict[str, Any] | None = None) -> Any:
    return answered(host.dashboard.post(f"{ROUTES}/{path}", json=body or {}))


def upload(host: Host, path: str, content: bytes) -> httpx.Response:
    files = {"file": ("export.json", content, "application/json")}
    return host.dashboard.post(f"{ROUTES}/{path}", files=files)


def answered(response: httpx.Response) -> Any:
    assert response.status_code == 200, response.text
    return response.json()


def exported(host: Host, **query: str) -> bytes:
    response = host.dashboard.get(f"{ROUTES}/export", params=query)
    assert response.status_code == 200, response.text
    assert "attachment" in response.headers["content-disposition"]
    assert "ltm-export-" in response.headers["content-disposition"]
    return response.content


def document(content: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(content)
    return found


def facts(host: Host, status: str = "active") -> set[str]:
    return {item["fact"] for item in get(host, "items", status=status, page_size="200")["items"]}


TELLER = Person("alice", "Alice")


@pytest.fixture
def host(spare_host: Host) -> Host:
    return spare_host


@dataclass(frozen=True, kw_only=True)
class BackedUp:
    """What is left of a host."""

    backup: bytes
    kept: dict[str, Any]
    """Its export."""
    snapshot: str


def told(host: Host, teller: Person) -> None:
    for fact in FACTS:
        host.say(teller, f"/ltm add {fact}")
    host.say(teller, "I live in Oslo")
    host.memories.wait_until_extracted()
    get(host, "recalls")  # whoever has asked for the log finds every use of a memory counted


def in_transit(host: Host) -> list[Path]:
    return list(host.plugin_data.glob("in_transit/*"))


def test_what_is_exported_comes_back_where_nothing_is_and_goes_by_an_undo(
    host: Host, newcomer: Callable[[str], Person]
) -> None:
    teller = newcomer("Alice")
    host.empty()
    told(host, teller)
    file = exported(host)
    wait_for(lambda: not in_transit(host))
    host.empty()
    number = len(document(file)["items"])
    checked = answered(upload(host, "import/check", file))
    assert (checked["import_id"], checked["added"]["items"]) == (None, number)
    assert facts(host) == set()
    done = answered(upload(host, "import", file))
    assert done["added"] == checked["added"]
    wait_for(lambda: not in_transit(host))
    parts = ("items", "evidence")
    assert [document(exported(host))[part] for part in parts] == [document(file)[part] for part in parts]
    assert "Xylonbert" in host.say(teller, "/ltm list")
    again = answered(upload(host, "import", file))
    assert (again["added"]["items"], again["known"]["items"]) == (0, number)
    listed = get(host, "imports")["imports"]
    assert [one["items"] for one in listed] == [0, number]
    assert listed[0]["actor"].startswith("operator:")
    undone = post(host, f"imports/{done['import_id']}/undo")
    assert undone["deleted"] + undone["kept"] >= number - done["known"]["deleted"] - len(forgotten(file))
    assert "Xylonbert" not in host.say(teller, "/ltm list")
    assert host.dashboard.post(f"{ROUTES}/imports/{done['import_id']}/undo").status_code == 409
    assert host.dashboard.post(f"{ROUTES}/imports/nothing/undo").status_code == 404
    last = answered(upload(host, "import", file))
    assert (last["added"]["items"], last["known"]["items"]) == (undone["deleted"], number - undone["deleted"])
    assert "Xylonbert" in host.say(teller, "/ltm list")


def forgotten(file: bytes) -> list[Any]:
    return [item for item in document(file)["items"] if item["status"] == "deleted"]


def test_a_file_that_is_not_right_is_refused_whole(host: Host, newcomer: Callable[[str], Person]) -> None:
    told(host, newcomer("Alice"))
    file = exported(host)
    before = host.memories.rows("select * from ltm_items order by id")
    at = file.index(b"quokka")
    newer = file.replace(b'"format_version":1', b'"format_version":2', 1)
    for content, why in (
        (file[:at] + b"Q" + file[at + 1 :], "checksum"),
        (file[: len(file) // 2], "damaged"),
        (newer, "format version 2"),
        (b"hello", "first line"),
        (b'{"items":' + b"[" * 50_000, "first line"),
    ):
        for route in ("import", "import/check"):
            response = upload(host, route, content)
            assert response.status_code == 422, response.text
            assert response.json()["data"]["field"] == "file"
            assert why in response.json()["message"]
    assert host.memories.rows("select * from ltm_items order by id") == before
    assert host.dashboard.post(f"{ROUTES}/import", json={}).status_code == 422
    wait_for(lambda: not in_transit(host))


def test_one_scope_is_exported_and_half_a_scope_is_refused(
    host: Host, newcomer: Callable[[str], Person]
) -> None:
    alice = newcomer("Alice")
    told(host, alice)
    scope = {"scope": "user", "scope_id": f"plat_a:{alice.id}"}
    whole = document(exported(host, **scope))
    assert {item["scope_id"] for item in whole["items"]} == {scope["scope_id"]}
    assert whole["manifest"]["scope"] == scope
    for half in ({"scope": "user"}, {"scope_id": "x"}, {"scope": "city", "scope_id": "x"}):
        assert host.dashboard.get(f"{ROUTES}/export", params=half).status_code == 422


@pytest.fixture(scope="module")
def backed_up(spare_host: Host) -> BackedUp:
    """What is left of a host that was backed up after it had made a snapshot."""
    old = spare_host
    old.empty()
    assert old.dashboard.post(f"{ROUTES}/snapshots/create", json={}).status_code == 422
    told(old, TELLER)
    made = post(old, "snapshots/create")
    assert (made["good"], made["items"]) == (True, len(document(exported(old))["items"]))
    made = post(old, "snapshots/create")  # which takes the place of the other one of today
    listed = get(old, "snapshots")
    assert [one["name"] for one in listed["snapshots"]] == [made["name"]]
    assert listed["offer"] is None
    assert post(old, "snapshots/restore", {"name": made["name"]})["added"]["items"] == 0
    for wrong in ("nothing", "../store_id", made["name"][::-1]):
        response = old.dashboard.post(f"{ROUTES}/snapshots/restore", json={"name": wrong})
        assert response.status_code == 404
    kept = document(exported(old))
    result = finished(old, data(old.dashboard.post("backups", json={})))
    backup = (old.root / result["path"]).read_bytes()
    return BackedUp(backup=backup, kept=kept, snapshot=made["name"])


@pytest.mark.parametrize("installed", [True, False], ids=["plugin installed", "plugin in the backup"])
def test_after_a_backup_is_restored_on_a_new_host_the_snapshot_is_offered_and_gives_all_back(
    backed_up: BackedUp, spare_host: Host, make_host: HostMaker, *, installed: bool
) -> None:
    new = spare_host if installed else make_host()
    if installed:
        new.empty()
    else:
        new.start()
    restore(new, backed_up.backup)
    new.stop()
    new.start()
    assert facts(new) == set()
    assert get(new, "snapshots")["offer"] == backed_up.snapshot
    done = post(new, "snapshots/restore", {"name": backed_up.snapshot})
    assert done["added"]["items"] == len(backed_up.kept["items"])
    back = document(exported(new))
    parts = ("items", "evidence", "events")
    assert [back[part] for part in parts] == [backed_up.kept[part] for part in parts]
    assert get(new, "snapshots")["offer"] is None
    assert "Xylonbert" in new.say(TELLER, "/ltm list")


def restore(host: Host, backup: bytes) -> None:
    """Have the host restore it."""
    files = {"file": ("backup.zip", backup, "application/zip")}
    name = data(host.dashboard.post("backups/upload", files=files))["filename"]
    finished(host, data(host.dashboard.post(f"backups/{name}/import", json={"confirmed": True})))


def finished(host: Host, task: dict[str, Any]) -> dict[str, Any]:
    """What came of a task of the host's."""

    def result() -> dict[str, Any] | None:
        state = data(host.dashboard.get(f"backups/tasks/{task['task_id']}"))
        assert state["status"] != "failed", state
        found: dict[str, Any] | None = state.get("result")
        return found

    return wait_for(result, 60)
