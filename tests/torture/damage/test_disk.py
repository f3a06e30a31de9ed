"""Whatever the disk does, and wherever: once it is well again the store is as if nothing had gone wrong.

While nothing can be written health says so, and why.
"""

import dataclasses
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.children import output
from tests.faults.story import STORY
from tests.quick_folder import quick_folder
from tests.torture.crashes.shim import Control
from tests.torture.damage.disks import FAILURES
from tests.torture.damage.failing_disk import Order, Told
from tests.torture.damage.transfers import EXPORT, IMPORT, SNAPSHOT
from tests.torture.form import SEED, either, tell

pytestmark = [
    pytest.mark.torture,
    pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD and /proc are Linux's"),
]

ROOT = Path(__file__).parents[3]
ACTS = either(
    ("a plain statement", IMPORT),
    (*(act.name for act in STORY), SNAPSHOT, EXPORT, IMPORT),
)
"""Acts that are played; of some failures there is nothing to befall in some of them."""
LONGEST = either(900.0, 4 * 3_600.0)
"""Seconds in which all trials are over."""


@pytest.fixture(scope="module")
def told() -> Sequence[Told]:
    """Every failure of a disk, at some operations of some acts."""
    return played(Order(acts=ACTS, failures=tuple(FAILURES), most=either(1, 3), boasts=either(2, 6)))


@pytest.fixture(scope="module")
def trials(told: Sequence[Told]) -> Sequence[Told]:
    """Those of the memory as it is."""
    return [trial for trial in told if not trial.boasted]


def named(trial: Told) -> str:
    """Which one it was."""
    return f"{trial.act}, {trial.failure}, operation {trial.at}, {trial.where}:"


def played(order: Order) -> list[Told]:
    """What a process under the shim tells of its trials."""
    with quick_folder() as root, Control(root / "control") as control:
        command = [sys.executable, "-m", "tests.torture.damage.failing_disk", str(root)]
        command.append(json.dumps(dataclasses.asdict(order)))
        told = output(command, within=LONGEST, cwd=ROOT, env=os.environ | control.environment)
    return [Told(**json.loads(line)) for line in told.splitlines()]


@pytest.mark.torture_short
def test_once_the_disk_is_well_again_the_store_is_as_if_nothing_had_gone_wrong(
    trials: Sequence[Told],
) -> None:
    complaints = [f"{named(trial)}\n{complaint}" for trial in trials for complaint in trial.complaints]
    tell("Failures of the disk", sum(bool(trial.where) for trial in trials))
    tell("Failures of the disk after which something was lost, doubled or back", len(complaints))
    assert not complaints, f"seed {SEED}\n" + "\n".join(complaints)


def test_health_names_what_is_wrong_with_the_disk_while_nothing_can_be_written_and_not_afterwards(
    trials: Sequence[Told],
) -> None:
    complaints = [f"{named(trial)}\n{complaint}" for trial in trials for complaint in trial.of_health]
    had_to = sum(trial.named for trial in trials)
    tell("Failures of the disk while which health had to name them", had_to)
    assert not complaints, f"seed {SEED}\n" + "\n".join(complaints)
    assert had_to >= either(8, 150)


def test_each_failure_has_come_to_pass(trials: Sequence[Told]) -> None:
    struck = Counter(trial.failure for trial in trials if trial.where)
    assert set(struck) == set(FAILURES)
    assert sum(struck.values()) >= either(20, 300)


def test_who_says_it_is_saved_when_it_is_not_is_found_out(told: Sequence[Told]) -> None:
    boasted = [complaint for trial in told if trial.boasted for complaint in trial.complaints]
    assert any("bike" in complaint for complaint in boasted)
