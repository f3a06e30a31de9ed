"""`python -m benchmarks.learning --data FILE`: share of true and of false facts that become memories.

FILE is a list of pieces of dialogue: `events` (`role`, `text`), `day`, `known` (`label`, `fact`), `facts` by
a strong model (with `_verdict`), and `bad` facts that a careless model might extract (by `_kind`), both in
the fields of the extraction prompt. Each piece passes the real pipeline and store twice, once with each list
as the model's answer. Mode is `auto`, rates are high and `min_confidence` is .3, so that grounding and
verification alone decide.

`--verifier off` switches verification off, `oracle` answers from the labels, a URL asks an OpenAI-compatible
chat model. A fact that merges into a known one counts as active.
"""

import argparse
import asyncio
import json
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, Chat, ScopeRef, Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction, Level, Mode, Origin, Scope, Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion, Grounded, Segment
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import MemoryWritePolicy
from astrbot_plugin_ltm.long_term_memory.prompts import extraction
from astrbot_plugin_ltm.long_term_memory.prompts.verification import Judgement, Ruling
from astrbot_plugin_ltm.long_term_memory.settings import ExtractionSettings
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.text_analysis.tokens import tokens
from astrbot_plugin_ltm.long_term_memory.write.stages import Neighbours, WriterParts
from astrbot_plugin_ltm.long_term_memory.write.token_budget import TokenBudget
from astrbot_plugin_ltm.long_term_memory.write.verify import verifier as by_model
from astrbot_plugin_ltm.long_term_memory.write.writer import MemoryWriter

from benchmarks.chat_endpoint import ask
from tests.read.fakes import NoEmbedder
from tests.stores import a_store, an_event, an_evidence, an_item
from tests.write.desk import NoVectors

if TYPE_CHECKING:
    from astrbot_plugin_ltm.long_term_memory.write.protocols import Verify

OWNER = ScopeRef(scope=Scope.USER, scope_id="web:U1")
UMO = "web:FriendMessage:U1"
ACCESS = Access(umo=UMO, private=True, level=Level.INTERNAL, owner=OWNER, group=None, readable=(OWNER,))
CHAT = Chat(umo=UMO, platform_id="web", sender_id="U1", sender_name="", group_id="", conversation_id="c1")
POLICY = MemoryWritePolicy(
    mode=Mode.AUTO,
    min_confidence=0.3,
    max_writes_per_session=10_000,
    max_writes_per_hour=10_000,
    max_items_per_scope=10_000,
)

AT_ONCE = 8
"""Pieces that are played at the same time, so that a slow model is kept busy."""

type Fact = Mapping[str, Any]


@dataclass
class Count:
    """What became of facts: their number, and how many are in use, wait, or were refused."""

    n: int = 0
    active: int = 0
    waiting: int = 0
    refused: int = 0

    def add(self, outcome: str) -> None:
        """One more."""
        self.n += 1
        setattr(self, outcome, getattr(self, outcome) + 1)


@dataclass
class Result:
    """All that is counted."""

    true: Count = field(default_factory=Count)
    false: Count = field(default_factory=Count)
    by_kind: dict[str, Count] = field(default_factory=lambda: defaultdict(Count))
    calls: int = 0
    turns: int = 0
    tokens: int = 0
    reasons: Counter[str] = field(default_factory=Counter[str])
    lost: list[str] = field(default_factory=list[str])

    def as_json(self) -> dict[str, Any]:
        """As the file has it."""
        kinds = {kind: vars(count) for kind, count in sorted(self.by_kind.items())}
        per_turn = {"calls": self.calls / max(1, self.turns), "tokens": self.tokens / max(1, self.turns)}
        return {"true": vars(self.true), "false": vars(self.false), "by_kind": kinds, "per_turn": per_turn}


