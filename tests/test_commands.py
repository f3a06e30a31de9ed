"""What people are told while the memory is paused: which of the settings and the store is to blame."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

import pytest
from astrbot_plugin_ltm.long_term_memory.commands import Commands
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.service import Service
from astrbot_plugin_ltm.long_term_memory.settings import Settings

from tests.running import private


@asynccontextmanager
async def locked(_: Settings) -> AsyncGenerator[LTMManager]:
    raise UnavailableError("the database is locked")
    yield


@pytest.mark.parametrize(
    ("raw", "texts"),
    [
        (
            {"write_policy": {"mode": "wild"}},
            {
                "ltm status": "until these settings are put right",
                "记忆 状态": "以下设置改正之前",
                "ltm list": "paused because of its settings",
                "记忆 列表": "由于设置有误，记忆已暂停",
            },
        ),
        (
            {},
            {
                "ltm status": "because the store cannot be used:\n- store: the database is locked;",
                "记忆 状态": "存储无法使用，不记录也不召回：\n- store：the database is locked",
                "ltm list": "paused because its store cannot be used now",
                "记忆 列表": "存储暂时无法使用，记忆已暂停",
            },
        ),
    ],
    ids=["setting", "store"],
)
async def test_the_reply_says_whether_a_setting_or_the_store_is_to_blame(
    raw: Mapping[str, object], texts: Mapping[str, str]
) -> None:
    service = Service(locked, version="1")
    await service.start(raw)
    commands = Commands(service)
    for command, text in texts.items():
        assert text in await commands.answer(private(), command, admin=True, message_id="1")
    await service.stop()
