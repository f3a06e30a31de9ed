"""Where the files should lie is nothing, or something else: all goes on by itself once that is put right."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.service import State

from tests.faults.stores import NAME, copy_files, faults
from tests.running import until
from tests.torture.damage.damaged import missing
from tests.torture.damage.lives import KEPT, Filled, Life, fill
from tests.torture.form import tell
from tests.torture.short import in_short

pytestmark = pytest.mark.torture

IN_THE_WAY: Mapping[str, Callable[[Path], None]] = {
    "a folder": lambda path: path.mkdir(),
    "a link to nowhere": lambda path: path.symlink_to(path.with_name("gone") / NAME),
    "a link to itself": lambda path: path.symlink_to(path),
}
WHY = "the database file cannot be opened; check whether it exists and is readable"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Filled]:
    file = tmp_path_factory.mktemp("filled") / NAME
    return file, asyncio.run(fill(file))


@pytest.fixture
def life(filled: tuple[Path, Filled], tmp_path: Path) -> Life:
    """A run over a copy of a filled store."""
    file, store = filled
    copy_files(file, tmp_path / "copy")
    return store.life(tmp_path / "copy" / NAME)


@pytest.mark.parametrize("name", in_short([*IN_THE_WAY], ["a folder"]))
async def test_a_database_that_cannot_be_opened_is_waited_for(
    filled: tuple[Path, Filled], life: Life, name: str
) -> None:
    file = life.world.file
    aside = file.rename(file.with_name("aside"))
    IN_THE_WAY[name](file)

    await life.begin()
    await life.day("Xaver")
    report, status = life.reports[-1], await life.status()
    why = f"{WHY}; the plugin retries automatically"
    assert (report.state, [problem.why for problem in report.problems]) == (State.PAUSED, [why])
    assert why in status
    assert (life.odd, life.kept) == ([], 0)

    file.rmdir() if file.is_dir() else file.unlink()
    aside.rename(file)
    await until(lambda: life.service.state is State.RUNNING, timeout=30)
    await life.day("Yolanda")
    await life.end()
    assert (life.reports[-1].problems, life.odd, life.kept) == ((), [], 3)
    turns = [*filled[1].told, *life.acknowledged]
    assert [*missing(file, turns, life.saved), *faults(file)] == []
    tell(f"In place of the database, {name}", "1 time")


async def test_a_database_that_is_gone_comes_back_from_its_snapshot(life: Life) -> None:
    await life.begin()
    snapshot = await life.service.manager().transferring.snapshot(actor="operator")
    await life.end()
    assert snapshot is not None
    life.world.file.unlink()

    await life.begin()
    transferring = life.service.manager().transferring
    assert (await transferring.snapshots()).offer == snapshot.name
    await transferring.restore(snapshot.name, actor="operator")
    await life.end()
    assert [*missing(life.world.file, [], []), *faults(life.world.file)] == []
    tell("The database is gone", "1 time")


async def test_a_folder_that_cannot_be_written_keeps_files_away_and_nothing_else(
    filled: tuple[Path, Filled], life: Life
) -> None:
    folder = life.world.file.with_name("plugin_data")
    folder.write_text("no folder at all")
    await life.begin()
    transferring = life.service.manager().transferring
    for refused in (transferring.export(None), transferring.snapshot(actor="operator")):
        with pytest.raises(UnavailableError, match="cannot be written"):
            await refused
    with pytest.raises(UnavailableError, match="cannot be written"):
        async with transferring.arriving():
            pass
    await life.day("Xaver")
    assert (life.reports[-1].state, life.odd, life.kept) == (State.RUNNING, [], 3)

    folder.unlink()
    made = await transferring.export(None)
    assert KEPT[0] in made.path.read_text("utf-8")
    assert (await transferring.snapshot(actor="operator")) is not None
    await life.end()
    turns = [*filled[1].told, *life.acknowledged]
    assert [*missing(life.world.file, turns, life.saved), *faults(life.world.file)] == []
    tell("In place of the plugin's folder, a file", "1 time")
