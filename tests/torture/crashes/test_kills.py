"""A memory is killed at its writes, syncs, renames and removals, and at moments that nobody chose.

After each restart: what was acknowledged is there, once and with its words; what was deleted is not; the
index and the vectors are those of the rows; nothing lies about in the folder; and `health` has nothing to
say. A kill is that of a process: what it has written is there, synchronised or not.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.quick_folder import quick_folder
from tests.torture.crashes.campaign import NAMES, Campaign, Tally
from tests.torture.crashes.donors import documents
from tests.torture.crashes.ledger import STORING
from tests.torture.crashes.zygotes import Zygote, a_zygote, numbered
from tests.torture.form import LONG, chances, either, tell

pytestmark = [
    pytest.mark.torture,
    pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD and /proc are Linux's"),
]

LIVES, KILLS = either((4, 10), (26, 40))
ON_DISK = 13
"""One life of so many waits for a real disk."""


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def zygote(root: Path) -> Iterator[Zygote]:
    with a_zygote(root) as zygote:
        yield zygote


@pytest.mark.torture_short
def test_nothing_acknowledged_is_lost_by_a_kill(root: Path, zygote: Zygote) -> None:
    rng = chances("kills")
    with tempfile.TemporaryDirectory() as on_disk:
        lives, slow = numbered(root / "lives"), numbered(Path(on_disk))
        campaign = Campaign(zygote=zygote, imports=documents(root, 2), rng=rng)
        for number in range(1, LIVES + 1):
            folder = next(slow if number % ON_DISK == 0 else lives)
            campaign.live(folder, f"life {rng.random()}", KILLS)
            if LONG:
                print(f"life {number}: {campaign.tally}")  # noqa: T201 - what is seen of a long run
    tally = campaign.tally
    _tell(tally)
    assert tally.complaints == []
    assert tally.stored.total() > tally.kills == LIVES * KILLS
    assert set(tally.aims) == NAMES
    assert not LONG or set(tally.stored) == STORING
    assert tally.at_rest + tally.stopped < tally.kills


def _tell(tally: Tally) -> None:
    tell("crashes: kills", tally.kills)
    tell("crashes: besides, runs that were over before they were struck, killed at rest", tally.at_rest)
    tell("crashes: and those that had stopped", tally.stopped)
    tell("crashes: restarts", tally.restarts)
    tell("crashes: acknowledged calls that store something", tally.stored.total())
    for deed, number in sorted(tally.stored.items()):
        tell(f"crashes: acknowledged, {deed}", number)
    for aim, number in sorted(tally.aims.items()):
        tell(f"crashes: kills aimed at {aim}", number)
    for where, number in sorted(tally.struck.items()):
        tell(f"crashes: kills, {where}", number)
    tell("crashes: complaints", len(tally.complaints))
