"""Started again before the first start is through, and ended before it has begun."""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Turn
from astrbot_plugin_ltm.long_term_memory.service import Service, State

from tests.running import until
from tests.torture.form import either
from tests.torture.lifecycle.left import Before
from tests.torture.lifecycle.scene import Scene
from tests.torture.lifecycle.works import ALICE
from tests.torture.migrations.releases import RELEASES, to_release

pytestmark = pytest.mark.torture

OLDEST = RELEASES[0]
VERSION = "SELECT version_num FROM ltm_alembic_version"
SPANS = either((0.0, 0.02), (0.0, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5))
"""Seconds after which the second start comes."""
ENDS_WITHIN = 60.0


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the first version."""
    path = tmp_path_factory.mktemp("old") / "data.db"
    to_release(path, OLDEST)
    return path


@pytest.fixture
def scene(old: Path, tmp_path: Path) -> Scene:
    """Where that store lies, and no memory runs yet."""
    scene = Scene(tmp_path / "data.db")
    shutil.copy(old, scene.file)
    return scene


@contextmanager
def held_by_another(file: Path) -> Generator[None]:
    """Another program writes until the block ends."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield


@asynccontextmanager
async def alone(scene: Scene) -> AsyncGenerator[Before]:
    """Nothing is left once the block ends."""
    before = Before(scene.file.parent)
    yield before
    async with asyncio.timeout(ENDS_WITHIN):
        while before.left():
            await asyncio.sleep(0.05)
    assert scene.faults() == []


async def works(scene: Scene, service: Service, plant: str = "basil") -> None:
    """It records, once what is told twice, keeps and recalls."""
    memory = service.manager()
    said = f"There is a pot of {plant} on my balcony"
    turn = Turn(chat=ALICE, message_id=plant, user_text=said, reply_text="I see.", at=scene.clock())
    for _ in range(2):
        await memory.record_turn(turn)
    query = "SELECT count(*) FROM ltm_events WHERE source_role = 'user' AND content ->> 'text' = ?"
    await until(lambda: scene.tables.rows(query, said) != [(0,)], ENDS_WITHIN)
    assert scene.tables.rows(query, said) == [(1,)]
    await memory.save(
        ALICE, fact=f"I water the {plant}", said=f"/ltm add I water the {plant}", message_id="s"
    )
    assert plant in (await memory.recall(ALICE, f"Do I water the {plant}?")).block


@pytest.mark.parametrize("span", SPANS)
async def test_a_second_start_while_the_first_one_migrates_leaves_one_memory_at_work(
    scene: Scene, span: float
) -> None:
    async with alone(scene):
        first, second = scene.service(), scene.service()
        starting = asyncio.ensure_future(first.start({}))
        await asyncio.sleep(span)
        again = asyncio.ensure_future(second.start({}))
        await asyncio.wait_for(first.stop(), ENDS_WITHIN)
        await asyncio.wait_for(asyncio.gather(starting, again), ENDS_WITHIN)
        assert (first.state, first.active, second.state) == (State.CLOSED, None, State.RUNNING)
        assert scene.one(VERSION) != OLDEST
        await works(scene, second)
        await second.stop()


@pytest.mark.parametrize("span", SPANS)
async def test_two_memories_of_one_file_at_once_do_each_other_no_harm(scene: Scene, span: float) -> None:
    async with alone(scene):
        services = [scene.service(), scene.service()]
        starts = [asyncio.ensure_future(services[0].start({}))]
        await asyncio.sleep(span)
        starts.append(asyncio.ensure_future(services[1].start({})))
        await asyncio.wait_for(asyncio.gather(*starts), ENDS_WITHIN)
        for service, plant in zip(services, ("basil", "thyme"), strict=True):
            await until(lambda service=service: service.state is State.RUNNING, ENDS_WITHIN)
            await works(scene, service, plant)
            await service.stop()


@pytest.mark.parametrize("span", SPANS)
async def test_ended_while_it_waits_to_migrate_it_changes_nothing_and_a_second_start_does(
    scene: Scene, span: float
) -> None:
    async with alone(scene) as before:
        service = scene.service()
        with held_by_another(scene.file):
            starting = asyncio.ensure_future(service.start({}))
            await asyncio.sleep(span)
            stopping = asyncio.ensure_future(service.stop())
            await asyncio.sleep(span)
        await asyncio.wait_for(asyncio.gather(starting, stopping), ENDS_WITHIN)
        assert service.state is State.CLOSED
        assert before.left() == []
        service, _ = await scene.started()
        assert scene.one(VERSION) != OLDEST
        await works(scene, service)
        await service.stop()
