"""The one place that touches FAISS and numpy, which are loaded with the first vector and not before."""

from collections.abc import Mapping
from typing import Any

from .vectors import Matrix


class FlatIndex:
    """An exact inner-product index over unit vectors: the score is the cosine."""

    def __init__(self, matrix: Matrix) -> None:
        """Build it from rows; takes time in proportion to their number."""
        import faiss  # noqa: PLC0415 - 33 MB that only vectors need
        import numpy  # noqa: PLC0415 - comes with it

        self._faiss: Any = faiss  # states no types that a strict checker can follow
        self._numpy: Any = numpy
        self._memory_ids = matrix.memory_ids
        self._index: Any = self._faiss.IndexFlatIP(matrix.dimension)
        self._index.add(self._numpy.frombuffer(matrix.rows, dtype="<f4").reshape(-1, matrix.dimension))
        self.dimension = matrix.dimension
        self.size = len(matrix.memory_ids) * matrix.dimension
        """How many numbers it holds."""

    def search(self, unit_vector: bytes, limit: int) -> Mapping[str, float]:
        """Memory id to cosine of the nearest, nearest first."""
        limit = min(limit, len(self._memory_ids))
        if limit < 1:
            return {}
        query = self._numpy.frombuffer(unit_vector, dtype="<f4").reshape(1, -1)
        cosines, found = self._index.search(query, limit)
        nearest: list[int] = found[0].tolist()
        return {
            self._memory_ids[at]: max(-1.0, min(1.0, cosine))
            for cosine, at in zip(cosines[0].tolist(), nearest, strict=True)
        }
