"""Which runs of an agent are recorded: those of third parties too, those that nobody asked for never."""

import threading
from collections.abc import Callable, Iterator

import pytest

from tests.host.harness.answers import CallTool, Fail, Hold, Say
from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.third_party import ThirdParty
from tests.host.harness.waiting import wait_for

type Newcomer = Callable[[str], Person]

SHRIMP = "User is allergic to shrimp"

pytestmark = pytest.mark.usefixtures("model")


@pytest.fixture(scope="module")
def agents() -> Iterator[ThirdParty]:
    """The services of third parties."""
    with ThirdParty() as serving:
        yield serving


@pytest.fixture(params=["dify", "coze"])
def delegating(request: pytest.FixtureRequest, host: Host, agents: ThirdParty) -> Iterator[Host]:
    """A host whose agent runs elsewhere."""
    with host.configured(agents.runner(request.param)):
        yield host


@pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("group", [None, "harbour"], ids=["private", "group"])
def test_a_turn_answered_by_a_third_party_is_recorded_once(
    delegating: Host, newcomer: Newcomer, group: str | None, *, streaming: bool
) -> None:
    alice, told = newcomer("Alice"), "I'm allergic to shrimp"
    turn = delegating.turn(alice, told, group=group, streaming=streaming)
    item = delegating.memories.wait_for(alice, SHRIMP)[SHRIMP]
    assert turn.text == f"You said: {told}"
    assert item["evidence_count"] == 1
    mine = "select event_id from ltm_events where message_id = ?"
    assert len(delegating.memories.rows(mine, turn.message_id)) == 2
    session = delegating.session_of(alice, group=group)
    assert delegating.memories.recorded(session)[-2:] == [("user", told), ("assistant", turn.text)]


def test_a_turn_that_a_third_party_failed_in_is_not_recorded(
    delegating: Host, agents: ThirdParty, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    agents.fails = True
    try:
        delegating.say(alice, "I'm allergic to shrimp")
    finally:
        agents.fails = False
    assert delegating.memories.recorded(delegating.session_of(alice)) == []


@pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streamed"])
def test_of_messages_that_are_answered_by_an_error_none_is_recorded(
    host: Host, model: ScriptedModel, newcomer: Newcomer, *, streaming: bool
) -> None:
    alice = newcomer("Alice")
    model.chat.always(Fail(400))
    for food in ("shrimp", "eggs", "nuts"):
        assert "scripted failure" in host.turn(alice, f"I'm allergic to {food}", streaming=streaming).text
    model.chat.reset()
    host.turn(alice, "Good morning", streaming=streaming)
    assert host.memories.recorded(host.session_of(alice)) == [
        ("user", "Good morning"),
        ("assistant", "You said: Good morning"),
    ]


def test_what_wakes_the_agent_by_the_clock_is_not_recorded(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    host.say(alice, "Good morning")
    job = {
        "name": "reminder",
        "cron_expression": "0 0 1 1 *",
        "session": host.session_of(alice),
        "payload": {"note": "My name is Alice and I'm allergic to shrimp", "session": host.session_of(alice)},
        "note": "My name is Alice and I'm allergic to shrimp",
    }
    job_id = data(host.dashboard.post("cron/jobs", json=job))["job_id"]
    before = len(model.chat_requests)
    model.chat.will_answer("As far as I know, you live in Oslo.")
    try:
        data(host.dashboard.post(f"cron/jobs/{job_id}/run"))
        wait_for(lambda: len(model.chat_requests) > before)
        wait_for(lambda: any("CronJob" in text for _, text in host.history(alice)))
    finally:
        data(host.dashboard.delete(f"cron/jobs/{job_id}"))
    host.memories.wait_until_extracted()
    assert [text for _, text in host.memories.recorded(host.session_of(alice))] == [
        "Good morning",
        "You said: Good morning",
    ]
    assert host.memories.of(alice) == {}


def test_of_a_run_that_was_stopped_only_the_persons_words_are_recorded(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice, release = newcomer("Alice"), threading.Event()
    model.chat.will_answer(Hold(release, Say("Too late.")))
    running = host.send(alice, "I'm allergic to shrimp")
    wait_for(lambda: model.chat_requests)
    host.say(alice, "/stop")
    release.set()
    host.wait_for_turn(running)
    host.memories.wait_for(alice, SHRIMP)
    assert host.memories.recorded(host.session_of(alice)) == [("user", "I'm allergic to shrimp")]


def test_the_words_of_a_tool_are_recorded_as_a_tools(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    model.chat.will_answer(CallTool("test_weather", {"city": "Oslo"}), Say("Sunny."))
    host.say(alice, "How is the weather?")
    roles = dict(host.memories.recorded(host.session_of(alice)))
    assert roles["tool"] == "Sunny in Oslo."
    assert roles["user"] == "How is the weather?"


def test_what_a_tool_found_for_a_command_is_not_recorded(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    model.chat.will_answer(CallTool("future_task", {"action": "list"}), Say("Nothing to do."))
    assert host.say(alice, "/ask What is there to do?") == "Nothing to do."
    host.say(alice, "Good morning")
    assert host.memories.recorded(host.session_of(alice)) == [
        ("user", "Good morning"),
        ("assistant", "You said: Good morning"),
    ]
