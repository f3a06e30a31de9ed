"""What holds when the host is started again: settings, levels, what was lost meanwhile, what is wrong now."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.host.harness.answers import CallTool, Say
from tests.host.harness.asking import block_given
from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.plugin_files import PLUGIN
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import merged, write_config
from tests.host.harness.tables import Tables

ADMIN = Person("admin")
ASKED = "What should I cook?"
SHRIMP = "User is allergic to shrimp"

pytestmark = pytest.mark.usefixtures("model")

type Newcomer = Callable[[str], Person]


@pytest.fixture
def host(spare_host: Host) -> Iterator[Host]:
    """A host that is afterwards set as it was."""
    before = spare_host.plugin.config()
    yield spare_host
    spare_host.plugin.save_config(before)


def test_policy_levels_and_a_stop_of_all_writing_hold_over_a_restart(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    ann, bob = newcomer("Ann"), newcomer("Bob")
    tools = {"levels": {"tools": ["test_weather=CONFIDENTIAL"]}}
    host.plugin.save_config(merged(host.plugin.config(), tools))
    host.say(ann, "My name is Ann. I'm allergic to nuts")
    model.chat.will_answer(CallTool("test_weather", {"city": "Oslo"}), Say("Sunny."))
    host.say(bob, "How is the weather? By the way, I'm allergic to shrimp")
    host.memories.wait_for(ann, "User's name is Ann", "User is allergic to nuts")
    host.memories.wait_for(bob, SHRIMP)
    policy = policy_of(host)
    one = {
        **{name: policy[name] for name in ("write", "version")},
        "read": {**policy["read"], "max_items": 1},
    }
    changed = data(host.plugin.put("policy", json=one))
    host.memories.wait_until_extracted()
    assert host.say(ADMIN, "/ltm readonly on").startswith("Read-only from now on")
    assert host.plugin.config()["emergency_read_only"] is True
    before = Tables(host.database).contents()
    nothing_is_written(host, ann)
    host.stop()
    host.start()
    assert policy_of(host) == changed
    assert len(block_given(host, model, ann, ASKED).splitlines()) == 3
    nothing_is_written(host, ann)
    assert SHRIMP in block_given(host, model, bob, ASKED)
    host.new_conversation(bob)
    assert block_given(host, model, bob, ASKED) == ""
    assert Tables(host.database).contents() == before
    assert host.say(ADMIN, "/记忆 只读 关") == "只读已结束，恢复写入。"
    host.say(ann, "I'm allergic to eggs")
    host.memories.wait_for(ann, "User is allergic to eggs")
    assert host.plugin.config()["emergency_read_only"] is False


def nothing_is_written(host: Host, person: Person) -> None:
    host.say(person, "I'm allergic to shrimp")
    assert "read-only" in host.say(person, "/ltm add my car is red")


def policy_of(host: Host) -> dict[str, Any]:
    return data(host.plugin.get("policy"))


def test_a_wrong_setting_pauses_a_start_and_a_lost_marker_costs_no_memory(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    settings, ann = host.plugin.config(), newcomer("Ann")
    host.say(ann, "/ltm add I'm allergic to shrimp")
    store_id = (host.plugin_data / "store_id").read_text("utf-8")
    host.stop()
    before = Tables(host.database).contents()
    Tables(host.database).rows("delete from preferences where scope = 'plugin' and key = 'store_id'")
    write_config(host.root / "data" / "config" / f"{PLUGIN}_config.json", {"write_policy": {"mode": "loud"}})
    log = len(host.log())
    host.start()
    assert host.say(ADMIN, "My name is Ada") == "You said: My name is Ada"
    assert block_given(host, model, ann, ASKED) == ""
    assert data(host.plugin.get("health"))["state"] == "paused"
    assert "write_policy.mode: must be one of shadow, auto, manual" in host.log()[log:]
    assert Tables(host.database).contents() == before
    host.plugin.save_config(settings)
    assert SHRIMP in block_given(host, model, ann, ASKED)
    assert (host.plugin_data / "store_id").read_text("utf-8") == store_id
    ((value,),) = Tables(host.database).rows("select value from preferences where key = 'store_id'")
    assert store_id.strip() in json.dumps(value)
    assert data(host.plugin.get("health"))["notes"] == []
