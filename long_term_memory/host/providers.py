"""The operator's providers, looked up at each use: the host replaces the objects whenever they change."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

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
from ..policies.tokens import tokens


class HostChatModel:
    """The provider that extracts: the one the operator chose, else the one the chat itself uses."""

    def __init__(self, context: Context, provider_id: str, timeout: timedelta) -> None:
        self._context = context
        self._provider_id = provider_id
        self._timeout = timeout.total_seconds()

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


class HostEmbedder:
    """The operator's embedding provider: the one named, else the first there is."""

    def __init__(self, context: Context, provider_id: str, timeout: timedelta) -> None:
        self._context = context
        self._provider_id = provider_id
        self._timeout = timeout.total_seconds()

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
            vectors = [_numbers(vector) for vector in answer]
        if len(vectors) != len(texts) or not all(vectors):
            raise UnavailableError("embedding provider: unusable vectors")
        return vectors

    def _provider(self) -> EmbeddingProvider | None:
        providers = self._context.get_all_embedding_providers()
        if not self._provider_id:
            return providers[0] if providers else None
        return next((p for p in providers if p.provider_config.get("id") == self._provider_id), None)


def _completion(answer: LLMResponse, system: str, prompt: str) -> Completion:
    """Raises UnavailableError for an error in the guise of an answer."""
    if answer.role == "err":
        raise UnavailableError("chat provider: error answer")
    text = answer.completion_text or ""
    # Not every provider of the host tells what it counted; some tell zeros.
    usage = answer.usage
    return Completion(
        text=text,
        prompt_tokens=(usage.input if usage else 0) or tokens(system) + tokens(prompt),
        answer_tokens=(usage.output if usage else 0) or tokens(text),
    )


def _numbers(vector: Sequence[float]) -> list[float]:
    """The vector as plain finite numbers; an empty one when it is none."""
    return [float(number) for number in vector] if all(map(math.isfinite, vector)) else []


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
        raise UnavailableError(f"{what}: {type(error).__name__}") from error
