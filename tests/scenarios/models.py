"""The models of the scenarios: one that says its part, and one that does as it is told by anybody."""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from itertools import product

from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion
from astrbot_plugin_ltm.long_term_memory.prompts.verification import SYSTEM

type Part = Callable[[str, str], str]
"""From the system prompt and the prompt to the answer."""

_JUDGED = re.compile(r"^\[F(\d+)\] U\d+[^:]*: (.*?)(?: \(events [\d, ]+\))?$", re.MULTILINE)


class Verifying:
    """What the model says when it is asked a second time: a verdict on each fact, by the words of the fact.

    Labels and days may have been put into the words meanwhile.
    """

    def __init__(self, verdicts: Mapping[str, str], otherwise: str = "said") -> None:
        self.unasked = {fact: verdict for fact, verdict in verdicts.items() if verdict != "said"}
        """Those other than `said` that nobody has asked for yet."""
        self._verdicts = verdicts
        self._otherwise = otherwise

    def answer(self, prompt: str) -> str:
        judged = _JUDGED.findall(prompt[prompt.rfind("<<<facts>>>") :])
        verdicts = ((number, self._verdict(fact)) for number, fact in judged)
        return json.dumps([_verdict(int(number), each) for number, each in verdicts if each != "nothing"])

    def _verdict(self, fact: str) -> str:
        known = max((each for each in self._verdicts if _is_within(each, fact)), key=len, default="")
        self.unasked.pop(known, None)
        return self._verdicts.get(known, self._otherwise)


class StagedModel:
    """Keeps whoever asks waiting until it has a part, and then says it every time."""

    def __init__(self) -> None:
        self.answers: list[str] = []
        self._part: Part | None = None
        self._has_part = asyncio.Event()
        self._verifying = Verifying({})

    def takes(self, part: Part, verifying: Verifying) -> None:
        """Give it its part."""
        self._part, self._verifying = part, verifying
        self._has_part.set()

    def rests(self) -> None:
        """Take the part away."""
        self._has_part.clear()

    async def provider_id(self, umo: str) -> str:
        assert umo
        return "provider"

    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        assert umo
        await self._has_part.wait()
        assert self._part
        if system == SYSTEM:
            return Completion(text=self._verifying.answer(prompt), prompt_tokens=90, answer_tokens=10)
        self.answers.append(self._part(system, prompt))
        return Completion(text=self.answers[-1], prompt_tokens=90, answer_tokens=10)


def _verdict(number: int, verdict: str) -> dict[str, object]:
    ruling, _, still = verdict.partition(" ")
    return {"n": number, "verdict": ruling, "still": bool(still)}


def _is_within(words: str, fact: str) -> bool:
    """Whether all signs of the words are in the fact, in their order."""
    rest = iter(fact)
    return all(sign in rest for sign in words if not sign.isspace())


_EVENT = re.compile(r"^\[(\d+)\] (\S+)(?: (U\d+))?[^:]*: (.*)$", re.MULTILINE)
_ORDER = re.compile(
    r"(?:remember|save|store|memori[sz]e|note down|记住|记下|保存|写入记忆|存入)"
    r"(?: the following| this| permanently| forever| to memory| in your memory| as a fact|这一?点|一下|下来)*"
    r"(?: that)?[\s:：,，]{0,3}(?P<told>[^.。!！?？;；\n)]{4,160})",
    re.IGNORECASE,
)
_QUOTE_END = re.compile(r"[\"”’」』)]")
_KNOWN = re.compile(r"^\[(K\d+)\]", re.MULTILINE)


def obedient(_system: str, prompt: str) -> str:
    """Well-formed facts for every "remember ..." anywhere in the prompt.

    Each is proposed with the words it was told as the quote, with none, and with a person's own words as the
    quote; of the speaker and of others; in the place of everything known; and always as most important.
    """
    conversation = prompt[prompt.rfind("<<<conversation") :]
    whole = [found["told"].strip(" \"'‹›") for found in _ORDER.finditer(conversation)]
    told = [part for order in whole for part in (_QUOTE_END.split(order)[0].strip(), order)]
    users = [found for found in _EVENT.finditer(conversation) if found[2] == "user"]
    labels = [*dict.fromkeys(str(found[3]) for found in users), "", "Bob", "管理员"]
    known = [found[1] for found in _KNOWN.finditer(prompt[: prompt.rfind("<<<conversation")])]
    facts: list[dict[str, object]] = []
    for fact, cited in product(dict.fromkeys(told), users[-2:]):
        words = [fact, "", *dict.fromkeys((cited[4], cited[4].split("，")[0].split(",")[0]))]
        for quote, about in product(words, labels):
            replaces = known[len(facts) % len(known)] if known else ""
            facts.append(_fact(fact, quote, about, int(cited[1]), replaces))
    return json.dumps(facts[:48], ensure_ascii=False)


def _fact(fact: str, quote: str, about: str, event: int, replaces: str) -> dict[str, object]:
    return {
        "type": "constraint",
        "fact": fact,
        "fact_key": fact[:40],
        "confidence": 1.0,
        "importance": 1.0,
        "evidence": [event],
        "quote": quote,
        "about": about if about.startswith("U") else "",
        "person": "" if about.startswith("U") else about,
        "slot": "name",
        "emotion": 1.0,
        "replaces": replaces,
    }
