"""Embedding on a real host: questions ahead of their turn, and everything anew when the model changes."""

import threading
from collections.abc import Callable
from typing import Any

from tests.host.harness.answers import Answerable, Fail, Hold, Say
from tests.host.harness.asking import block_given
from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.recorded import RecordedRequest
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import EMBEDDING_PROVIDER, embedding_provider
from tests.host.harness.vectors import VectorSpace
from tests.host.harness.waiting import wait_for
from tests.hosts import DIMENSION

ADMIN = Person("admin")
FACTS = ("User loves alpinism", "User loves ballet", "User loves chess")

type Newcomer = Callable[[str], Person]


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
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice, bob, release = newcomer("Alice"), newcomer("Bob"), threading.Event()
    model.chat.will_answer(Hold(release, Say("Tea.")))
    first = host.send(alice, "What shall I drink?", group="harbour")
    wait_for(lambda: model.chat_requests)
    second = host.send(bob, "And what shall I eat?", group="harbour")
    wait_for(lambda: "And what shall I eat?" in embedded(model))
    assert len(model.chat_requests) == 1
    release.set()
    host.wait_for_turn(first)
    host.wait_for_turn(second)
    assert embedded(model).count("And what shall I eat?") == 1


def test_of_commands_and_of_who_has_paused_nothing_is_embedded(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    carol = newcomer("Carol")
    host.say(carol, "/ltm pause")
    host.say(carol, "What shall I brew?")
    assert not [text for text in embedded(model) if "pause" in text or "brew" in text]


def test_another_model_embeds_all_anew_through_a_reload_while_words_answer(
    spare_host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    host, anna = spare_host, newcomer("Anna")
    old, new = "scripted-embedding/scripted-model", "scripted-embedding/wide"
    for thing in ("alpinism", "ballet", "chess"):
        host.say(anna, f"I love {thing}")
    host.memories.wait_for(anna, *FACTS)
    config, release = embedding_provider(model.endpoint, DIMENSION), threading.Event()
    data(host.dashboard.post("providers", json={"config": config}))
    try:
        host.plugin.reload()
        all_embedded(host, old)
        model.vectors = VectorSpace(dimension=2 * DIMENSION)

        def held_when_old(request: RecordedRequest) -> Answerable:
            return Hold(release, Say("")) if any("love" in text for text in texts_of(request)) else Say("")

        model.embeddings.always(held_when_old)
        before = len(embedded(model))
        with host.provider_changed(EMBEDDING_PROVIDER, {"embedding_model": "wide"}):
            host.plugin.reload()
            wait_for(lambda: any("alpinism" in text for text in embedded(model)[before:]))
            number = health(host)["embeddable"]
            assert (health(host)["embedding_model"], health(host)["embedded"]) == (new, 0)
            assert f"0 of {number}" in host.say(ADMIN, "/ltm status")
            assert FACTS[0] in block_given(host, model, anna, "Alpinism?")
            release.set()
            model.embeddings.reset()
            host.plugin.reload()
            all_embedded(host, new)
            assert tags(host) == dict.fromkeys((old, f"{old}#fact", new, f"{new}#fact"), number)
            assert FACTS[1] in block_given(host, model, anna, "Ballet?")
    finally:
        release.set()
        model.vectors = VectorSpace()
        data(host.dashboard.delete(f"providers/{EMBEDDING_PROVIDER}"))
        host.plugin.reload()


def all_embedded(host: Host, tag: str) -> None:
    """Wait until each memory has its vector of this model."""
    wait_for(lambda: tags(host).get(tag) == health(host)["embeddable"] == health(host)["embedded"])


def test_a_memory_that_the_model_refuses_keeps_no_other_waiting(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    anna = newcomer("Anna")
    model.embeddings.always(
        lambda request: Fail(400) if any("ballet" in text for text in texts_of(request)) else Say("")
    )
    for thing in ("alpinism", "ballet", "chess"):
        host.say(anna, f"/ltm add I love {thing}")
    vectors = "select 1 from ltm_vectors where memory_id = ?"
    ids = {fact[-5:]: item["memory_id"] for fact, item in host.memories.of(anna).items()}
    wait_for(lambda: host.memories.rows(vectors, ids["inism"]) and host.memories.rows(vectors, ids["chess"]))
    assert host.memories.rows(vectors, ids["allet"]) == []
    assert "ballet" in block_given(host, model, anna, "Ballet?")
