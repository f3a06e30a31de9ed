"""What the operator's providers are asked for."""

from collections.abc import Sequence
from typing import Protocol


class Embedder(Protocol):
    """The operator's embedding provider, resolved anew at each use."""

    def model_id(self) -> str | None:
        """What the vectors are tagged with; None when there is no embedding provider."""
        ...

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector per text, of one length and a finite norm above 0. Raises UnavailableError."""
        ...
