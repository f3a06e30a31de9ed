"""A memory that breaks its promise is found out: six faults, each within a few kills.

The same traffic is played once without a kill, and the faulty memory tells between which operations something
is half done; the kills are aimed there.
"""

import sys
from collections.abc import Iterator, Sequence

import pytest

from tests.quick_folder import quick_folder
from tests.torture.crashes.life import Blow, Life
from tests.torture.crashes.seeded import Fault
from tests.torture.crashes.shim import COUNT_ONLY, Strike, What
from tests.torture.crashes.things import Call, Deed, Kind, word_of
from tests.torture.crashes.zygotes import a_zygote, numbered
from tests.torture.form import tell

pytestmark = [
    pytest.mark.torture,
    pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD and /proc are Linux's"),
]

MOST = 6
"""Kills within which a fault has to be found."""


@pytest.fixture(scope="module")
def lives() -> Iterator[Iterator[Life]]:
    """New ones, one after the other."""
    with quick_folder() as root:
        folders = numbered(root)
        with a_zygote(next(folders)) as zygote:
            yield (Life(folder=folder, zygote=zygote, seed="seeded") for folder in folders)


def said(number: int, kind: Kind, word: int = 1) -> Call:
    """Alice says something."""
    return Call(number=str(number), deed=Deed.TURN, word=word_of(word), kind=kind, person="alice")


def passes(number: int, seconds: float) -> Call:
    """Time passes."""
    return Call(number=str(number), deed=Deed.PASS, at=seconds)


READ = [said(1, Kind.GROWN), passes(2, 60.0)]
"""A model reads something."""
TOLD = [said(1, Kind.LIKED), passes(2, 5.0)]
"""The rules find something."""
PAUSED = [Call(number="1", deed=Deed.PAUSE, person="erin"), passes(2, 5.0)]
"""Somebody wants nothing to be learnt of them."""
TAKEN_BACK = [
    Call(number="1", deed=Deed.SAVE, word=word_of(1), kind=Kind.SAVED, person="alice"),
    passes(2, 5.0),
    Call(number="3", deed=Deed.SHARE, person="alice"),
    Call(number="4", deed=Deed.UNSHARE),
    passes(5, 5.0),
]
"""Something is to be known everywhere, and then it is not."""


def windows(life: Life, fault: Fault | None, calls: Sequence[Call]) -> list[int]:
    """The operations before which something is half done, as the faulty memory tells."""
    run = life.run(Blow(fault=fault), chosen=calls)
    return [at for first, last in run.told("window") for at in range(first, max(first, last) + 1)]


def kills_until_found(
    lives: Iterator[Life], fault: Fault | None, at: Sequence[int], calls: Sequence[Call]
) -> tuple[int, list[str]]:
    """How many kills it took, and what the last of them led to."""
    for number, operation in enumerate(at[:MOST], 1):
        life = next(lives)
        run = life.run(Blow(strike=Strike(what=What.KILL_BEFORE, at=operation), fault=fault), chosen=calls)
        assert run.killed
        if complaints := life.restart(again=False):
            return number, complaints
    return MOST, []


@pytest.mark.parametrize(
    ("fault", "calls", "why"),
    [
        (Fault.ACKNOWLEDGES_TOO_SOON, TOLD, "(LIKED) is absent, may be [in use]"),
        (Fault.ACKNOWLEDGES_TOO_SOON, PAUSED, "erin is not paused"),
        (Fault.ACKNOWLEDGES_TOO_SOON, TAKEN_BACK, f"{word_of(1)} reaches ['everywhere PUBLIC']"),
        (Fault.CURSOR_FIRST, READ, "(GROWN) is said, may be [in use]"),
        (Fault.TWO_TRANSACTIONS, TOLD, "(LIKED) is said, may be [absent, in use]"),
        (Fault.INDEX_FIRST, TOLD, "unsound at the kill"),
    ],
    ids=lambda one: one.name.lower() if isinstance(one, Fault) else "",
)
def test_what_is_half_done_is_found_out(
    lives: Iterator[Life], fault: Fault, calls: Sequence[Call], why: str
) -> None:
    at = windows(next(lives), fault, calls)
    assert at
    taken, complaints = kills_until_found(lives, fault, at, calls)
    tell(f"crashes: kills until it was found that {fault.value}", taken)
    assert why in " ".join(complaints)
    # The memory as it is bears a kill at the same moments.
    assert kills_until_found(lives, None, at[:taken], calls)[1] == []


def test_what_was_deleted_and_comes_back_is_found_out(lives: Iterator[Life]) -> None:
    assert of_a_deleted_one(next(lives), None)[1] == []
    kills, complaints = of_a_deleted_one(next(lives), Fault.DELETED_COMES_BACK)
    tell(f"crashes: kills until it was found that {Fault.DELETED_COMES_BACK.value}", kills)
    assert 0 < kills <= MOST
    assert any("is in use, may be" in complaint for complaint in complaints)


def of_a_deleted_one(life: Life, fault: Fault | None) -> tuple[int, list[str]]:
    """The kills and the complaints when somebody forgets something, and says it again after a kill."""
    forgetting = Call(number="2", deed=Deed.FORGET, person="alice")
    told = ([said(1, Kind.LIKED), forgetting], [said(3, Kind.LIKED), passes(4, 5.0)])
    kills = sum(life.run(Blow(fault=fault), chosen=calls).killed for calls in told)
    return kills, life.restart(again=False)


def test_a_chat_that_is_read_twice_at_once_is_found_out(lives: Iterator[Life]) -> None:
    assert of_one_that_is_read(next(lives), None)[1] == []
    kills, complaints = of_one_that_is_read(next(lives), Fault.NO_LEASE)
    tell(f"crashes: kills until it was found that {Fault.NO_LEASE.value}", kills)
    assert 0 < kills <= MOST
    assert any(complaint.startswith("twice") for complaint in complaints)


def of_one_that_is_read(life: Life, fault: Fault | None) -> tuple[int, list[str]]:
    """The kills and the complaints when the process is killed after a model was asked."""
    run = life.run(Blow(strike=COUNT_ONLY, fault=fault), chosen=READ)
    return int(run.killed), life.restart(again=False)


def test_a_snapshot_that_tells_of_somebody_who_was_erased_is_found_out(lives: Iterator[Life]) -> None:
    life = next(lives)
    life.run(Blow(), chosen=[said(1, Kind.LIKED), Call(number="2", deed=Deed.SNAPSHOT)])
    (snapshot,) = life.file.with_name("plugin_data").rglob("*.gz")
    content = snapshot.read_bytes()
    life.run(Blow(), chosen=[Call(number="3", deed=Deed.ERASE, person="alice")])
    assert not snapshot.exists()
    assert life.restart(again=False) == []
    snapshot.write_bytes(content)
    assert life.restart(again=False) == [f"trace of {word_of(1)} in {snapshot.name}"]
