"""The least that finding memories by words and vectors can cost: no access, no policy, no ranking, no block.

It does what any search of both kinds has to do, in the caller's thread, on one open connection:

1. one bare FTS5 query over a table that holds this scope alone: `MATCH` of the question's words, the best
   `LIMIT` by bm25;
2. the product of the matrix of the scope's vectors, which is in memory, and the question's vector, and the
   best `LIMIT` of it;
3. the rows of both read by their ids, as far as they are of the scope.
"""

import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

LIMIT = 15
SCOPE = "p0"

_BY_WORDS = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT ?"
_BY_ID = "SELECT id, fact FROM items WHERE id IN ({}) AND scope_id = ?"


class Floor:
    """A full-text table of these texts, a table of their rows, and a matrix of their unit vectors."""

    def __init__(self, file: Path, texts: Sequence[str], unit_vectors: NDArray[np.float32]) -> None:
        self._connection = sqlite3.connect(file)
        self._connection.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'porter unicode61')")
        self._connection.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, scope_id TEXT, fact TEXT)")
        rows = list(enumerate(texts, 1))
        self._connection.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", rows)
        self._connection.executemany(
            "INSERT INTO items VALUES (?, ?, ?)", [(row, SCOPE, text) for row, text in rows]
        )
        self._connection.commit()
        self._matrix = unit_vectors

    def search(self, question: str, vector: NDArray[np.float32]) -> float:
        """Find and read the best by words and the best by cosine; returns the milliseconds it took."""
        began = time.perf_counter()
        words = " OR ".join(f'"{word}"' for word in question.split())
        found = self._connection.execute(_BY_WORDS, (words, LIMIT)).fetchall()
        cosines = self._matrix @ vector
        near = np.argpartition(cosines, -LIMIT)[-LIMIT:] + 1
        wanted = {row for (row,) in found}.union(near.tolist())
        by_id = _BY_ID.format(", ".join("?" * len(wanted)))
        self._connection.execute(by_id, (*wanted, SCOPE)).fetchall()
        return (time.perf_counter() - began) * 1000

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()
