"""Similarity is calibrated per model, with forty unrelated sentences that are embedded once.

Cosines of unrelated texts lie around 0.1 with one model and around 0.8 with another. A memory is near when it
is nearer than they are by some of their spreads, so the same thresholds fit all models and languages.
"""

from collections.abc import Sequence
from functools import partial
from itertools import batched

import numpy as np
from numpy.typing import NDArray

from ..domain.log import logger
from ..domain.providers import Embedder
from ..domain.reading import QueryVector, UnrelatedCosines
from ..text_analysis.terms import A_DENSE
from ..text_analysis.word_tables import word_table
from .protocols import Begin

_TABLE = word_table(__file__)
ENGLISH, CHINESE = _TABLE.texts("english"), _TABLE.texts("chinese")
BATCH = 10
"""Texts of one call: some providers take no more."""
MAX_TRIES = 3
"""So often a model is asked; after that its questions go without what is not known, until the next start."""

type Rows = NDArray[np.float64]


type _Reference = tuple[Rows, float]
"""Of the facts of one language the mean of their vectors at norm 1, and the spread of their cosines.

The product of the first with a unit vector is the mean of its cosines with them.
"""


class SimilarityBaseline:
    """Learns what unrelated is when a model is met first, in the background; nobody waits for it."""

    def __init__(self, embedder: Embedder, *, begin: Begin) -> None:
        self._embedder = embedder
        self._begin = begin
        self._known: tuple[str, _Reference, _Reference] | None = None
        self._tries: dict[str, int] = {}
        self._learning = False

    def unrelated(self, text: str, vector: QueryVector) -> UnrelatedCosines | None:
        """What unrelated texts have with this question; None until that is learnt. Never raises."""
        model_id, *references = self._known or ("",)
        # Written without spaces, as Chinese is, for at least a fifth of it.
        is_dense = not text.isascii() and 5 * len(A_DENSE.findall(text)) >= len(text)
        reference = references[is_dense] if model_id == vector.model_id else None
        # A model may come to give vectors of another length under its old name.
        if not reference or len(vector.numbers) != len(reference[0]):
            if not self._learning and self._tries.get(vector.model_id, 0) < MAX_TRIES:
                self._learning = self._begin("embed_references", partial(self._learn, vector.model_id))
            return None
        mean, spread = reference
        return UnrelatedCosines(mean=float(mean @ np.asarray(vector.numbers)), spread=spread)

    async def _learn(self, model_id: str) -> None:
        self._tries[model_id] = self._tries.get(model_id, 0) + 1
        try:
            known = (model_id, await self._reference(ENGLISH), await self._reference(CHINESE))
            if self._embedder.model_id() == model_id:
                self._known = known
        except Exception as error:  # noqa: BLE001  whatever a provider does, questions go without
            logger.debug("What unrelated texts are like to the embedding model: %s", type(error).__name__)
        finally:
            self._learning = False

    async def _reference(self, texts: Sequence[str]) -> _Reference:
        parts = batched(texts, BATCH)
        rows = unit_rows([vector for some in parts for vector in await self._embedder.embed(list(some))])
        pairs = (rows @ rows.T)[~np.eye(len(rows), dtype=bool)]
        return rows.mean(axis=0), max(float(pairs.std()), 0.01)


def unit_rows(vectors: Sequence[Sequence[float]]) -> Rows:
    """The vectors of an answer at norm 1, as float64 (rows, numbers)."""
    rows = np.array(vectors, np.float64)
    return rows / np.sqrt((rows * rows).sum(axis=1, keepdims=True))
