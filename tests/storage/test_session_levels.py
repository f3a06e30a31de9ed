from datetime import timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ConversationId, ToolLevel
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level
from astrbot_plugin_ltm.long_term_memory.domain.errors import RefusedError
from astrbot_plugin_ltm.long_term_memory.models import SESSION_LEVELS
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from sqlalchemy import select

from tests.stores import NOW, a_store, opened

ONE = ("qq:GroupMessage:1", "c1")
NEXT = ("qq:GroupMessage:1", "c2")
OTHER = ("qq:FriendMessage:王 'x'", "c1")


def raised(where: ConversationId, level: Level, tool: str = "hr", late: int = 0) -> ToolLevel:
    umo, own_id = where
    at = NOW + timedelta(hours=late)
    return ToolLevel(umo=umo, conversation_id=own_id, level=level, raised_by=tool, updated_at=at)


async def test_a_level_is_kept_for_each_conversation_of_each_chat(store: Store) -> None:
    levels = store.session_levels
    assert await levels.every() == {}
    for where, level in ((ONE, Level.CONFIDENTIAL), (NEXT, Level.INTERNAL), (OTHER, Level.RESTRICTED)):
        await levels.put(raised(where, level))
    assert await levels.every() == {
        ONE: Level.CONFIDENTIAL,
        NEXT: Level.INTERNAL,
        OTHER: Level.RESTRICTED,
    }


async def test_a_level_rises_and_never_falls_and_tells_which_tool_raised_it(store: Store) -> None:
    levels = store.session_levels
    for late, (level, tool) in enumerate(
        [
            (Level.INTERNAL, "wiki"),
            (Level.RESTRICTED, "hr"),
            (Level.CONFIDENTIAL, "mail"),
            (Level.RESTRICTED, "b"),
        ]
    ):
        await levels.put(raised(ONE, level, tool, late))
    assert await levels.every() == {ONE: Level.RESTRICTED}
    async with store._database.read() as seat:  # pyright: ignore[reportPrivateUsage] - the row itself
        [row] = (await seat.execute(select(SESSION_LEVELS))).all()
    assert (row.raised_by, row.updated_at) == ("hr", NOW + timedelta(hours=1))


async def test_a_conversation_that_ended_is_forgotten_alone(store: Store) -> None:
    levels = store.session_levels
    for where in (ONE, NEXT, OTHER):
        await levels.put(raised(where, Level.CONFIDENTIAL))
    await levels.drop([])
    await levels.drop([ONE, (ONE[0], "c9"), (OTHER[0], "c2")])
    assert set(await levels.every()) == {NEXT, OTHER}


async def test_levels_outlive_the_process(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        await store.session_levels.put(raised(OTHER, Level.CONFIDENTIAL))
    async with opened(tmp_path / "data_v4.db") as database:
        assert await Store(database, lambda: NOW).session_levels.every() == {OTHER: Level.CONFIDENTIAL}


async def test_while_read_only_no_level_is_written(store: Store) -> None:
    store.read_only = True
    assert store.session_levels.read_only
    with pytest.raises(RefusedError):
        await store.session_levels.put(raised(ONE, Level.INTERNAL))
    with pytest.raises(RefusedError):
        await store.session_levels.drop([ONE])
    assert await store.session_levels.every() == {}