class Answering:
    """A chat model: extraction is answered with given facts, verification by the model at `url`."""

    def __init__(self, facts: Sequence[Fact], labels: Mapping[str, str], url: str, result: Result) -> None:
        self._facts = facts
        self._labels = labels
        self._url = url
        self._result = result

    async def provider_id(self, umo: str) -> str:
        """One for all."""
        return f"model of {umo}"

    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        """See `ChatModel.complete`."""
        if system == extraction.SYSTEM:
            answer = json.dumps([self._told(fact, prompt) for fact in self._facts], ensure_ascii=False)
        elif self._url:
            answer = await asyncio.to_thread(ask, self._url, system, prompt)
        else:
            raise UnavailableError(f"nobody verifies for {umo}")
        asked = tokens(system) + tokens(prompt)
        self._result.calls += 1
        self._result.tokens += asked + tokens(answer)
        return Completion(text=answer, prompt_tokens=asked, answer_tokens=tokens(answer))

    def _told(self, fact: Fact, prompt: str) -> dict[str, Any]:
        """The fact as the model answers it: `replaces` names the label that the known fact has here."""
        here = {text: label for label, text in re.findall(r"^\[(K\d+)\] [^:]*: (.*)$", prompt, re.MULTILINE)}
        told = {key: value for key, value in fact.items() if not key.startswith("_")}
        named: str | list[str] = told.get("replaces") or []
        names = [named] if isinstance(named, str) else named
        told["replaces"] = [here[self._labels[name]] for name in names if self._labels.get(name) in here]
        return told


