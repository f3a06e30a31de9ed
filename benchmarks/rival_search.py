"""Rivals for `benchmarks.recall`, in a separate process and environment.

It reads one request from standard input: texts and questions by pool. Their vectors are in a file, so that
every rival uses the same ones. It answers with one line of JSON: for each question the positions of the found
texts in their pool, best first, and the duration of each search. Each pool of mem0 has a separate index,
because mem0 filters by owner only after its top k.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

type Search = Callable[[str, int], list[int]]
"""A question and a limit to the positions of the texts found."""


class Embedder:
    """Knows the vector of every text that will come."""

    def __init__(self, texts: Sequence[str], file: str) -> None:
        self._row = {text: row for row, text in enumerate(texts)}
        self._vectors: Any = import_module("numpy").load(file)
        self.dimension: int = self._vectors.shape[1]

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:  # noqa: ARG002  mem0 asks so
        """The vector of one."""
        return self._vectors[self._row[text]].tolist()

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:  # noqa: ARG002
        """The vectors of several."""
        return [self.embed(text) for text in texts]


def mem0(folder: Path, embedder: Embedder, name: str, texts: Sequence[str]) -> Search:
    """Texts as they come (`infer=False`), by FAISS with cosines, without a threshold."""
    store = {
        "path": str(folder / "faiss" / name),
        "collection_name": "bench",
        "embedding_model_dims": embedder.dimension,
        "distance_strategy": "cosine",
    }
    memory = import_module("mem0").Memory.from_config(
        {
            "vector_store": {"provider": "faiss", "config": store},
            "history_db_path": str(folder / f"{name}.db"),
        }
    )
    memory.embedding_model = embedder
    for position, text in enumerate(texts):
        memory.add(text, user_id=name, metadata={"position": position}, infer=False)

    def search(question: str, limit: int) -> list[int]:
        found = memory.search(question, filters={"user_id": name}, top_k=limit, threshold=0.0)
        return [each["metadata"]["position"] for each in found["results"]]

    return search


def langgraph(folder: Path, embedder: Embedder, name: str, texts: Sequence[str]) -> Search:
    """Texts in one SQLite store, a namespace for each pool."""
    sqlite: Any = import_module("pysqlite3")  # many Pythons come with an SQLite that loads no extension
    sys.modules["sqlite3"] = sqlite
    connection = sqlite.connect(str(folder / "langgraph.db"), check_same_thread=False, isolation_level=None)
    index = {"dims": embedder.dimension, "embed": embedder.embed_batch}
    store = import_module("langgraph.store.sqlite").SqliteStore(connection, index=index)
    store.setup()
    put = import_module("langgraph.store.base").PutOp
    kept = [put((name,), str(position), {"text": text}, ["text"]) for position, text in enumerate(texts)]
    for at in range(0, len(kept), 100):
        store.batch(kept[at : at + 100])

    def search(question: str, limit: int) -> list[int]:
        return [int(each.key) for each in store.search((name,), query=question, limit=limit)]

    return search


RIVALS: Mapping[str, Callable[[Path, Embedder, str, Sequence[str]], Search]] = {
    "mem0": mem0,
    "langgraph": langgraph,
}


def main() -> int:
    """Answer one request."""
    answers, sys.stdout = sys.stdout, sys.stderr  # what a rival prints is no answer
    request = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": folder, "OPENAI_API_KEY": "none"}
        print(json.dumps(_answer(Path(folder), request)), file=answers, flush=True)
    return 0


def _answer(folder: Path, request: Mapping[str, Any]) -> dict[str, Any]:
    embedder = Embedder(request["texts"], request["vectors"])
    found: list[list[list[int]]] = []
    milliseconds: list[float] = []
    for pool in request["pools"]:
        search = RIVALS[request["rival"]](folder, embedder, pool["name"], pool["texts"])
        found.append([])
        for question in pool["questions"]:
            began = time.perf_counter()
            found[-1].append(search(question, request["limit"]))
            milliseconds.append((time.perf_counter() - began) * 1000)
    return {"found": found, "milliseconds": milliseconds}


if __name__ == "__main__":
    sys.exit(main())
