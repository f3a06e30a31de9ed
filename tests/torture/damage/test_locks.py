"""While another program locks the database nobody's call breaks, and when it lets go all is kept, once."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ToolUse
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.service import State

from tests.faults.stores import NAME, copy_files, faults
from tests.running import until
from tests.torture.damage.damaged import missing
from tests.torture.damage.lives import ALICE, BOB, KEPT, KITCHEN, Filled, Life, fill
from tests.torture.damage.locker import a_locker
from tests.torture.form import either, tell
from tests.torture.short import in_short

pytestmark = pytest.mark.torture

TIMES, TURNS = either(1, 6), either(2, 5)

type Act = Callable[[Life], Awaitable[object]]


async def _tool(life: Life) -> None:
    tool = ToolUse(chat=ALICE, message_id="w", tool="weather", result="rain in Bergen", at=life.world.clock())
    await life.hook("record_tool_result", lambda memory: memory.record_tool_use(tool))


async def _forget(life: Life) -> None:
    page = await life.service.manager().own_items(ALICE, kind=None, page=1, page_size=50)
    (bike,) = (item for item in page.rows if item.fact == KEPT[0])
    assert await life.hook("forget", lambda memory: memory.forget(ALICE, bike.memory_id))


async def _pause(life: Life) -> None:
    assert await life.hook("pause", lambda memory: memory.pausing.own(BOB, on=True))


async def _snapshot(life: Life) -> None:
    assert await life.hook("snapshot", lambda memory: memory.transferring.snapshot(actor="operator"))


ACTS: Mapping[str, Act] = {
    "a turn": lambda life: life.say(ALICE, "I went to the market"),
    "a turn in a group": lambda life: life.say(KITCHEN, "The kettle is broken"),
    "a tool": _tool,
    "a save": lambda life: life.save(ALICE, "Xaver is the name of my boat"),
    "a memory is forgotten": _forget,
    "a pause": _pause,
    "a snapshot": _snapshot,
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Filled]:
    file = tmp_path_factory.mktemp("filled") / NAME
    return file, asyncio.run(fill(file))


@pytest.fixture
def lives(filled: tuple[Path, Filled], tmp_path: Path) -> Iterator[Life]:
    """Runs over copies of a filled store."""
    file, store = filled
    numbers = iter(range(1_000))

    def copied() -> Iterator[Life]:
        while True:
            folder = tmp_path / str(next(numbers))
            copy_files(file, folder)
            yield store.life(folder / NAME)

    return copied()


@pytest.mark.parametrize("name", in_short([*ACTS], ["a turn"]))
async def test_a_short_lock_is_waited_for(
    filled: tuple[Path, Filled], lives: Iterator[Life], name: str
) -> None:
    for _ in range(TIMES):
        life = next(lives)
        await life.begin()
        with a_locker(life.world.file) as other:
            await other.lock()
            doing = asyncio.ensure_future(ACTS[name](life))
            await asyncio.sleep(0.3)
            assert not doing.done()
            await other.let_go()
            await doing
        await life.look()
        await life.end()
        assert (life.reports[-1].state, life.reports[-1].problems, life.odd) == (State.RUNNING, (), [])
        assert all_is_kept(filled[1], life, but=KEPT[0] if name == "a memory is forgotten" else "") == []
    tell(f"Locked by another program for a moment, {name}", f"{TIMES} times")


async def test_under_a_long_lock_turns_wait_saves_are_refused_and_health_says_why(
    filled: tuple[Path, Filled], lives: Iterator[Life]
) -> None:
    life = next(lives)
    await life.begin()
    manager = life.service.manager()
    with a_locker(life.world.file) as other:
        await other.lock()
        for number in range(TURNS):
            assert await life.say(ALICE, f"under the lock {number}")
        assert "peanuts" in (await manager.recall(ALICE, "Are there peanuts in it?")).block
        with pytest.raises(UnavailableError, match="the database is locked; end the program"):
            await manager.save(BOB, fact="my car is red", said="my car is red", message_id="car")
        await life.look()
        report, status = life.reports[-1], await life.status()
        assert report.state is State.RUNNING
        assert report.counts is not None
        assert report.counts.late_writes == TURNS
        (problem,) = report.problems
        assert problem.key == "store"
        assert problem.why == (
            "the last write failed: the database is locked; end the program that holds the lock; the plugin"
            " retries automatically"
        )
        assert problem.why in status
        await other.let_go()
        await until(lambda: manager.health.trouble == "", timeout=30)
        await until(lambda: missing(life.world.file, life.acknowledged, []) == [], timeout=30)
    await life.look()
    await life.end()
    assert (life.reports[-1].problems, life.reports[-1].failures, life.odd) == ((), {}, [])
    assert all_is_kept(filled[1], life) == []
    tell("Locked by another program for longer than is waited", "1 time")


async def test_a_start_on_a_locked_file_recalls_and_keeps_what_is_said(
    filled: tuple[Path, Filled], lives: Iterator[Life]
) -> None:
    life = next(lives)
    with a_locker(life.world.file) as other:
        await other.lock("EXCLUSIVE")
        await life.begin()
        assert "peanuts" in (await life.service.manager().recall(ALICE, "Are there peanuts in it?")).block
        assert await life.say(BOB, "Hello there")
        await other.let_go()
        await until(lambda: missing(life.world.file, life.acknowledged, []) == [], timeout=30)
    await life.end()
    assert all_is_kept(filled[1], life) == []


def all_is_kept(store: Filled, life: Life, *, but: str = "") -> list[object]:
    """What is missing, twice there, or unsound."""
    lost = missing(life.world.file, [*store.told, *life.acknowledged], life.saved)
    wrong = [each for each in lost if not but or but not in each]
    if but and not any(but in each for each in lost):
        wrong.append(f"{but} is still there")
    return [*wrong, *faults(life.world.file)]
