"""What operators change through the dashboard's API, and what the next reply then carries."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.host.harness.dashboard import USERNAME
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel

ALLERGY = "I'm allergic to shrimp"
FACT = "User is allergic to shrimp"
QUESTION = "What can I eat?"

type Newcomer = Callable[[str], Person]


@pytest.fixture
def host(cautious_host: Host) -> Host:
    return cautious_host


@pytest.fixture
def bees(host: Host, model: ScriptedModel, newcomer: Newcomer) -> tuple[Person, str]:
    """Somebody of whom one thing is remembered, and its id."""
    person = newcomer("Kim")
    host.say(person, "/ltm add I am allergic to bees")
    [item] = host.memories.wait_for(person, "User is allergic to bees").values()
    assert "bees" in block(host, model, person)
    return person, item["memory_id"]


def block(host: Host, model: ScriptedModel, person: Person) -> str:
    """What the model is told of the person for a question."""
    host.say(person, QUESTION)
    return "\n".join(model.chat_requests[-1].memory_blocks)


def body_of(response: httpx.Response) -> dict[str, Any]:
    assert response.status_code == 200, response.text
    body = response.json()
    assert "data" not in body
    return body


def refused(response: httpx.Response, status: int, field: str | None = None) -> str:
    body = response.json()
    assert (response.status_code, body["status"], body["data"]) == (status, "error", {"field": field})
    return body["message"]


def actors(host: Host, memory_id: str) -> set[str]:
    return {line["actor"] for line in body_of(host.plugin.get(f"items/{memory_id}"))["audit"]}


@pytest.mark.parametrize("twin", [False, True], ids=["PATCH", "POST"])
def test_an_edited_fact_is_what_the_next_reply_is_told(
    host: Host, model: ScriptedModel, bees: tuple[Person, str], twin: bool
) -> None:
    person, memory_id = bees
    change = {"fact": "User is allergic to wasps", "importance": 0.9, "ttl_days": None}
    if twin:
        body = body_of(host.plugin.post(f"items/{memory_id}/update", json=change))
    else:
        body = body_of(host.plugin.patch(f"items/{memory_id}", json=change))
    assert (body["item"]["memory_id"], body["item"]["fact"]) == (memory_id, "User is allergic to wasps")
    told = block(host, model, person)
    assert "wasps" in told
    assert "bees" not in told
    shown = body_of(host.plugin.get(f"items/{memory_id}"))
    assert [item["fact"] for item in shown["older"]] == ["User is allergic to bees"]
    assert f"operator:{USERNAME}" in actors(host, memory_id)


@pytest.mark.parametrize("twin", [False, True], ids=["DELETE", "POST"])
def test_what_is_deleted_is_not_told_and_comes_back(
    host: Host, model: ScriptedModel, bees: tuple[Person, str], twin: bool
) -> None:
    person, memory_id = bees
    path = f"items/{memory_id}"
    gone = host.plugin.post(f"{path}/delete") if twin else host.plugin.delete(path)
    assert body_of(gone)["item"]["status"] == "deleted"
    assert "bees" not in block(host, model, person)
    for status, told in (("active", True), ("disabled", False), ("active", True)):
        assert body_of(host.plugin.patch(path, json={"status": status}))["item"]["status"] == status
        assert ("bees" in block(host, model, person)) is told


def test_what_is_shared_is_told_in_a_group(
    host: Host, model: ScriptedModel, bees: tuple[Person, str], newcomer: Newcomer
) -> None:
    person, memory_id = bees
    kitchen = newcomer("kitchen").id
    for path, told in (("share", True), ("unshare", False)):
        body_of(host.plugin.post(f"items/{memory_id}/{path}"))
        host.say(person, QUESTION, group=kitchen)
        assert ("bees" in "\n".join(model.chat_requests[-1].memory_blocks)) is told


def test_what_is_approved_is_told(host: Host, model: ScriptedModel, newcomer: Newcomer) -> None:
    person = newcomer("Ann")
    host.say(person, ALLERGY)
    [item] = host.memories.wait_for(person, FACT).values()
    assert "shrimp" not in block(host, model, person)
    waiting = body_of(host.plugin.get("review", params={"scope_id": item["scope_id"]}))
    assert [(each["item"]["fact"], each["evidence"][0]["quote"]) for each in waiting["waiting"]] == [
        (FACT, ALLERGY)
    ]
    assert waiting["reasons"]["mode"] >= 1
    decided = body_of(host.plugin.post("review/approve", json={"memory_ids": [item["memory_id"], "nothing"]}))
    assert decided["done"] == [item["memory_id"]]
    assert decided["left"] == [{"memory_id": "nothing", "why": "unknown", "detail": ""}]
    assert "shrimp" in block(host, model, person)


def test_a_person_whom_an_operator_paused_stays_so(
    host: Host, model: ScriptedModel, bees: tuple[Person, str]
) -> None:
    person, _ = bees
    account = {"account": f"plat_a:{person.id}"}
    assert body_of(host.plugin.post("people/pause", json=account)) == {
        **account,
        "paused": True,
        "was_own": False,
    }
    assert "an admin has paused your memory" in host.say(person, "/ltm resume")
    assert "管理员已暂停你的记忆" in host.say(person, "/ltm 恢复")
    assert block(host, model, person) == ""
    [known] = body_of(host.plugin.get("people", params={"q": person.id}))["people"]
    assert (known["account"], known["paused"], known["items"]) == (account["account"], True, 1)
    assert body_of(host.plugin.post("people/resume", json=account)) == {
        **account,
        "paused": False,
        "was_own": False,
    }
    assert "bees" in block(host, model, person)


def test_an_erased_person_leaves_nothing(host: Host, model: ScriptedModel, bees: tuple[Person, str]) -> None:
    person, memory_id = bees
    account = {"account": f"plat_a:{person.id}"}
    assert refused(host.plugin.post("people/erase", json=account), 422, "confirm")
    erased = body_of(host.plugin.post("people/erase", json={**account, "confirm": True}))
    assert erased["items"] == 1
    refused(host.plugin.get(f"items/{memory_id}"), 404)
    assert body_of(host.plugin.get("events", params={"sender_id": person.id}))["events"] == []
    assert block(host, model, person) == ""
    missing = {"account": "plat_a:nobody-at-all", "confirm": True}
    refused(host.plugin.post("people/erase", json=missing), 404)


def test_what_was_said_is_listed(host: Host, bees: tuple[Person, str]) -> None:
    person, _ = bees
    page = body_of(host.plugin.get("events", params={"umo": host.session_of(person), "q": "What can"}))
    assert [(event["role"], event["text"]) for event in page["events"]][-1] == ("user", QUESTION)


WRONG: list[tuple[str, str, Any, int, str | None]] = [
    ("PATCH", "items/{id}", {}, 422, "body"),
    ("PATCH", "items/{id}", {"importance": 2}, 422, "importance"),
    ("PATCH", "items/{id}", {"importance": 10**300}, 422, "importance"),
    ("PATCH", "items/{id}", {"ttl_days": 10**300}, 422, "ttl_days"),
    ("PATCH", "items/{id}", {"level": "RESTRICTED"}, 422, "level"),
    ("PATCH", "items/{id}", {"fact": "\n"}, 422, "fact"),
    ("PATCH", "items/{id}", {"owner": "me"}, 422, "owner"),
    ("PATCH", "items/nothing", {"importance": 0.1}, 404, None),
    ("POST", "items/nothing/update", {"importance": 0.1}, 404, None),
    ("POST", "items/nothing/delete", None, 404, None),
    ("DELETE", "items/nothing", None, 404, None),
    ("POST", "items/nothing/share", None, 404, None),
    ("POST", "items/nothing/unshare", None, 404, None),
    ("POST", "review/approve", {"memory_ids": []}, 422, "memory_ids"),
    ("POST", "review/reject", {"all": 1}, 422, "all"),
    ("POST", "people/pause", {"account": "nobody"}, 422, "account"),
    ("POST", "mode", {"mode": "loud"}, 422, "mode"),
    ("POST", "readonly", {"on": "on"}, 422, "on"),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "field"), WRONG)
def test_what_cannot_be_done_is_refused_by_its_field(
    host: Host,
    bees: tuple[Person, str],
    method: str,
    path: str,
    body: Any,
    status: int,
    field: str | None,
) -> None:
    _, memory_id = bees
    before = body_of(host.plugin.get(f"items/{memory_id}"))["item"]
    message = refused(host.plugin.request(method, path.format(id=memory_id), json=body), status, field)
    assert field is None or (message.startswith(f"{field}: ") and " must " in message)
    after = body_of(host.plugin.get(f"items/{memory_id}"))["item"]
    counted = {"access_count", "last_accessed_at"}
    assert {name: after[name] for name in after if name not in counted} == {
        name: before[name] for name in before if name not in counted
    }


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff", b"[" * 100_000, b'{"fact": "\\ud800"}', b"NaN"])
def test_a_body_that_is_no_json_object_is_refused(host: Host, bees: tuple[Person, str], raw: bytes) -> None:
    path = f"items/{bees[1]}/update"
    refused(host.plugin.post(path, content=raw, headers={"Content-Type": "application/json"}), 422, "body")


def test_while_nothing_may_be_written_everything_is_refused_and_nothing_changes(
    host: Host, bees: tuple[Person, str]
) -> None:
    person, memory_id = bees
    assert body_of(host.plugin.post("readonly", json={"on": True})) == {"read_only": True}
    try:
        account = {"account": f"plat_a:{person.id}"}
        asked: list[tuple[str, Any]] = [
            (f"items/{memory_id}/update", {"fact": "User likes rain"}),
            (f"items/{memory_id}/delete", None),
            (f"items/{memory_id}/share", None),
            (f"items/{memory_id}/unshare", None),
            ("review/approve", {"all": True}),
            ("review/reject", {"memory_ids": [memory_id]}),
            ("people/pause", account),
            ("people/resume", account),
            ("people/erase", {**account, "confirm": True}),
            ("mode", {"mode": "auto"}),
        ]
        for path, body in asked:
            assert refused(host.plugin.post(path, json=body), 409) == "emergency_read_only", path
        assert refused(host.plugin.patch(f"items/{memory_id}", json={"importance": 0.1}), 409)
        assert refused(host.plugin.delete(f"items/{memory_id}"), 409)
        assert body_of(host.plugin.get(f"items/{memory_id}"))["item"]["fact"] == "User is allergic to bees"
    finally:
        assert body_of(host.plugin.post("readonly", json={"on": False})) == {"read_only": False}


def test_the_mode_is_set_and_set_back(host: Host) -> None:
    try:
        assert body_of(host.plugin.post("mode", json={"mode": "manual"})) == {"mode": "manual"}
        assert body_of(host.plugin.get("health"))["mode"] == "manual"
    finally:
        assert body_of(host.plugin.post("mode", json={"mode": "shadow"})) == {"mode": "shadow"}
    assert body_of(host.plugin.get("health"))["mode"] == "shadow"
