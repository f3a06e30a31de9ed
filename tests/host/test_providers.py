"""What the memory depends on fails: the reply is the same and not later, and nothing is lost."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.host.harness.answers import Answer, Fail, Garbage, Hang, Hold, Say, fenced
from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import merged
from tests.host.harness.tables import Row, Tables
from tests.host.harness.waiting import wait_for
from tests.hosts import DIMENSION, EAGER, HostMaker

pytestmark = pytest.mark.torture

SAID = "There is a pot of basil on my balcony"
FACT: dict[str, object] = {
    "type": "profile",
    "fact": "User has a pot of basil on the balcony",
    "fact_key": "balcony",
    "confidence": 0.9,
    "importance": 0.7,
    "quote": SAID,
}
RECALL_DEADLINE = 1
"""Seconds that a reply waits for an embedding."""
AT_ONCE = 10.0
"""Seconds: what a reply must not wait for takes many more, a turn by itself a tenth of one."""
LOCK_WAIT = 5.0
"""Seconds that SQLite itself waits for a lock."""


@pytest.fixture(scope="module")
def host(make_host: HostMaker) -> Iterator[Host]:
    impatient = merged(EAGER, {"recall_deadline_ms": RECALL_DEADLINE * 1000})
    with make_host(plugin_config=impatient, dimension=DIMENSION).running() as running:
        yield running


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        pytest.param(Fail(400), "UnavailableError", id="refuses"),
        # The host tries again and again for a quarter of a minute before it tells the plugin.
        pytest.param(Fail(500), "", id="fails"),
        pytest.param(Garbage(), "UnavailableError", id="answers what is no JSON at all"),
        pytest.param(Say("I am afraid I cannot help with that."), "AnswerError", id="answers prose"),
        pytest.param(Say('[{"type": "profile", "fact": "User ha'), "AnswerError", id="is cut short"),
        pytest.param(Hang(60, Say("[]")), "", id="hangs"),
    ],
)
def test_when_extraction_fails_the_reply_is_the_same_and_the_events_wait(
    host: Host,
    model: ScriptedModel,
    newcomer: Callable[[str], Person],
    answer: Answer,
    complaint: str,
) -> None:
    ann = newcomer("Ann")
    model.extraction.always(answer)

    first = host.turn(ann, SAID)
    wait_for(lambda: any(SAID in request.prompt for request in model.extraction_requests))
    wait_for(lambda: complaint in health(host)["last_error"])
    second = host.turn(ann, "What else?")

    assert (first.text, second.text) == (f"You said: {SAID}", "You said: What else?")
    assert max(first.seconds, second.seconds) < AT_ONCE
    host.memories.wait_until_written()
    assert health(host)["events"]["pending"] == 4
    assert health(host)["failures"] == {}

    model.extraction.always([FACT])
    let_time_pass(host)
    assert wait_for(lambda: remembered(host, ann)) == [(FACT["fact"], 1)]
    wait_for(lambda: health(host)["events"]["pending"] == 0)
    assert health(host)["last_error"] == ""


def test_a_fenced_list_with_chatter_around_it_is_read(
    host: Host, model: ScriptedModel, newcomer: Callable[[str], Person]
) -> None:
    ben = newcomer("Ben")
    model.extraction.always(lambda request: fenced([FACT]) if SAID in request.prompt else [])
    host.say(ben, SAID)
    assert wait_for(lambda: remembered(host, ben)) == [(FACT["fact"], 1)]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(Fail(500), id="fails"),
        pytest.param(Garbage(), id="answers garbage"),
        pytest.param(Hang(60, Say("")), id="hangs"),
    ],
)
def test_without_an_embedding_in_time_words_alone_recall(
    host: Host, model: ScriptedModel, newcomer: Callable[[str], Person], answer: Answer
) -> None:
    cleo = newcomer("Cleo")
    model.embeddings.always(answer)
    host.say(cleo, "/ltm add I am allergic to peanuts")

    turn = host.turn(cleo, "Are there peanuts in satay sauce?")

    assert turn.text == "You said: Are there peanuts in satay sauce?"
    assert "allergic to peanuts" in (model.chat_requests[-1].memory_block or "")
    asked = next(each for each in model.embedding_requests if "satay" in str(each.body["input"]))
    assert model.chat_requests[-1].received_at - asked.received_at < AT_ONCE

    log = len(host.log())
    for sauce in ("Pesto", "Salsa"):
        host.say(cleo, f"{sauce}, says {cleo.id}?")
    assert "recall uses words alone" in host.log()[log:]
    turns = [host.turn(cleo, f"{sauce}, says {cleo.id}?") for sauce in ("Ketchup", "Mustard", "Mayo")]
    # On a busy machine one or another takes long by itself, with a wait in them all of them would.
    assert min(each.seconds for each in turns) < RECALL_DEADLINE

    model.embeddings.reset()
    log = len(host.log())
    question = f"And now, says {cleo.id}?"
    wait_for(lambda: host.say(cleo, question) and "recall uses vectors" in host.log()[log:])


def test_while_another_program_locks_the_database_the_reply_comes_and_the_turn_is_kept(
    host: Host, model: ScriptedModel, newcomer: Callable[[str], Person]
) -> None:
    dora = newcomer("Dora")
    host.say(dora, "Hello")
    release = threading.Event()
    model.chat.will_answer(Hold(release, Say("Nice.")))
    message = host.send(dora, SAID)
    wait_for(lambda: model.chat_requests[-1].user == SAID)

    with tables(host).locked():
        began = time.monotonic()
        release.set()
        reply = wait_for(lambda: next((sent for sent in host.sent() if sent.answers == message), None))
        seconds = time.monotonic() - began
        assert said_by(host, dora) == ["Hello"]

    assert reply.text == "Nice."
    assert seconds < LOCK_WAIT
    wait_for(lambda: said_by(host, dora) == ["Hello", SAID])
    assert health(host)["failures"] == {}


def health(host: Host) -> dict[str, Any]:
    return data(host.plugin.get("health"))


def tables(host: Host) -> Tables:
    return Tables(host.database)


def let_time_pass(host: Host) -> None:
    """As if every pause after a failure were over: the stored ones, and by a reload the one of the worker."""
    tables(host).rows("update ltm_events set retry_at = created_at where retry_at is not null")
    host.plugin.reload()


def remembered(host: Host, person: Person) -> list[Row]:
    query = "select fact, evidence_count from ltm_items where scope_id = ? and status = 'active'"
    return tables(host).rows(query, f"plat_a:{person.id}")


def said_by(host: Host, person: Person) -> list[str]:
    query = (
        "select content ->> 'text' from ltm_events where sender_id = ? and source_role = 'user' order by id"
    )
    return [text for (text,) in tables(host).rows(query, person.id)]
