"""What somebody tells the bot comes back in a later conversation, before the model and nowhere else."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.read.format import CAUTION, HEAD, TAIL

from tests.host.harness.answers import CallTool, Fail
from tests.host.harness.asking import block_given, request_of
from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.recorded import RecordedRequest
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.vectors import VectorSpace
from tests.host.harness.waiting import wait_for

ADMIN = Person("admin")

pytestmark = pytest.mark.usefixtures("model")

type Newcomer = Callable[[str], Person]


@dataclass(frozen=True, kw_only=True)
class Story:
    """What is told in one conversation and asked in the next."""

    told: str
    facts: tuple[str, ...]
    asked: str


ALICE = Story(
    told="My name is Alice and I'm allergic to peanuts",
    facts=("User's name is Alice", "User is allergic to peanuts"),
    asked="What should I cook?",
)
XIAOMING = Story(
    told="我叫小明，我对花生过敏",
    facts=("用户的名字是小明", "用户对花生过敏"),
    asked="晚饭吃什么？",
)

stories = pytest.mark.parametrize("story", [ALICE, XIAOMING], ids=["en", "zh"])
streams = pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streamed"])


@streams
@stories
def test_what_was_told_reaches_the_model_in_the_next_conversation(
    host: Host, model: ScriptedModel, newcomer: Newcomer, story: Story, streaming: bool
) -> None:
    person = newcomer("Alice")
    host.turn(person, story.told, streaming=streaming)
    host.memories.wait_for(person, *story.facts)
    host.new_conversation(person)
    request = request_of(host, model, person, story.asked, streaming=streaming)
    assert_given_before_the_question(request, story)
    assert_saved_as_said(host, person, story)


@streams
@stories
def test_what_was_told_and_approved_reaches_the_model_without_embeddings(
    cautious_host: Host, model: ScriptedModel, newcomer: Newcomer, story: Story, streaming: bool
) -> None:
    host, person = cautious_host, newcomer("Alice")
    host.turn(person, story.told, streaming=streaming)
    host.memories.wait_for(person, *story.facts)
    host.say(ADMIN, "/ltm approve all")
    host.new_conversation(person)
    request = request_of(host, model, person, story.asked, streaming=streaming)
    assert_given_before_the_question(request, story)
    assert_saved_as_said(host, person, story)
    assert data(host.plugin.get("health"))["embedding_model"] is None


def test_a_turn_with_a_tool_call_carries_the_block_to_both_requests(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    person = told(host, newcomer("Alice"), ALICE)
    model.chat.will_answer(CallTool("test_weather", {"city": "Oslo"}), "Make a soup.")
    assert host.say(person, "What should I cook in the weather of Oslo?") == "Make a soup."
    first, second = model.chat_requests[-2:]
    assert first.memory_block == second.memory_block
    assert_holds(first.memory_block or "", ALICE.facts)
    session = host.session_of(person)
    assert ("tool", "Sunny in Oslo.") in host.memories.recorded(session)
    assert ("tool", "Sunny in Oslo.") in host.history(person)
    assert_nothing_of_memory_is_saved(host, person)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (
            "Busy week: on Sundays our string quartet rehearses at my place",
            {
                "type": "profile",
                "fact": "User's string quartet rehearses at User's place on Sundays",
                "fact_key": "quartet",
                "confidence": 0.95,
                "importance": 0.7,
                "evidence": [1],
                "quote": "on Sundays our string quartet rehearses at my place",
            },
        ),
        (
            "Busy week: on Sundays our string quartet rehearses at my place",
            {
                "type": "profile",
                "fact": "User's string quartet rehearses at User's place on Sundays",
                "fact_key": "quartet",
                "confidence": 0.95,
                "importance": 0.7,
            },
        ),
        (
            "最近每个周末都跟朋友去郊外观鸟",
            {
                "type": "profile",
                "fact": "用户每个周末跟朋友去郊外观鸟",
                "fact_key": "birding",
                "confidence": 0.95,
                "importance": 0.7,
                "quote": "每个周末都跟朋友去郊外观鸟",
            },
        ),
    ],
    ids=["with a quote", "in the plain form", "zh"],
)
def test_what_the_model_extracts_is_given_with_the_words_it_rests_on(
    host: Host, model: ScriptedModel, newcomer: Newcomer, said: str, answer: dict[str, Any]
) -> None:
    model.extraction.always(lambda request: [answer] if said in request.prompt else [])
    person = newcomer("Quinn")
    host.say(person, said)
    [item] = host.memories.wait_for(person, answer["fact"]).values()
    assert (item["origin"], item["status"]) == ("llm_extract", "active")
    [evidence] = host.memories.evidence(item["memory_id"])
    assert evidence["quote"] == answer.get("quote", said)
    host.new_conversation(person)
    assert answer["fact"] in block_given(host, model, person, "Any plans?")


def test_a_fact_with_a_number_that_nobody_said_waits_with_the_reason(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    said = "We are off to the seaside with the whole family"
    fact = "User moved to flat 12 with the whole family"
    invented = {
        "type": "profile",
        "fact": fact,
        "fact_key": "home",
        "confidence": 0.99,
        "importance": 0.9,
        "quote": "off to the seaside with the whole family",
    }
    model.extraction.always(lambda request: [invented] if said in request.prompt else [])
    person = newcomer("Rosa")
    host.say(person, said)
    [item] = host.memories.wait_for(person, fact).values()
    assert (item["status"], item["reason"]) == ("pending", "not_in_evidence:12")
    assert block_given(host, model, person, "Where do I live?") == ""


class Subjects(VectorSpace):
    """Embeds what a text is about, as a model does: in a bag of words it would drown among the others."""

    def vector(self, text: str) -> list[float]:
        alike = text.lower().replace("mountaineering", "alpinism")
        return super().vector(re.sub("alpinism|tea|茶", lambda subject: f" {subject[0]} " * 5, alike))


@pytest.fixture
def subjects(model: ScriptedModel) -> Any:
    model.vectors, before = Subjects(), model.vectors
    yield
    model.vectors = before


def test_how_somebody_wants_to_be_answered_goes_along_with_every_question(
    spare_host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    host, person = spare_host, newcomer("Nora")
    host.say(person, "Please keep your answers short")
    host.say(person, "I like green tea")
    host.memories.wait_for(person, "User prefers short answers", "User likes green tea")
    host.new_conversation(person)
    block = block_given(host, model, person, "What is a fjord?")
    assert ("User prefers short answers" in block, "green tea" in block) == (True, False)


@pytest.mark.usefixtures("subjects")
@pytest.mark.parametrize(
    ("told_once", "related", "unrelated"),
    [
        ("I love jasmine tea", "Which tea goes with cake?", "How far is the moon?"),
        ("我喜欢茉莉花茶", "推荐一种花茶吧", "月亮离地球有多远？"),
    ],
    ids=["en", "zh"],
)
@pytest.mark.parametrize("vectors", [True, False], ids=["vectors", "words alone"])
def test_a_situational_memory_comes_with_a_related_question_only(
    host: Host,
    cautious_host: Host,
    model: ScriptedModel,
    newcomer: Newcomer,
    told_once: str,
    related: str,
    unrelated: str,
    *,
    vectors: bool,
) -> None:
    host, person = host if vectors else cautious_host, newcomer("Tea")
    host.say(person, told_once)
    host.memories.wait_until_written()
    [(fact, item)] = host.memories.of(person, type="preference").items()
    host.say(ADMIN, "/ltm approve all")
    if vectors:
        wait_for(lambda: embedded(host, item))
    assert fact in block_given(host, model, person, related)
    assert block_given(host, model, person, unrelated) == ""


@pytest.mark.usefixtures("subjects")
def test_with_an_embedding_model_a_situational_memory_is_found_by_meaning(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    person, question = newcomer("Reinhold"), "Mountaineering?"
    host.say(person, "I love alpinism")
    [item] = host.memories.wait_for(person, "User loves alpinism").values()
    wait_for(lambda: embedded(host, item))
    assert "User loves alpinism" in block_given(host, model, person, question)
    assert data(host.plugin.get("health"))["embedding_model"] == "scripted-embedding/scripted-model"


@pytest.mark.usefixtures("subjects")
def test_without_an_embedding_model_a_situational_memory_is_found_by_its_words(
    cautious_host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    host, person = cautious_host, newcomer("Reinhold")
    host.say(person, "I love alpinism")
    host.memories.wait_for(person, "User loves alpinism")
    host.say(ADMIN, "/ltm approve all")
    assert block_given(host, model, person, "Mountaineering?") == ""
    assert "User loves alpinism" in block_given(host, model, person, "Alpinism?")


@stories
def test_injected_into_the_system_prompt_the_block_is_at_its_head(
    cautious_host: Host, model: ScriptedModel, newcomer: Newcomer, story: Story
) -> None:
    host, person = cautious_host, newcomer("Sue")
    with host.plugin.configured({"injection": "system", "write_policy": {"mode": "auto"}}):
        told(host, person, story)
        request = request_of(host, model, person, story.asked)
    assert request.system.startswith(HEAD)
    assert request.system.partition(TAIL)[2].startswith(f"\n{CAUTION}\n")
    assert_holds(request.memory_block or "", story.facts)
    assert HEAD not in json.dumps(request.messages[-1], ensure_ascii=False)
    assert_saved_as_said(host, person, story)


def test_who_has_told_nothing_gets_neither_block_nor_rule(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    request = request_of(host, model, newcomer("Nemo"), "What should I cook?")
    assert (HEAD in request.prompt, CAUTION in request.prompt) == (False, False)


def embedded(host: Host, item: Mapping[str, Any]) -> bool:
    """Whether an item has its vector."""
    return bool(host.memories.rows("select 1 from ltm_vectors where memory_id = ?", item["memory_id"]))


def told(host: Host, person: Person, story: Story) -> Person:
    """Let a person tell a story where it is active at once, and begin a new conversation."""
    host.say(person, story.told)
    host.memories.wait_for(person, *story.facts)
    host.new_conversation(person)
    return person


def assert_holds(block: str, facts: tuple[str, ...]) -> None:
    head, *lines, tail = block.splitlines()
    assert (head, tail) == (HEAD, TAIL)
    assert sorted(line.split("] ", 1)[1].split(" (confidence: 0.")[0] for line in lines) == sorted(facts)


def assert_given_before_the_question(request: RecordedRequest, story: Story) -> None:
    last = request.messages[-1]
    block, question = (part["text"] for part in last["content"][:2])
    assert (last["role"], question) == ("user", story.asked)
    assert_holds(block.strip(), story.facts)
    assert request.memory_blocks == [block.strip()]
    assert request.system.endswith(CAUTION)


def assert_saved_as_said(host: Host, person: Person, story: Story) -> None:
    [said] = [text for role, text in host.history(person) if role == "user"]
    assert said.startswith(story.asked)
    assert_nothing_of_memory_is_saved(host, person)


def assert_nothing_of_memory_is_saved(host: Host, person: Person) -> None:
    saved = host.conversations(host.session_of(person))
    assert len(saved) == 2
    everything = json.dumps([each.messages for each in saved], ensure_ascii=False)
    assert (HEAD in everything, CAUTION in everything) == (False, False)


def until_told(
    host: Host, person: Person, text: str, told: str, *, group: str | None = None, streaming: bool = False
) -> str:
    """The reply that tells what was learnt: a later one where a busy machine had no time for it at once."""
    replies = (host.turn(person, text, group=group, streaming=streaming).text for _ in range(5))
    return next((reply for reply in replies if told in reply), "")


def test_a_reply_says_what_was_learnt_where_that_may_be_shown_and_neither_history_nor_record_holds_it(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice, bob = newcomer("Alice"), newcomer("Bob")
    with host.plugin.configured({"notify_learned": True}):
        said = until_told(host, alice, "I'm allergic to peanuts", "Noted")
        assert said.endswith("Noted: User is allergic to peanuts. Wrong? /ltm undo")
        assert "Noted" not in host.say(alice, "What is new?")
        assert "Noted" not in str(host.history(alice))
        assert "Noted" not in str(host.memories.recorded(host.session_of(alice)))
        assert host.say(alice, "/ltm undo").startswith("Forgotten: User is allergic to peanuts")

        said = until_told(host, alice, "I have a dog", "Noted", streaming=True)
        assert said.endswith("\nNoted: User has a dog. Wrong? /ltm undo")
        assert "Noted" not in str(host.history(alice))
        session = host.new_chat()
        said = [host.chat(f"I have {number} cats", session, streaming=True).text for number in (2, 3)]
        assert any("Noted: User has" in text for text in said)

        told = "These days my flat is up in Oslo"
        found = {"type": "profile", "fact": "User lives in Oslo", "fact_key": "", "quote": told}
        model.extraction.always(lambda request: [found] if told in request.prompt else [])
        assert "Noted" not in host.say(alice, told, group="notes")
        wait_for(lambda: "User lives in Oslo" in host.memories.of(alice), timeout=30)
        for person, group in ((bob, "notes"), (alice, "lawn")):
            assert "Noted" not in host.say(person, "Hello there", group=group)
        model.chat.will_answer(Fail(400))
        assert "Noted" not in host.say(alice, "Hello?", group="notes")
        assert "已记下：User lives in Oslo。" in until_told(host, alice, "你好", "已记下", group="notes")
        assert host.say(alice, "/记忆 撤销", group="notes").startswith("已忘记：User lives in Oslo")
    assert "Noted" not in host.say(alice, "I'm allergic to shrimp")
