"""A database whose bytes are wrong is not taken for an empty one: it is left alone, and health tells."""

import asyncio
import random
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import override

import pytest
from astrbot_plugin_ltm.long_term_memory.service import Report, Service, State

from tests.faults.stores import NAME, copy_files, faults
from tests.host.harness.tables import Tables
from tests.torture.damage.damaged import Damaged, missing
from tests.torture.damage.lives import FORGOTTEN, IN_FILE, Filled, fill
from tests.torture.damage.spoiling import LOGS, PAGES, WHOLE, Spoil
from tests.torture.form import SEED, chances, either, tell

pytestmark = pytest.mark.torture

A_FEW_BYTES = "a few bytes are others"
OFTENER: Mapping[str, int] = {A_FEW_BYTES: either(2, 60), "pages of two tables are one": either(1, 20)}
"""What SQLite may take for good, as far as what the bytes say goes, and how often it is tried."""
MAY_GO_UNNOTICED: Mapping[str, float] = {A_FEW_BYTES: either(0.0, 0.25)}
"""A page has room in which nothing stands: the share that has to be noticed all the same."""
OFTEN = either(1, 5)
"""How often all else is."""


@dataclass(frozen=True, kw_only=True)
class Stores:
    """The same store twice: closed well, and as a kill has left it, with its write-ahead log."""

    closed: Path
    killed: Path
    filled: Filled
    folders: Iterator[Path]

    def spoilt(self, source: Path, spoil: Spoil, rng: random.Random) -> Path:
        """A copy of one of them, damaged."""
        copy_files(source, folder := next(self.folders))
        spoil(folder / NAME, rng)
        return folder / NAME


def named(value: object) -> str:
    """Tests are called by the names of what is wrong alone."""
    return value if isinstance(value, str) else ""


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Stores:
    root = tmp_path_factory.mktemp("stores")
    file = root / NAME
    filled = asyncio.run(fill(file, between=lambda: copy_files(file, root / "killed")))
    folders = (root / f"trial {number}" for number in range(10_000))
    return Stores(closed=file, killed=root / "killed" / NAME, filled=filled, folders=folders)


@pytest.mark.parametrize(("name", "spoil"), [*WHOLE.items(), *[*PAGES.items()][:: either(2, 1)]], ids=named)
async def test_damage_is_told_and_nothing_is_written_over_it(stores: Stores, name: str, spoil: Spoil) -> None:
    times, plain, noticed = OFTENER.get(name, OFTEN), name not in OFTENER, 0
    for number in range(times):
        file = stores.spoilt(stores.closed, spoil, chances(f"{name} {number}"))
        sound = stores.closed.read_bytes()
        damaged = Damaged(file, sound=sound, before=stores.filled, plain=plain)
        complaints = await damaged.complaints()
        assert not complaints, f"seed {SEED}, number {number}:\n" + "\n".join(complaints)
        noticed += damaged.is_noticed
    tell(f"Damaged, {name}", f"{times} times, noticed {noticed} times")
    if name in MAY_GO_UNNOTICED:
        tell(f"Damaged, {name}, unnoticed, with all that the store says as it was", times - noticed)
    assert noticed >= times * MAY_GO_UNNOTICED.get(name, 1.0)


@pytest.mark.parametrize(("name", "spoil"), [*LOGS.items()], ids=named)
async def test_of_a_damaged_log_what_is_left_is_whole(stores: Stores, name: str, spoil: Spoil) -> None:
    for number in range(OFTEN):
        file = stores.spoilt(stores.killed, spoil, chances(f"{name} {number}"))
        life = stores.filled.life(file)
        await life.begin()
        await life.day("Xaver")
        await life.end()
        assert (life.odd, life.reports[-1].state, life.kept) == ([], State.RUNNING, 3)
        assert faults(file) == []
        query = "select content ->> 'text' from ltm_events where content ->> 'text' like 'turn %' order by id"
        left = [text for (text,) in Tables(file).rows(query)]
        assert left == list(stores.filled.told[: len(left)]), f"seed {SEED}, number {number}"
        assert len(left) >= IN_FILE
        back = Tables(file).rows("select 1 from ltm_items where fact = ? and status = 'active'", FORGOTTEN)
        assert not back or len(left) < len(stores.filled.told)
    tell(f"Killed, then {name}", f"{OFTEN} times")


async def test_a_sound_store_is_not_taken_for_a_damaged_one(stores: Stores) -> None:
    for source in (stores.closed, stores.killed):
        file = stores.spoilt(source, lambda file, rng: None, chances("sound"))  # noqa: ARG005
        life = stores.filled.life(file)
        await life.begin()
        await life.day("Xaver")
        await life.end()
        report = life.reports[-1]
        assert (life.odd, report.state, report.problems, life.kept) == ([], State.RUNNING, (), 3)
        assert [*faults(file), *missing(file, [*stores.filled.told, *life.acknowledged], life.saved)] == []


class Heedless(Service):
    """Says that all is well whatever the store says."""

    @override
    async def health(self) -> Report:
        return Report(
            state=State.PAUSED, version="", timezone="", problems=(), failures={}, notes=(), counts=None
        )


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("update ltm_items set confidence = 0.1 where id = 1", "nobody noticed that it says something else"),
        ("delete from ltm_events where id = 1", "is there 0 times"),
    ],
    ids=["another value", "a row less"],
)
async def test_what_nobody_notices_is_found_out(stores: Stores, change: str, why: str) -> None:
    def spoil(file: Path, _: random.Random) -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            connection.execute("pragma foreign_keys = off")
            connection.execute(change)

    file = stores.spoilt(stores.closed, spoil, chances("unnoticed"))
    damaged = Damaged(file, sound=stores.closed.read_bytes(), before=stores.filled)
    assert why in "\n".join(await damaged.complaints())
    assert not damaged.is_noticed


async def test_who_does_not_tell_is_found_out(stores: Stores) -> None:
    file = stores.spoilt(stores.closed, WHOLE["it is a text"], chances("heedless"))
    life = stores.filled.life(file)
    life.service = Heedless(life.world.memory, version="1")
    complaints = await Damaged(file, sound=stores.closed.read_bytes(), before=stores.filled).complaints(life)
    assert "health does not say what is wrong" in complaints
