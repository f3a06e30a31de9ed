"""What the scripted model says when it stands in for a real one: no thought, only rules and candour."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.host.harness.recorded import RecordedRequest
from tests.host.harness.scripted_model import ScriptedModel

_THING = r"(?P<it>[^.,;!?\n\"<>{}\\]{1,60}?)(?=\s+(?:and\s+I|any\s?more)\b|\s*[.,;!?\n\"<>{}\\]|\s*$)"
_DING = r"(?P<it>[^\s，。；！？,.;!?\"<>{}\\]{1,30}?)"

_OPENS = re.compile(
    r"(?:^(?:[^:：]*: )?|[.,;!?，。；！？]|\b(?:and|also|actually|now|hi|hello|yes)\b|你好|其实|还有)\s*$",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[^.!。！\n]*[?？吗]")


@dataclass(frozen=True, kw_only=True)
class _Reading:
    """A way people say a lasting thing about themselves, and the fact it makes."""

    pattern: re.Pattern[str]
    kind: str
    key: str
    fact: str


def _reading(pattern: str, kind: str, key: str, fact: str) -> _Reading:
    compiled = re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    return _Reading(pattern=compiled, kind=kind, key=key, fact=fact)


_READINGS = (
    _reading(r"\bmy name is (?!not\b)(?P<it>\w+)", "profile", "user_name", "User's name is {it}"),
    _reading(rf"\bI live in {_THING}", "profile", "home_city", "User lives in {it}"),
    _reading(rf"\bI(?:'m| am|’m) allergic to {_THING}", "constraint", "allergy", "User is allergic to {it}"),
    _reading(
        rf"\bI(?:'m| am|’m) (?:not|no longer) allergic to {_THING}",
        "constraint",
        "allergy",
        "User is not allergic to {it}",
    ),
    _reading(rf"\bI (?:like|love|prefer) {_THING}", "preference", "likes", "User likes {it}"),
    _reading(
        rf"\bI (?:don['’]t|do not|no longer) (?:like|love) {_THING}",
        "preference",
        "likes",
        "User does not like {it}",
    ),
    _reading(
        rf"我(?:的名字是|叫){_DING}(?=[，。；！？,.;!?\"\s]|$)", "profile", "user_name", "用户的名字是{it}"
    ),
    _reading(rf"我对{_DING}过敏", "constraint", "allergy", "用户对{it}过敏"),
    _reading(rf"我(?:喜欢|爱){_DING}(?=[，。；！？,.;!?\"\s]|$)", "preference", "likes", "用户喜欢{it}"),
    _reading(
        rf"我不(?:喜欢|爱){_DING}(?=了?[，。；！？,.;!?\"\s]|了?$)", "preference", "likes", "用户不喜欢{it}"
    ),
)


def take_the_part(model: ScriptedModel) -> None:
    """Make a scripted model answer as the stand-in, for as long as it serves."""
    model.chat.always(reply)
    model.extraction.always(lambda request: list(facts(request.prompt)))


def reply(request: RecordedRequest) -> str:
    """Say which memories the request brought along."""
    lines = [line for block in request.memory_blocks for line in block.splitlines()[1:-1]]
    opening = "This is the demo's stand-in, not a real model."
    if not lines:
        return f"{opening} I was given no memories with your message."
    return "\n".join([f"{opening} With your message I was given these memories:", *lines])


def facts(prompt: str) -> Iterator[dict[str, object]]:
    """Read the facts that a prompt's conversation states word for word, each once."""
    prompt = prompt.partition("<<<conversation>>>")[2] or prompt  # what was said before it has been read
    seen: set[str] = set()
    for reading in _READINGS:
        for found in reading.pattern.finditer(prompt):
            if not _is_stated(prompt, found):
                continue
            it = found["it"].strip()
            fact = reading.fact.format(it=it)
            if fact.lower() in seen:
                continue
            seen.add(fact.lower())
            yield {
                "type": reading.kind,
                "fact": fact,
                "fact_key": f"{reading.key}_{it}".lower() if reading.key == "likes" else reading.key,
                "confidence": 0.95,
                "importance": 0.8,
                "quote": found[0].strip(),
            }


def _is_stated(prompt: str, found: re.Match[str]) -> bool:
    """Whether the words open a clause that asks nothing; "forget that I like tea" does not."""
    line = prompt[prompt.rfind("\n", 0, found.start()) + 1 : found.start()]
    return bool(_OPENS.search(line)) and not _ASKS.match(prompt, found.start())
