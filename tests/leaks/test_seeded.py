"""Mistakes made on purpose are seen: the matrix can fail."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.leaks.asking import READS
from tests.leaks.cast import VARIANTS
from tests.leaks.changing import CHANGES
from tests.leaks.matrix import READING, run
from tests.leaks.seeded import MISTAKES, deaf, mistaken
from tests.leaks.stage import Stage, on_stage
from tests.leaks.telling import tell_everything

pytestmark = pytest.mark.torture

_CALLS = 70


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncGenerator[Stage]:
    async with on_stage(VARIANTS[0], tmp_path, 7) as stage:
        await tell_everything(stage)
        yield stage


async def test_each_mistake_of_the_gatekeeper_is_seen_and_the_real_one_makes_none(stage: Stage) -> None:
    assert (await run(stage, _CALLS, READING)).leaks == []
    for name, mistake in MISTAKES.items():
        with mistaken(stage, mistake):
            tally = await run(stage, _CALLS, READING)
        assert tally.leaks, name
    assert (await run(stage, _CALLS, READING)).leaks == []


async def test_a_copy_in_memory_that_hears_of_no_change_is_seen(stage: Stage) -> None:
    await run(stage, _CALLS, READING)
    with deaf(stage):
        tally = await run(stage, 5 * _CALLS, {**READS, **dict.fromkeys(CHANGES, 10)})
    assert tally.leaks
