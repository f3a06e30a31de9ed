from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.write.protocols import ChatModel

from tests.write.desk import Desk, OpenDesk, a_desk


@pytest.fixture
async def open_desk(tmp_path: Path) -> AsyncGenerator[OpenDesk]:
    """Makes desks on files of their own, and closes them."""
    async with AsyncExitStack() as stack:

        async def make(model: ChatModel | None = None, **policy: Any) -> Desk:
            folder = Path(mkdtemp(dir=tmp_path))
            return await stack.enter_async_context(a_desk(folder, model, **policy))

        yield make
