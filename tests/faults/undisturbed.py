"""A story that nothing disturbs, and how what came of a trial differs from it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tests.faults.faults import Kind
from tests.faults.playing import Outcome, Trial
from tests.faults.stores import Says, Snapshot, told_apart
from tests.faults.story import Act

NOTHING = Act(name="nothing")


@dataclass(frozen=True, kw_only=True)
class Played:
    """An act that nothing disturbs."""

    act: Act
    before: Snapshot
    steps: Sequence[bool]
    """Of each of its awaits, whether it waits for a thread."""
    without: Says
    """What the store says when the act has not happened and everything else is done."""
    after: Says
    """What it says when it has happened."""

    def points(self, kind: Kind) -> Sequence[int]:
        """The awaits at which this can go wrong."""
        return [at for at, step in enumerate(self.steps) if step or not kind.breaks_steps]


class Makes(Protocol):
    """Makes a trial that nothing disturbs: of an act itself, or of what is left to `finish` after it."""

    def __call__(self, *, before: Snapshot, act: Act, folder: Path, finish: bool = True) -> Trial: ...


def undisturbed(acts: Iterable[Act], makes: Makes, folders: Iterator[Path]) -> Iterator[Played]:
    """The acts one after the other, from an empty folder on."""
    before = Snapshot(folder=next(folders), at=0.0, places=(None, None))
    without = makes(before=before, act=NOTHING, folder=next(folders)).run().says
    for act in acts:
        outcome = makes(before=before, act=act, folder=next(folders), finish=False).run()
        after = makes(before=outcome.end, act=NOTHING, folder=next(folders)).run().says
        assert outcome.wrong == []
        yield Played(act=act, before=before, steps=outcome.steps, without=without, after=after)
        before, without = outcome.end, after


def complaints_of(trial: Trial, played: Played) -> Sequence[str]:
    """What is wrong after a trial that was to be disturbed."""
    outcome = trial.run()
    if not outcome.struck:
        return ["it did not come to pass"]
    return differences(outcome, played, again=trial.again)


def differences(
    outcome: Outcome, played: Played, *, again: bool, seen: Callable[[Says], Says] = lambda says: says
) -> Sequence[str]:
    """What is wrong, and what the store says otherwise than if nothing had disturbed it.

    Unless it was called `again`, what was not acknowledged may have happened or not, but as a whole.
    """
    allowed = [played.after]
    if not again and not outcome.acknowledged:
        allowed.append(played.without)
    apart = [told_apart(seen(outcome.says), seen(expected)) for expected in allowed]
    return [*outcome.wrong, *([] if "" in apart else [min(apart, key=len)])]
