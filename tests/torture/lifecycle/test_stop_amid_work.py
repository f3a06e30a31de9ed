"""Ended by the host amid each kind of work: it ends soon, nothing is left of it, and a start makes good."""

import asyncio
import shutil
import time
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import LtmError
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.service import Service

from tests.stores import migrated
from tests.torture.form import LONG, either, tell
from tests.torture.lifecycle.left import Before
from tests.torture.lifecycle.scene import Scene
from tests.torture.lifecycle.work import Work
from tests.torture.lifecycle.works import WORKS

pytestmark = pytest.mark.torture

ENDS_WITHIN = 60.0
"""Real seconds of a stop on a busy machine; most take a hundredth."""
TRIES = 20
"""How often work is begun until it is caught in its middle."""
ROUNDS = either(1, 5)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """A store that holds the long document, whose plugin has ended."""
    scene = Scene(migrated(tmp_path_factory.mktemp("filled") / "data.db"))

    async def fill() -> None:
        service, memory = await scene.started()
        await memory.transferring.bring_in(scene.document, actor="operator")
        await service.stop()

    asyncio.run(fill())
    return scene


@pytest.mark.parametrize("round_", range(ROUNDS))
@pytest.mark.parametrize("work", WORKS, ids=lambda work: type(work).__name__)
async def test_ended_amid_work_nothing_is_left_of_it_and_a_second_start_makes_good(
    tmp_path: Path, filled: Scene, work: Work, round_: int
) -> None:
    del round_
    scene = Scene(migrated(tmp_path / "data.db"))
    if work.filled:
        shutil.copy(filled.file, scene.file)
        scene.markers.places = list(filled.markers.places)
    before = Before(tmp_path)
    service, memory = await scene.started()
    await work.prepare(scene, memory)
    call = await caught(work, scene, memory)

    stop = asyncio.ensure_future(ended(service))
    if scene.keeping.held:
        await asyncio.wait({stop}, timeout=0.2)  # enough for one that does not wait for the settings
        scene.keeping.open()
    took = await stop
    assert before.left(but=[call]) == []
    answer = await asyncio.wait_for(asyncio.gather(call, return_exceptions=True), ENDS_WITHIN)
    assert not isinstance(answer[0], BaseException) or isinstance(answer[0], LtmError)
    assert before.left() == []
    assert scene.faults() == []
    assert work.has_left(scene)

    for gate in (scene.reader.gate, scene.embedding.gate):
        gate.open()
    service, memory = await scene.started()
    await work.again(scene, memory)
    await ended(service)
    assert before.left() == []
    assert scene.faults() == []
    assert not list(scene.folder.glob("in_transit/*"))
    if LONG:
        tell(f"a stop amid {type(work).__name__}", f"{took * 1000:.0f} ms")


async def caught(work: Work, scene: Scene, memory: LTMManager) -> asyncio.Future[object]:
    """The work under way, in its middle."""
    for _ in range(TRIES):
        call = asyncio.ensure_future(work.begin(scene, memory))
        async with asyncio.timeout(60):
            while not work.is_amid(scene, memory):
                await asyncio.sleep(0)
                if call.done() and not work.in_background:
                    break
            else:
                return call
    raise AssertionError("it was over each time before its middle was seen")


async def ended(service: Service) -> float:
    """End the plugin; the seconds that takes."""
    began = time.perf_counter()
    await asyncio.wait_for(service.stop(), ENDS_WITHIN)
    return time.perf_counter() - began
