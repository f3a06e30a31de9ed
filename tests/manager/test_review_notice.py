"""Admins hear once a day of what people may not accept for themselves."""

from datetime import timedelta
from pathlib import Path
from typing import Any

from astrbot_plugin_ltm.long_term_memory.domain.enums import Origin, Status
from astrbot_plugin_ltm.long_term_memory.manager.own_memories import self_approved, send_review_notice
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import MemoryWritePolicy

from tests.running import World, settings
from tests.stores import ALICE, BOB, GROUP, an_item, keep

DOUBTFUL: dict[str, Any] = {"status": Status.PENDING, "reason": "quoted_message"}


async def test_nobody_is_told_of_what_only_waits_for_the_hourly_limit(tmp_path: Path) -> None:
    told = list[str]()

    async def tell(text: str) -> int:
        told.append(text)
        return 1

    async with World(tmp_path / "host.db").memory(settings({})) as memory:
        parts = memory._components  # pyright: ignore[reportPrivateUsage] - what `bootstrap` gives the notice
        # The worker may admit it at any moment: then it is hers to accept.
        await keep(parts.store, an_item("goes on", status=Status.PENDING, reason="max_writes_per_hour"))
        await send_review_notice(parts, tell)
        assert told == []


async def test_they_are_told_once_a_day_while_something_waits_for_them(tmp_path: Path) -> None:
    world, told, reached = World(tmp_path / "host.db"), list[str](), [0, 2, 2]

    async def tell(text: str) -> int:
        told.append(text)
        return reached[len(told) - 1]

    async with world.memory(settings({})) as memory:
        parts = memory._components  # pyright: ignore[reportPrivateUsage] - what `bootstrap` gives the notice
        await keep(parts.store, an_item("hers to accept", status=Status.SHADOW, reason="mode"))
        await send_review_notice(parts, tell)
        assert told == []
        for number, owner in enumerate((ALICE, ALICE, BOB)):
            await keep(parts.store, an_item(f"doubt {number}", owner=owner, **DOUBTFUL))
        await keep(
            parts.store, an_item("agreed", status=Status.SHADOW, reason="mode", origin=Origin.CONFIRMED)
        )
        await keep(parts.store, an_item("of all", status=Status.SHADOW, reason="mode", owner=GROUP))
        await send_review_notice(parts, tell)  # nobody is reached, so it is tried again
        await send_review_notice(parts, tell)
        await send_review_notice(parts, tell)
        assert len(told) == 2
        assert "有 5 条记忆等管理员审核，涉及 3 个人或群。请发送 /记忆 待审核" in told[1]
        assert "5 memories need an admin's approval, from 3 people and groups. To decide, send me" in told[1]
        without_self_approval = MemoryWritePolicy(self_approval=False)
        assert not self_approved(without_self_approval)
        assert await parts.store.browsing.waiting_for_admins((), self_approved(without_self_approval)) == (
            6,
            3,
        )
        world.clock.move(timedelta(days=1))
        await send_review_notice(parts, tell)
        assert len(told) == 3
