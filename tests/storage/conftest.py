from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.stores import a_store, migrated


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[Store]:
    async with a_store(tmp_path) as store:
        yield store


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A migrated file that nothing has opened."""
    return migrated(tmp_path / "file.db")
