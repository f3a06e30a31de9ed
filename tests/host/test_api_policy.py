"""The policy over the dashboard's API: in force in the next reply, kept over a reload, and taken back."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.host.harness.asking import block_given
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.plugin_files import PLUGIN
from tests.host.harness.scripted_model import ScriptedModel

pytestmark = pytest.mark.usefixtures("model")

ADMIN = Person("admin")
NUTS, TEA = "User is allergic to nuts", "User's name is Kim"


@pytest.fixture(scope="module")
def host(spare_host: Host) -> Iterator[Host]:
    """A host that learns in one group alone, and whose policy is afterwards what it was."""
    with spare_host.plugin.configured({"groups": {"only": ["plat_a:GroupMessage:bistro"]}}):
        yield spare_host


@pytest.fixture
def keeper(host: Host, newcomer: Callable[[str], Person]) -> Person:
    """Somebody of whom two things are known that stand whatever is asked."""
    person = newcomer("Kim")
    host.say(person, "My name is Kim. I'm allergic to nuts")
    host.memories.wait_for(person, NUTS, TEA)
    return person


def body_of(response: httpx.Response) -> dict[str, Any]:
    assert response.status_code == 200, response.text
    return response.json()


def in_force(host: Host) -> dict[str, Any]:
    return body_of(host.plugin.get("policy"))


def changed(host: Host, section: str, **values: object) -> dict[str, Any]:
    """The policy in force with some settings changed, for this version."""
    policy = in_force(host)
    sections = {name: policy[name] for name in ("write", "read", "version")}
    return {**sections, section: {**policy[section], **values}}


def saved(host: Host) -> dict[str, Any]:
    """The settings of the plugin as they lie on the disk."""
    return json.loads((host.root / "data" / "config" / f"{PLUGIN}_config.json").read_text("utf-8-sig"))


def facts_in(block: str) -> int:
    return sum(fact in block for fact in (NUTS, TEA))


def test_a_changed_policy_is_in_force_in_the_next_reply_over_a_reload_and_until_it_is_taken_back(
    host: Host, model: ScriptedModel, keeper: Person
) -> None:
    assert facts_in(block_given(host, model, keeper, "Hello")) == 2
    before, file = in_force(host), saved(host)
    answer = body_of(host.plugin.put("policy", json=changed(host, "read", max_items=1)))
    assert (answer["version"], answer["actor"]) == (before["version"] + 1, "operator:astrbot")
    assert facts_in(block_given(host, model, keeper, "Hello again")) == 1
    assert saved(host) == {**file, "read_policy": {**file["read_policy"], "max_items": 1}}

    host.plugin.reload()
    assert in_force(host) == answer
    assert facts_in(block_given(host, model, keeper, "Good morning")) == 1

    back = body_of(host.plugin.post("policy/rollback", json={"version": before["version"]}))
    assert (back["version"], back["read"]) == (answer["version"] + 1, before["read"])
    assert facts_in(block_given(host, model, keeper, "Good evening")) == 2
    assert saved(host) == file
    newest = body_of(host.plugin.get("policy/versions", params={"page_size": 2}))
    assert [each["changes"] for each in newest["versions"]] == [
        [{"field": "read.max_items", "before": 1, "after": before["read"]["max_items"]}],
        [{"field": "read.max_items", "before": before["read"]["max_items"], "after": 1}],
    ]


def test_the_command_and_the_page_change_the_same_mode(host: Host) -> None:
    host.say(ADMIN, "/ltm mode manual")
    policy = in_force(host)
    assert policy["write"]["mode"] == "manual"
    assert policy["actor"].startswith("operator:")
    body_of(host.plugin.post("policy/update", json=changed(host, "write", mode="auto")))
    assert "auto" in host.say(ADMIN, "/ltm mode").lower()
    assert saved(host)["write_policy"]["mode"] == "auto"
    assert body_of(host.plugin.get("health"))["mode"] == "auto"


def test_a_stale_version_and_a_bad_value_are_refused_and_change_nothing(host: Host) -> None:
    stale = changed(host, "read", max_items=2)
    body_of(host.plugin.post("policy/update", json=changed(host, "read", max_items=3)))
    before = in_force(host)
    refused = host.plugin.put("policy", json=stale)
    assert (refused.status_code, refused.json()["message"]) == (409, "stale_version")
    bad = host.plugin.put("policy", json=changed(host, "write", mode="sometimes"))
    assert (bad.status_code, bad.json()["data"]) == (422, {"field": "write.mode"})
    assert host.plugin.post("policy/rollback", json={"version": 9_999}).status_code == 404
    assert in_force(host) == before
    preview = body_of(host.plugin.post("policy/preview", json=_sections(stale)))
    assert preview["changes"] == [{"field": "read.max_items", "before": 3, "after": 2}]
    assert in_force(host) == before


def test_while_nothing_may_be_written_the_policy_stays(host: Host) -> None:
    host.say(ADMIN, "/ltm readonly on")
    try:
        refused = host.plugin.put("policy", json=changed(host, "read", max_items=5))
        assert (refused.status_code, refused.json()["message"]) == (409, "emergency_read_only")
    finally:
        host.say(ADMIN, "/ltm readonly off")


def test_a_trial_shows_what_the_next_reply_carries_and_leaves_no_trace(
    host: Host, model: ScriptedModel, keeper: Person
) -> None:
    asked = {"account": f"plat_a:{keeper.id}", "umo": host.session_of(keeper), "text": "What about nuts?"}
    tried = body_of(host.plugin.post("recall/try", json=asked))
    assert NUTS in {each["fact"] for each in tried["given"]}
    logged = body_of(host.plugin.get("recalls", params={"scope_id": asked["account"]}))
    assert "What about nuts?" not in {each["query"] for each in logged["recalls"]}
    assert tried["block"] == block_given(host, model, keeper, "What about nuts?")
    [newest, *_] = body_of(host.plugin.get("recalls", params={"umo": asked["umo"]}))["recalls"]
    assert newest["query"] == "What about nuts?"
    found = body_of(host.plugin.get(f"recalls/{newest['recall_id']}"))
    assert [each["fact"] for each in found["given"]] == [each["fact"] for each in tried["given"]]
    stranger = {"account": "plat_a:unheard", "umo": "plat_a:FriendMessage:unheard", "text": "Hello"}
    assert body_of(host.plugin.post("recall/try", json=stranger))["reason"] == "nothing_remembered"
    refused = host.plugin.post("recall/try", json={**asked, "umo": "plat_b:FriendMessage:x"})
    assert (refused.status_code, refused.json()["data"]) == (422, {"field": "umo"})


def test_the_overview_counts_what_there_is(host: Host, keeper: Person) -> None:
    stats = body_of(host.plugin.get("stats"))
    [scope] = [each for each in stats["scopes"] if each["scope_id"] == f"plat_a:{keeper.id}"]
    assert (scope["name"], scope["items"], scope["active"]) == ("Kim", 2, 2)
    assert stats["growth"][-1]["items"] + stats["growth"][-2]["items"] >= 2
    assert [len(stats[name]) for name in ("growth", "recalls", "tokens")] == [30, 14, 30]


def _sections(policy: dict[str, Any]) -> dict[str, Any]:
    return {name: policy[name] for name in ("write", "read")}
