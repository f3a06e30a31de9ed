"""The operator's providers, looked up at each use: the host replaces the objects whenever they change."""

import asyncio
import math
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import timedelta

from astrbot.api.star import Context
from astrbot.core.exceptions import ProviderNotFoundError
from astrbot.core.provider.entities import LLMResponse
from astrbot.core.provider.provider import EmbeddingProvider

from ..domain.errors import LtmError, NoProviderError, UnavailableError
from ..domain.writing import Completion
from ..prompts.lenient_json import MAX_THOUGHT
from ..text_analysis.tokens import tokens
from .provider_errors import cost_nothing, in_words

MAX_DIMENSION = 32_768
"""Numbers of a vector: no model gives more, and more would keep the event loop busy."""
MAX_COST = 1_000_000_000
"""Tokens: a provider that tells more does not count."""


class _Chosen:
    def __init__(self, context: Context, provider_id: str, timeout: timedelta) -> None:
        self._context = context
        self._provider_id = provider_id
        self._timeout = timeout.total_seconds()


class HostChatModel(_Chosen):
    """The provider that extracts: the one the operator chose, else the one the chat itself uses."""

    async def provider_id(self, umo: str) -> str:
        """See `ChatModel.provider_id`."""
        if self._provider_id:
            return self._provider_id
        with _translated("chat provider"):
            return await self._context.get_current_chat_provider_id(umo)

    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        """See `ChatModel.complete`."""
        with _translated("chat provider"):
            async with asyncio.timeout(self._timeout):
                provider_id = await self.provider_id(umo)
                answer = await self._context.llm_generate(
                    chat_provider_id=provider_id, prompt=prompt, system_prompt=system
                )
            return _completion(answer, system, prompt)


class HostEmbedder(_Chosen):
    """The operator's embedding provider: the one named, else the first there is."""

    def model_id(self) -> str | None:
        """See `Embedder.model_id`: provider and model, since either change makes other vectors."""
        with _translated("embedding provider"):
            provider = self._provider()
            if provider is None:
                return None
            config = provider.provider_config
            # Not every provider of the host tells its model; all are configured with it.
            return f"{config.get('id', '')}/{provider.get_model() or config.get('embedding_model', '')}"

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """See `Embedder.embed`."""
        with _translated("embedding provider"):
            provider = self._provider()
            if provider is None:
                raise UnavailableError("embedding provider: none")
            async with asyncio.timeout(self._timeout):
                answer = await provider.get_embeddings(list(texts))
            vectors = [_numbers(vector) for vector in answer] if len(answer) == len(texts) else []
        if not all(vectors) or len({*map(len, vectors)}) != 1:
            raise UnavailableError("embedding provider: unusable vectors")
        return vectors

    def _provider(self) -> EmbeddingProvider | None:
        # The host leaves what an edited or a deleted provider was in its list.
        current = self._context.provider_manager.inst_map
        for provider in self._context.get_all_embedding_providers():
            provider_id = provider.provider_config.get("id", "")
            if current.get(provider_id) is provider and self._provider_id in {"", provider_id}:
                return provider
        return None


def _completion(answer: LLMResponse, system: str, prompt: str) -> Completion:
    """Raises UnavailableError for an error in the guise of an answer."""
    if answer.role == "err":
        raise UnavailableError("chat provider: error answer")
    # However much it says, no more is kept, copied and searched.
    text = (answer.completion_text or "")[:MAX_THOUGHT]
    usage = answer.usage
    return Completion(
        text=text,
        prompt_tokens=_counted(usage.input if usage else 0) or tokens(system) + tokens(prompt),
        answer_tokens=_counted(usage.output if usage else 0) or tokens(text),
    )


def _counted(told: int) -> int:
    """What a provider says it counted; 0 when it does not tell. Some tell zeros, and some tell nonsense."""
    return told if 0 < told <= MAX_COST else 0


def _numbers(vector: Sequence[float]) -> list[float]:
    """The vector as plain numbers; an empty one where it has too many, or no direction."""
    is_one = len(vector) <= MAX_DIMENSION and 0 < math.hypot(*vector) < math.inf
    return [float(number) for number in vector] if is_one else []


@contextmanager
def _translated(what: str) -> Generator[None]:
    """Providers raise whatever their client library raises; to the pipelines it is one thing: not now."""
    try:
        yield
    except LtmError:
        raise
    except ProviderNotFoundError as error:
        raise NoProviderError(f"there is no {what}") from error
    except Exception as error:
        raise UnavailableError(f"{what}: {in_words(error)}", cost_nothing=cost_nothing(error)) from error
