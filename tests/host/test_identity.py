"""Whose memory it is on a real host: linked accounts, personas, projects, sessions of one's own."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.host.harness.asking import block_given
from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import USERNAME
from tests.host.harness.waiting import wait_for

pytestmark = pytest.mark.usefixtures("model")

type Newcomer = Callable[[str], Person]

SHRIMP, EGGS = "User is allergic to shrimp", "User is allergic to eggs"
ASKED = "What should I cook?"
DRAFT = "The draft is half done"


@pytest.fixture(scope="module")
def personas(host: Host) -> None:
    """Two personas beside the host's own."""
    for name in ("pirate", "parrot: the 2nd"):
        made = {"persona_id": name, "system_prompt": f"You are {name}."}
        data(host.dashboard.post("personas", json=made))


@pytest.fixture
def masked(host: Host, personas: None) -> Iterator[Host]:  # noqa: ARG001 - they are there
    """A host that keeps the memories of its personas apart."""
    with host.plugin.configured({"identity": {"per_persona": True}}):
        yield host


@pytest.fixture
def isolated(host: Host) -> Iterator[Host]:
    """A host that keeps a session for each member of a group."""
    with host.configured({"platform_settings": {"unique_session": True}}):
        yield host


def facts(block: str) -> set[str]:
    """The facts of a block."""
    return {line.split("] ", 1)[1].split(" (confidence: ")[0] for line in block.splitlines()[1:-1]}


def answered_by(host: Host, session: str, persona: str) -> None:
    """Make a persona answer in a session, as the dashboard's session rules do."""
    rule = {"umo": session, "rule_key": "session_service_config", "rule_value": {"persona_id": persona}}
    data(host.dashboard.post("sessions/rules", json=rule))


def linked(host: Host, main: Person, other: Person) -> str:
    """Join an account on the second platform to one on the first; returns the last reply."""
    [code] = re.findall(r"/ltm link ([A-Z0-9]{8})", host.say(main, "/ltm link"))
    assert "Nothing is linked yet" in host.say(other, f"/ltm link {code}", platform="plat_b")
    assert "has entered your code" in host.say(main, "/ltm link confirm")
    return host.say(main, "/ltm link confirm")


