"""Embedding on a real host: questions ahead of their turn, and everything anew when the model changes."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.host.conftest import DIMENSION, EAGER, HostMaker
from tests.host.harness.answers import Answerable, Fail, Hold, Say
from tests.host.harness.asking import block_given
from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.recorded import RecordedRequest
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import EMBEDDING_PROVIDER, write_config
from tests.host.harness.vectors import VectorSpace
from tests.host.harness.waiting import wait_for

ADMIN = Person("admin")
FACTS = ("User loves alpinism", "User loves ballet", "User loves chess")

type Newcomer = Callable[[str], Person]


@pytest.fixture(scope="module")
def shared(make_host: HostMaker) -> Iterator[Host]:
    with make_host(plugin_config=EAGER, dimension=DIMENSION).running() as host:
        yield host


def health(host: Host) -> dict[str, Any]:
    return data(host.plugin.get("health"))


def embedded(model: ScriptedModel) -> list[str]:
    """Every text that was asked to be embedded."""
    return [text for request in model.embedding_requests for text in texts_of(request)]


def texts_of(request: RecordedRequest) -> list[str]:
    texts: str | list[str] = request.body["input"]
    return [texts] if isinstance(texts, str) else texts


def tags(host: Host) -> dict[str, int]:
    """How many vectors there are under each tag."""
    rows = host.memories.rows("select model_id, count(*) as number from ltm_vectors group by model_id")
    return {row["model_id"]: row["number"] for row in rows}


def test_a_question_is_embedded_while_its_chat_waits_for_another_answer(
    shared: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice, bob, release = newcomer("Alice"), newcomer("Bob"), threading.Event()
    model.chat.will_answer(Hold(release, Say("Tea.")))
    first = shared.send(alice, "What shall I drink?", group="harbour")
    wait_for(lambda: model.chat_requests)
    second = shared.send(bob, "And what shall I eat?", group="harbour")
    wait_for(lambda: "And what shall I eat?" in embedded(model))
    assert len(model.chat_requests) == 1
    release.set()
    shared.wait_for_turn(first)
    shared.wait_for_turn(second)
    assert embedded(model).count("And what shall I eat?") == 1


def test_of_commands_and_of_who_has_paused_nothing_is_embedded(
    shared: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    carol = newcomer("Carol")
    shared.say(carol, "/ltm pause")
    shared.say(carol, "What shall I brew?")
    assert not [text for text in embedded(model) if "pause" in text or "brew" in text]


def another_model(host: Host, name: str) -> None:
    """Stop the host, and let it start with another embedding model."""
    host.stop()
    provider = {"id": EMBEDDING_PROVIDER, "embedding_model": name}
    config = host.settings.as_config()
    others = [each for each in config["provider"] if each["id"] != EMBEDDING_PROVIDER]
    [mine] = [each for each in config["provider"] if each["id"] == EMBEDDING_PROVIDER]
    write_config(host.root / "data" / "cmd_config.json", {"provider": [*others, {**mine, **provider}]})


def test_another_model_embeds_all_anew_through_a_kill_while_words_answer(
    make_host: HostMaker, model: ScriptedModel, newcomer: Newcomer
) -> None:
    host, anna = make_host(plugin_config=EAGER, dimension=DIMENSION), newcomer("Anna")
    old, new = "scripted-embedding/scripted-model", "scripted-embedding/wide"
    host.start()
    for thing in ("alpinism", "ballet", "chess"):
        host.say(anna, f"I love {thing}")
    host.memories.wait_for(anna, *FACTS)
    wait_for(lambda: tags(host) == {old: 3, f"{old}#fact": 3})
    wait_for(lambda: (health(host)["embedded"], health(host)["embeddable"]) == (3, 3))

    another_model(host, "wide")
    model.vectors, release = VectorSpace(dimension=2 * DIMENSION), threading.Event()

    def held_when_old(request: RecordedRequest) -> Answerable:
        return Hold(release, Say("")) if any("love" in text for text in texts_of(request)) else Say("")

    try:
        model.embeddings.always(held_when_old)
        host.start()
        wait_for(lambda: any("alpinism" in text for text in embedded(model)))
        assert (health(host)["embedding_model"], health(host)["embedded"]) == (new, 0)
        assert "0 of 3" in host.say(ADMIN, "/ltm status")
        assert FACTS[0] in block_given(host, model, anna, "Alpinism?")
        assert tags(host) == {old: 3, f"{old}#fact": 3}
        host.kill()
        release.set()
        model.embeddings.reset()
        host.start()
        wait_for(lambda: health(host)["embedded"] == 3)
        assert tags(host) == {old: 3, f"{old}#fact": 3, new: 3, f"{new}#fact": 3}
        assert FACTS[1] in block_given(host, model, anna, "Ballet?")
    finally:
        release.set()
        model.vectors = VectorSpace()
    host.stop()


def test_a_memory_that_the_model_refuses_keeps_no_other_waiting(
    make_host: HostMaker, model: ScriptedModel, newcomer: Newcomer
) -> None:
    host, anna = make_host(plugin_config=EAGER, dimension=DIMENSION), newcomer("Anna")
    model.embeddings.always(
        lambda request: Fail(400) if any("ballet" in text for text in texts_of(request)) else Say("")
    )
    with host.running():
        for thing in ("alpinism", "ballet", "chess"):
            host.say(anna, f"/ltm add I love {thing}")
        wait_for(lambda: health(host)["embedded"] == 2)
        assert health(host)["embeddable"] == 3
        assert "ballet" in block_given(host, model, anna, "Ballet?")
