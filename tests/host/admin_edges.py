"""Which admins of the host are told something, and where.

These cases import the host, which warns and sets up logging: `test_edges.py` runs them apart.
"""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from astrbot.core.db.sqlite import SQLiteDatabase
from astrbot_plugin_ltm.long_term_memory.host.adapters import tell_admins


class FakeHost:
    """Two platforms, and admins that one profile does not know."""

    def __init__(self) -> None:
        self.sent = list[tuple[str, str]]()
        platforms = [
            SimpleNamespace(meta=lambda name=name: SimpleNamespace(id=name)) for name in ("qq", "tg")
        ]
        self.platform_manager = SimpleNamespace(platform_insts=platforms)

    def get_config(self, umo: str | None = None) -> Any:
        return {"admins_id": ["astrbot"] if umo == "tg:FriendMessage:root" else ["root", "boss"]}

    async def send_message(self, umo: str, chain: Any) -> bool:
        if umo == "tg:FriendMessage:boss":
            raise NotImplementedError
        self.sent.append((umo, chain.get_plain_text()))
        return True


async def test_only_admins_are_told_and_only_where_they_have_talked_to_the_bot_alone(tmp_path: Path) -> None:
    host, database = FakeHost(), SQLiteDatabase(str(tmp_path / "host.db"))
    made: Any = database
    await made.initialize()
    for umo in (
        "qq:FriendMessage:root",
        "qq:FriendMessage:root",
        "qq:FriendMessage:alice",
        "qq:GroupMessage:boss",
        "tg:FriendMessage:root",
        "tg:FriendMessage:boss",
    ):
        await made.create_conversation(umo, umo.partition(":")[0])
    told: Any = host
    assert await tell_admins(told, database, "3 wait") == 1
    assert host.sent == [("qq:FriendMessage:root", "3 wait")]