def test_two_accounts_are_one_person_once_both_have_agreed(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    main, other, stranger = newcomer("Robin"), newcomer("Robin"), newcomer("Robin")
    host.say(main, "I'm allergic to shrimp")
    host.memories.wait_for(main, SHRIMP)
    assert block_given(host, model, other, ASKED, platform="plat_b") == ""
    assert linked(host, main, other).startswith("Linked to Robin")
    assert facts(block_given(host, model, other, ASKED, platform="plat_b")) == {SHRIMP}
    assert block_given(host, model, stranger, ASKED, platform="plat_b") == ""
    assert block_given(host, model, other, ASKED, platform="plat_b", group="alley") == ""
    host.say(other, "I'm allergic to eggs", platform="plat_b")
    host.memories.wait_for(main, EGGS)
    assert facts(block_given(host, model, main, ASKED)) == {SHRIMP, EGGS}
    host.plugin.reload()
    assert facts(block_given(host, model, other, ASKED, platform="plat_b")) == {SHRIMP, EGGS}
    assert "stay with plat_a:" in host.say(other, "/ltm unlink", platform="plat_b")
    assert block_given(host, model, other, ASKED, platform="plat_b") == ""


def test_a_code_shown_in_a_group_joins_nobody(host: Host, newcomer: Newcomer) -> None:
    main, other = newcomer("Robin"), newcomer("Robin")
    assert "private chats only" in host.say(main, "/ltm link", group="alley")
    assert "只能在私聊中" in host.say(main, "/ltm 关联", group="alley")
    [code] = re.findall(r"/ltm link ([A-Z0-9]{8})", host.say(main, "/ltm link"))
    assert "private chats only" in host.say(other, f"/ltm link {code}", group="alley")
    assert "wrong, expired or used" in host.say(other, f"/ltm link {code}", platform="plat_b")


def test_what_a_persona_was_told_no_other_persona_recalls(
    masked: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    session = masked.session_of(alice)
    answered_by(masked, session, "pirate")
    masked.say(alice, "I'm allergic to shrimp")
    wait_for(lambda: masked.memories.items(scope_id=f"!ppirate:plat_a:{alice.id}"))
    assert facts(block_given(masked, model, alice, ASKED)) == {SHRIMP}
    assert SHRIMP in masked.say(alice, "/ltm list")
    answered_by(masked, session, "parrot: the 2nd")
    assert block_given(masked, model, alice, ASKED) == ""
    masked.say(alice, "I'm allergic to eggs")
    wait_for(lambda: masked.memories.items(scope_id=f"!pparrot!. the 2nd:plat_a:{alice.id}"))
    assert facts(block_given(masked, model, alice, ASKED)) == {EGGS}
    answered_by(masked, session, "default")
    assert block_given(masked, model, alice, ASKED) == ""
    answered_by(masked, session, "pirate")
    assert facts(block_given(masked, model, alice, ASKED)) == {SHRIMP}


def test_what_the_default_persona_was_told_all_recall(
    masked: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    masked.say(alice, "I'm allergic to shrimp")
    masked.memories.wait_for(alice, SHRIMP)
    for persona in ("pirate", "parrot: the 2nd", "one that is gone"):
        answered_by(masked, masked.session_of(alice), persona)
        assert facts(block_given(masked, model, alice, ASKED)) == {SHRIMP}
    assert "paused" in masked.say(alice, "/ltm pause").lower()
    answered_by(masked, masked.session_of(alice), "default")
    assert block_given(masked, model, alice, ASKED) == ""


def test_personas_of_a_group_keep_apart_what_its_members_say(
    masked: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    session = masked.session_of(alice, group="deck")
    masked.say(alice, "I'm allergic to eggs", group="deck")
    masked.memories.wait_for(alice, EGGS)
    answered_by(masked, session, "pirate")
    masked.say(alice, "I'm allergic to shrimp", group="deck")
    wait_for(lambda: masked.memories.items(scope_id=f"!ppirate:plat_a:{alice.id}"))
    assert facts(block_given(masked, model, alice, ASKED, group="deck")) == {SHRIMP, EGGS}
    answered_by(masked, session, "default")
    assert facts(block_given(masked, model, alice, ASKED, group="deck")) == {EGGS}


def test_a_projects_chats_share_how_its_work_goes_and_others_do_not(host: Host, model: ScriptedModel) -> None:
    fact = {
        "type": "task_state",
        "fact": DRAFT,
        "fact_key": "draft",
        "confidence": 0.9,
        "importance": 0.7,
        "quote": "the draft is half done",
    }
    model.extraction.always(lambda request: [fact] if "half done" in request.prompt else [])
    project = data(host.dashboard.post("chat/projects", json={"title": "Thesis"}))["project_id"]
    inside, beside, outside = (host.new_chat() for _ in range(3))
    for chat in (inside, beside):
        data(host.dashboard.post(f"chat/projects/{project}/sessions/{chat}"))
    host.chat("By the way, the draft is half done", inside)
    [item] = wait_for(lambda: host.memories.items(scope_id=f"webchat:{project}"))
    assert (item["fact"], item["scope"]) == (DRAFT, "project")
    asked = "How far is the draft?"
    assert DRAFT in given(host, model, asked, beside)
    assert DRAFT not in given(host, model, asked, outside)
    assert DRAFT not in {found["fact"] for found in host.memories.items(scope_id=f"webchat:{USERNAME}")}
    assert item["memory_id"][:8] in host.chat("/ltm list", beside).text
    assert item["memory_id"][:8] not in host.chat("/ltm list", outside).text


def given(host: Host, model: ScriptedModel, text: str, chat: str) -> str:
    """The block the model got with a message of the dashboard's chat."""
    before = len(model.chat_requests)
    host.chat(text, chat)
    [request] = model.chat_requests[before:]
    return request.memory_block or ""


@pytest.mark.parametrize("group", ["quay", "alone"], ids=["sender_group", "sender"])
def test_members_with_sessions_of_their_own_are_in_one_group(
    isolated: Host, model: ScriptedModel, newcomer: Newcomer, group: str
) -> None:
    about: dict[str, Any] = {
        "type": "profile",
        "fact": "The caretaker is called Ottokar",
        "fact_key": "caretaker",
        "confidence": 0.9,
        "importance": 0.7,
        "person": "Ottokar",
        "quote": "the caretaker is called Ottokar",
    }
    model.extraction.always(lambda request: [about] if "called Ottokar" in request.prompt else [])
    alice, bob = newcomer("Alice"), newcomer("Bob")
    isolated.say(alice, "By the way, the caretaker is called Ottokar", group=group)
    isolated.say(alice, "I'm allergic to shrimp", group=group)
    isolated.memories.wait_until_extracted()
    found = {row["scope_id"] for row in isolated.memories.rows("select scope_id from ltm_events")}
    assert f"plat_a:GroupMessage:{group}" in found
    sessions = {row["session_id"] for row in isolated.memories.rows("select session_id from ltm_events")}
    own = alice.id if group == "alone" else f"{alice.id}_{group}"
    assert f"plat_a:GroupMessage:{own}" in sessions
    asked = "What is the caretaker called?"
    assert "Ottokar" in block_given(isolated, model, bob, asked, group=group)
    assert "Ottokar" not in block_given(isolated, model, bob, asked, group="elsewhere")
    assert SHRIMP in block_given(isolated, model, alice, ASKED, group=group)
    assert SHRIMP in block_given(isolated, model, alice, ASKED)
    assert SHRIMP not in block_given(isolated, model, alice, ASKED, group="elsewhere")
    assert SHRIMP not in block_given(isolated, model, bob, ASKED, group=group)


def test_memories_kept_by_session_are_found_again_under_sessions_of_ones_own(
    isolated: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    with isolated.plugin.configured({"identity": {"user_scope_strategy": "unified_msg_origin"}}):
        isolated.say(alice, "I'm allergic to shrimp")
        isolated.say(alice, "I'm allergic to eggs", group="pier")
        isolated.memories.wait_until_extracted()
        scopes = {item["scope_id"] for item in isolated.memories.items() if alice.id in item["scope_id"]}
        own = f"plat_a:GroupMessage:{alice.id}_pier:{alice.id}"
        assert scopes == {f"plat_a:FriendMessage:{alice.id}", own}
        assert facts(block_given(isolated, model, alice, ASKED, group="pier")) == {EGGS}
    assert facts(block_given(isolated, model, alice, ASKED)) == {SHRIMP}
    assert block_given(isolated, model, alice, ASKED, group="pier") == ""
    with isolated.plugin.configured({"identity": {"include_legacy_umo_on_read": False}}):
        assert block_given(isolated, model, alice, ASKED) == ""
