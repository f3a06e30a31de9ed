from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.running import AUTO
from tests.test_commands import Talk, talking


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncGenerator[Talk]:
    """People typing `/ltm` at a memory that uses what it learns."""
    async with talking(tmp_path, AUTO) as talk:
        yield talk
