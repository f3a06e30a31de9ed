"""Many kills, spread over all that a process does to files, and over moments that nobody chose."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from tests.torture.crashes.life import Blow, Life
from tests.torture.crashes.shim import Operation, Strike, What
from tests.torture.crashes.things import Deed
from tests.torture.crashes.zygotes import Run, Zygote

HOUR, DAY = 3_600.0, 86_400.0


class Moment(Enum):
    """When else a process is killed."""

    ANY = "at any moment"
    CHECKPOINT = "while the log goes into the database"


AIMS: Mapping[Operation | Moment, int] = {
    Operation.WRITE: 34,
    Operation.SYNC: 16,
    Operation.RENAME: 8,
    Operation.TRUNCATE: 6,
    Operation.UNLINK: 9,
    Moment.CHECKPOINT: 9,
    Moment.ANY: 18,
}
"""How many kills of a hundred strike when."""
FILES = (Deed.SNAPSHOT, Deed.EXPORT, Deed.IMPORT)
"""What there has to be in a run for files to be renamed and removed."""
PAGES = 40
"""What the log of a run holds, about."""
KILLS = (What.KILL_BEFORE, What.KILL_AFTER, What.KILL_TORN)


@dataclass(kw_only=True)
class Tally:
    """What a campaign came to."""

    kills: int = 0
    struck: Counter[str] = field(default_factory=Counter[str])
    """Kills by where they struck."""
    restarts: int = 0
    acknowledged: int = 0
    complaints: list[str] = field(default_factory=list[str])


@dataclass(kw_only=True)
class Campaign:
    """Lives of so many kills each."""

    zygote: Zygote
    imports: Sequence[tuple[str, Sequence[str]]]
    rng: random.Random
    often: dict[Operation, int] = field(default_factory=dict[Operation, int])
    """How often a run does what, as learnt from the last one that was not struck."""
    seconds: float = 1.0
    """How long that took."""
    tally: Tally = field(default_factory=Tally)

    def live(self, folder: Path, name: str, kills: int) -> None:
        """One life in this folder, until it was killed so often."""
        life = Life(folder=folder, zygote=self.zygote, seed=name, imports=self.imports)
        if not self.often:
            self._learn(life)
        end = self.tally.kills + kills
        while self.tally.kills < end:
            self._one(life)
            if self.rng.random() < 0.5 or self.tally.kills >= end:
                self._restart(life)
            life.at += self.rng.choice((0.0, 0.0, 0.0, HOUR, DAY, DAY))
            if self.rng.random() < 0.15:
                life.model = self.rng.choice(("model-0", "model-1"))
        self.tally.acknowledged += life.ledger.done

    def _learn(self, life: Life) -> None:
        """One run that nothing befalls tells how often there is what to strike at."""
        run = life.run(Blow(stops=True), surely=FILES)
        self.often = dict(self.zygote.control.counts)
        self.seconds = run.seconds
        self._restart(life)

    def _one(self, life: Life) -> None:
        (aim,) = self.rng.choices(list(AIMS), list(AIMS.values()))
        surely = FILES if aim in (Operation.RENAME, Operation.UNLINK) else ()
        run = life.run(self._blow(aim), surely=surely)
        if aim is not Moment.ANY:
            self.seconds = 0.8 * self.seconds + 0.2 * run.seconds
        self._count(run)

    def _blow(self, aim: Operation | Moment) -> Blow:
        blow = Blow(free=self.rng.random() < 0.4, stops=self.rng.random() < 0.5)
        what = self.rng.choice(KILLS)
        if aim is Moment.ANY:
            return replace(blow, after=self.rng.uniform(0.0, self.seconds))
        if aim is Moment.CHECKPOINT:
            strike = Strike(what=what, at=self.rng.randint(1, PAGES))
            return replace(blow, strike=strike, only_database=True, stops=True)
        at = self.rng.randint(1, max(1, self.often[aim]))
        return replace(blow, strike=Strike(what=what, at=at, operations=aim))

    def _count(self, run: Run) -> None:
        if not run.killed:
            return
        self.tally.kills += 1
        control = self.zygote.control
        if control.struck_at is not None and control.where is not None:
            self.tally.struck[f"{control.struck_at.name or ''} {_file(control.where)}".lower()] += 1
        else:
            self.tally.struck["at rest" if run.told("rests") else Moment.ANY.value] += 1

    def _restart(self, life: Life) -> None:
        self.tally.restarts += 1
        found = life.restart(again=self.rng.random() < 0.5)
        self.tally.complaints += [f"{life.seed}, run {life.runs}: {complaint}" for complaint in found]


def _file(path: Path) -> str:
    for end in ("-wal", "-shm", ".db", ".json.gz", ".json", ".unfinished"):
        if path.name.endswith(end):
            return {".db": "database", ".json.gz": "snapshot", ".unfinished": "snapshot"}.get(end, end[1:])
    return path.name
