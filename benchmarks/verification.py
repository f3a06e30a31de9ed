"""`python -m benchmarks.verification URL`: verdicts of a chat model on the verification prompt.

`verification_cases.json` holds invented dialogues in five languages with facts, each true, or false in one of
fourteen ways. Under some stand earlier facts that they would replace, each to be kept or not. The model
`memory` at the OpenAI-compatible URL answers one prompt for each dialogue. The output is the number of
accepted true and false facts, by language and by kind, and of kept and dropped earlier facts.
"""

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, Role, Stance
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.domain.writing import Segment
from astrbot_plugin_ltm.long_term_memory.prompts.verification import (
    SYSTEM,
    Judgement,
    Statement,
    parse_verdicts,
    verification_prompt,
)

from benchmarks.chat_endpoint import ask
from tests.stores import GROUP, an_event, an_item

CASES = Path(__file__).with_name("verification_cases.json")
AT_ONCE = 4


@dataclass
class Matrix:
    """Accepted and all, of true and of false facts, by language and by kind."""

    accepted: Counter[tuple[bool, str]] = field(default_factory=Counter[tuple[bool, str]])
    n: Counter[tuple[bool, str]] = field(default_factory=Counter[tuple[bool, str]])
    still: Counter[tuple[bool, bool]] = field(default_factory=Counter[tuple[bool, bool]])
    """Earlier facts: whether each is to be kept, and whether it is."""
    unjudged: int = 0
    wrong: list[str] = field(default_factory=list[str])

    def add(self, piece: Mapping[str, Any], fact: Mapping[str, Any], judgement: Judgement | None) -> None:
        """One verdict; none counts as a refusal."""
        true, accepted = bool(fact["true"]), judgement is not None and judgement.ruling.accepts
        self.unjudged += judgement is None
        for name in ("all", piece["language"], *([] if true else [fact["kind"]])):
            self.n[true, name] += 1
            self.accepted[true, name] += accepted
        for at, letter in enumerate("abc"[: len(fact.get("instead_of", ()))], start=1):
            wanted, kept = letter in fact["still"], judgement is not None and at in judgement.still
            self.still[wanted, kept] += 1
            if wanted != kept:
                self.wrong.append(
                    f"{piece['id']} {'dropped' if wanted else 'kept'}: {fact['instead_of'][at - 1]}"
                )
        if accepted != true:
            verdict = judgement.ruling.value if judgement else "none"
            self.wrong.append(f"{piece['id']} {fact['kind'] or 'true'}, {verdict}: {fact['fact']}")

    def lines(self) -> list[str]:
        """The table."""
        found = [
            f"{true!s:<5} {name:<15} {self.accepted[true, name]:>3} of {self.n[true, name]:>3} accepted"
            for true, name in sorted(self.n, key=lambda key: (not key[0], key[1]))
        ]
        found += [
            f"earlier facts to {verb}: {self.still[wanted, True]} kept, {self.still[wanted, False]} dropped"
            for wanted, verb in ((True, "keep"), (False, "drop"))
        ]
        return [*found, f"without a usable verdict: {self.unjudged}", *self.wrong]


def prompt_of(piece: Mapping[str, Any]) -> str:
    """The prompt that asks about all facts of a piece."""
    day = datetime.strptime(piece["day"].split()[-1], "%Y-%m-%d").replace(hour=12, tzinfo=UTC)
    events = tuple(_event(said, day, group=piece["group"]) for said in piece["events"])
    earlier = tuple(_event(said, day, group=piece["group"]) for said in piece["context"])
    known: tuple[Item, ...] = tuple(an_item(fact, owner=events[0].owner) for fact in piece["known"])
    segment = Segment(events=events, earlier=earlier, known=known)
    statements = [_statement(fact, events) for fact in piece["candidates"]]
    return verification_prompt(segment, statements)


def _event(said: Mapping[str, Any], day: datetime, *, group: bool) -> Event:
    user = said["role"] == "user"
    place = {"at_scope": GROUP, "umo": GROUP.scope_id, "level": Level.PUBLIC} if group else {}
    return an_event(
        said["text"],
        role=Role.USER if user else Role.ASSISTANT,
        sender_id=said["speaker"] if user else "",
        sender_name="",
        created_at=day,
        **place,
    )


def _statement(fact: Mapping[str, Any], events: Sequence[Event]) -> Statement:
    quoted = [n for n, event in enumerate(events) if any(quote in event.text for quote in fact["quotes"])]
    return Statement(
        fact=fact["fact"],
        speaker=fact["about"],
        person=fact["person"],
        stance=Stance(fact["stance"]),
        events=tuple(quoted),
        instead_of=tuple(fact.get("instead_of", ())),
    )


async def measure(url: str) -> Matrix:
    """Ask about every piece, a few at a time."""
    matrix, places = Matrix(), asyncio.Semaphore(AT_ONCE)
    pieces = json.loads(CASES.read_text(encoding="utf-8"))

    async def one(piece: Mapping[str, Any]) -> None:
        async with places:
            answer = await asyncio.to_thread(ask, url, SYSTEM, prompt_of(piece))
        verdicts = parse_verdicts(answer, len(piece["candidates"]))
        for fact, verdict in zip(piece["candidates"], verdicts, strict=True):
            matrix.add(piece, fact, verdict)

    await asyncio.gather(*map(one, pieces))
    return matrix


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("url")
    print("\n".join(asyncio.run(measure(parser.parse_args().url)).lines()))


if __name__ == "__main__":
    main()
