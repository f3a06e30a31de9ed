"""What a process does until it is killed: calls, each told as it begins and as it is done."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from datetime import timedelta
from shutil import copyfile
from typing import Any

from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ToolUse, Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Audience, Level, Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import NotFoundError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item, ItemFilter
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.sharing import NotSharedError

from tests.running import group, private
from tests.torture.crashes.chance import Chance, Plan, Told
from tests.torture.crashes.outside import Outside
from tests.torture.crashes.things import SAID_ONCE, WORD, Call, Deed, Kind

IN_TIME = 1.0
"""Seconds of the loop's time after which a turn may be answered before it is durable."""
type Tell = Callable[[dict[str, Any]], None]


class Traffic:
    """The calls of one run."""

    def __init__(self, plan: Plan, outside: Outside, memory: LTMManager, tell: Tell) -> None:
        self._plan = plan
        self._outside = outside
        self._memory = memory
        self._tell = tell
        self._chance = Chance(plan, outside.run)
        self._deeds: dict[Deed, Callable[[Call], Awaitable[object]]] = {
            Deed.TURN: self._turn,
            Deed.TOOL: self._tool,
            Deed.SAVE: self._save,
            Deed.KEYED_SAVE: self._keyed_save,
            Deed.FORGET: self._forget,
            Deed.SHARE: self._share,
            Deed.UNSHARE: self._unshare,
            Deed.APPROVE: self._approve,
            Deed.REJECT: self._reject,
            Deed.PAUSE: self._pause,
            Deed.RESUME: self._resume,
            Deed.ERASE: self._erase,
            Deed.IMPORT: self._import,
            Deed.EXPORT: self._export,
            Deed.SNAPSHOT: self._snapshot,
            Deed.RECALL: self._recall,
            Deed.PASS: self._pass,
        }

    async def run(self) -> None:
        """All of it: one call after the other, or a few at once."""
        if self._plan.chosen:
            for call in self._plan.chosen:
                await self._do(call)
            return
        for together in self._chance.deeds():
            now = asyncio.get_running_loop().time()
            await asyncio.gather(*(self._do(self._chance.call(deed, now)) for deed in together))

    async def _do(self, call: Call) -> None:
        began = asyncio.get_running_loop().time()
        self._tell({"begun": call.as_json(), "at": began})
        try:
            result = await self._deeds[call.deed](call)
        except NotFoundError:
            self._tell({"missed": call.number})
            return
        waited = asyncio.get_running_loop().time() - began
        in_time = call.deed not in (Deed.TURN, Deed.TOOL) or waited < IN_TIME
        self._tell({"done" if in_time else "late": call.number, "result": result, "at": began + waited})

    async def _turn(self, call: Call) -> None:
        assert call.kind is not None
        await self._memory.record_turn(turn_of(call, self._outside))
        self._chance.heard(Told(word=call.word, kind=call.kind, person=call.person, in_group=call.in_group))

    async def _tool(self, call: Call) -> None:
        await self._memory.record_tool_use(tool_use_of(call, self._outside))

    async def _save(self, call: Call) -> None:
        fact = Kind.SAVED.of(call.word)
        chat = private(call.person)
        await self._memory.save(chat, fact=fact, said=f"/ltm add {fact}", message_id=call.number)

    async def _keyed_save(self, call: Call) -> None:
        turn = Turn(
            chat=private(call.person),
            message_id=call.number,
            user_text=f"Remember that I play the {call.word}",
            reply_text="",
            at=self._outside.clock(),
        )
        await self._memory.tool_memories.save(turn, call.word, Kind.KEYED.of(call.word))

    async def _forget(self, call: Call) -> str:
        memory_id, word = self._chosen(call, await self._own(call.person))
        await self._memory.forget(private(call.person), memory_id)
        return word

    async def _share(self, call: Call) -> str:
        own = [item for item in await self._own(call.person) if item.audience is Audience.CHAT]
        memory_id, word = self._chosen(call, filter(_is_said_once, own))
        with _too_late():
            await self._memory.sharing.own(private(call.person), memory_id, on=True)
        return word

    async def _unshare(self, call: Call) -> str:
        shared = ItemFilter(status=Status.ACTIVE, level=Level.PUBLIC)
        memory_id, word = self._chosen(call, (await self._memory.browsing.items(shared)).rows)
        with _too_late():
            await self._memory.sharing.of_anybody(memory_id, on=False, actor="operator")
        return word

    async def _approve(self, call: Call) -> str:
        memory_id, word = self._chosen(call, await self._waiting())
        await self._memory.review.approve_one(memory_id, actor="operator")
        return word

    async def _reject(self, call: Call) -> str:
        memory_id, word = self._chosen(call, await self._waiting())
        await self._memory.review.reject_one(memory_id, actor="operator")
        return word

    async def _own(self, person: str) -> Sequence[Item]:
        return (await self._memory.own_items(private(person), kind=None, page=1, page_size=20)).rows

    async def _waiting(self) -> Sequence[Item]:
        return (await self._memory.browsing.items(ItemFilter(status=Status.PENDING))).rows

    def _chosen(self, call: Call, among: Iterable[Item]) -> tuple[str, str]:
        """The id and the word of one of these, told before anything happens to it."""
        items = [*among]
        if not items:
            raise NotFoundError("nothing to decide about")
        item = self._chance.rng.choice(items)
        (word,) = WORD.findall(item.fact)
        self._tell({"about": call.number, "word": word.lower()})
        return item.memory_id, word.lower()

    async def _pause(self, call: Call) -> bool:
        return await self._memory.pausing.own(private(call.person), on=True)

    async def _resume(self, call: Call) -> bool:
        return await self._memory.pausing.own(private(call.person), on=False)

    async def _erase(self, call: Call) -> bool:
        with self._outside.erasing():
            erased = await self._memory.erasing.own(private(call.person))
        return erased.overwritten

    async def _import(self, call: Call) -> None:
        if not call.path:
            return
        async with self._memory.transferring.arriving() as place:
            await asyncio.to_thread(copyfile, call.path, place)
            await self._memory.transferring.bring_in(place, actor="operator")

    async def _export(self, _: Call) -> int:
        try:
            return await self._exported()
        except FileNotFoundError:  # an erasure took it along between its being made and read; hardly twice
            return await self._exported()

    async def _exported(self) -> int:
        made = await self._memory.transferring.export(None)
        held = json.loads(made.path.read_bytes())
        made.path.unlink()
        return len(held["items"])

    async def _snapshot(self, _: Call) -> str | None:
        made = await self._memory.transferring.snapshot(actor="operator")
        return made and made.name

    async def _recall(self, call: Call) -> None:
        chat, text = private(call.person), "What do I like?"
        recall = await self._memory.recall(chat, text)
        self._memory.log_recall(chat, text, recall, sent=True)

    async def _pass(self, call: Call) -> None:
        await asyncio.sleep(call.at)


def _is_said_once(item: Item) -> bool:
    (word,) = WORD.findall(item.fact)
    return item.fact in [kind.of(word) for kind in SAID_ONCE]


@contextmanager
def _too_late() -> Generator[None]:
    """Raise NotFoundError when nothing came of it, for somebody else decided meanwhile."""
    try:
        yield
    except NotSharedError as refused:
        raise NotFoundError(refused.why) from refused


def turn_of(call: Call, outside: Outside) -> Turn:
    """The exchange of this call; told again it is the same."""
    assert call.kind is not None
    return Turn(
        chat=_chat(call),
        message_id=call.number,
        user_text=call.kind.of(call.word),
        reply_text="I see.",
        at=outside.clock.now + timedelta(seconds=call.at),
    )


def tool_use_of(call: Call, outside: Outside) -> ToolUse:
    """The tool's answer of this call; told again it is the same."""
    return ToolUse(
        chat=_chat(call),
        message_id=call.number,
        tool="weather",
        result=Kind.HEARD.of(call.word),
        at=outside.clock.now + timedelta(seconds=call.at),
    )


def _chat(call: Call) -> Chat:
    return group(call.person) if call.in_group else private(call.person)
