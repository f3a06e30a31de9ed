"""Twenty ways and more in which providers fail: no reply is another one, and all is made up for afterwards.

Each way is tried against the host's own providers and against whole memories without a host
(`failing_providers.py`, `failing_memories.py`), and on the real host here.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from tests.host.cases import run_cases
from tests.host.harness.dashboard import data
from tests.host.harness.failing import FailingServer, Misbehaviour
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.right_answers import well
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import EMBEDDING_PROVIDER, merged
from tests.host.harness.tables import Tables
from tests.host.harness.waiting import wait_for
from tests.host.harness.ways_to_fail import ANY, CHATTING, EMBEDDING
from tests.hosts import DIMENSION, EAGER, HostMaker
from tests.torture.form import LONG, either, tell

pytestmark = pytest.mark.torture

CASES_TAKE = either(900.0, 7_200.0)
"""Seconds in which those without a host have ended, on a busy machine."""
RECALL_DEADLINE = 1
"""Seconds that a reply waits for a vector."""
SLACK = 0.75
"""Seconds by which a busy machine may be later than usual: less than any other deadline of the memory."""
PATIENCE = 300.0
"""Seconds: a busy machine has time, and the host's clients repeat what failed."""

type Way = tuple[str, Misbehaviour]


def test_without_a_host_every_way_to_fail_is_one_kind_of_error_and_is_over_when_it_is_over(
    tmp_path: Path,
) -> None:
    direct = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    said = run_cases(
        "failing_providers.py",
        "failing_memories.py",
        folder=tmp_path,
        options=["-rP", "--show-capture=stdout"],
        env=direct,
        within=CASES_TAKE,
    )
    for line in said.splitlines():
        if "(seed " in line:
            print(line)  # noqa: T201  the figures of the trial


class Providers:
    """The two providers that fail; the one that talks does not."""

    def __init__(self, chatting: FailingServer, embedding: FailingServer) -> None:
        self.chatting = chatting
        self.embedding = embedding

    def overrides(self) -> dict[str, Any]:
        """Where the host finds them."""
        source = {
            "id": "failing-source",
            "provider": "openai",
            "type": "openai_chat_completion",
            "provider_type": "chat_completion",
            "enable": True,
            "key": ["none"],
            "api_base": self.chatting.url,
            "timeout": 10,
        }
        extracts = {
            "id": "failing-chat",
            "provider_source_id": "failing-source",
            "enable": True,
            "model": "m",
        }
        embeds = {"id": EMBEDDING_PROVIDER, "embedding_api_base": self.embedding.url}
        return {"provider_sources": [source], "provider": [extracts, embeds]}


@pytest.fixture(scope="module")
def providers() -> Iterator[Providers]:
    with ExitStack() as stack:
        yield Providers(*(stack.enter_context(FailingServer(well)) for _ in range(2)))


@pytest.fixture(scope="module")
def host(make_host: HostMaker, providers: Providers) -> Iterator[Host]:
    config = merged(
        EAGER, {"extraction_provider_id": "failing-chat", "recall_deadline_ms": RECALL_DEADLINE * 1000}
    )
    made = make_host(plugin_config=config, dimension=DIMENSION, overrides=providers.overrides())
    with made.running() as running:
        yield running


def ways() -> list[tuple[Way, Way]]:
    """What each provider does at the same time; the short form takes the most different."""
    chatting, embedding = {**ANY, **CHATTING}, {**ANY, **EMBEDDING}
    if not LONG:
        few = (("401", "breaks off"), ("prose", "is silent"), ("truncated JSON", "NaN"))
        return [((chat, chatting[chat]), (embed, embedding[embed])) for chat, embed in few]
    # Not the same at the same time: they are turned against each other by half their number.
    turned = deque(embedding.items())
    turned.rotate(len(turned) // 2)
    every = zip(cycle(chatting.items()), cycle(turned), strict=False)
    return list(islice(every, max(len(chatting), len(turned))))


def test_on_the_host_no_reply_is_another_one_and_what_was_said_is_learnt_afterwards(
    host: Host, providers: Providers, model: ScriptedModel, newcomer: Callable[[str], Person]
) -> None:
    seconds = {"well": usual_reply(host, newcomer("Ann"))}
    for number, ((chat, chats), (embed, embeds)) in enumerate(ways()):
        for streaming in either([number % 2 == 0], [False, True]):
            print(f"{chat} and {embed}, streaming: {streaming}")  # noqa: T201  which of them, should it fail
            taken = slowest_reply(host, providers, model, newcomer("Pat"), chats, embeds, streaming=streaming)
            seconds[f"{chat} and {embed}"] = max(taken, seconds.get(f"{chat} and {embed}", 0.0))
    assert Tables(host.database).faults() == []
    assert "never retrieved" not in host.log()
    usual, slowest = seconds.pop("well"), max(seconds, key=lambda way: seconds[way])
    tell("slowest reply while both providers are well, seconds", round(usual, 2))
    tell("slowest reply while both fail, seconds", f"{seconds[slowest]:.2f}, {slowest}")
    assert seconds[slowest] <= usual + RECALL_DEADLINE + SLACK


def usual_reply(host: Host, person: Person) -> float:
    """The slowest of a few replies while nothing is wrong, in seconds."""
    return max(host.turn(person, f"How are you, {number}?", timeout=PATIENCE).seconds for number in range(5))


def slowest_reply(
    host: Host,
    providers: Providers,
    model: ScriptedModel,
    person: Person,
    chat: Misbehaviour,
    embed: Misbehaviour,
    *,
    streaming: bool,
) -> float:
    """Somebody talks while both providers fail; all of it is learnt when they are well. In seconds."""
    host.say(person, "/ltm add I keep a parrot")
    wait_for(lambda: all_is_embedded(host), PATIENCE)
    asked = providers.chatting.asked, providers.embedding.asked
    providers.chatting.misbehave(chat)
    providers.embedding.misbehave(embed)

    turns = [
        host.turn(person, text, streaming=streaming, timeout=PATIENCE)
        for text in ("I keep a tortoise.", f"Where is the parrot of {person.id}?")
    ]

    assert [turn.text for turn in turns] == [
        "You said: I keep a tortoise.",
        f"You said: Where is the parrot of {person.id}?",
    ]
    assert "parrot" in (model.chat_requests[-1].memory_block or "")
    wait_for(partial(both_were_asked, providers, asked), PATIENCE)
    providers.chatting.recover()
    providers.embedding.recover()
    let_time_pass(host)
    host.memories.wait_for(person, "User keeps a tortoise")
    wait_for(lambda: all_is_embedded(host), PATIENCE)
    return max(turn.seconds for turn in turns)


def both_were_asked(providers: Providers, before: tuple[int, int]) -> bool:
    now = providers.chatting.asked, providers.embedding.asked
    return all(after > earlier for after, earlier in zip(now, before, strict=True))


def all_is_embedded(host: Host) -> bool:
    health = data(host.plugin.get("health"))
    return 0 < health["embeddable"] == health["embedded"]


def let_time_pass(host: Host) -> None:
    """As if every pause after a failure were over: the stored ones, and by a reload those in memory."""
    Tables(host.database).rows("update ltm_events set retry_at = created_at where retry_at is not null")
    host.plugin.reload()
