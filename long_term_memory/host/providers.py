"""The operator's providers, looked up at each use: the host replaces the objects whenever they change."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

import asyncio
import math
from collections.abc import Sequence
from datetime import timedelta

from astrbot.api.star import Context
from astrbot.core.exceptions import ProviderNotFoundError
from astrbot.core.provider.provider import EmbeddingProvider

from ..domain.errors import NoProviderError, UnavailableError


class HostChatModel:
    """The provider that extracts: the one the operator chose, else the one the chat itself uses."""

    def __init__(self, context: Context, provider_id: str, timeout: timedelta) -> None:
        self._context = context
        self._provider_id = provider_id
        self._timeout = timeout.total_seconds()

    async def complete(self, *, umo: str, system: str, prompt: str) -> str:
        """See `ChatModel.complete`."""
        try:
            async with asyncio.timeout(self._timeout):
                provider_id = self._provider_id or await self._context.get_current_chat_provider_id(umo)
                answer = await self._context.llm_generate(
                    chat_provider_id=provider_id, prompt=prompt, system_prompt=system
                )
        except ProviderNotFoundError as error:
            raise NoProviderError("there is no chat provider") from error
        except Exception as error:
            # Providers raise whatever their client library raises; to the pipeline it is one thing: not now.
            raise UnavailableError(f"chat provider: {type(error).__name__}") from error
        if answer.role == "err":
            raise UnavailableError("chat provider: error answer")
        return answer.completion_text or ""


class HostEmbedder:
    """The operator's embedding provider: the one named, else the first there is."""

    def __init__(self, context: Context, provider_id: str, timeout: timedelta) -> None:
        self._context = context
        self._provider_id = provider_id
        self._timeout = timeout.total_seconds()

    def model_id(self) -> str | None:
        """See `Embedder.model_id`: provider and model, since either change makes other vectors."""
        provider = self._provider()
        if provider is None:
            return None
        config = provider.provider_config
        # Not every provider of the host tells its model; all are configured with it.
        return f"{config.get('id', '')}/{provider.get_model() or config.get('embedding_model', '')}"

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """See `Embedder.embed`."""
        provider = self._provider()
        if provider is None:
            raise UnavailableError("embedding provider: none")
        try:
            async with asyncio.timeout(self._timeout):
                vectors = await provider.get_embeddings(list(texts))
        except Exception as error:
            raise UnavailableError(f"embedding provider: {type(error).__name__}") from error
        if len(vectors) != len(texts) or not all(_usable(v, len(vectors[0])) for v in vectors):
            raise UnavailableError("embedding provider: unusable vectors")
        return vectors

    def _provider(self) -> EmbeddingProvider | None:
        providers = self._context.get_all_embedding_providers()
        if not self._provider_id:
            return providers[0] if providers else None
        return next((p for p in providers if p.provider_config.get("id") == self._provider_id), None)


def _usable(vector: Sequence[float], dimension: int) -> bool:
    return len(vector) == dimension > 0 and all(math.isfinite(x) for x in vector)
