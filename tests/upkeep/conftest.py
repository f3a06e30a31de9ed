from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.stores import a_store
from tests.upkeep.fakes import Hands


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[Store]:
    async with a_store(tmp_path) as store:
        yield store


@pytest.fixture
def hands() -> Hands:
    return Hands()
