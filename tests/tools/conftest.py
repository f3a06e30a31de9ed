from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.running import World, settings
from tests.stores import migrated
from tests.tools.reference import Desk


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncGenerator[Desk]:
    """A memory in `auto` mode and somebody who calls its tools."""
    world = World(migrated(tmp_path / "data_v4.db"))
    async with world.memory(settings()) as memory:
        yield Desk(world, memory)
