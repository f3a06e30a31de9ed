"""Agents of third parties get what is remembered too: once, where it reaches them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.read.format import CAUTION, HEAD, TAIL

from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.third_party import ThirdParty

type Newcomer = Callable[[str], Person]

TOLD, FACT, ASKED = "I'm allergic to shrimp", "User is allergic to shrimp", "What should I cook?"

pytestmark = pytest.mark.usefixtures("model")


@pytest.fixture(scope="module")
def agents() -> Iterator[ThirdParty]:
    with ThirdParty() as serving:
        yield serving


@pytest.fixture
def dify(host: Host, agents: ThirdParty) -> Iterator[Host]:
    with host.configured(agents.runner("dify")):
        yield host


@pytest.fixture
def coze(host: Host, agents: ThirdParty) -> Iterator[Host]:
    with host.configured(agents.runner("coze")):
        yield host


@pytest.fixture
def strict_coze(coze: Host) -> Iterator[Host]:
    with coze.plugin.configured({"injection": "system"}):
        yield coze


def asked(host: Host, agents: ThirdParty, person: Person, **how: Any) -> Mapping[str, Any]:
    """What the third party was asked with the question."""
    before = len(agents.asked)
    host.turn(person, ASKED, **how)
    [body] = agents.asked[before:]
    return body


def told(host: Host, person: Person, **how: Any) -> None:
    host.turn(person, TOLD, **how)
    host.memories.wait_for(person, FACT)


@pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("group", [None, "harbour"], ids=["private", "group"])
def test_dify_gets_it_in_the_system_prompt(
    dify: Host, agents: ThirdParty, newcomer: Newcomer, group: str | None, *, streaming: bool
) -> None:
    alice = newcomer("Alice")
    told(dify, alice, group=group)
    body = asked(dify, agents, alice, group=group, streaming=streaming)
    system = body["inputs"]["system_prompt"]
    assert system.startswith(HEAD)
    assert (system.count(FACT), system.count(CAUTION)) == (1, 1)
    assert body["query"] == ASKED
    dify.memories.wait_until_used(alice, FACT)


@pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streamed"])
def test_coze_gets_it_before_the_question_at_each_turn(
    coze: Host, agents: ThirdParty, newcomer: Newcomer, *, streaming: bool
) -> None:
    alice = newcomer("Alice")
    told(coze, alice)
    for _ in range(2):
        [message] = asked(coze, agents, alice, streaming=streaming)["additional_messages"]
        block, question = message["content"].split(f"{TAIL}\n\n")
        assert block.startswith(f"{CAUTION}\n{HEAD}\n")
        assert (block.count(FACT), question) == (1, ASKED)
    session = coze.session_of(alice)
    assert [text for role, text in coze.memories.recorded(session) if role == "user"] == [TOLD, ASKED, ASKED]


def test_who_does_not_want_it_saved_at_coze_keeps_it_in_the_system_prompt(
    strict_coze: Host, agents: ThirdParty, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    told(strict_coze, alice, group="harbour")
    system, question = asked(strict_coze, agents, alice)["additional_messages"]
    assert system["role"] == "system"
    assert HEAD not in question["content"]
    [question] = asked(strict_coze, agents, alice)["additional_messages"]
    assert question["content"] == ASKED


@pytest.mark.parametrize("kind", ["dify", "coze"])
def test_who_has_told_nothing_or_pauses_sends_nothing_of_memory(
    host: Host, agents: ThirdParty, newcomer: Newcomer, kind: str
) -> None:
    alice = newcomer("Alice")
    with host.configured(agents.runner(kind)):
        assert HEAD not in str(asked(host, agents, alice))
        told(host, alice)
        host.say(alice, "/ltm pause")
        assert HEAD not in str(asked(host, agents, alice))
