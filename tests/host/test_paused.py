"""Settings that cannot be followed, and those that say to do nothing: the bot goes on without the memory."""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import merged
from tests.host.harness.tables import Row, Tables
from tests.host.harness.waiting import wait_for
from tests.hosts import EAGER

ADMIN = Person("admin", "Admin")
AS_BEFORE: Mapping[str, object] = {"state": "running", "read_only": True, "mode": "auto", "failures": {}}
QUESTION = "What is there to eat with peanuts?"
ALLERGY = "I am allergic to peanuts"
FACT = "User is allergic to peanuts"
GOOD: Mapping[str, Any] = merged(
    EAGER,
    {"injection": "user", "emergency_read_only": False, "levels": {}, "identity": {}, "read_policy": {}},
)
"""Saving replaces the objects in it as a whole, so whatever was wrong in them is gone."""


@pytest.fixture(scope="module")
def host(spare_host: Host) -> Iterator[Host]:
    with spare_host.plugin.configured(GOOD):
        yield spare_host


@pytest.fixture
def ann(host: Host, model: ScriptedModel, newcomer: Callable[[str], Person]) -> Person:
    """Somebody of whom something is remembered already; the plugin follows its settings again."""
    if {**health(host), **AS_BEFORE} != health(host):
        host.plugin.save_config(dict(GOOD))
    person = newcomer("Ann")
    host.say(person, f"/ltm add {ALLERGY}")
    assert FACT in recalled(host, model, person)
    return person


def test_a_wrong_value_in_the_file_pauses_until_it_is_put_right(
    host: Host, model: ScriptedModel, ann: Person
) -> None:
    wrong: Mapping[str, tuple[str, Any]] = {
        "write_policy.min_confidence": ("from 0 to 1", math.nan),
        "recall_deadline_ms": ("a whole number from 10 to 10000", 10**400),
        "enable": ("must be true or false", "no"),
        "levels.chats": ("line 1 must be", ["plat_a"]),
    }
    for key, (why, value) in wrong.items():
        log = len(host.log())
        config = json.dumps(merged(GOOD, _nested(key, value)))
        (host.root / "data" / "config" / "astrbot_plugin_ltm_config.json").write_text(config, "utf-8")
        host.plugin.reload()
        it_is_paused(host, model, ann, key, why)
        assert f"{key}: " in host.log()[log:]
        assert why in host.log()[log:]
    host.plugin.save_config(dict(GOOD))
    it_runs(host, model, ann)


def test_a_wrong_value_saved_in_the_dashboard_pauses_until_it_is_put_right(
    host: Host, model: ScriptedModel, ann: Person
) -> None:
    wrong: Mapping[str, tuple[str, Any]] = {
        "read_policy.min_confidence": ("from 0 to 1", "nan"),
        "extraction.idle_seconds": ("from 1 to 86400", 0),
        "identity.cross_platform_aliases": ("line 1 must be", ["a"]),
    }
    for key, (why, value) in wrong.items():
        host.plugin.save_config(merged(GOOD, _nested(key, value)))
        it_is_paused(host, model, ann, key, why)
    host.plugin.save_config(dict(GOOD))
    it_runs(host, model, ann)


def _nested(key: str, value: object) -> Mapping[str, Any]:
    """A setting by its whole key."""
    group, _, name = key.rpartition(".")
    return {group: {name: value}} if group else {name: value}


def test_several_wrong_values_are_named_all_at_once(host: Host, model: ScriptedModel, ann: Person) -> None:
    wrong = {"write_policy": {"mode": "loud", "max_writes_per_hour": -1}, "injection": "loudly"}
    host.plugin.save_config(merged(GOOD, wrong))
    problems = health(host)["problems"]
    assert [problem["key"] for problem in problems] == [
        "write_policy.mode",
        "write_policy.max_writes_per_hour",
        "injection",
    ]
    status = host.say(ADMIN, "/ltm status")
    assert all(problem["why"] in status for problem in problems)
    host.plugin.save_config(dict(GOOD))
    it_runs(host, model, ann)


