"""`python -m benchmarks.write`: cost of recording turns and keeping memories, in one process.

Each round runs in turn a bare SQLite transaction with the plugin's pragmas, which is the floor, the plugin,
and mem0, if `--rival` names a Python that has it:

    python3.12 -m venv /tmp/rival && /tmp/rival/bin/pip install -r benchmarks/requirements-rival.txt
    .venv/bin/python -m benchmarks.write --rival /tmp/rival/bin/python

mem0 stores texts verbatim (`infer=False`), with an embedder without latency and its default local store. A
turn is a message and a reply: two events here, two memories there. Times are milliseconds from the call to
its return; `_cpu` is the CPU time of a call on all threads. A ratio is the median of the ratios of the
rounds, each of medians. Background embedding is measured separately.

The second part counts model calls and tokens, as the plugin estimates them, in a chat at the default
settings; both models find a fact in every third message.
"""

import argparse
import asyncio
import json
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Self, override

from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.prompts.verification import SYSTEM
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.text_analysis.tokens import tokens
from astrbot_plugin_ltm.long_term_memory.upkeep.embedding import Embedding

from tests.faults.faults import Points
from tests.faults.loop import LoopClock, SteppedLoop
from tests.running import ScriptedChatModel, World, private, settings
from tests.stores import NOW, migrated, opened
from tests.verifying import all_said

PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON", "foreign_keys = ON")
QUIET = {
    "write_policy": {
        "mode": "auto",
        "max_writes_per_session": 10_000,
        "max_writes_per_hour": 100_000,
        "max_items_per_scope": 10_000,
    },
    "extraction": {"batch_turns": 100, "idle_seconds": 86_400},
}
"""No model is asked and no limit is met while times are taken."""
REPLY = "That sounds good. Is there anything else that I can do for you today?"
DIMENSION = 256
PACES = {"minute": timedelta(minutes=1), "ten_minutes": timedelta(minutes=10)}
"""How far apart the turns of the chat are in which the questions to the model are counted."""

type Times = dict[str, list[list[float]]]
"""By what was done, of each round the milliseconds of each call."""


