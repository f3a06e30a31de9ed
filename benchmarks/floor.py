"""Floor of retrieval: words and vectors without scope, policy or block."""

import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

LIMIT = 15


class Floor:
    """A bare full-text table of these texts and a bare matrix of unit vectors, in the caller's thread."""

    def __init__(self, file: Path, texts: Sequence[str], unit_vectors: NDArray[np.float32]) -> None:
        self._connection = sqlite3.connect(file)
        self._connection.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'porter unicode61')")
        self._connection.executemany("INSERT INTO texts (text) VALUES (?)", [(text,) for text in texts])
        self._connection.commit()
        self._matrix = unit_vectors

    def search(self, question: str, vector: NDArray[np.float32]) -> float:
        """The best by words and all cosines; returns the milliseconds it took."""
        began = time.perf_counter()
        words = " OR ".join(f'"{word}"' for word in question.split())
        self._connection.execute(
            "SELECT rowid, bm25(texts) FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT ?",
            (words, LIMIT),
        ).fetchall()
        self._matrix @ vector  # pyright: ignore[reportUnusedExpression]
        return (time.perf_counter() - began) * 1000

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()
