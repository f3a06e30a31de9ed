"""Whatever goes wrong at an await, and wherever: after a restart the store is as without it.

A few awaits of each act are tried for each thing that can go wrong, spread evenly; `LTM_FAULTS=all` tries
every one, and `LTM_FAULTS_SEED` picks others.
"""

import asyncio
import itertools
import os
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Turn
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from tests.faults.faults import Fault, Kind
from tests.faults.stores import Says, Snapshot, told_apart
from tests.faults.story import STORY, Act, Front, as_it_is
from tests.faults.trial import Trial

SEED = int(os.environ.get("LTM_FAULTS_SEED", "1"))
EVERY_ONE = os.environ.get("LTM_FAULTS") == "all"
IN_MEMORY = Path("/dev/shm")  # noqa: S108  a place where nothing waits for a disk, where there is one
CRASHES, OTHERS = 4, 2
"""How many awaits of an act are tried."""

NOTHING = Act(name="nothing")


@dataclass(frozen=True, kw_only=True)
class Played:
    """An act without a fault."""

    before: Snapshot
    steps: Sequence[bool]
    without: Says
    """What the store says when the act has not happened and everything else is done."""
    after: Says
    """What it says when it has happened."""

    def points(self, kind: Kind) -> list[int]:
        """The awaits at which this can go wrong."""
        return [at for at, step in enumerate(self.steps) if step or not kind.breaks_steps]


type Story = Mapping[str, Played]


@pytest.fixture(scope="module")
def folders() -> Iterator[Iterator[Path]]:
    """New folders, one after the other."""
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as root:
        yield (Path(root) / str(number) for number in itertools.count())


@pytest.fixture(scope="module")
def story(folders: Iterator[Path]) -> Story:
    """The whole story as it goes when nothing goes wrong."""
    before = Snapshot(folder=next(folders), at=0.0, places=(None, None))
    without = Trial(before=before, act=NOTHING, folder=next(folders)).run().says
    played: dict[str, Played] = {}
    for act in STORY:
        outcome = Trial(before=before, act=act, folder=next(folders), finish=False).run()
        after = Trial(before=outcome.end, act=NOTHING, folder=next(folders)).run().says
        assert outcome.wrong == []
        played[act.name] = Played(before=before, steps=outcome.steps, without=without, after=after)
        before, without = outcome.end, after
    return played


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("act", STORY, ids=lambda act: act.name)
def test_after_a_restart_the_store_is_as_if_nothing_had_gone_wrong(
    story: Story, folders: Iterator[Path], act: Act, kind: Kind
) -> None:
    played = story[act.name]
    complaints = complaints_about(played, act, Faults(kind=kind, at=chosen(played, act, kind)), folders)
    assert not complaints, f"seed {SEED}\n" + "\n".join(complaints)


@dataclass(frozen=True, kw_only=True)
class Faults:
    """What is tried of one kind."""

    kind: Kind
    at: Sequence[int]


def complaints_about(
    played: Played, act: Act, faults: Faults, folders: Iterator[Path], front: Front = as_it_is
) -> list[str]:
    """What differs from the act without a fault, for each await that is tried."""
    found: list[str] = []
    for number, at in enumerate(faults.at):
        trial = Trial(
            before=played.before,
            act=act,
            folder=next(folders),
            fault=Fault(kind=faults.kind, at=at),
            # A host does not call again: then a call came to pass as a whole or not at all.
            again=act.repeated and (number % 2 == 0 or len(act.calls) != 1),
            front=front,
        )
        found += [f"{faults.kind} at await {at}:\n{complaint}" for complaint in complaints_of(trial, played)]
    return found


def complaints_of(trial: Trial, played: Played) -> list[str]:
    """What is wrong with the store that one trial led to."""
    outcome = trial.run()
    if not outcome.struck:
        return ["  it did not come to pass"]
    allowed = [played.after]
    if not trial.again and not outcome.acknowledged:
        allowed.append(played.without)
    differences = [told_apart(outcome.says, expected) for expected in allowed]
    unsound = [f"  unsound: {row}" for row in outcome.wrong]
    return unsound + ([] if "" in differences else [min(differences, key=len)])


def chosen(played: Played, act: Act, kind: Kind) -> list[int]:
    """Some of the awaits, one of each equal part."""
    points = played.points(kind)
    number = CRASHES if kind is Kind.CRASH else OTHERS
    if EVERY_ONE or len(points) <= number:
        return points
    rng = random.Random(f"{SEED} {act.name} {kind}")  # noqa: S311  it need not be hard to guess
    return [points[int((part + rng.random()) * len(points) / number)] for part in range(number)]


def test_without_a_fault_the_story_comes_to_its_end(story: Story) -> None:
    """A store in which nothing was kept would be the same with any fault."""
    end = story[STORY[-1].name].after
    found = {row[3]: row[9] for row in end["items"]}
    assert (
        found.items()
        >= {
            "User's name is Alice": "active",
            "User likes green tea": "active",
            "User lives in Oslo": "active",
            "Eva plays the cello": "active",
            "User used to row for the county": "active",
            "User lives in Bergen": "superseded",
            "User lives in Tromsø": "active",
            "用户对花生过敏": "active",
            "用户每天早上都跑步": "expired",
        }.items()
    )
    assert "my bike is blue" not in found  # forgotten, and a hundred days later removed for good
    acts = {"add", "confirm", "supersede", "approve", "forget", "purge", "revive"}
    assert {row[1] for row in end["audit"]} >= acts
    assert {row[-1] for row in end["events"]} == {"done"}


def test_at_least_two_hundred_awaits_are_tried(story: Story) -> None:
    assert sum(len(chosen(story[act.name], act, kind)) for act in STORY for kind in Kind) >= 200


class Hasty(LTMManager):
    """Acknowledges a turn before it is stored."""

    def __init__(self, memory: LTMManager) -> None:
        self._memory = memory
        self._working: set[asyncio.Future[None]] = set()

    async def record_turn(self, turn: Turn) -> None:
        work = asyncio.ensure_future(self._memory.record_turn(turn))
        self._working.add(work)
        work.add_done_callback(self._working.discard)


class Piecemeal(LTMManager):
    """Stores a turn in two transactions."""

    def __init__(self, memory: LTMManager) -> None:
        self._memory = memory

    async def record_turn(self, turn: Turn) -> None:
        await self._memory.record_turn(replace(turn, user_text=""))
        await self._memory.record_turn(turn)


@pytest.mark.parametrize("front", [Hasty, Piecemeal])
def test_a_memory_that_breaks_its_promise_is_found_out(
    story: Story, folders: Iterator[Path], front: Callable[[LTMManager], LTMManager]
) -> None:
    act = STORY[1]
    steps = Trial(
        before=story[act.name].before, act=act, folder=next(folders), finish=False, front=front
    ).run()
    played = replace(story[act.name], steps=steps.steps)
    # A turn waits for so little that some of its awaits alone might miss the gap.
    crashes = Faults(kind=Kind.CRASH, at=played.points(Kind.CRASH))
    assert complaints_about(played, act, crashes, folders, front)
