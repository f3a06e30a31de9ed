"""Answers in the words of the OpenAI API: one JSON object, or a stream of chunks."""

import json
import re
from collections.abc import Iterator
from typing import Any

from .answers import CallTool, Say

type Spoken = Say | CallTool


def tokens(text: str) -> int:
    """Count tokens roughly and repeatably; no table is downloaded for it."""
    return len(text) // 4 + 1


def completion(answer: Spoken, *, model: str, prompt: str, number: int) -> dict[str, Any]:
    """Build the body of a non-streaming answer."""
    message: dict[str, Any] = {"role": "assistant", "content": answer.text}
    if isinstance(answer, CallTool):
        message |= {"content": answer.text or None, "tool_calls": [_tool_call(answer, number)]}
    choice = {"index": 0, "message": message, "finish_reason": _reason(answer), "logprobs": None}
    head = _head("chat.completion", model, number)
    return {**head, "choices": [choice], "usage": _usage(prompt, answer)}


def chunks(answer: Spoken, *, model: str, prompt: str, number: int) -> Iterator[str]:
    """Yield the server-sent events of a streaming answer, word by word, the usage last."""
    head = _head("chat.completion.chunk", model, number)
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": word} for word in re.findall(r"\S+\s*|\s+", answer.text)]
    if isinstance(answer, CallTool):
        deltas.append({"tool_calls": [{"index": 0, **_tool_call(answer, number)}]})
    for delta in deltas:
        yield _event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield _event({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": _reason(answer)}]})
    yield _event({**head, "choices": [], "usage": _usage(prompt, answer)})
    yield "data: [DONE]\n\n"


def _head(kind: str, model: str, number: int) -> dict[str, Any]:
    return {"id": f"chatcmpl-{number}", "object": kind, "created": 1_700_000_000 + number, "model": model}


def _tool_call(answer: CallTool, number: int) -> dict[str, Any]:
    arguments = json.dumps(dict(answer.arguments), ensure_ascii=False)
    function = {"name": answer.name, "arguments": arguments}
    return {"id": f"call_{number}", "type": "function", "function": function}


def _reason(answer: Spoken) -> str:
    return "tool_calls" if isinstance(answer, CallTool) else "stop"


def _usage(prompt: str, answer: Spoken) -> dict[str, int]:
    sent, said = tokens(prompt), tokens(answer.text)
    return {"prompt_tokens": sent, "completion_tokens": said, "total_tokens": sent + said}


def _event(body: dict[str, Any]) -> str:
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n"
