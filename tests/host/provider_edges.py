"""What a provider may do to the plugin: whatever it raises or returns, one kind of error comes out.

These cases import the host, which warns and sets up logging: `test_edges.py` runs them on their own.
"""

import asyncio
import socket
from dataclasses import dataclass, field
from datetime import timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from astrbot.core.exceptions import ProviderNotFoundError
from astrbot.core.provider.entities import LLMResponse, TokenUsage
from astrbot_plugin_ltm.long_term_memory.domain.errors import NoProviderError, UnavailableError
from astrbot_plugin_ltm.long_term_memory.host.providers import HostChatModel, HostEmbedder
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, OpenAIError

if TYPE_CHECKING:
    from astrbot.api.star import Context

SOON = timedelta(milliseconds=50)


@dataclass
class FakeEmbeddingProvider:
    answer: Any = None
    model: Any = "small"
    provider_config: Any = field(default_factory=lambda: {"id": "emb"})

    def get_model(self) -> str:
        return told(self.model)

    async def get_embeddings(self, texts: list[str]) -> Any:  # noqa: ARG002
        return told(self.answer)


@dataclass
class FakeContext:
    providers: Any = ()
    answer: Any = None
    current: Any = "current"
    asked: list[str] = field(default_factory=list[str])

    def get_all_embedding_providers(self) -> Any:
        return told(self.providers)

    @property
    def provider_manager(self) -> SimpleNamespace:
        known: list[FakeEmbeddingProvider] = [] if isinstance(self.providers, Exception) else self.providers
        return SimpleNamespace(inst_map={each.provider_config.get("id", ""): each for each in known})

    async def get_current_chat_provider_id(self, umo: str) -> str:
        assert umo
        return told(self.current)

    async def llm_generate(self, *, chat_provider_id: str, prompt: str, system_prompt: str) -> Any:
        assert prompt
        assert system_prompt
        self.asked.append(chat_provider_id)
        if self.answer is Ellipsis:
            await asyncio.Event().wait()
        return told(self.answer)


async def refused() -> Exception:
    """What the client of the host's providers raises where nobody listens."""
    direct = DefaultAsyncHttpxClient(trust_env=False)
    url = f"http://127.0.0.1:{closed_port()}"
    async with AsyncOpenAI(api_key="none", base_url=url, max_retries=0, http_client=direct) as client:
        with pytest.raises(OpenAIError) as caught:
            await client.models.list()
        return caught.value


