"""Whatever goes wrong at an await, and wherever: after a restart the store is as without it.

A few awaits of each act are tried for each thing that can go wrong, spread evenly; the long form tries every
one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from tests.faults.faults import Fault, Kind
from tests.faults.seeded import Hasty, Piecemeal
from tests.faults.story import ONE_WISH, STORY, Act, Front, as_it_is
from tests.faults.trial import FaultTrial
from tests.faults.undisturbed import Played, complaints_of, undisturbed
from tests.quick_folder import quick_folders
from tests.torture.form import LONG, SEED, chances, some_of
from tests.torture.short import in_short

pytestmark = pytest.mark.torture

CRASHES, OTHERS = 4, 2
"""How many awaits of an act are tried."""

type Story = Mapping[str, Played]


@pytest.fixture(scope="module")
def folders() -> Iterator[Iterator[Path]]:
    """New folders, one after the other."""
    with quick_folders() as new:
        yield new


@pytest.fixture(scope="module")
def story(folders: Iterator[Path]) -> Story:
    """The whole story as it goes when nothing goes wrong."""
    return {played.act.name: played for played in undisturbed(STORY, FaultTrial, folders)}


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("act", in_short(STORY, STORY[1:2]), ids=lambda act: act.name)
def test_after_a_restart_the_store_is_as_if_nothing_had_gone_wrong(
    story: Story, folders: Iterator[Path], act: Act, kind: Kind
) -> None:
    played = story[act.name]
    complaints = [*complaints_about(played, act, Faults(kind=kind, at=chosen(played, act, kind)), folders)]
    assert not complaints, f"seed {SEED}\n" + "\n".join(complaints)


@dataclass(frozen=True, kw_only=True)
class Faults:
    """What is tried of one kind."""

    kind: Kind
    at: Sequence[int]


def complaints_about(
    played: Played, act: Act, faults: Faults, folders: Iterator[Path], front: Front = as_it_is
) -> Iterator[str]:
    """What differs from the act without a fault, for each await that is tried."""
    for number, at in enumerate(faults.at):
        trial = FaultTrial(
            before=played.before,
            act=act,
            folder=next(folders),
            fault=Fault(kind=faults.kind, at=at),
            # A host does not call again: then a call came to pass as a whole or not at all.
            again=act.repeated and (number % 2 == 0 or len(act.calls) != 1),
            front=front,
        )
        for complaint in complaints_of(trial, played):
            yield f"{faults.kind} at await {at}:\n  {complaint}"


def chosen(played: Played, act: Act, kind: Kind) -> Sequence[int]:
    """Some of the awaits; the long form tries every one."""
    points, number = played.points(kind), CRASHES if kind is Kind.CRASH else OTHERS
    return points if LONG else some_of(points, number, chances(f"{act.name} {kind}"))


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
            **dict(zip(ONE_WISH, ("active", "superseded"), strict=True)),
        }.items()
    )
    assert "my bike is blue" not in found  # forgotten, and a hundred days later removed for good
    acts = {
        "add",
        "confirm",
        "supersede",
        "approve",
        "forget",
        "join",
        "purge",
        "expire",
        "revive",
    }
    assert {row[1] for row in end["audit"]} >= acts
    wish = [row[2] for row in end["evidence"] if row[0] == ONE_WISH[0]]
    assert len(wish) == 2  # the one that stays rests on what was said in other words, too
    assert {row[-1] for row in end["events"]} == {"done"}


def test_at_least_two_hundred_awaits_are_tried(story: Story) -> None:
    assert sum(len(chosen(story[act.name], act, kind)) for act in STORY for kind in Kind) >= 200


@pytest.mark.parametrize("front", [Hasty, Piecemeal])
def test_a_memory_that_breaks_its_promise_is_found_out(
    story: Story, folders: Iterator[Path], front: Callable[[LTMManager], LTMManager]
) -> None:
    act = STORY[1]
    steps = FaultTrial(
        before=story[act.name].before, act=act, folder=next(folders), finish=False, front=front
    ).run()
    played = replace(story[act.name], steps=steps.steps)
    # A turn waits for so little that some of its awaits alone might miss the gap.
    crashes = Faults(kind=Kind.CRASH, at=played.points(Kind.CRASH))
    assert any(complaints_about(played, act, crashes, folders, front))
