"""One question to an OpenAI-compatible chat model."""

import json
import urllib.request

TIMEOUT = 3_000
"""Seconds: whoever answers may be slow."""


def ask(url: str, system: str, prompt: str) -> str:
    """What the model `memory` at this URL answers."""
    messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
    body = json.dumps({"model": "memory", "messages": messages}).encode()
    request = urllib.request.Request(  # noqa: S310 - the address that was given
        f"{url.rstrip('/')}/chat/completions", body, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310 - as above
        return str(json.load(answer)["choices"][0]["message"]["content"])
