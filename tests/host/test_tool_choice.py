"""The tools go by what the operator has chosen in the host, though the host does not list them."""

from collections.abc import Callable, Iterator

import pytest

from tests.host.harness.answers import CallTool
from tests.host.harness.dashboard import data
from tests.host.harness.host import TEST_PLATFORM, Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import CHAT_PROVIDER
from tests.tools import TOOLS

type Newcomer = Callable[[str], Person]

PERSONAS = {
    "mute": [],
    "reader": ["memory_get", "memory_list", "test_weather"],
    "only ours": ["memory_search"],
    "free": None,
}

pytestmark = pytest.mark.usefixtures("model")


@pytest.fixture(scope="module")
def staffed(host: Host) -> Iterator[Host]:
    """A host with personas that have some tools, none, or all; its models see tools in two steps."""
    for name, tools in PERSONAS.items():
        made = {"persona_id": name, "system_prompt": f"You are {name}.", "tools": tools}
        data(host.dashboard.post("personas", json=made))
    with host.configured({"agent_runner": {"config": {"misc": {"tool_schema_mode": "skills_like"}}}}):
        yield host


def answered_by(host: Host, person: Person, persona: str) -> None:
    """Make a persona answer this person, as the dashboard's session rules do."""
    rule = {
        "umo": host.session_of(person),
        "rule_key": "session_service_config",
        "rule_value": {"persona_id": persona},
    }
    data(host.dashboard.post("sessions/rules", json=rule))


def offered(host: Host, model: ScriptedModel, person: Person) -> list[str]:
    """What a request of this person carries, of the plugin's tools and the other one."""
    host.say(person, "Hello")
    return sorted(name for name in model.chat_requests[-1].tools if name in {*TOOLS, "test_weather"})


ALL = sorted([*TOOLS, "test_weather"])


@pytest.mark.parametrize(
    ("persona", "tools"),
    [
        ("mute", []),
        ("reader", ["memory_get", "memory_list", "test_weather"]),
        ("only ours", ["memory_search"]),
        ("free", ALL),
        ("one that is gone", ALL),
    ],
)
def test_a_person_has_the_tools_of_the_persona_that_answers(
    staffed: Host, model: ScriptedModel, newcomer: Newcomer, persona: str, tools: list[str]
) -> None:
    person = newcomer("Ada")
    assert offered(staffed, model, person) == ALL
    answered_by(staffed, person, persona)
    assert offered(staffed, model, person) == tools


def test_one_of_two_people_has_paused_and_only_the_other_is_offered_tools(
    staffed: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    paused, other = newcomer("Bea"), newcomer("Cid")
    staffed.say(paused, "/ltm pause")
    for _ in range(2):
        assert offered(staffed, model, paused) == ["test_weather"]
        assert offered(staffed, model, other) == ALL


@pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streamed"])
def test_tools_whose_parameters_are_asked_for_separately_work(
    staffed: Host, model: ScriptedModel, newcomer: Newcomer, streaming: bool
) -> None:
    person = newcomer("Dan")
    save = CallTool("memory_save", {"key": "hobby", "content": "User plays chess"})
    model.chat.will_answer(save, save, "Saved.")
    said = staffed.turn(person, "Please remember that I play chess", streaming=streaming).text
    assert said.endswith("Saved.")
    assert set(staffed.memories.of(person)) == {"User plays chess"}


def test_the_host_keeps_none_of_them_and_reloads_and_switches_leave_each_once(
    staffed: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    person = newcomer("Eve")
    for _ in range(2):
        staffed.plugin.reload()
        assert offered(staffed, model, person) == ALL
    assert not staffed.internals().tools.keys() & set(TOOLS)
    staffed.plugin.disable()
    assert offered(staffed, model, person) == ["test_weather"]
    staffed.plugin.enable()
    assert offered(staffed, model, person) == ALL


def test_chats_whose_profile_leaves_the_plugin_out_have_none(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    with host.configured({"plugin_set": [TEST_PLATFORM]}):
        assert offered(host, model, newcomer("Fay")) == ["test_weather"]


def test_a_model_that_uses_no_tools_is_given_none_and_answers(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    person = newcomer("Gil")
    with host.provider_changed(CHAT_PROVIDER, {"modalities": ["text"]}):
        assert host.say(person, "Hello") == "You said: Hello"
        assert list(model.chat_requests[-1].tools) == []