def test_a_store_of_a_newer_version_is_left_alone(host: Host, model: ScriptedModel, ann: Person) -> None:
    tables = Tables(host.database)
    ((revision,),) = tables.rows("select version_num from ltm_alembic_version")
    tables.rows("update ltm_alembic_version set version_num = 'from_the_future'")
    try:
        host.plugin.reload()
        it_is_paused(host, model, ann, "store", "a newer version of the plugin has written the tables")
        assert "from_the_future" in host.log()
    finally:
        tables.rows("update ltm_alembic_version set version_num = ?", revision)
    host.plugin.reload()
    it_runs(host, model, ann)


def test_switched_off_it_does_nothing_at_all(host: Host, model: ScriptedModel, ann: Person) -> None:
    host.plugin.save_config(merged(GOOD, {"enable": False}))
    asked, before = asked_about_ann(model), contents(host)

    assert recalled(host, model, ann) == ""
    assert host.say(ann, "My name is Ann") == "You said: My name is Ann"
    assert host.say(ann, "/ltm add I play the cello") == "The memory is switched off."
    assert host.say(ann, "/ltm list") == "The memory is switched off."
    assert health(host)["state"] == "disabled"
    assert host.plugin.get("items").status_code == 503
    assert asked_about_ann(model) == asked
    assert host.internals().tasks.get("_guarded", 0) == 0
    assert contents(host) == before

    host.plugin.save_config(dict(GOOD))
    it_runs(host, model, ann)


def test_read_only_recalls_and_changes_no_row(host: Host, model: ScriptedModel, ann: Person) -> None:
    ((memory_id,),) = Tables(host.database).rows(
        "select memory_id from ltm_items where scope_id = ?", f"plat_a:{ann.id}"
    )
    wait_for(lambda: health(host)["events"]["pending"] == 0)
    host.plugin.save_config(merged(GOOD, {"emergency_read_only": True}))
    asked, before = asked_about_ann(model), contents(host)

    assert FACT in recalled(host, model, ann)
    assert host.say(ann, "My name is Ann") == "You said: My name is Ann"
    for person, command in (
        (ann, "/ltm add I play the cello"),
        (ann, f"/ltm forget {memory_id}"),
        (ADMIN, "/ltm mode shadow"),
        (ADMIN, "/ltm approve all"),
    ):
        assert host.say(person, command) == "The memory is read-only; nothing was changed."
    assert memory_id[:8] in host.say(ann, "/ltm list")
    assert "Read-only" in host.say(ADMIN, "/ltm status")
    assert {**health(host), **AS_BEFORE} == health(host)
    assert asked_about_ann(model) == asked
    assert contents(host) == before

    host.plugin.save_config(dict(GOOD))
    it_runs(host, model, ann)


def it_is_paused(host: Host, model: ScriptedModel, person: Person, key: str, why: str) -> None:
    """The bot answers, the store stays as it is, nothing is injected, and operators are told why."""
    before = contents(host)
    assert recalled(host, model, person) == ""
    assert host.say(person, "My name is Ann") == "You said: My name is Ann"
    assert "paused" in host.say(person, "/ltm add I play the cello")
    status = host.say(ADMIN, "/ltm status")
    assert why in status
    (problem,) = health(host)["problems"]
    assert health(host)["state"] == "paused"
    assert problem["key"] == key
    assert why in problem["why"]
    refused = host.plugin.get("items")
    assert refused.status_code == 503
    assert key in refused.json()["message"]
    assert contents(host) == before


def it_runs(host: Host, model: ScriptedModel, person: Person) -> None:
    assert (health(host)["state"], health(host)["problems"]) == ("running", [])
    assert FACT in recalled(host, model, person)
    host.say(person, "My name is Ann")
    wait_for(lambda: "name is Ann" in recalled(host, model, person))


def recalled(host: Host, model: ScriptedModel, person: Person) -> str:
    """The memory that reaches the model when the person asks for food; empty without a block."""
    assert host.say(person, QUESTION) == f"You said: {QUESTION}"
    return model.chat_requests[-1].memory_block or ""


def asked_about_ann(model: ScriptedModel) -> int:
    """How often the model was asked about what Ann said; another host may ask about others at any time."""
    return sum("My name is Ann" in request.prompt for request in model.extraction_requests)


def health(host: Host) -> dict[str, Any]:
    return data(host.plugin.get("health"))


def contents(host: Host) -> Mapping[str, Sequence[Row]]:
    return Tables(host.database).contents()
