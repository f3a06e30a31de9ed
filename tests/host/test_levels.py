"""How confidential a conversation becomes by its tools, on a real host, and where its memories surface."""

import re
import threading
from collections.abc import Callable, Iterator

import pytest

from tests.host.harness.answers import CallTool, Hold, Say
from tests.host.harness.asking import block_given
from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.waiting import wait_for

type Newcomer = Callable[[str], Person]

SHRIMP, EGGS = "User is allergic to shrimp", "User is allergic to eggs"
ASKED = "What should I cook?"
CALL = CallTool("test_weather", {"city": "Oslo"})
INTERNAL, CONFIDENTIAL = 2, 3
COUNT = "select count(*) as number from ltm_session_levels where umo = ?"

pytestmark = pytest.mark.usefixtures("model")


@pytest.fixture(scope="module")
def host(host: Host) -> Iterator[Host]:
    """A host on which the weather is confidential."""
    with host.plugin.configured({"levels": {"tools": ["test_weather=CONFIDENTIAL"]}}):
        yield host


def levels(host: Host, session: str) -> dict[str, int]:
    """What was said in a session, by its level."""
    query = "select json_extract(content, '$.text') as said, level from ltm_events where session_id = ?"
    return {row["said"]: row["level"] for row in host.memories.rows(query, session)}


def own_id(host: Host, person: Person, fact: str) -> str:
    """The short id under which commands know a memory."""
    return host.memories.of(person)[fact]["memory_id"][:8]


def tells(host: Host, person: Person, text: str, fact: str, group: str | None = None) -> None:
    """Let a person say something, and wait until it is a memory."""
    host.say(person, text, group=group)
    host.memories.wait_for(person, fact)


@pytest.mark.parametrize("group", [None, "lighthouse"], ids=["private", "group"])
def test_what_is_said_beside_a_tool_is_for_its_conversation_alone(
    host: Host, model: ScriptedModel, newcomer: Newcomer, group: str | None
) -> None:
    alice = newcomer("Alice")
    session = host.session_of(alice, group=group)
    host.say(alice, "Good morning", group=group)
    model.chat.will_answer(CALL, Say("Sunny."))
    told = "How is the weather? By the way, I'm allergic to shrimp"
    tells(host, alice, told, SHRIMP, group)
    kept = levels(host, session)
    assert kept["Good morning"] < CONFIDENTIAL
    assert {kept[each] for each in (told, "Sunny in Oslo.", "Sunny.")} == {CONFIDENTIAL}
    [item] = host.memories.rows(
        "select level from ltm_items where memory_id like ?", f"{own_id(host, alice, SHRIMP)}%"
    )
    assert item["level"] == CONFIDENTIAL
    assert SHRIMP in block_given(host, model, alice, ASKED, group=group)
    known = own_id(host, alice, SHRIMP)
    assert SHRIMP in host.say(alice, "/ltm list", group=group)
    assert "allergic" in host.say(alice, f"/ltm why {known}", group=group)

    # In a group that is for admins.
    host.new_conversation(Person("admin") if group else alice, group=group)
    assert block_given(host, model, alice, ASKED, group=group) == ""
    assert SHRIMP not in host.say(alice, "/ltm list", group=group)
    for command in ("why", "forget"):
        shown = host.say(alice, f"/ltm {command} {known}", group=group)
        assert shown.replace(known, "ffffffff") == host.say(alice, f"/ltm {command} ffffffff", group=group)
    host.memories.wait_until_extracted()
    assert host.say(alice, "/ltm why-not shrimp", group=group) == host.say(
        alice, "/ltm why-not llamas", group=group
    )
    assert SHRIMP in host.memories.of(alice)


