"""A writer and a worker over the in-memory store, as they stand together in the plugin."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from astrbot_plugin_ltm.long_term_memory.domain.words import MemoryType, Mode
from astrbot_plugin_ltm.long_term_memory.policies.write_policy import MemoryWritePolicy
from astrbot_plugin_ltm.long_term_memory.settings import ExtractionSettings
from astrbot_plugin_ltm.long_term_memory.write.protocols import ChatModel
from astrbot_plugin_ltm.long_term_memory.write.worker import Worker
from astrbot_plugin_ltm.long_term_memory.write.writer import MemoryWriter, WriterParts

from tests.write.fakes import CountingIds, FakeClock, InMemoryStore, ScriptedChatModel, access, turn

RETENTION: Mapping[MemoryType, int | None] = {
    MemoryType.PROFILE: None,
    MemoryType.PREFERENCE: 90,
    MemoryType.TASK_STATE: -1,
}


def answer(*facts: str, **changes: object) -> str:
    """A model's good answer with these facts."""
    common = {"type": "profile", "confidence": 0.95, "importance": 0.7} | changes
    return json.dumps([common | {"fact": fact} for fact in facts])


class Desk:
    """Everything a test of the write pipeline touches."""

    def __init__(
        self, model: ChatModel | None = None, *, store: InMemoryStore | None = None, **policy: Any
    ) -> None:
        self.store = store or InMemoryStore()
        self.clock = FakeClock()
        self.policy = replace(MemoryWritePolicy(mode=Mode.AUTO), **policy)
        self.settings = ExtractionSettings(batch_turns=2, idle=timedelta(minutes=2))
        self.model = model or ScriptedChatModel("[]")
        self.pauses: list[timedelta | None] = []
        self.start_again()

    def start_again(self) -> None:
        """What a restart does: all but the store begins anew."""
        self.writer = MemoryWriter(
            WriterParts(
                store=self.store,
                queue=self.store,
                model=self.model,
                policy=lambda: self.policy,
                retention=RETENTION,
                clock=self.clock,
                make_id=CountingIds() if not self.store.items else _FurtherIds(),
            )
        )
        self.worker = Worker(
            writer=self.writer,
            queue=self.store,
            model=self.model,
            settings=lambda: self.settings,
            clock=self.clock,
            pause=self._pause,
        )

    async def say(self, text: str, reply: str = "Fine.", message_id: str = "") -> None:
        await self.writer.record(turn(text, reply, message_id=message_id, at=self.clock()), access())

    async def work(self, span: timedelta = timedelta(0)) -> timedelta | None:
        """Let time pass, then let the worker do one round."""
        self.clock.move(span)
        return await self.worker.work()

    async def work_for(self, span: timedelta) -> int:
        """Run the worker until nothing is left to do or the span is over; returns how many rounds it took."""
        end = self.clock() + span
        rounds = 0
        while self.clock() <= end:
            rest = await self.worker.work()
            rounds += 1
            if rest is None:
                break
            self.clock.move(rest)
        return rounds

    async def _pause(self, wake: asyncio.Event, limit: timedelta | None) -> None:
        self.pauses.append(limit)
        if limit is None:
            await wake.wait()
        else:
            self.clock.move(limit)
            await asyncio.sleep(0)


class _FurtherIds(CountingIds):
    def __init__(self) -> None:
        super().__init__()
        self.made = 10_000
