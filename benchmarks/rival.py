"""mem0 for `benchmarks.write`, in a separate process and environment.

It reads one request a line from standard input, works in the given folder, and answers with one line of JSON.
The embedder returns a fixed vector at once and nothing is sent anywhere, so that mem0's own work is measured:
its default vector store (Qdrant, local, on disk) and its history.
"""

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

DIMENSION = 256


class Memory(Protocol):
    """What is asked of mem0's memory."""

    def add(self, messages: Sequence[Mapping[str, str]], *, user_id: str, infer: bool) -> object:
        """Store these messages of somebody, or what the model finds in them."""
        ...


class Embedder:
    """Every text has the same vector, at once."""

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:  # noqa: ARG002  mem0 asks so
        """The vector."""
        return [1.0] * DIMENSION


class Model:
    """Answers `answer`, and keeps what it was asked."""

    def __init__(self) -> None:
        self.answer = ""
        self.prompts: list[str] = []

    def generate_response(self, messages: list[dict[str, str]], **_: object) -> str:
        """The answer."""
        self.prompts.append("\n".join(message["content"] for message in messages))
        return self.answer


def main() -> int:
    """Answer requests until there are no more."""
    answers, sys.stdout = sys.stdout, sys.stderr  # what mem0 prints is no answer
    model = Model()
    memory = _memory(Path(sys.argv[1]), model)
    for line in sys.stdin:
        print(json.dumps(_answer(memory, model, json.loads(line))), file=answers, flush=True)
    return 0


def _answer(memory: Memory, model: Model, request: dict[str, Any]) -> dict[str, Any]:
    model.prompts.clear()
    milliseconds: list[float] = []
    worked = time.process_time()
    for messages, model.answer in zip(request["adds"], request["answers"], strict=True):
        began = time.perf_counter()
        memory.add(messages, user_id=request["person"], infer=request["infer"])
        milliseconds.append((time.perf_counter() - began) * 1000)
    cpu = (time.process_time() - worked) * 1000 / len(milliseconds)
    return {"milliseconds": milliseconds, "cpu": [cpu], "prompts": model.prompts}


def _memory(folder: Path, model: Model) -> Memory:
    os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder), "OPENAI_API_KEY": "none"}
    mem0 = import_module("mem0")
    store = {"path": str(folder / "qdrant"), "on_disk": True, "embedding_model_dims": DIMENSION}
    config = {
        "vector_store": {"provider": "qdrant", "config": store},
        "history_db_path": str(folder / "history.db"),
    }
    memory = mem0.Memory.from_config(config)
    memory.embedding_model, memory.llm = Embedder(), model
    return memory


if __name__ == "__main__":
    sys.exit(main())
