"""Many kills, spread over all that a process does to files, and over moments that nobody chose."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from tests.torture.crashes.life import Blow, Life
from tests.torture.crashes.shim import CHANGES, Operation, Strike, What
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
type Counts = Mapping[Operation, int]
KILLS = (What.KILL_BEFORE, What.KILL_AFTER, What.KILL_TORN)


@dataclass(frozen=True, kw_only=True)
class Sort:
    """What there is in a run to strike at."""

    surely: Sequence[Deed] = ()
    only_database: bool = False


def sort_for(aim: Operation | Moment) -> Sort:
    """A run in which there is what is aimed at."""
    surely = FILES if aim in (Operation.RENAME, Operation.UNLINK) else ()
    return Sort(surely=surely, only_database=aim is Moment.CHECKPOINT)


@dataclass(kw_only=True)
class Tally:
    """What a campaign came to."""

    kills: int = 0
    """In the midst of something: not those at rest."""
    aims: Counter[str] = field(default_factory=Counter[str])
    """Kills by what they were aimed at."""
    struck: Counter[str] = field(default_factory=Counter[str])
    """Kills by where they struck."""
    at_rest: int = 0
    """Runs whose calls were over before they were struck, and that were killed then."""
    stopped: int = 0
    """And those that had stopped by themselves."""
    restarts: int = 0
    stored: Counter[str] = field(default_factory=Counter[str])
    """Calls by which something was stored, as was acknowledged, by what they did."""
    complaints: list[str] = field(default_factory=list[str])


@dataclass(kw_only=True)
class Campaign:
    """Lives of so many kills each."""

    zygote: Zygote
    imports: Sequence[tuple[str, Sequence[str]]]
    rng: random.Random
    often: dict[Sort, Counts] = field(default_factory=dict[Sort, Counts])
    """How often a run of each sort does what, as learnt from one of this life that nothing befell."""
    seconds: float = 1.0
    """How long one takes."""
    tally: Tally = field(default_factory=Tally)

    def live(self, folder: Path, name: str, kills: int) -> None:
        """One life in this folder, until it was killed so often."""
        life = Life(folder=folder, zygote=self.zygote, seed=name, imports=self.imports)
        self.often.clear()
        end = self.tally.kills + kills
        while self.tally.kills < end:
            self._one(life)
            if self.rng.random() < 0.5 or self.tally.kills >= end:
                self._restart(life)
            life.at += self.rng.choice((0.0, 0.0, 0.0, HOUR, DAY, DAY))
            if self.rng.random() < 0.15:
                life.model = self.rng.choice(("model-0", "model-1"))
        self.tally.stored.update(life.ledger.stored)

    def _learn(self, life: Life, sort: Sort) -> None:
        """One run that nothing befalls tells how often there is what to strike at."""
        run = life.run(Blow(stops=True, only_database=sort.only_database), surely=sort.surely)
        self.often[sort] = dict(self.zygote.control.counts)
        self.seconds = run.seconds

    def _one(self, life: Life) -> None:
        aim = self._aim()
        sort = sort_for(aim)
        if sort not in self.often:
            self._learn(life, sort)
        run = life.run(self._blow(aim, self.often[sort]), surely=sort.surely)
        if aim is not Moment.ANY:
            self.seconds = 0.8 * self.seconds + 0.2 * run.seconds
        self._count(aim, run)

    def _aim(self) -> Operation | Moment:
        """By chance; what was never struck is tried more often."""
        missing = [aim for aim in AIMS if not self.tally.aims[_name(aim)]]
        if missing and self.rng.random() < 0.5:
            return self.rng.choice(missing)
        return self.rng.choices(list(AIMS), list(AIMS.values()))[0]

    def _blow(self, aim: Operation | Moment, often: Counts) -> Blow:
        blow = Blow(free=self.rng.random() < 0.4, stops=self.rng.random() < 0.5)
        what = self.rng.choice(KILLS)
        if aim is Moment.ANY:
            return replace(blow, after=self.rng.uniform(0.0, self.seconds))
        if aim is Moment.CHECKPOINT:
            strike = Strike(what=what, at=self._at(sum(often[one] for one in Operation if one in CHANGES)))
            return replace(blow, strike=strike, only_database=True, stops=True)
        return replace(blow, strike=Strike(what=what, at=self._at(often[aim]), operations=aim))

    def _at(self, often: int) -> int:
        return self.rng.randint(1, max(1, often))

    def _count(self, aim: Operation | Moment, run: Run) -> None:
        control = self.zygote.control
        if control.struck_at is not None and control.where is not None:
            where = f"{control.struck_at.name or ''} {_file(control.where)}".lower()
        elif not run.killed:
            self.tally.stopped += 1
            return
        elif run.told("rests"):
            self.tally.at_rest += 1
            return
        else:
            where = Moment.ANY.value
        self.tally.kills += 1
        self.tally.struck[where] += 1
        self.tally.aims[_name(aim)] += 1

    def _restart(self, life: Life) -> None:
        self.tally.restarts += 1
        found = life.restart(again=self.rng.random() < 0.5)
        self.tally.complaints += [f"{life.seed}, run {life.runs}: {complaint}" for complaint in found]


def _name(aim: Operation | Moment) -> str:
    return aim.value if isinstance(aim, Moment) else str(aim.name).lower()


NAMES = frozenset(map(_name, AIMS))


def _file(path: Path) -> str:
    for end in ("-wal", "-shm", ".db", ".json.gz", ".json", ".unfinished"):
        if path.name.endswith(end):
            return {".db": "database", ".json.gz": "snapshot", ".unfinished": "snapshot"}.get(end, end[1:])
    return path.name
