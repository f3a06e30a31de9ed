"""A store that is killed again and again: runs, kills, restarts, and what each restart finds."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from tests.faults.loop import SteppedLoop
from tests.stores import migrated
from tests.torture.crashes import checks
from tests.torture.crashes.chance import PAUSING, Plan, Told
from tests.torture.crashes.fates import Fate
from tests.torture.crashes.ledger import Ledger
from tests.torture.crashes.loops import let_time_pass
from tests.torture.crashes.outside import Outside
from tests.torture.crashes.seeded import Fault
from tests.torture.crashes.shim import COUNT_ONLY, Strike
from tests.torture.crashes.things import Call, Deed, Kind, word_of
from tests.torture.crashes.traffic import tool_use_of, turn_of
from tests.torture.crashes.zygote import Job
from tests.torture.crashes.zygotes import Run, Zygote

MINUTE = 60.0
LONGEST = 300
"""Minutes after a restart when all has to be done."""
AGAIN_WITHIN = 10 * 86_400.0
"""Seconds for which a thing may be told again; a forgotten one goes for good after thirty days."""


@dataclass(frozen=True, kw_only=True)
class Blow:
    """How one run ends."""

    strike: Strike = COUNT_ONLY
    only_database: bool = False
    after: float | None = None
    """Real seconds after which it is killed, whatever it is at."""
    free: bool = False
    stops: bool = False
    fault: Fault | None = None


@dataclass(kw_only=True)
class Life:
    """One store from its first start on. `folder` is its own."""

    folder: Path
    zygote: Zygote
    seed: str
    imports: Sequence[tuple[str, Sequence[str]]] = ()
    steps: int = 9
    model: str = "model-0"
    at: float = 0.0
    """The loop's time."""
    runs: int = 0
    ledger: Ledger = field(default_factory=Ledger)
    complaints: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.file.parent.mkdir()
        migrated(self.file)

    @property
    def file(self) -> Path:
        """The database."""
        return self.folder / "store" / "data_v4.db"

    def run(self, blow: Blow, *, surely: Sequence[Deed] = (), chosen: Sequence[Call] = ()) -> Run:
        """Let it run until it is struck or its calls are over; what it told is noted."""
        self.runs += 1
        plan = Plan(
            seed=f"{self.seed} {self.runs}",
            steps=self.steps,
            first_word=self.runs * 100,
            surely=surely,
            known=self._known(),
            imports=self.imports,
            chosen=chosen,
        )
        job = Job(
            file=self.file,
            run=self.runs,
            began=self.at,
            plan=plan,
            strike=blow.strike,
            only_database=blow.only_database,
            model=self.model,
            free=blow.free,
            stops=blow.stops,
            fault=blow.fault,
        )
        run = self.zygote.run(job, kill_after=blow.after)
        for line in run.lines:
            self._note(line)
        if run.killed:
            self.complaints += checks.at_the_kill(self.file, self.folder / f"killed{self.runs}")
        return run

    def restart(self, *, again: bool) -> list[str]:
        """Start it in this process, let all be done that is left, and look; returns every complaint so far.

        `again`: the host tells once more what was not acknowledged.
        """
        self.runs += 1
        with asyncio.Runner(loop_factory=partial(SteppedLoop, self.at)) as runner:
            runner.run(self._restarted(again=again))
        found = checks.found(self.file)
        self.complaints += self.ledger.complaints(found, at=self.at)
        self.complaints += checks.wrong_at_rest(self.file, self.model)
        self.complaints += checks.left_over(self.file.with_name("plugin_data"))
        erased = [word for word, thing in self.ledger.things.items() if thing.may_be == {Fate.ABSENT}]
        self.complaints += checks.traces(erased, self._files())
        complaints, self.complaints = self.complaints, []
        return complaints

    def _files(self) -> Sequence[Path]:
        beside = self.file.with_name("plugin_data").rglob("*.gz")
        return [self.file, self.file.with_name(f"{self.file.name}-wal"), *beside]

    def _known(self) -> Sequence[Told]:
        told = {
            word: Told(word=word, kind=thing.kind, person=thing.person, in_group=thing.in_group)
            for word, thing in self.ledger.things.items()
            if thing.at > self.at - AGAIN_WITHIN and thing.may_be != {Fate.ABSENT}
        }
        return [one for one in told.values() if one.may_be_said_again]

    def _note(self, line: Mapping[str, Any]) -> None:
        moments = [float(line[key]) + 1 for key in ("at", "started", "stopped", "rests") if key in line]
        self.at = max(self.at, *moments) if moments else self.at
        if "begun" in line:
            self.ledger.begun(Call.of_json(line["begun"]))
        elif "about" in line:
            # It was told no sooner than what was told before, of which `at` is a second after the last.
            self.ledger.about(line["about"], line["word"], at=self.at - 1)
        elif "done" in line:
            word = line["result"]
            self.ledger.acknowledged(line["done"], word if isinstance(word, str) else "")
        elif "missed" in line:
            self.ledger.missed(line["missed"])
        else:
            self.complaints += [f"{key}: {line[key]}" for key in ("twice", "logged", "broke") if key in line]

    async def _restarted(self, *, again: bool) -> None:
        loop = let_time_pass()
        outside = Outside(
            file=self.file,
            run=self.runs,
            embedding_model=self.model,
            twice=lambda umo: self._note({"twice": umo}),
        )
        async with outside.begin() as memory:
            jobs = (await memory.status.counts()).background_jobs
            for call in self.ledger.again() if again else ():
                await self._tell(memory, outside, call)
            await self._prove_life(memory, outside)
            await self._done()
            self.complaints += await _health(memory, jobs)
        self.at = loop.time() + 1

    async def _tell(self, memory: LTMManager, outside: Outside, call: Call) -> None:
        self.ledger.begun(call)
        if call.deed is Deed.TURN:
            await memory.record_turn(turn_of(call, outside))
        else:
            await memory.record_tool_use(tool_use_of(call, outside))
        self.ledger.acknowledged(call.number)

    async def _prove_life(self, memory: LTMManager, outside: Outside) -> None:
        """Somebody says something as if nothing had happened, and so does whoever is paused for certain."""
        paused = [person for person in PAUSING if self.ledger.paused.get(person) == {True}]
        for number, person in enumerate(("dora", *paused)):
            call = Call(
                number=f"{self.runs}.{person}",
                deed=Deed.TURN,
                word=word_of(self.runs * 100 + number),
                kind=Kind.LIKED,
                person=person,
                at=asyncio.get_running_loop().time(),
            )
            await self._tell(memory, outside, call)

    async def _done(self) -> None:
        """Let time pass until nothing is left to do, and the housekeeping has had its turn."""
        for minute in range(LONGEST):
            await asyncio.sleep(MINUTE)
            if minute >= 2 and not checks.unfinished(self.file, self.model):
                return


async def _health(memory: LTMManager, jobs: int) -> list[str]:
    """What `health` says that it does not say of a memory that is well; so many jobs have begun."""
    counts = await memory.status.counts()
    well = {
        "read_only": counts.read_only,
        "embedding_error": counts.embedding_error,
        "last_error": counts.last_error,
        "late_writes": counts.late_writes,
        "failures": dict(memory.failures),
        "notes": list(await memory.warnings()),
        "failed": counts.events["failed"],
        "missing jobs": jobs - counts.background_jobs,
        "without vectors": counts.embeddable - counts.embedded,
    }
    return [f"health: {name} is {value!r}" for name, value in well.items() if value]
