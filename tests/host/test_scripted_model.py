"""The scripted model and the demo's stand-in, asked as a provider asks them."""

import json
import math
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from openai import DefaultHttpxClient, OpenAI

from demo.stand_in import facts, take_the_part
from tests.host.harness.answers import CallTool, Fail, Garbage, fenced
from tests.host.harness.scripted_model import EXTRACTION_MARKER, ScriptedModel
from tests.host.harness.vectors import VectorSpace

pytestmark = pytest.mark.torture


@pytest.fixture
def client(model: ScriptedModel) -> Iterator[OpenAI]:
    endpoint = model.endpoint
    with (
        DefaultHttpxClient(trust_env=False) as http,
        OpenAI(base_url=endpoint.base_url, api_key="none", max_retries=0, http_client=http) as client,
    ):
        yield client


def ask(client: OpenAI, text: str) -> str | None:
    answer = client.chat.completions.create(model="any", messages=[{"role": "user", "content": text}])
    return answer.choices[0].message.content


def test_extractions_are_answered_from_a_script_of_their_own(model: ScriptedModel, client: OpenAI) -> None:
    model.extraction.will_answer([{"fact": "likes tea"}], fenced([{"fact": "likes jam"}]))
    assert ask(client, "Hello") == "You said: Hello"
    assert ask(client, EXTRACTION_MARKER) == '[{"fact": "likes tea"}]'
    assert "```json\n" in (ask(client, EXTRACTION_MARKER) or "")
    assert ask(client, EXTRACTION_MARKER) == "[]"
    assert (len(model.chat_requests), len(model.extraction_requests)) == (1, 3)


def test_a_kind_of_request_can_be_added(client: OpenAI) -> None:
    with ScriptedModel() as own:
        own.script("judge", lambda request: "Judge:" in request.prompt).always("yes")
        assert ask(client.with_options(base_url=own.endpoint.base_url), "Judge: is it so?") == "yes"
        assert len(own.requests("judge")) == 1


def test_failures_look_as_they_do_from_a_provider(model: ScriptedModel) -> None:
    model.chat.will_answer(Fail(429), Garbage())
    body: dict[str, Any] = {"messages": [{"role": "user", "content": "Hello"}]}
    with httpx.Client(base_url=f"{model.endpoint.base_url}/", trust_env=False) as http:
        assert http.post("chat/completions", json=body).status_code == 429
        assert http.post("chat/completions", json=body).text.startswith("<html>")


def test_a_streamed_tool_call_and_its_usage(model: ScriptedModel, client: OpenAI) -> None:
    model.chat.will_answer(CallTool("find", {"what": "tea"}, text="One moment."))
    chunks = list(
        client.chat.completions.create(
            model="any", messages=[{"role": "user", "content": "Find tea"}], stream=True
        )
    )
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    called = [call.function for delta in deltas for call in delta.tool_calls or []]
    assert "".join(delta.content or "" for delta in deltas) == "One moment."
    assert [json.loads(call.arguments or "") for call in called if call] == [{"what": "tea"}]
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.total_tokens > 0


def test_embeddings_of_like_texts_lie_near_each_other(model: ScriptedModel, client: OpenAI) -> None:
    texts = ["Alice likes green tea", "Alice likes black tea", "the train leaves at noon"]
    first, second, third = (
        each.embedding for each in client.embeddings.create(model="any", input=texts).data
    )
    assert len(first) == model.vectors.dimension
    assert math.sumprod(first, first) == pytest.approx(1.0, abs=1e-5)
    assert math.sumprod(first, second) > 2 * abs(math.sumprod(first, third))


def test_vectors_need_not_be_of_unit_length() -> None:
    space = VectorSpace(dimension=16, unit=False)
    assert math.hypot(*space.vector("one two three four five six")) > math.hypot(*space.vector("one"))


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (
            "My name is Alice and I'm allergic to peanuts",
            {"profile": "User's name is Alice", "constraint": "User is allergic to peanuts"},
        ),
        ("I like green tea, not coffee.", {"preference": "User likes green tea"}),
        ("我叫小明，我对花生过敏。", {"profile": "用户的名字是小明", "constraint": "用户对花生过敏"}),
        ("My name is not Gina", {}),
        ("I'm not allergic to cats anymore, that was wrong", {"constraint": "User is not allergic to cats"}),
        ("I no longer like jam", {"preference": "User does not like jam"}),
        ("我不喜欢猫了", {"preference": "用户不喜欢猫"}),
        ("What should I cook?", {}),
        ("forget that I like jazz", {}),
        ('He said: "I live in Madrid"', {}),
        ("我喜欢什么颜色你知道吗", {}),
    ],
)
def test_the_stand_in_reads_plain_statements(said: str, found: dict[str, str]) -> None:
    assert {fact["type"]: fact["fact"] for fact in facts(f"{EXTRACTION_MARKER}\n1. user: {said}\n")} == found


def test_the_stand_in_reads_no_earlier_messages() -> None:
    earlier = f"{EXTRACTION_MARKER}\n<<<earlier>>>\nuser: I like jazz\n<<<end of earlier>>>\n"
    told = facts(f"{earlier}<<<conversation>>>\n[1] user: I like tea\n<<<end of conversation>>>")
    assert [fact["fact"] for fact in told] == ["User likes tea"]


def test_the_stand_in_says_which_memories_it_was_given(model: ScriptedModel, client: OpenAI) -> None:
    take_the_part(model)
    block = "[Long-term Memory]\n- [profile] User's name is Alice (confidence: 0.95)\n[End Memory]"
    assert "- [profile] User's name is Alice" in (ask(client, f"{block}\nHello") or "")
    assert "no memories" in (ask(client, "Hello") or "")
    assert model.chat_requests[0].memory_block == block
