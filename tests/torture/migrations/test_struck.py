"""Whatever strikes at an upgrade: the tables are the old or the new ones, and the next start completes it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import batched
from pathlib import Path

import pytest

from tests.torture.form import LONG, chances, either, tell
from tests.torture.migrations.blows import PAGE
from tests.torture.migrations.releases import HEAD, ORIGINS, RELEASES, Origin, Place, place
from tests.torture.migrations.rows import GONE
from tests.torture.migrations.seen import Seen, see
from tests.torture.migrations.strikes import KILLS, Blow, Ended, Strike
from tests.torture.migrations.upgrades import UPGRADES, real
from tests.torture.migrations.zygote import Zygote
from tests.torture.short import in_short

INSTRUCTIONS = 40
INDEX = 8
"""Pages of the index of a write-ahead log: all that is written when there is nothing to bring up to date."""
NEITHER, THE_HOSTS = "neither old nor new", "the host's tables are others"
CAUGHT = {
    "without_a_transaction": NEITHER,
    "one_revision_at_a_time": NEITHER,
    "tidying_up": THE_HOSTS,
    "forgetting": NEITHER,
}
"""As what each upgrade that is not careful is found out."""


def strikes(begin: Place, whole: Ended) -> Mapping[Blow, Sequence[Strike]]:
    """Every one that comes down on this upgrade, of which `whole` says how long it is."""
    files = (begin.path, begin.path.parent / "new" / begin.path.name)
    old, new = (list(batched(path.read_bytes() if path.exists() else b"", PAGE)) for path in files)
    changed = [n for n, page in enumerate(new, 1) if page not in old[n - 1 : n]]
    numbers = chances(f"instructions, {begin.origin}")
    last = whole.instructions  # by when it is committed
    steps = sorted(numbers.sample(range(1, last), min(INSTRUCTIONS, last) - 1))
    pages = range(1, max([*changed, INDEX]) + 1, 4)
    each: Mapping[Blow, Iterable[int]] = {
        Blow.KILL_AT_STATEMENT: range(1, whole.begun + 1),
        Blow.BUSY: range(1, whole.asked + 1),
        Blow.BROKEN: range(1, whole.asked + 1),
        Blow.KILL_AT_INSTRUCTION: [*steps, last],
        Blow.KILL_AT_WRITE: pages,
        Blow.FAIL_AT_WRITE: pages,
        Blow.FULL: range(1, len(new) - len(old) + 1),
    }
    return {blow: [Strike(blow=blow, at=at) for at in numbers] for blow, numbers in each.items()}


def left(process: Zygote, begin: Place, path: Path, strike: Strike) -> tuple[Ended, Seen]:
    """Have this copy upgraded under this strike, and return how that ended and what is there: old or new."""
    ended = process.upgrade(path, strike)
    found = see(path)
    assert found.host == begin.old.host, f"{strike}: {THE_HOSTS}"
    assert found in (begin.old, begin.new), f"{strike}: {NEITHER}, but {found.revision or 'none'}"
    return ended, found


def struck(process: Zygote, begin: Place, folder: Path, strike: Strike) -> str:
    """Strike, look, and start again; returns whether the tables were old or new in between."""
    path = begin.copied(folder)
    ended, found = left(process, begin, path, strike)
    assert ended.struck, f"{strike}: it did not fall; {ended}"
    if ended.error:
        assert ended.error.startswith("StoreUnavailableError: "), f"{strike}: {ended.error}"
        assert found == begin.old
    elif strike.blow not in KILLS:  # it was committed: what then moves it from the log to the file may wait
        assert (strike.blow, found) == (Blow.FAIL_AT_WRITE, begin.new)
    real(path)
    assert see(path) == begin.new
    return "new" if found == begin.new else "old"


@pytest.mark.torture
@pytest.mark.parametrize("origin", in_short(ORIGINS, ORIGINS[-1:]), ids=str)
def test_whatever_strikes_the_tables_are_old_or_new(
    process: Zygote, hosted: Path, tmp_path: Path, origin: Origin
) -> None:
    begin = place(origin, tmp_path / "begin", hosted)
    changes = begin.old != begin.new
    whole, found = left(process, begin, begin.copied(tmp_path), Strike())
    assert (whole.error, found) == ("", begin.new)
    every = strikes(begin, whole)
    grows = changes and origin.revision != "0005"
    assert [blow for blow in Blow if not every[blow]] == ([] if grows else [Blow.FULL])
    one = chances(f"strikes, {origin}").choice
    some = [strike for each in every.values() if each for strike in (each if LONG else [one(each)])]
    became = [(strike.blow in KILLS, struck(process, begin, tmp_path, strike)) for strike in some]
    kills, faults = ([state for killed, state in became if killed == which] for which in (True, False))
    if LONG and changes:
        moved = {"new"} if origin.hosted else set[str]()
        assert (set(kills), set(faults)) == ({"old", "new"}, {"old"} | moved)
    tell(f"upgrade of {origin}, statements", whole.begun)
    tell(f"upgrade of {origin}, kills and other faults that fell", f"{len(kills)} and {len(faults)}")
    for name, states in (("kills", kills), ("other faults", faults)):
        told = f"{states.count('old')} and {states.count('new')}"
        tell(f"upgrade of {origin}, old and new after {name}", told)


@pytest.mark.parametrize("origin", ORIGINS[1:], ids=str)
def test_an_upgrade_keeps_every_row(hosted: Path, tmp_path: Path, origin: Origin) -> None:
    begin = place(origin, tmp_path / "begin", hosted)
    assert begin.new.host == begin.old.host
    assert (begin.old.revision, begin.new.revision) == (origin.revision, HEAD)
    gone = {f"{what}{n}" for what in ("memory-", "told number ") for n in GONE}
    for table, rows in begin.old.plugin.rows.items():
        if table.startswith(("ltm_alembic_version", "ltm_namespaces", "ltm_fts_")):
            continue
        # The audit of what went stays.
        keeps_all = origin.revision > "0005" or table == "ltm_audit"
        left = rows if keeps_all else [row for row in rows if gone.isdisjoint(row)]
        kept = [row for row in begin.new.plugin.rows[table] if row != ("dropped", "")]
        assert [row[: len(old)] for row, old in zip(kept, left, strict=True)] == left
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
    unstruck = Strike(upgrade=careless)
    whole = process.upgrade(begin.copied(tmp_path), unstruck)
    assert whole.error == ""
    kills = strikes(begin, whole)[Blow.KILL_AT_STATEMENT]
    some = [replace(strike, upgrade=careless) for strike in kills[:: -either(5, 1)]]
    with pytest.raises(AssertionError, match=CAUGHT[careless]):
        _ = [left(process, begin, begin.copied(tmp_path), strike) for strike in (unstruck, *some)]
