"""What providers answer that do their work: to the questions for facts, for verdicts and for vectors."""

import json
import re
from collections.abc import Mapping
from typing import Any

from tests.verifying import all_said

from . import wire
from .answers import Say
from .scripted_model import VERIFICATION_MARKER
from .vectors import VectorSpace


def well(path: str, body: dict[str, Any]) -> Mapping[str, Any]:
    """What somebody says to keep, as facts, that all of them were said, or the vectors of these texts."""
    if path.endswith("/embeddings"):
        texts: list[str] = body["input"]
        data = [
            {"object": "embedding", "index": at, "embedding": VectorSpace().vector(each)}
            for at, each in enumerate(texts)
        ]
        return {"object": "list", "data": data, "model": "m", "usage": {"prompt_tokens": 1}}
    prompt = str(body["messages"][-1]["content"])
    kept = re.findall(r"I keep a (\w+)", prompt.partition("<<<conversation>>>")[2])
    text = all_said(prompt) if VERIFICATION_MARKER in prompt else json.dumps([_fact(thing) for thing in kept])
    return wire.completion(Say(text), model="m", prompt=prompt, number=1)


def _fact(thing: str) -> dict[str, object]:
    return {
        "type": "profile",
        "fact": f"User keeps a {thing}",
        "fact_key": thing,
        "confidence": 0.9,
        "importance": 0.7,
        "quote": f"I keep a {thing}",
    }
