"""What an operator sent back to review is not used again before an operator approves it."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Audience, Level, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item, ItemFilter
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.editing import Edit
from astrbot_plugin_ltm.long_term_memory.manager.sharing import NotSharedError
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.running import World, group, private, record, settings
from tests.stores import keep, opened

ADA = "operator:ada"
CHAT = replace(private("alice"), umo="telegram:FriendMessage:alice", platform_id="telegram")
GROUP = replace(group("alice"), umo="telegram:GroupMessage:kitchen", platform_id="telegram")
OSLO, BERGEN = "I live in Oslo", "I live in Bergen"
QUIET = {"extraction": {"daily_token_cap": 0}, "write_policy": {"mode": "auto"}}


@dataclass
class Talk:
    """Alice, who has told where she lives, and the operator."""

    world: World
    memory: LTMManager

    async def tells(self, text: str) -> None:
        self.world.clock.move(timedelta(minutes=1))
        await self.world.tell(self.memory, CHAT, text)

    async def adds(self, text: str) -> Item:
        self.world.clock.move(timedelta(minutes=1))
        said = f"/ltm add {text}"
        return (await self.memory.save(CHAT, fact=text, said=said, message_id=self.world.new_id())).item

    async def keyed(self, text: str, *, in_group: bool = False) -> None:
        self.world.clock.move(timedelta(minutes=1))
        said = Turn(
            chat=GROUP if in_group else CHAT,
            message_id=self.world.new_id(),
            user_text=f"Remember that {text}",
            reply_text="",
            at=self.world.clock(),
        )
        await self.memory.tool_memories.save(said, "address", text)

    async def edits(self, item: Item, **wanted: object) -> Item:
        self.world.clock.move(timedelta(minutes=1))
        edit = Edit(**wanted)  # pyright: ignore[reportArgumentType] - as named
        return (await self.memory.review.edit_one(item.memory_id, edit, actor=ADA)).item

    async def items(self) -> list[Item]:
        return list((await self.memory.browsing.items(ItemFilter())).rows)

    async def one(self, word: str) -> Item:
        return next(item for item in await self.items() if word in item.fact)


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncGenerator[Talk]:
    world = World(tmp_path / "host.db")
    async with world.memory(settings(QUIET)) as memory:
        yield Talk(world, memory)


async def again(talk: Talk) -> None:
    await talk.tells(OSLO)


async def added(talk: Talk) -> None:
    await talk.adds(OSLO)


async def after_another_value(talk: Talk) -> None:
    await talk.tells(BERGEN)
    await talk.tells(OSLO)


async def added_after_another_value(talk: Talk) -> None:
    await talk.adds(BERGEN)
    await talk.adds(OSLO)


async def after_it_was_forgotten(talk: Talk) -> None:
    await talk.memory.forget(CHAT, (await talk.one("Oslo")).memory_id)
    await talk.adds(OSLO)


async def after_it_expired(talk: Talk) -> None:
    await talk.edits(await talk.one("Oslo"), ttl_days=1)
    talk.world.clock.move(timedelta(days=3))
    await talk.edits(await talk.one("Oslo"), ttl_days=1)
    await talk.tells(OSLO)


async def after_its_replacement_was_rejected(talk: Talk) -> None:
    await talk.tells(BERGEN)
    bergen = await talk.edits(await talk.one("Bergen"), status=Status.PENDING)
    await talk.memory.review.reject_one(bergen.memory_id, actor=ADA)
    await talk.tells(OSLO)


async def after_its_replacement_was_withdrawn(talk: Talk) -> None:
    talk.world.clock.move(timedelta(minutes=1))
    at = talk.world.clock()
    said = Turn(chat=CHAT, message_id="bergen", user_text=BERGEN, reply_text="I see.", at=at)
    await record(talk.memory, said)
    await talk.memory.retract_message(CHAT, "bergen")
    await talk.tells(OSLO)


async def after_its_replacement_was_undone(talk: Talk) -> None:
    await talk.adds(BERGEN)
    await talk.memory.undo(CHAT)
    await talk.tells(OSLO)


async def in_its_earlier_words(talk: Talk) -> None:
    await talk.edits(await talk.one("Oslo"), fact="User lives in Bergen")
    await talk.tells(OSLO)


async def switched_off_and_on(talk: Talk) -> None:
    await talk.edits(await talk.one("Oslo"), status=Status.DISABLED)
    await talk.edits(await talk.one("Oslo"), status=Status.ACTIVE)
    await talk.tells(OSLO)


RETURNS: list[Callable[[Talk], Awaitable[None]]] = [
    again,
    added,
    after_another_value,
    added_after_another_value,
    after_it_was_forgotten,
    after_it_expired,
    after_its_replacement_was_rejected,
    after_its_replacement_was_withdrawn,
    after_its_replacement_was_undone,
    in_its_earlier_words,
    switched_off_and_on,
]


@pytest.mark.parametrize("returns", RETURNS)
async def test_what_was_sent_back_waits_whatever_brings_it_back(
    talk: Talk, returns: Callable[[Talk], Awaitable[None]]
) -> None:
    await talk.tells(OSLO)
    await talk.edits(await talk.one("Oslo"), status=Status.PENDING)
    await returns(talk)
    oslo = await talk.one("Oslo")
    assert (oslo.status, oslo.reason) == (Status.PENDING, "sent_back")
    assert not (await talk.memory.keep_all(CHAT))[0].used
    assert not (await talk.memory.review.approve(None, actor=ADA)).done
    await talk.edits(oslo, status=Status.ACTIVE)
    await talk.tells(BERGEN)
    await talk.tells(OSLO)
    assert (await talk.one("Oslo")).status is Status.ACTIVE


@pytest.mark.parametrize("in_group", [False, True])
async def test_what_was_sent_back_is_not_saved_anew_under_its_key(talk: Talk, in_group: bool) -> None:
    await talk.keyed(OSLO, in_group=in_group)
    [item] = await talk.items()
    await talk.edits(item, status=Status.PENDING)
    await talk.keyed(OSLO)
    assert {item.status for item in await talk.items()} <= {Status.PENDING, Status.SUPERSEDED}
    await talk.keyed(BERGEN)
    await talk.keyed(OSLO)
    assert {item.fact for item in await talk.items() if item.status is Status.ACTIVE} == {BERGEN}
    for item in await talk.items():
        if item.status is Status.PENDING:
            await talk.edits(item, status=Status.ACTIVE)
    await talk.keyed(BERGEN)
    await talk.keyed(OSLO)
    assert {item.fact for item in await talk.items() if item.status is Status.ACTIVE} == {OSLO}


async def test_what_was_sent_back_is_shared_in_no_other_version(talk: Talk) -> None:
    item = await talk.adds(OSLO)
    public = replace(item, memory_id="public", level=Level.PUBLIC, audience=Audience.EVERYWHERE)
    async with opened(talk.world.file) as database:
        await keep(Store(database, talk.world.clock), public)
    await talk.edits(public, status=Status.PENDING)
    with pytest.raises(NotSharedError):
        await talk.memory.sharing.own(CHAT, item.memory_id, on=True)
