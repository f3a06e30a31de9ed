"""Whatever strikes at an upgrade: the tables are the old or the new ones, and the next start completes it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.torture.form import LONG, chances, either, tell
from tests.torture.migrations.blows import PAGE
from tests.torture.migrations.releases import HEAD, ORIGINS, RELEASES, Origin, Place, place
from tests.torture.migrations.seen import see
from tests.torture.migrations.strikes import KILLS, Blow, Ended, Strike
from tests.torture.migrations.upgrades import UPGRADES, real
from tests.torture.migrations.zygote import Zygote

FEW, INSTRUCTIONS = 6, 40


def strikes(begin: Place, whole: Ended) -> Sequence[Strike]:
    """Every one that may come down on this upgrade, of which `whole` says how long it is."""
    sizes = (begin.path, begin.path.parent / "new" / begin.path.name)
    old, new = (path.stat().st_size // PAGE if path.exists() else 0 for path in sizes)
    numbers = chances(f"instructions, {begin.origin}")
    steps = sorted(numbers.sample(range(1, whole.instructions + 1), min(INSTRUCTIONS, whole.instructions)))
    statements, pages = range(1, whole.statements + 2), range(1, new + 2, 4)
    each: dict[Blow, Sequence[int]] = {
        Blow.KILL_AT_STATEMENT: statements,
        Blow.BUSY: statements,
        Blow.BROKEN: statements,
        Blow.KILL_AT_INSTRUCTION: steps,
        Blow.KILL_AT_WRITE: pages,
        Blow.FAIL_AT_WRITE: pages,
        Blow.FULL: range(1, new - old + 2),
    }
    return [Strike(blow=blow, at=at) for blow, numbers in each.items() for at in numbers]


def struck(process: Zygote, begin: Place, folder: Path, strike: Strike) -> str:
    """Strike, look, and start again; returns whether the tables were old or new in between."""
    path = begin.copied(folder)
    ended = process.upgrade(path, strike)
    found = see(path)
    assert found.host == begin.old.host
    assert found in (begin.old, begin.new), f"{strike}: neither old nor new, but {found.revision or 'none'}"
    if strike.blow in KILLS:
        assert ended.killed
    elif ended.error:
        assert ended.error.startswith("UnavailableError: "), f"{strike}: {ended.error}"
        assert found == begin.old
    else:
        assert found == begin.new
    real(path)
    assert see(path) == begin.new
    return "new" if found == begin.new else "old"


@pytest.mark.torture
@pytest.mark.parametrize("origin", ORIGINS, ids=str)
def test_whatever_strikes_the_tables_are_old_or_new(
    process: Zygote, hosted: Path, tmp_path: Path, origin: Origin
) -> None:
    begin = place(origin, tmp_path / "begin", hosted)
    whole = process.upgrade(begin.copied(tmp_path), Strike())
    assert whole.error == ""
    every = strikes(begin, whole)
    some = every if LONG else chances(f"strikes, {origin}").sample(every, FEW)
    became = [struck(process, begin, tmp_path, strike) for strike in some]
    assert not LONG or begin.old == begin.new or set(became) == {"old", "new"}
    killed = sum(strike.blow in KILLS for strike in some)
    tell(f"upgrade of {origin}, statements", whole.statements)
    tell(f"upgrade of {origin}, kills and other faults", f"{killed} and {len(some) - killed}")
    tell(f"upgrade of {origin}, old and new after them", f"{became.count('old')} and {became.count('new')}")


@pytest.mark.parametrize("origin", ORIGINS[1:], ids=str)
def test_an_upgrade_keeps_every_row(hosted: Path, tmp_path: Path, origin: Origin) -> None:
    begin = place(origin, tmp_path / "begin", hosted)
    assert begin.new.host == begin.old.host
    assert (begin.old.revision, begin.new.revision) == (origin.revision, HEAD)
    for table, rows in begin.old.plugin.rows.items():
        kept = begin.new.plugin.rows[table]
        if table != "ltm_alembic_version":
            assert [row[: len(old)] for row, old in zip(kept, rows, strict=True)] == rows
    empty = [table for table, rows in begin.old.plugin.rows.items() if not rows]
    assert not (origin.filled and empty)
    if origin.hosted:
        assert all(begin.old.host.rows.values())


@pytest.mark.torture
@pytest.mark.parametrize("careless", sorted(UPGRADES.keys() - {"real"}))
def test_an_upgrade_that_is_not_careful_is_caught(
    process: Zygote, hosted: Path, tmp_path: Path, careless: str
) -> None:
    begin = place(Origin(revision=RELEASES[0], filled=True), tmp_path / "begin", hosted)
    whole = process.upgrade(begin.copied(tmp_path), Strike(upgrade=careless))
    kills = [strike for strike in strikes(begin, whole) if strike.blow is Blow.KILL_AT_STATEMENT]
    some = [replace(strike, upgrade=careless) for strike in kills[:: -either(5, 1)]]
    with pytest.raises(AssertionError):
        assert [struck(process, begin, tmp_path, strike) for strike in some]
