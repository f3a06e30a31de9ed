"""Embedding provider without latency, to measure the memory's own work."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

DIMENSION = 384


def question_vector() -> NDArray[np.float32]:
    """The vector of every question, of norm 1."""
    vector = np.random.default_rng(1).standard_normal(DIMENSION)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


class AtOnce:
    """Every text has the same vector of `DIMENSION` numbers."""

    def __init__(self) -> None:
        self._vector: list[float] = question_vector().tolist()

    def model_id(self) -> str:
        """Its name."""
        return "at once"

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """The vectors."""
        return [self._vector for _ in texts]
