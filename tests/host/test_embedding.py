"""Embedding on a real host: questions ahead of their turn, and everything anew when the model changes."""

import threading
from collections.abc import Callable

from tests.host.harness.answers import Fail, Hold, Say
from tests.host.harness.asking import block_given
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.waiting import wait_for

ADMIN = Person("admin")
FACTS = ("User loves alpinism", "User loves ballet", "User loves chess")

type Newcomer = Callable[[str], Person]


def test_a_question_is_embedded_while_its_chat_waits_for_another_answer(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice, bob, release = newcomer("Alice"), newcomer("Bob"), threading.Event()
    model.chat.will_answer(Hold(release, Say("Tea.")))
    first = host.send(alice, "What shall I drink?", group="harbour")
    wait_for(lambda: model.chat_requests)
    second = host.send(bob, "And what shall I eat?", group="harbour")
    wait_for(lambda: "And what shall I eat?" in model.embedded)
    assert len(model.chat_requests) == 1
    release.set()
    host.wait_for_turn(first)
    host.wait_for_turn(second)
    assert model.embedded.count("And what shall I eat?") == 1


def test_of_commands_and_of_who_has_paused_nothing_is_embedded(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    carol = newcomer("Carol")
    host.say(carol, "/ltm pause")
    host.say(carol, "What shall I brew?")
    assert not [text for text in model.embedded if "pause" in text or "brew" in text]


def test_a_memory_that_the_model_refuses_keeps_no_other_waiting(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    anna = newcomer("Anna")
    model.embeddings.always(
        lambda request: Fail(400) if any("ballet" in text for text in request.embedded) else Say("")
    )
    for thing in ("alpinism", "ballet", "chess"):
        host.say(anna, f"/ltm add I love {thing}")
    vectors = "select 1 from ltm_vectors where memory_id = ?"
    ids = {fact[-5:]: item["memory_id"] for fact, item in host.memories.of(anna).items()}
    wait_for(lambda: host.memories.rows(vectors, ids["inism"]) and host.memories.rows(vectors, ids["chess"]))
    assert host.memories.rows(vectors, ids["allet"]) == []
    assert "ballet" in block_given(host, model, anna, "Ballet?")
