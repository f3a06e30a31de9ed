"""A disk that gives nothing for a while does not pass for a damaged store, which would be left alone."""

import os
import sys
from pathlib import Path

import pytest

from tests.children import output
from tests.stores import migrated
from tests.torture.crashes.shim import Control

pytestmark = [
    pytest.mark.torture,
    pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD and /proc are Linux's"),
]

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("often", ["once", "from then on"])
@pytest.mark.parametrize(("look", "least"), [("for damage", 50), ("at a start", 5), ("as it is opened", 3)])
def test_a_disk_that_gives_nothing_is_no_damage(tmp_path: Path, look: str, least: int, often: str) -> None:
    store = migrated(tmp_path / "data_v4.db")
    with Control(tmp_path / "control") as control:
        command = [sys.executable, "-m", "tests.torture.damage.looking", str(store), look, often]
        told = output(command, cwd=ROOT, env=os.environ | control.environment)
    reads, mistaken = map(int, told.split())
    assert reads > least
    assert mistaken == 0