def test_what_a_command_saves_is_kept_at_the_level_of_the_conversation(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    model.chat.will_answer(CALL, Say("Sunny."))
    host.say(alice, "How is the weather?")
    host.say(alice, "/ltm add I'm allergic to eggs")
    [item] = host.memories.rows("select level from ltm_items where scope_id = ?", f"plat_a:{alice.id}")
    assert item["level"] == CONFIDENTIAL
    host.new_conversation(alice)
    assert block_given(host, model, alice, ASKED) == ""


def test_a_tool_that_fails_has_raised_its_conversation_too(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    model.chat.will_answer(CallTool("test_weather", {"city": "Atlantis"}), Say("No idea."))
    host.say(alice, "How is the weather in Atlantis?")
    host.say(alice, "Good evening")
    assert levels(host, host.session_of(alice))["Good evening"] == CONFIDENTIAL


def test_what_somebody_adds_while_the_tool_is_at_work_is_as_confidential(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice, release = newcomer("Alice"), threading.Event()
    model.chat.will_answer(CALL, Hold(release, Say("Sunny.")))
    first = host.send(alice, "How is the weather?")
    wait_for(lambda: len(model.chat_requests) > 1)
    follow_up = host.send(alice, "By the way, I'm allergic to shrimp")
    host.memories.wait_for(alice, SHRIMP)
    release.set()
    for message in (first, follow_up):
        host.wait_for_turn(message)
    assert levels(host, host.session_of(alice))["By the way, I'm allergic to shrimp"] == CONFIDENTIAL


def test_a_tool_of_a_run_that_the_clock_began_raises_the_conversation(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    session = host.session_of(alice)
    host.say(alice, "Good morning")
    note = "Tell Alice the weather"
    job = {
        "name": "weather",
        "cron_expression": "0 0 1 1 *",
        "session": session,
        "payload": {"note": note, "session": session},
        "note": note,
    }
    created = data(host.dashboard.post("cron/jobs", json=job))
    model.chat.will_answer(CALL, Say("Sunny."))
    data(host.dashboard.post(f"cron/jobs/{created['job_id']}/run"))
    wait_for(lambda: host.memories.rows(COUNT, session)[0]["number"])
    wait_for(lambda: any("CronJob" in text for _, text in host.history(alice)))
    host.say(alice, "Good evening")
    kept = levels(host, session)
    assert (kept["Good morning"], kept["Good evening"]) == (INTERNAL, CONFIDENTIAL)


def test_after_a_reload_a_conversation_is_as_confidential_as_before(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice, bob = newcomer("Alice"), newcomer("Bob")
    for person in (alice, bob):
        model.chat.will_answer(CALL, Say("Sunny."))
        tells(host, person, "How is the weather? By the way, I'm allergic to shrimp", SHRIMP)
    host.new_conversation(bob)
    host.plugin.reload()
    assert SHRIMP in host.say(alice, "/ltm list")
    assert SHRIMP in block_given(host, model, alice, ASKED)
    assert SHRIMP not in host.say(bob, "/ltm list")
    assert block_given(host, model, bob, ASKED) == ""
    tells(host, alice, "I'm allergic to eggs", EGGS)
    host.new_conversation(alice)
    assert block_given(host, model, alice, ASKED) == ""


def test_what_is_said_in_one_group_surfaces_in_others_once_the_operator_says_so(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice, bob = newcomer("Alice"), newcomer("Bob")
    tells(host, alice, "I'm allergic to shrimp", SHRIMP, "bay")
    tells(host, alice, "I'm allergic to eggs", EGGS)
    assert block_given(host, model, alice, ASKED, group="cape") == ""
    with host.plugin.configured({"levels": {"cross_group": True, "private": "PUBLIC"}}):
        told = block_given(host, model, alice, ASKED, group="cape")
        assert SHRIMP in told
        assert EGGS not in told
        known = own_id(host, alice, SHRIMP)
        assert re.search("allergic to shrimp", host.say(alice, f"/ltm why {known}", group="cape"))
        assert block_given(host, model, bob, ASKED, group="cape") == ""
    assert block_given(host, model, alice, ASKED, group="cape") == ""