def closed_port() -> int:
    """One at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def told(value: Any) -> Any:
    if isinstance(value, Exception):
        raise value
    return value


def embedder(provider: FakeEmbeddingProvider | None = None, **context: Any) -> HostEmbedder:
    providers = context.pop("providers", [provider] if provider else [])
    return HostEmbedder(cast("Context", FakeContext(providers=providers)), "", SOON)


def chat_model(context: FakeContext, provider_id: str = "") -> HostChatModel:
    return HostChatModel(cast("Context", context), provider_id, SOON)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        "garbage",
        [],
        [[1.0]],
        [[1.0], None],
        [[1.0], []],
        [["a"], ["b"]],
        [[1.0], [float("nan")]],
        [[1.0], [float("inf")]],
        [[1.0, 0.0], [0.0, 0.0]],
        [[1.0, 0.0], [1.7e308, 1.7e308]],
        [[1.0, 0.0], [1.0]],
        [1.0, 2.0],
        RuntimeError("secret"),
    ],
    ids=repr,
)
async def test_what_is_no_vector_for_each_text_makes_the_provider_unavailable(answer: Any) -> None:
    with pytest.raises(UnavailableError, match="embedding provider") as caught:
        await embedder(FakeEmbeddingProvider(answer)).embed(["one", "two"])
    assert "secret" not in str(caught.value)


async def test_vectors_come_as_plain_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    answer = numpy.ones((2, 3), dtype="float32")
    vectors = await embedder(FakeEmbeddingProvider(answer)).embed(["one", "two"])
    assert vectors == [[1.0] * 3] * 2
    assert type(vectors[0][0]) is float


async def test_what_an_edited_provider_was_is_not_asked_any_more() -> None:
    old, new = FakeEmbeddingProvider([[1.0]], "old"), FakeEmbeddingProvider([[2.0]], "new")
    assert embedder(providers=[old, new]).model_id() == "emb/new"
    assert await embedder(providers=[old, new]).embed(["one"]) == [[2.0]]


async def test_a_provider_that_cannot_be_looked_at_is_unavailable() -> None:
    broken = RuntimeError("secret")
    for one in (embedder(FakeEmbeddingProvider(model=broken)), embedder(providers=broken)):
        with pytest.raises(UnavailableError, match=r"embedding provider: failed \(RuntimeError\)"):
            one.model_id()
    with pytest.raises(UnavailableError, match=r"embedding provider: failed \(RuntimeError\)"):
        await embedder(providers=broken).embed(["one"])


async def test_without_an_embedding_provider_there_is_no_model() -> None:
    assert embedder().model_id() is None
    with pytest.raises(UnavailableError, match="none"):
        await embedder().embed(["one"])
    assert embedder(FakeEmbeddingProvider()).model_id() == "emb/small"


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (None, r"failed \(AttributeError\)"),
        (Ellipsis, r"does not answer in time \(TimeoutError\)"),
        (RuntimeError("secret"), r"failed \(RuntimeError\)"),
        (SimpleNamespace(role="err", completion_text="secret"), "error answer"),
    ],
    ids=["nothing", "hangs", "raises", "error"],
)
async def test_a_chat_provider_that_gives_no_answer_is_unavailable(answer: Any, error: str) -> None:
    with pytest.raises(UnavailableError, match=f"chat provider: {error}") as caught:
        await chat_model(FakeContext(answer=answer)).complete(umo="u", system="s", prompt="p")
    assert not isinstance(caught.value, NoProviderError)
    assert not caught.value.cost_nothing
    assert "secret" not in str(caught.value)


async def test_a_question_that_could_not_be_asked_has_cost_nothing() -> None:
    error = await refused()
    with pytest.raises(UnavailableError, match=r"cannot be reached \(APIConnectionError\)") as caught:
        await chat_model(FakeContext(answer=error)).complete(umo="u", system="s", prompt="p")
    assert caught.value.cost_nothing


async def test_the_chosen_provider_answers_for_every_chat_and_else_the_chats_own() -> None:
    context = FakeContext(answer=LLMResponse(role="assistant"))
    for model in (chat_model(context, "chosen"), chat_model(context)):
        assert (await model.complete(umo="u", system="s", prompt="p")).text == ""
    assert context.asked == ["chosen", "current"]
    assert await chat_model(context, "chosen").provider_id("u") == "chosen"
    context.current = ProviderNotFoundError("none")
    with pytest.raises(NoProviderError):
        await chat_model(context).provider_id("u")
    context.current = RuntimeError("secret")
    with pytest.raises(UnavailableError, match=r"chat provider: failed \(RuntimeError\)"):
        await chat_model(context).provider_id("u")


async def test_a_call_costs_what_the_provider_tells_or_else_what_the_words_are_estimated_at() -> None:
    told = LLMResponse(role="assistant", completion_text="[]")
    told.usage = TokenUsage(input_other=70, input_cached=30, output=5)
    untold = LLMResponse(role="assistant", completion_text="喝茶喝茶喝")
    zeros = LLMResponse(role="assistant", completion_text="喝茶喝茶喝")
    zeros.usage = TokenUsage()
    costs: list[tuple[int, int]] = []
    for answer in (told, untold, zeros):
        model = chat_model(FakeContext(answer=answer))
        completion = await model.complete(umo="u", system="x" * 10, prompt="喝" * 10)
        costs.append((completion.prompt_tokens, completion.answer_tokens))
    assert costs == [(100, 5), (9, 4), (9, 4)]
