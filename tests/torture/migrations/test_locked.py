"""While another program holds the file, an upgrade waits, gives up, and changes nothing."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.torture.migrations.releases import ORIGINS, RELEASES, Origin, place
from tests.torture.migrations.seen import see
from tests.torture.migrations.strikes import Strike
from tests.torture.migrations.upgrades import real
from tests.torture.migrations.zygote import Zygote

pytestmark = pytest.mark.torture

LOCKED = "StoreUnavailableError: the database is locked"
OLDER = [origin for origin in ORIGINS if origin.revision != RELEASES[-1] and origin.hosted]


@pytest.mark.parametrize("origin", OLDER, ids=str)
def test_while_another_program_writes_nothing_is_begun(
    process: Zygote, hosted: Path, tmp_path: Path, origin: Origin
) -> None:
    begin = place(origin, tmp_path / "begin", hosted)
    path = begin.copied(tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert process.upgrade(path, Strike()).error.startswith(LOCKED)
    assert see(path) == begin.old
    real(path)
    assert see(path) == begin.new


def test_while_another_program_reads_a_file_without_a_log_nothing_is_committed(
    process: Zygote, hosted: Path, tmp_path: Path
) -> None:
    begin = place(Origin(revision=RELEASES[0], filled=True, hosted=False), tmp_path / "begin", hosted)
    path = begin.copied(tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM ltm_items").fetchone()
        assert process.upgrade(path, Strike()).error.startswith(LOCKED)
        assert other.execute("SELECT count(*) FROM ltm_items").fetchone() == (120,)
    assert see(path) == begin.old
    real(path)
    assert see(path) == begin.new


def test_while_another_program_reads_a_file_with_a_log_all_goes_well(
    process: Zygote, hosted: Path, tmp_path: Path
) -> None:
    begin = place(Origin(revision=RELEASES[0], filled=True), tmp_path / "begin", hosted)
    path = begin.copied(tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM conversations").fetchone()
        assert process.upgrade(path, Strike()).error == ""
    assert see(path) == begin.new
