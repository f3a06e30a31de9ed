"""Who is given what: people, platforms and groups are kept apart, and joined where the operator says so."""

from collections.abc import Callable

import pytest

from tests.host.harness.asking import block_given
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel

pytestmark = pytest.mark.usefixtures("model")

type Newcomer = Callable[[str], Person]

SHRIMP, EGGS = "User is allergic to shrimp", "User is allergic to eggs"
ASKED = "What should I cook?"


def test_nobody_in_a_group_gets_anothers_block(host: Host, model: ScriptedModel, newcomer: Newcomer) -> None:
    alice, bob = newcomer("Alice"), newcomer("Bob")
    host.say(alice, "I'm allergic to shrimp", group="canteen")
    host.say(bob, "I'm allergic to eggs", group="canteen")
    host.memories.wait_for(alice, SHRIMP)
    host.memories.wait_for(bob, EGGS)
    assert facts(block_given(host, model, alice, ASKED, group="canteen")) == [SHRIMP]
    assert facts(block_given(host, model, bob, ASKED, group="canteen")) == [EGGS]
    assert block_given(host, model, newcomer("Carl"), ASKED, group="canteen") == ""


def test_nobody_on_another_platform_gets_anothers_block(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice, bob = newcomer("Alice"), newcomer("Bob")
    host.say(alice, "I'm allergic to shrimp")
    host.say(bob, "I'm allergic to eggs", platform="plat_b")
    host.memories.wait_for(alice, SHRIMP)
    host.memories.wait_for(bob, EGGS, platform="plat_b")
    assert facts(block_given(host, model, alice, ASKED)) == [SHRIMP]
    assert facts(block_given(host, model, bob, ASKED, platform="plat_b")) == [EGGS]
    assert block_given(host, model, bob, ASKED) == ""


@pytest.mark.parametrize(
    ("told", "fact", "asked"),
    [("I'm allergic to shrimp", SHRIMP, ASKED), ("我对虾过敏", "用户对虾过敏", "晚饭吃什么？")],
    ids=["en", "zh"],
)
def test_what_was_said_in_private_never_surfaces_in_a_group(
    host: Host, model: ScriptedModel, newcomer: Newcomer, told: str, fact: str, asked: str
) -> None:
    alice = newcomer("Alice")
    host.say(alice, told)
    memory_id = host.memories.wait_for(alice, fact)[fact]["memory_id"]
    assert block_given(host, model, alice, asked, group="bistro") == ""
    assert fact not in host.say(alice, "/ltm list", group="bistro")
    assert fact not in host.say(alice, f"/ltm why {memory_id}", group="bistro")
    assert fact not in host.say(alice, f"/ltm forget {memory_id}", group="bistro")
    assert facts(block_given(host, model, alice, asked)) == [fact]


def test_what_was_said_in_private_stays_there_even_if_the_group_is_as_confidential(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    host.say(alice, "I'm allergic to shrimp")
    host.memories.wait_for(alice, SHRIMP)
    with host.plugin.configured({"levels": {"group": "INTERNAL"}}):
        assert block_given(host, model, alice, ASKED, group="lodge") == ""
        assert SHRIMP not in host.say(alice, "/ltm list", group="lodge")


def test_what_was_said_in_a_group_surfaces_there_and_in_private_but_in_no_other_group(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    host.say(alice, "I'm allergic to shrimp", group="harbour")
    memory_id = host.memories.wait_for(alice, SHRIMP)[SHRIMP]["memory_id"]
    assert facts(block_given(host, model, alice, ASKED, group="harbour")) == [SHRIMP]
    assert facts(block_given(host, model, alice, ASKED)) == [SHRIMP]
    assert block_given(host, model, alice, ASKED, group="market") == ""
    assert SHRIMP in host.say(alice, "/ltm list", group="harbour")
    assert SHRIMP not in host.say(alice, "/ltm list", group="market")
    assert SHRIMP not in host.say(alice, f"/ltm why {memory_id}", group="market")


def test_what_was_said_in_two_groups_surfaces_in_both(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    for group in ("north", "south"):
        host.say(alice, "I'm allergic to shrimp", group=group)
        host.memories.wait_for(alice, SHRIMP)
    assert facts(block_given(host, model, alice, ASKED, group="north")) == [SHRIMP]
    assert facts(block_given(host, model, alice, ASKED, group="south")) == [SHRIMP]


def test_what_was_said_in_private_and_in_a_group_is_shown_with_the_words_of_that_chat_only(
    host: Host, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    with host.plugin.configured({"levels": {"group": "INTERNAL"}}):
        host.say(alice, "I'm allergic to shrimp", group="pier")
        memory_id = host.memories.wait_for(alice, SHRIMP)[SHRIMP]["memory_id"]
        host.say(alice, "Btw, I'm allergic to shrimp")
        host.memories.wait_until_written()
        assert len(host.memories.evidence(memory_id)) == 2
        assert "2 pieces" in host.say(alice, f"/ltm why {memory_id}")
        shown = host.say(alice, f"/ltm why {memory_id}", group="pier")
        assert shown.count("I'm allergic to shrimp") == 1


def test_the_same_sender_id_on_two_platforms_is_two_people(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    twin = newcomer("Twin")
    host.say(twin, "I'm allergic to shrimp", platform="plat_a")
    host.memories.wait_for(twin, SHRIMP, platform="plat_a")
    assert block_given(host, model, twin, ASKED, platform="plat_b") == ""
    assert host.memories.of(twin, platform="plat_b") == {}


def test_the_same_group_id_on_two_platforms_is_two_groups(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    about_somebody = {
        "type": "profile",
        "fact": "The caretaker is called Ottokar",
        "fact_key": "caretaker",
        "confidence": 0.9,
        "importance": 0.7,
        "person": "Ottokar",
        "quote": "the caretaker is called Ottokar",
    }
    model.extraction.always(lambda request: [about_somebody] if "called Ottokar" in request.prompt else [])
    alice, bob = newcomer("Alice"), newcomer("Bob")
    host.say(alice, "By the way, the caretaker is called Ottokar", group="house")
    host.memories.wait_until_extracted()
    asked = "What is the caretaker called?"
    assert "Ottokar" in block_given(host, model, bob, asked, group="house")
    assert block_given(host, model, bob, asked, group="house", platform="plat_b") == ""
    assert block_given(host, model, bob, asked) == ""


def test_accounts_that_the_operator_joins_are_one_person(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    main, other, stranger = newcomer("Robin"), newcomer("Robin"), newcomer("Robin")
    joined = [f"plat_b:{other.id}=plat_a:{main.id}"]
    host.say(main, "I'm allergic to shrimp", platform="plat_a")
    host.memories.wait_for(main, SHRIMP)
    assert block_given(host, model, other, ASKED, platform="plat_b") == ""
    with host.plugin.configured({"identity": {"cross_platform_aliases": joined}}):
        assert facts(block_given(host, model, other, ASKED, platform="plat_b")) == [SHRIMP]
        assert block_given(host, model, stranger, ASKED, platform="plat_b") == ""
        host.say(other, "I'm allergic to eggs", platform="plat_b")
        host.memories.wait_for(main, EGGS)
        assert sorted(facts(block_given(host, model, main, ASKED))) == [EGGS, SHRIMP]
        assert block_given(host, model, other, ASKED, platform="plat_b", group="alley") == ""


def facts(block: str) -> list[str]:
    """The facts of a block, in order."""
    return [line.split("] ", 1)[1].split(" (confidence: ")[0] for line in block.splitlines()[1:-1]]