def main() -> int:
    """Measure, print a table, and write JSON where `--json` says."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.write", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--rounds", type=int, default=10, help="rounds that count, after one that does not (10)"
    )
    parser.add_argument("--turns", type=int, default=40, help="calls of each kind in a round (40)")
    parser.add_argument("--chat", type=int, default=100, help="turns in which questions are counted (100)")
    parser.add_argument("--rival", type=Path, help="a Python that has mem0")
    parser.add_argument(
        "--folder", type=Path, help="where the files go: which disk counts (the temporary one)"
    )
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.folder)))
        rival = stack.enter_context(Rival(options.rival, folder / "rival")) if options.rival else None
        figures = dict(speed(folder, rival, options.rounds, options.turns))
        figures |= questions(folder, rival, options.chat)
    for name, value in figures.items():
        print(f"{name:<36}{value:>12.2f}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
    return 0


def speed(folder: Path, rival: "Rival | None", rounds: int, turns: int) -> Iterator[tuple[str, float]]:
    """How long each kind of call takes, and how it stands to the floor and to the rival."""
    times: Times = {}
    asyncio.run(_rounds(folder, rival, rounds + 1, turns, times))
    for name, taken in times.items():
        del taken[0]
        every = [value for one in taken for value in one]
        yield f"{name}_median_ms", statistics.median(every)
        if not name.endswith("_cpu"):
            yield f"{name}_p95_ms", statistics.quantiles(every, n=20)[-1]
    yield "events_per_second", 2 * _per_second(times["turn"])
    yield "items_per_second_by_rules", _per_second(times["statement"])
    yield "items_per_second_by_saves", _per_second(times["save"])
    yield "vectors_per_second", _per_second(times["vector"])
    for name in ("turn", "statement", "save"):
        yield f"{name}_over_floor", _ratio(times[name], times["floor"])
    if rival:
        yield "rival_events_per_second", 2 * _per_second(times["rival_turn"])
        yield "rival_items_per_second", _per_second(times["rival_save"])
        yield "turn_over_rival", _ratio(times["turn"], times["rival_turn"])
        yield "save_over_rival", _ratio(times["save"], times["rival_save"])


async def _rounds(folder: Path, rival: "Rival | None", rounds: int, turns: int, times: Times) -> None:
    world = World(migrated(folder / "plugin.db"))
    floor = Floor(folder / "floor.db")
    async with world.memory(settings(QUIET)) as memory:
        for number in range(rounds):
            texts = Texts(number)
            times.setdefault("floor", []).append([floor.turn(text) for text in texts.talk(turns)])
            await _plugin_round(world, memory, texts, turns, times)
            if rival:
                pairs = [[_message(text), _reply()] for text in texts.talk(turns)]
                rival.adds("rival_turn", pairs, texts.person, times)
                singles = [[_message(text)] for text in texts.wishes(turns)]
                rival.adds("rival_save", singles, texts.person, times)
    floor.close()
    times["vector"] = await _embedded(world.file)


async def _plugin_round(world: World, memory: LTMManager, texts: "Texts", turns: int, times: Times) -> None:
    chat = private(texts.person)

    async def turn(text: str) -> None:
        await world.tell(memory, chat, text, REPLY)

    async def save(text: str) -> None:
        await memory.save(chat, fact=text, said=f"/ltm add {text}", message_id=text)

    kinds: Mapping[str, tuple[Callable[[str], Awaitable[None]], Sequence[str]]] = {
        "turn": (turn, texts.talk(turns)),
        "statement": (turn, texts.statements(turns)),
        "save": (save, texts.wishes(turns)),
    }
    for name, (call, said) in kinds.items():
        taken: list[float] = []
        worked = time.process_time()
        for text in said:
            world.clock.move(timedelta(seconds=1))
            taken.append(await _milliseconds(partial(call, text)))
        times.setdefault(f"{name}_cpu", []).append([(time.process_time() - worked) * 1000 / turns])
        times.setdefault(name, []).append(taken)


async def _embedded(file: Path) -> list[list[float]]:
    """Of each batch the milliseconds a vector took, as often as there were vectors; the first one twice."""
    taken: list[list[float]] = []
    async with opened(file) as database:
        embedding = Embedding(Store(database, lambda: NOW).vectors, Embedder(), lambda: NOW)
        while True:
            began = time.perf_counter()
            number = await embedding.embed_batch()
            if not number:
                return [taken[0], *taken]
            taken.append([(time.perf_counter() - began) * 1000 / number] * number)


def questions(folder: Path, rival: "Rival | None", turns: int) -> Iterator[tuple[str, float]]:
    """What the models are asked in one chat, at the default settings."""
    texts = Texts(0)
    said = texts.talk(turns)
    for name, pace in PACES.items():
        model = Finder(said[::3])
        file = migrated(folder / f"{name}.db")
        with asyncio.Runner(loop_factory=SteppedLoop) as runner:
            runner.run(_chat(World(file, model=model), said, pace))
        yield f"calls_of_{turns}_turns_a_{name}", len(model.prompts)
        yield f"tokens_asked_a_{name}", sum(tokens(prompt) for prompt in model.prompts)
        with closing(sqlite3.connect(file)) as connection:
            booked = "select coalesce(sum(prompt_tokens + answer_tokens), 0) from ltm_tokens"
            yield f"tokens_in_the_ledger_a_{name}", connection.execute(booked).fetchone()[0]
    if rival:
        answers = [json.dumps({"memory": [{"text": text}] if text in said[::3] else []}) for text in said]
        prompts = rival.asked([[_message(text), _reply()] for text in said], answers, "one_chat")
        yield f"rival_calls_of_{turns}_turns", len(prompts)
        yield "rival_tokens_asked", sum(tokens(prompt) for prompt in prompts)


async def _chat(world: World, said: Sequence[str], pace: timedelta) -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SteppedLoop)
    Points(None, crash=lambda: None).watch(loop)  # so that time does not outrun the threads
    world.clock = LoopClock()
    chat = private("alice")
    async with world.memory(settings({})) as memory:
        with loop.passes():
            for text in said:
                await world.tell(memory, chat, text, REPLY)
                await asyncio.sleep(pace.total_seconds())
            await asyncio.sleep(3600)


@dataclass
class Finder(ScriptedChatModel):
    """Finds one fact in each message it knows."""

    def __init__(self, known: Sequence[str]) -> None:
        super().__init__()
        self._known = known

    @override
    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        conversation = prompt.rpartition("<<<")[0].rpartition("<<<")[2]
        facts = [_fact(text) for text in self._known if text in conversation]
        answer = all_said(prompt) if system == SYSTEM else json.dumps(facts, ensure_ascii=False)
        self.prompts.append(f"{system}\n{prompt}")
        return Completion(
            text=answer, prompt_tokens=tokens(f"{system}\n{prompt}"), answer_tokens=tokens(answer)
        )


class Embedder:
    """Gives each text a vector at once."""

    def model_id(self) -> str | None:
        """Its name."""
        return "at once"

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """The vectors."""
        return [[1.0] * DIMENSION for _ in texts]


class Floor:
    """The least a durable turn can cost: two short rows in one transaction."""

    def __init__(self, file: Path) -> None:
        self._connection = sqlite3.connect(file, isolation_level=None)
        for pragma in PRAGMAS:
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.execute("CREATE TABLE events (id INTEGER PRIMARY KEY, content TEXT NOT NULL)")

    def turn(self, text: str) -> float:
        """Store a message and a reply; returns the milliseconds it took."""
        began = time.perf_counter()
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.executemany("INSERT INTO events (content) VALUES (?)", [(text,), (REPLY,)])
        self._connection.execute("COMMIT")
        return (time.perf_counter() - began) * 1000

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()


class Rival:
    """mem0 in a process of its own, working while it is asked and at no other time."""

    def __init__(self, python: Path, folder: Path) -> None:
        folder.mkdir()
        command = [str(python), str(Path(__file__).with_name("rival.py")), str(folder)]
        self._process = subprocess.Popen(  # noqa: S603  the caller names the program
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def adds(self, name: str, adds: Sequence[Any], person: str, times: Times) -> None:
        """Store texts as they are, and note under this name what each call took."""
        request = {"adds": adds, "answers": [""] * len(adds), "person": person, "infer": False}
        answer = self._ask(request)
        times.setdefault(f"{name}_cpu", []).append(answer["cpu"])
        times.setdefault(name, []).append(answer["milliseconds"])

    def asked(self, adds: Sequence[Any], answers: Sequence[str], person: str) -> list[str]:
        """Store what its model finds; returns what the model was asked."""
        return self._ask({"adds": adds, "answers": answers, "person": person, "infer": True})["prompts"]

    def _ask(self, request: Mapping[str, Any]) -> Mapping[str, list[Any]]:
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps(request), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("the rival gave up; run benchmarks/rival.py by hand to see why")
        return json.loads(answer)


class Texts:
    """What somebody says in one round: made-up words, so that no two facts are alike."""

    def __init__(self, number: int) -> None:
        self.person = f"person{number}"
        self._number = number

    def talk(self, number: int) -> list[str]:
        """Ordinary talk in which the rules find nothing."""
        return [
            f"Yesterday the {a} {b} by the {c} was open until late" for a, b, c in self._words("talk", number)
        ]

    def statements(self, number: int) -> list[str]:
        """Plain statements, one fact each."""
        return [f"I like {a} {b} {c}" for a, b, c in self._words("statement", number)]

    def wishes(self, number: int) -> list[str]:
        """Facts to be remembered."""
        return [f"my {a} keeps a {b} in the {c}" for a, b, c in self._words("wish", number)]

    def _words(self, kind: str, number: int) -> list[list[str]]:
        source = random.Random(f"{kind} {self._number}")  # noqa: S311  it need not be hard to guess
        syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
        return [["".join(source.choices(syllables, k=3)) for _ in range(3)] for _ in range(number)]


def _fact(text: str) -> dict[str, object]:
    told: dict[str, object] = {
        "type": "episode",
        "fact": text,
        "quote": text,
        "confidence": 0.9,
        "importance": 0.6,
    }
    return told | {"tags": [f"{word}s" for word in text.split()[-4:]]}


def _message(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def _reply() -> dict[str, str]:
    return {"role": "assistant", "content": REPLY}


async def _milliseconds(call: Callable[[], Awaitable[None]]) -> float:
    began = time.perf_counter()
    await call()
    return (time.perf_counter() - began) * 1000


def _per_second(rounds: Sequence[Sequence[float]]) -> float:
    """From the median of the rounds' means, so that one stop of the machine does not count."""
    return 1000 / statistics.median(statistics.fmean(taken) for taken in rounds)


def _ratio(ours: Sequence[Sequence[float]], theirs: Sequence[Sequence[float]]) -> float:
    return statistics.median(
        statistics.median(one) / statistics.median(other) for one, other in zip(ours, theirs, strict=True)
    )


if __name__ == "__main__":
    sys.exit(main())