async def play(
    piece: Mapping[str, Any], facts: Sequence[Fact], verifier: str, result: Result, *, true: bool
) -> None:
    """Take one piece through the pipeline, and count what became of these facts."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        store = await stack.enter_async_context(a_store(Path(folder)))
        await _know(store, piece)
        began = datetime.strptime(piece["day"].split()[-1], "%Y-%m-%d").replace(hour=12, tzinfo=UTC)
        now = [began]
        labels = {known["label"]: known["fact"] for known in piece["known"]}
        url = verifier if verifier not in ("off", "oracle") else ""
        budget = TokenBudget(Answering(facts, labels, url, result), store, lambda: now[0], 10**9)
        labelled = Judgement(ruling=Ruling.SAID if true else Ruling.NOT_SAID)

        async def by_label(_segment: Segment, facts: Sequence[Grounded], _: str) -> Sequence[Judgement]:
            return [labelled] * len(facts)

        verifiers: Mapping[str, Verify | None] = {"off": None, "oracle": by_label}
        ids = iter(range(10**6))
        writer = MemoryWriter(
            WriterParts(
                store=store,
                budget=budget,
                neighbours=Neighbours(NoEmbedder(), NoVectors),
                policy=lambda: POLICY,
                verify=verifiers.get(verifier, by_model(budget, UTC)),
                retention={},
                clock=lambda: now[0],
                make_id=lambda: f"id-{next(ids)}",
            )
        )
        await _say(writer, piece["events"], now)
        result.turns += sum(event["role"] == "user" for event in piece["events"])
        due = await store.events.due(
            settings=ExtractionSettings(batch_turns=1, idle=timedelta(0)), now=now[0], limit=1_000
        )
        leased = await writer.lease(due.batch, "model") if due.batch else None
        if not leased:
            raise TypeError(f"{piece['id']}: nothing to read")
        extracted = await writer.ask(leased)
        await writer.store_facts(leased, extracted)
        await _count(store, facts, extracted.facts, result, true=true)


async def _know(store: Store, piece: Mapping[str, Any]) -> None:
    """What was known before is in the store."""
    told = an_event("what was said before", at_scope=OWNER, owner=OWNER, umo=UMO, extraction=Extraction.DONE)
    async with store.transaction() as tx:
        for known in piece["known"]:
            person = known["whose"].partition("about ")[2]
            item = an_item(
                known["fact"], owner=OWNER, person=person, origin=Origin.LLM_EXTRACT, origin_umo=UMO
            )
            await tx.add_events([told])
            await tx.insert_item(item, [an_evidence(item, told)])


async def _say(writer: MemoryWriter, events: Sequence[Mapping[str, Any]], now: list[datetime]) -> None:
    at = 0
    while at < len(events):
        said = events[at]["text"] if events[at]["role"] == "user" else ""
        at += bool(said)
        reply = events[at]["text"] if at < len(events) and events[at]["role"] == "assistant" else ""
        at += bool(reply)
        now[0] += timedelta(minutes=1)
        turn = Turn(chat=CHAT, message_id=f"m{at}", user_text=said, reply_text=reply, at=now[0])
        await writer.record(turn, ACCESS)


async def _count(
    store: Store, facts: Sequence[Fact], grounded: Sequence[Grounded], result: Result, *, true: bool
) -> None:
    """By the store: a fact is in use if an item in use rests on the words that it was found in."""
    async with store.transaction() as tx:
        for fact in facts:
            found = next((each for each in grounded if _is(each, fact)), None)
            outcome, why = "refused", found.refused if found else "not read"
            if found and not found.refused:
                near = await tx.similar(found.owner, found.event.level, found.candidate.fact, limit=50)
                held = [item for item in near if await tx.has_evidence(item.memory_id, found.event.event_id)]
                own = [item for item in held if item.fact == found.candidate.fact]
                status = (own or ([] if found.doubt else held) or [None])[0]
                outcome = _OUTCOMES.get(status.status, "refused") if status else "refused"
                why = found.doubt or (status.status.value if status else "gone")
            (result.true if true else result.false).add(outcome)
            if not true:
                result.by_kind[fact["_kind"]].add(outcome)
            if (outcome == "active") != true:
                kind = "true" if true else fact["_kind"]
                result.reasons[f"{'true' if true else 'false'} {outcome}: {why.partition(':')[0]}"] += 1
                result.lost.append(f"{kind}, {outcome}, {why} | {fact['fact']} | {fact['quote']}")


_OUTCOMES = {Status.ACTIVE: "active", Status.PENDING: "waiting"}


def _is(grounded: Grounded, fact: Fact) -> bool:
    candidate = grounded.candidate
    # What does not end another value loses its key by verification.
    same = (candidate.type, candidate.fact_key or fact["fact_key"]) == (fact["type"], fact["fact_key"])
    begins = 10 if candidate.fact_key else 30
    return same and candidate.fact[:begins] == fact["fact"][:begins]


async def measure(pieces: Sequence[Mapping[str, Any]], verifier: str) -> Result:
    """Play every piece, with the true facts and with the bad ones, a few at a time."""
    result, places = Result(), asyncio.Semaphore(AT_ONCE)

    async def one(piece: Mapping[str, Any], facts: Sequence[Fact], *, true: bool) -> None:
        async with places:
            await play(piece, facts, verifier, result, true=true)

    async with asyncio.TaskGroup() as group:
        for piece in pieces:
            true = [fact for fact in piece["facts"] if fact.get("_verdict") in ("true", "minor")]
            for facts, is_true in ((true, True), (piece["bad"], False)):
                if facts:
                    group.create_task(one(piece, facts, true=is_true))
    return result


def _line(name: str, count: Count) -> str:
    outcome = f"{count.active} active, {count.waiting} waiting, {count.refused} refused"
    return f"{name:<16} {count.n:>4} facts: {outcome}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--verifier", default="off", help="off, oracle, or the URL of a chat model")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--lost", action="store_true", help="print each fact that was taken wrongly or lost")
    options = parser.parse_args()
    pieces = json.loads(options.data.read_text(encoding="utf-8"))
    result = asyncio.run(measure(pieces, options.verifier))
    print(_line("true", result.true))
    print(_line("false", result.false))
    for kind, count in sorted(result.by_kind.items()):
        print(_line(f"  {kind}", count))
    per_turn = result.as_json()["per_turn"]
    print(f"a turn: {per_turn['calls']:.2f} model calls, {per_turn['tokens']:.0f} tokens")
    for reason, number in result.reasons.most_common():
        print(f"{number:>4} {reason}")
    for line in result.lost if options.lost else ():
        print(line)
    if options.json:
        options.json.write_text(json.dumps(result.as_json(), indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
