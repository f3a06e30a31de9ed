"""Ended by the host at whatever await: it ends in time, nothing lives on, and a second start makes good.

A few awaits of each act are tried; the long form tries every one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.faults.faults import Kind
from tests.faults.seeded import Hasty
from tests.faults.story import STORY, Act
from tests.faults.undisturbed import Played, complaints_of, undisturbed
from tests.quick_folder import quick_folders
from tests.torture.form import LONG, SEED, chances, some_of, tell
from tests.torture.lifecycle.acts import JOINING, SAVING_A_POLICY
from tests.torture.lifecycle.stop_trial import StopTrial

pytestmark = pytest.mark.torture

SHORT = (
    "the first start",
    "two people at once",
    "the first batches",
    "accounts are joined",
    "a policy is saved",
    "a start",
    "housekeeping after a hundred days",
)
EVERY = (*STORY, JOINING, SAVING_A_POLICY)
ACTS = tuple(act for act in EVERY if LONG or act.name in SHORT)


type Story = Mapping[str, Played]


@pytest.fixture(scope="module")
def folders() -> Iterator[Iterator[Path]]:
    """New folders, one after the other."""
    with quick_folders() as new:
        yield new


@pytest.fixture(scope="module")
def story(folders: Iterator[Path]) -> Story:
    """The whole story as it goes when nothing disturbs it."""
    return {played.act.name: played for played in undisturbed(ACTS, StopTrial, folders)}


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.name)
def test_ended_at_an_await_nothing_lives_on_and_a_second_start_makes_good(
    story: Story, folders: Iterator[Path], act: Act
) -> None:
    played = story[act.name]
    complaints: list[str] = []
    for number, at in enumerate(chosen(played, act)):
        again = act.repeated and (number % 2 == 0 or len(act.calls) != 1)
        trial = StopTrial(before=played.before, act=act, folder=next(folders), at=at, again=again)
        complaints += [f"at await {at}:\n  {one}" for one in complaints_of(trial, played)]
    if LONG:
        tell(f"stops amid {act.name}, one at each await", len(played.steps))
    assert not complaints, f"seed {SEED}\n" + "\n".join(complaints)


def chosen(played: Played, act: Act) -> Sequence[int]:
    """Some of the awaits; the long form tries every one."""
    points = played.points(Kind.CRASH)
    return points if LONG else some_of(points, 2, chances(f"stop {act.name}"))


def test_a_memory_that_answers_too_soon_is_found_out(story: Story, folders: Iterator[Path]) -> None:
    played = story["two people at once"]
    trial = StopTrial(before=played.before, act=played.act, folder=next(folders), front=Hasty)
    ended = (replace(trial, folder=next(folders), at=at) for at in range(len(trial.run().steps)))
    assert any("events - " in complaint for each in ended for complaint in complaints_of(each, played))
