"""The dashboard's API: health, items, one item with its evidence and history, and failed messages."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from astrbot_plugin_ltm.long_term_memory.models import ITEMS

from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.plugin_files import PLUGIN

COLUMNS = {column.name for column in ITEMS.columns} - {"id"}
EVIDENCE = {
    "evidence_id",
    "memory_id",
    "event_id",
    "quote",
    "before",
    "after",
    "extraction_method",
    "extraction_meta",
    "created_at",
    "role",
    "sender_id",
    "sender_name",
    "said_at",
    "umo",
}

pytestmark = pytest.mark.usefixtures("model")

type Newcomer = Callable[[str], Person]


@pytest.fixture
def host(cautious_host: Host) -> Host:
    return cautious_host


@pytest.fixture
def keeper(host: Host, newcomer: Newcomer) -> Person:
    """Somebody with three memories, two of them active."""
    person = newcomer("Kim")
    host.say(person, "/ltm add I keep bees")
    host.say(person, "/ltm add I love jasmine tea")
    host.say(person, "I'm allergic to shrimp")
    host.memories.wait_for(person, "I keep bees", "User loves jasmine tea", "User is allergic to shrimp")
    return person


def body_of(response: httpx.Response) -> dict[str, Any]:
    assert response.status_code == 200, response.text
    body = response.json()
    assert "data" not in body
    return body


def failed(host: Host) -> dict[str, str]:
    """The messages that the model was asked about in vain in tests before, if any; each has its state."""
    query = (
        "select event_id, extraction from ltm_events"
        " where last_error != '' and extraction in ('pending', 'failed')"
    )
    return {row["event_id"]: row["extraction"] for row in host.memories.rows(query)}


def listed(host: Host, **params: str | int) -> dict[str, Any]:
    return body_of(host.plugin.get("items", params=params))


@pytest.mark.usefixtures("keeper")
def test_health_says_that_it_runs_and_how_memory_stands(host: Host) -> None:
    host.plugin.reload()  # what failed while other tests used the host counts no more
    health = body_of(host.plugin.get("health"))
    counted = {status: listed(host, status=status)["total"] for status in ("active", "shadow")}
    assert {key: health[key] for key in ("state", "version", "problems", "failures", "mode")} == {
        "state": "running",
        "version": "0.1.0",
        "problems": [],
        "failures": {},
        "mode": "shadow",
    }
    assert (health["read_only"], health["chat_provider"], health["embedding_model"]) == (False, True, None)
    assert {status: health["items"][status] for status in counted} == counted
    assert bool(health["last_error"]) is bool(failed(host))
    assert health["background_jobs"] > 0


def test_items_are_a_page_of_every_column_but_the_vector(host: Host, keeper: Person) -> None:
    page = listed(host, scope="user", scope_id=f"plat_a:{keeper.id}")
    assert (set(page), page["total"], page["page"], page["page_size"]) == (
        {"items", "total", "page", "page_size"},
        3,
        1,
        50,
    )
    assert [set(item) for item in page["items"]] == [COLUMNS] * 3
    [item] = [item for item in page["items"] if item["fact"] == "I keep bees"]
    at = [item.pop(name) for name in ("created_at", "updated_at", "last_confirmed_at")]
    for changes_with_use in ("access_count", "last_accessed_at"):
        del item[changes_with_use]
    assert len(item.pop("memory_id")) == 36
    assert item == {
        "scope": "user",
        "scope_id": f"plat_a:{keeper.id}",
        "type": "episode",
        "fact": "I keep bees",
        "fact_key": "i keep bees",
        "confidence": 1.0,
        "importance": 0.8,
        "evidence_count": 1,
        "ttl_days": None,
        "status": "active",
        "reason": "",
        "level": "INTERNAL",
        "audience": "chat",
        "origin": "user_explicit",
        "origin_umo": host.session_of(keeper),
        "person": "",
        "teller": "",
        "relationship": "",
        "backstory": "",
        "slot": "",
        "superseded_by": None,
        "supersedes": [],
        "tags": [],
        "emotion": 0.0,
        "persona_id": "",
        "expires_at": None,
        "deleted_at": None,
    }
    assert {datetime.fromisoformat(each).utcoffset() for each in at} == {timedelta(0)}


def test_an_item_comes_with_the_words_it_rests_on(host: Host, keeper: Person) -> None:
    fact = "User is allergic to shrimp"
    item = host.memories.of(keeper)[fact]
    body = body_of(host.plugin.get(f"items/{item['memory_id']}"))
    assert set(body) == {
        "item",
        "evidence",
        "older",
        "replaces",
        "otherwise",
        "audience",
        "audit",
        "reworded_at",
    }
    assert (body["item"], body["older"], body["reworded_at"]) == (item, [], None)
    assert body["audience"] == {
        "chats": [host.session_of(keeper)],
        "everywhere": False,
        "scope": "user",
        "level": "INTERNAL",
    }
    assert [line["action"] for line in body["audit"]] == ["add"]
    [evidence] = body["evidence"]
    assert set(evidence) == EVIDENCE
    assert (evidence["quote"], evidence["extraction_method"], evidence["role"]) == (
        "I'm allergic to shrimp",
        "rule",
        "user",
    )
    assert (evidence["sender_id"], evidence["sender_name"]) == (keeper.id, "Kim")
    assert evidence["umo"] == host.session_of(keeper)
    [event] = host.memories.rows("select * from ltm_events where event_id = ?", evidence["event_id"])
    said_at = datetime.fromisoformat(evidence["said_at"])
    assert said_at.replace(tzinfo=None) == datetime.fromisoformat(event["created_at"])
    assert said_at.utcoffset() == timedelta(0)


def test_the_use_of_a_memory_is_counted(host: Host, newcomer: Newcomer) -> None:
    person = newcomer("Kim")
    host.say(person, "/ltm add I keep bees")
    host.say(person, "Do I keep bees?")
    used = host.memories.wait_until_used(person, "I keep bees")
    assert used["access_count"] == 1
    assert datetime.fromisoformat(used["last_accessed_at"]) >= datetime.fromisoformat(used["created_at"])


def test_pages_hold_each_item_once(host: Host, keeper: Person) -> None:
    own = {"scope": "user", "scope_id": f"plat_a:{keeper.id}", "page_size": 2}
    first, second, third = (listed(host, **own, page=number) for number in (1, 2, 3))
    assert [page["total"] for page in (first, second, third)] == [3, 3, 3]
    assert [len(page["items"]) for page in (first, second, third)] == [2, 1, 0]
    facts = [item["fact"] for page in (first, second) for item in page["items"]]
    assert sorted(facts) == sorted(host.memories.of(keeper))
    assert listed(host, page_size=200)["page_size"] == 200


@pytest.mark.parametrize(
    ("params", "facts"),
    [
        ({"type": "preference"}, ["User loves jasmine tea"]),
        ({"status": "shadow"}, ["User is allergic to shrimp"]),
        ({"status": "active", "type": "episode"}, ["I keep bees"]),
        ({"q": "JASMINE"}, ["User loves jasmine tea"]),
        ({"q": "tea jasmine"}, ["User loves jasmine tea"]),
        ({"q": "%"}, []),
        ({"q": "'; drop table ltm_items; --"}, []),
        ({"status": "deleted"}, []),
        ({"scope": "group"}, []),
        ({"type": "", "status": "", "q": "", "page": ""}, None),
    ],
)
def test_filters_narrow_the_list(
    host: Host, keeper: Person, params: dict[str, str], facts: list[str] | None
) -> None:
    own = {"scope": "user", "scope_id": f"plat_a:{keeper.id}"}
    found = [item["fact"] for item in listed(host, **{**own, **params})["items"]]
    assert sorted(found) == sorted(host.memories.of(keeper) if facts is None else facts)


def test_a_chinese_word_is_found(host: Host, newcomer: Newcomer) -> None:
    person = newcomer("Kim")
    host.say(person, "/ltm 记 我养蜜蜂")
    host.say(person, "/ltm 记 我养山羊")
    found = listed(host, scope="user", scope_id=f"plat_a:{person.id}", q="蜜蜂")
    assert [item["fact"] for item in found["items"]] == ["我养蜜蜂"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("page", "0"),
        ("page", "-1"),
        ("page", "one"),
        ("page", "1.5"),
        ("page", "１"),
        ("page", "9" * 5000),
        ("page_size", "0"),
        ("page_size", "201"),
        ("page_size", "1e2"),
        ("scope", "nobody"),
        ("type", "poem"),
        ("status", "Active"),
        ("sort", "fact"),
        ("level", "public"),
        ("origin", "nobody"),
    ],
)
def test_a_bad_value_is_refused_and_the_field_is_named(host: Host, field: str, value: str) -> None:
    response = host.plugin.get("items", params={field: value})
    assert response.status_code == 422
    body = response.json()
    assert (body["status"], body["data"]) == ("error", {"field": field})
    assert body["message"].startswith(f"{field}: must be ")


@pytest.mark.parametrize(
    "memory_id", ["nothing", "00000000-0000-4000-8000-000000000000", "%25", "a' or '1'='1"]
)
def test_an_unknown_id_is_not_found(host: Host, memory_id: str) -> None:
    response = host.plugin.get(f"items/{memory_id}")
    assert (response.status_code, response.json()["status"]) == (404, "error")


def test_only_what_has_failed_is_listed_and_tried_again(host: Host) -> None:
    given_up = {event_id for event_id, state in failed(host).items() if state == "failed"}
    jobs = body_of(host.plugin.get("jobs"))
    assert {job["event_id"] for job in jobs.pop("jobs")} == given_up
    assert jobs == {"total": len(given_up), "page": 1, "page_size": 50}
    assert body_of(host.plugin.post("jobs/retry")) == {"retried": len(given_up)}
    assert host.plugin.get("jobs", params={"page": "0"}).json()["data"] == {"field": "page"}
    assert host.plugin.get("jobs/retry").json()["status"] == "error"


@pytest.mark.parametrize("path", ["health", "items", "items/nothing", "jobs"])
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer forged"}], ids=["no token", "forged"])
def test_without_a_token_nothing_is_told(host: Host, path: str, headers: dict[str, str]) -> None:
    url = f"{host.dashboard.url}/api/v1/plugins/extensions/{PLUGIN}/{path}"
    response = httpx.get(url, headers=headers, trust_env=False)
    assert response.status_code == 401
    assert not {"items", "jobs"} & set(response.json())
