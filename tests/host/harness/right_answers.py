"""What providers answer that do their work: to the question for facts, and to the one for vectors."""

import json
import re
from collections.abc import Mapping
from typing import Any

from . import wire
from .answers import Say
from .vectors import VectorSpace


def well(path: str, body: dict[str, Any]) -> Mapping[str, Any]:
    """What somebody says to keep, as facts, or the vectors of these texts."""
    if path.endswith("/embeddings"):
        texts: list[str] = body["input"]
        data = [
            {"object": "embedding", "index": at, "embedding": VectorSpace().vector(each)}
            for at, each in enumerate(texts)
        ]
        return {"object": "list", "data": data, "model": "m", "usage": {"prompt_tokens": 1}}
    prompt = str(body["messages"][-1]["content"])
    kept = re.findall(r"I keep a (\w+)", prompt.partition("<<<conversation>>>")[2])
    facts = json.dumps([_fact(thing) for thing in kept])
    return wire.completion(Say(facts), model="m", prompt=prompt, number=1)


def _fact(thing: str) -> dict[str, object]:
    return {
        "type": "profile",
        "fact": f"User keeps a {thing}",
        "fact_key": thing,
        "confidence": 0.9,
        "importance": 0.7,
        "quote": f"I keep a {thing}",
    }
