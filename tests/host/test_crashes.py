"""kill -9 at ten moments of a turn: what was answered is there after a restart, once and with its words."""

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from tests.host.harness.answers import CallTool, Hold, Say
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.recorded import RecordedRequest
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.tables import Tables
from tests.host.harness.waiting import wait_for
from tests.hosts import DIMENSION, EAGER, HostMaker

pytestmark = pytest.mark.torture

PLANT = re.compile(r"plant\w+")


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A host on its way to be killed, and somebody with a plant that nobody spoke of before."""

    host: Host
    model: ScriptedModel
    person: Person
    plant: str
    release: threading.Event = field(default_factory=threading.Event)
    """Lets the answers go that are held."""

    @property
    def said(self) -> str:
        return f"There is a pot of {self.plant} on my balcony"


@pytest.fixture(scope="module")
def host(make_host: HostMaker) -> Iterator[Host]:
    with make_host(plugin_config=EAGER, dimension=DIMENSION).running() as running:
        yield running


@pytest.fixture(scope="module")
def answered() -> list[str]:
    """The plants of everybody who was answered, over all the kills."""
    return []


def while_the_model_thinks(scene: Scene) -> Sequence[str]:
    scene.model.chat.will_answer(Hold(scene.release, Say("Lovely.")))
    scene.host.send(scene.person, scene.said)
    wait_for(lambda: scene.model.chat_requests)
    return ()


def between_a_tool_and_the_reply(scene: Scene) -> Sequence[str]:
    scene.model.chat.will_answer(CallTool("test_weather", {"city": "Oslo"}), Hold(scene.release, Say("Sun.")))
    scene.host.send(scene.person, scene.said)
    wait_for(lambda: len(scene.model.chat_requests) == 2)
    assert number(scene.host, role="tool") == 1
    return ()


def as_the_reply_appears(scene: Scene) -> Sequence[str]:
    message = scene.host.send(scene.person, scene.said)
    wait_for(lambda: any(sent.answers == message for sent in scene.host.sent()), every=0)
    return [scene.plant]


def after_a_statement_that_the_rules_read(scene: Scene) -> Sequence[str]:
    scene.host.say(scene.person, f"I like {scene.plant}")
    return [scene.plant]


def while_extraction_is_under_way(scene: Scene) -> Sequence[str]:
    scene.model.extraction.always(
        lambda request: Hold(scene.release, Say("[]")) if scene.said in request.prompt else []
    )
    scene.host.say(scene.person, scene.said)
    wait_for(lambda: asked_about(scene))
    return [scene.plant]


def as_the_extracted_facts_arrive(scene: Scene) -> Sequence[str]:
    scene.model.extraction.always(lambda request: Hold(scene.release, Say(json.dumps(facts(request)))))
    scene.host.say(scene.person, scene.said)
    wait_for(lambda: asked_about(scene))
    scene.release.set()
    return [scene.plant]


def while_the_new_item_is_embedded(scene: Scene) -> Sequence[str]:
    wait_for(lambda: number_without_vector(scene.host) == 0)
    scene.model.embeddings.always(Hold(scene.release, Say("")))
    scene.host.say(scene.person, scene.said)
    wait_for(lambda: any(scene.plant in str(each.body) for each in scene.model.embedding_requests))
    return [scene.plant]


def as_an_explicit_save_is_stored(scene: Scene) -> Sequence[str]:
    scene.host.send(scene.person, f"/ltm add I grow {scene.plant}")
    wait_for(lambda: scene.plant in str(said(scene.host)), every=0)
    return ()


def after_an_explicit_save_is_answered(scene: Scene) -> Sequence[str]:
    assert scene.host.say(scene.person, f"/ltm add I grow {scene.plant}").startswith("I will remember")
    return [scene.plant]


def while_several_people_talk(scene: Scene) -> Sequence[str]:
    host = scene.host
    plants = [f"{scene.plant}{letter}" for letter in "abcdef"]
    asked = {host.send(Person(plant), f"There is a pot of {plant} on my balcony"): plant for plant in plants}
    replies = wait_for(lambda: sent if len(sent := host.sent()) >= 3 else None, every=0)
    return [asked[sent.answers] for sent in replies if sent.answers in asked]


MOMENTS = (
    while_the_model_thinks,
    between_a_tool_and_the_reply,
    as_the_reply_appears,
    after_a_statement_that_the_rules_read,
    while_extraction_is_under_way,
    as_the_extracted_facts_arrive,
    while_the_new_item_is_embedded,
    as_an_explicit_save_is_stored,
    after_an_explicit_save_is_answered,
    while_several_people_talk,
)


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.__name__)
def test_a_kill_loses_no_answered_turn_and_extracts_none_twice(
    host: Host,
    model: ScriptedModel,
    newcomer: Callable[[str], Person],
    answered: list[str],
    moment: Callable[[Scene], Sequence[str]],
) -> None:
    model.extraction.always(facts)
    person = newcomer("Ann")
    # In letters alone: no rule takes a word with digits for a thing that somebody likes.
    plant = f"plant{person.id}".translate(str.maketrans("0123456789", "ghijklmnop"))
    scene = Scene(host=host, model=model, person=person, plant=plant)

    answered += moment(scene)
    host.kill()
    scene.release.set()
    model.reset()
    model.extraction.always(facts)
    at_the_kill = Tables(host.database).faults()
    host.start()
    wait_for(lambda: number(host, extraction="pending") == 0, 90)

    assert at_the_kill == Tables(host.database).faults() == []
    heard_of = {plant for text in said(host) for plant in PLANT.findall(text)}
    assert set(answered) <= heard_of
    assert sorted(items(host)) == [(plant, "active", 1) for plant in sorted(heard_of)]


def asked_about(scene: Scene) -> bool:
    """Whether the model was asked about what was said; another host may ask about others at any time."""
    return any(scene.said in request.prompt for request in scene.model.extraction_requests)


def facts(request: RecordedRequest) -> list[dict[str, object]]:
    """What a model would find in the conversation, each fact once."""
    quotes = set(re.findall(r"There is a pot of plant\w+ on my balcony", request.prompt))
    return [
        {
            "type": "profile",
            "fact": quote.replace("There is", "User has").replace("my", "the"),
            "fact_key": f"balcony_{PLANT.findall(quote)[0]}",
            "confidence": 0.9,
            "importance": 0.7,
            "quote": quote,
        }
        for quote in sorted(quotes)
    ]


def said(host: Host) -> list[str]:
    """What people said, as far as it was recorded."""
    rows = Tables(host.database).rows("select content ->> 'text' from ltm_events where source_role = 'user'")
    return [text for (text,) in rows]


def items(host: Host) -> list[tuple[str, str, int]]:
    """Of every item the plant, the status and how many pieces of evidence it has."""
    rows = Tables(host.database).rows("select fact, status, evidence_count from ltm_items")
    return [(PLANT.findall(fact)[0], status, count) for fact, status, count in rows]


def number_without_vector(host: Host) -> int:
    """How many items still wait for their vector."""
    query = "select count(*) from ltm_items where memory_id not in (select memory_id from ltm_vectors)"
    return Tables(host.database).rows(query)[0][0]


def number(host: Host, extraction: str = "%", role: str = "%") -> int:
    """How many events there are in a state, of a role."""
    query = "select count(*) from ltm_events where extraction like ? and source_role like ?"
    return Tables(host.database).rows(query, extraction, role)[0][0]
