"""No reply waits for long for what is remembered, whoever else reads."""

from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.manager import conversation
from astrbot_plugin_ltm.long_term_memory.storage.database import READERS

from tests.running import World, private, settings


async def test_a_reply_goes_without_memories_while_others_keep_the_store_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation, "STORE_DEADLINE", timedelta(milliseconds=50))
    async with World(tmp_path / "host.db").memory(settings()) as memory:
        alice, asked = private(), "Which colour has my bike?"
        await memory.save(alice, fact="my bike is blue", said="my bike is blue", message_id="1")
        database = memory._components.store._database  # pyright: ignore[reportPrivateUsage] - whose seats they are
        async with AsyncExitStack() as readers:
            for _ in range(READERS):
                await readers.enter_async_context(database.read())
            with pytest.raises(UnavailableError, match="in time"):
                await memory.recall(alice, asked)
        monkeypatch.undo()
        assert (await memory.recall(alice, asked)).block
