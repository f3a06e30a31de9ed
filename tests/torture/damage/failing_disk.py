"""Plays acts of the story while the disk fails: a process of its own, under the shim.

    python -m tests.torture.damage.failing_disk FOLDER ORDER

The order is a line of JSON as `Order`, and each trial is told as one as `Told`.
"""

import asyncio
import dataclasses
import itertools
import json
import os
import sys
from collections.abc import AsyncGenerator, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, override

from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.write.tool_save import Saved

from tests.faults.playing import Trial
from tests.faults.stores import Snapshot
from tests.faults.story import STORY, Act, Call, Front, Outside, as_it_is
from tests.faults.trial import FaultTrial, nothing_around
from tests.faults.undisturbed import Played, differences, undisturbed
from tests.stores import an_item
from tests.torture.crashes.shim import COUNT_ONLY, VARIABLE, Control, Operation
from tests.torture.damage.asking import Asking
from tests.torture.damage.disks import FAILURES, Fails, around, names, stops_all_writing
from tests.torture.damage.transfers import PLUGIN_DATA, comparable, document, left_over
from tests.torture.damage.transfers import acts as transfers
from tests.torture.form import chances, some_of

SAVE, FULL = "an explicit save", "full until there is room again"


@dataclass(frozen=True, kw_only=True)
class Order:
    """What is to be tried."""

    acts: Sequence[str]
    failures: Sequence[str]
    most: int
    """How many operations of one act one failure befalls, one in each trial."""
    boasts: int
    """At how many operations a memory is tried that boasts."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """How one trial went."""

    boasted: bool
    act: str
    failure: str
    at: int
    where: str
    """The file that was struck first; empty when none was."""
    complaints: Sequence[str]
    named: int
    """How often health had to name what is wrong with the disk."""
    of_health: Sequence[str]
    """What is wrong with what it told."""


@dataclass(frozen=True, kw_only=True)
class Sound:
    """An act on a disk that is well."""

    played: Played
    counts: Mapping[Operation, int]


class Boastful(LTMManager):
    """Says that it has saved what it has not."""

    @override
    async def save(self, chat: Chat, *, fact: str, said: str, message_id: str, **other: Any) -> Saved:
        try:
            return await super().save(chat, fact=fact, said=said, message_id=message_id, **other)
        except UnavailableError:
            return Saved(item=an_item(fact), known=False)


def boastful(memory: LTMManager) -> LTMManager:
    """The same memory, but it boasts."""
    memory.__class__ = Boastful
    return memory


@dataclass(frozen=True, kw_only=True)
class DiskTrial(FaultTrial):
    """With a disk that fails, and health asked."""

    asking: Asking

    @override
    @asynccontextmanager
    async def _awake(self, outside: Outside) -> AsyncGenerator[None]:
        async with super()._awake(outside), self.asking.of(outside.awake):
            yield

    @override
    async def _finished(self, outside: Outside, acknowledged: Collection[Call]) -> None:
        await super()._finished(outside, acknowledged)
        await self.asking.ask_at_last()


@dataclass(frozen=True, kw_only=True)
class Disk:
    """The disk under all trials of this process."""

    control: Control
    folders: Iterator[Path]
    acts: Sequence[Act]
    """All there are, in their order."""
    front: Front = as_it_is

    def story(self, wanted: Collection[str]) -> Mapping[str, Sound]:
        """The story as it goes on a sound disk, up to the last act that is wanted."""
        sound: dict[str, Sound] = {}
        for played in undisturbed(self.acts, self._counted, self.folders):
            sound[played.act.name] = Sound(played=played, counts=self.control.counts)
            if set(wanted) <= set(sound):
                break
        return sound

    def _counted(self, *, before: Snapshot, act: Act, folder: Path, finish: bool = True) -> Trial:
        """What comes after the act does not count."""
        count = nothing_around if finish else around(self.control, COUNT_ONLY, Asking())
        return FaultTrial(before=before, act=act, folder=folder, finish=finish, around=count)

    def trial(self, act: Act, played: Played, failure: str, at: int) -> Told:
        """Play the act on a disk that fails in this way at this operation."""
        strike, asking = FAILURES[failure](at), Asking()
        trial = DiskTrial(
            before=played.before,
            act=dataclasses.replace(act, calls=[asking.a_start_and_a_stop]) if act.asleep else act,
            folder=next(self.folders),
            again=act.repeated,
            front=self.front,
            around=around(self.control, strike, asking),
            asking=asking,
        )
        outcome = trial.run()
        where = self.control.where if self.control.struck else None
        cannot_go_on = stops_all_writing(strike) and _is_of_a_store(where)
        complaints = [
            *differences(outcome, played, again=trial.again, seen=comparable),
            *left_over(outcome.end.file, removed=Operation.UNLINK not in strike.operations),
        ]
        return Told(
            boasted=self.front is boastful,
            act=act.name,
            failure=failure,
            at=at,
            where=where.name if where else "",
            complaints=complaints,
            named=len(asking.failing) if cannot_go_on else 0,
            of_health=asking.complaints(names(strike, starting=act.asleep) if cannot_go_on else ()),
        )

    def trials(self, sound: Sound, act: Act, failure: str, most: int) -> Iterator[Told]:
        """Play the act that often, the disk failing at another operation each time."""
        every = range(1, operations(sound, FAILURES[failure]) + 1)
        for at in some_of(every, most, chances(f"{act.name} {failure}")):
            yield self.trial(act, sound.played, failure, at)


def _is_of_a_store(struck: Path | None) -> bool:
    """Whether it is a database, its log, or the folder of both."""
    return struck is not None and PLUGIN_DATA not in struck.parts


def operations(sound: Sound, fails: Fails) -> int:
    """How many operations of an act it can befall."""
    return sum(number for kind, number in sound.counts.items() if kind in fails(1).operations)


def main(folder: Path, order: Order) -> None:
    """Try each failure at some operations of each act, and a memory that boasts at one of them."""
    foreign = asyncio.run(document(folder / "foreign.db"))
    acts = (*STORY[:5], *transfers(foreign), *STORY[5:])
    with Control(Path(os.environ[VARIABLE])) as control:
        folders = (folder / str(number) for number in itertools.count())
        disk = Disk(control=control, folders=folders, acts=acts)
        story = disk.story({*order.acts, SAVE})
        for act, failure in itertools.product(acts, order.failures):
            if act.name in order.acts:
                tell(disk.trials(story[act.name], act, failure, order.most))
        boasting = dataclasses.replace(disk, front=boastful)
        save = next(act for act in acts if act.name == SAVE)
        tell(boasting.trials(story[SAVE], save, FULL, order.boasts))


def tell(trials: Iterator[Told]) -> None:
    """Tell the parent of each as it is over."""
    for told in trials:
        print(json.dumps(dataclasses.asdict(told)), flush=True)  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), Order(**json.loads(sys.argv[2])))
