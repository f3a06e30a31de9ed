"""The host's own providers and their clients; the host itself is not there.

It imports the host, which warns and sets up logging, so it belongs into a process of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING

from astrbot.core.provider.sources.openai_embedding_source import OpenAIEmbeddingProvider
from astrbot.core.provider.sources.openai_source import ProviderOpenAIOfficial

if TYPE_CHECKING:
    from astrbot.core.provider.entities import LLMResponse


@dataclass
class Providers:
    """In the host's place: the two providers that an operator has set up."""

    chat_url: str
    embedding_url: str
    chat: ProviderOpenAIOfficial = field(init=False)
    embedding: OpenAIEmbeddingProvider = field(init=False)
    _made: list[ProviderOpenAIOfficial | OpenAIEmbeddingProvider] = field(
        default_factory=list["ProviderOpenAIOfficial | OpenAIEmbeddingProvider"]
    )

    def __post_init__(self) -> None:
        self.set_up(self.chat_url, self.embedding_url)

    def set_up(self, chat_url: str, embedding_url: str) -> None:
        """Have these providers from now on."""
        self.chat = ProviderOpenAIOfficial(
            {"id": "chat", "key": ["none"], "api_base": chat_url, "model": "m", "timeout": 60}, {}
        )
        config = {"embedding_api_key": "none", "embedding_api_base": embedding_url, "embedding_model": "m"}
        self.embedding = OpenAIEmbeddingProvider({"id": "emb", "timeout": 20, **config}, {})
        # The host's clients repeat a failed request after real seconds, again and again.
        self.embedding.client.max_retries = 0
        self._made += [self.chat, self.embedding]

    def get_all_embedding_providers(self) -> Sequence[OpenAIEmbeddingProvider]:
        return [self.embedding]

    @property
    def provider_manager(self) -> SimpleNamespace:
        return SimpleNamespace(inst_map={"emb": self.embedding})

    async def get_current_chat_provider_id(self, umo: str) -> str:  # noqa: ARG002
        return "chat"

    async def llm_generate(self, *, chat_provider_id: str, prompt: str, system_prompt: str) -> "LLMResponse":  # noqa: ARG002
        return await self.chat.text_chat(  # pyright: ignore[reportUnknownMemberType] - of the host
            prompt=prompt, system_prompt=system_prompt, request_max_retries=1
        )

    async def close(self) -> None:
        for provider in self._made:
            await provider.terminate()
