"""A writer and a worker over a real store, as they stand together in the plugin."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction, MemoryType, Mode, Origin
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Evidence, Item
from astrbot_plugin_ltm.long_term_memory.domain.writing import AuditEntry
from astrbot_plugin_ltm.long_term_memory.models import AUDIT, EVENTS, EVIDENCE, ITEMS
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import MemoryWritePolicy
from astrbot_plugin_ltm.long_term_memory.settings import ExtractionSettings
from astrbot_plugin_ltm.long_term_memory.storage import events as event_rows
from astrbot_plugin_ltm.long_term_memory.storage import items as item_rows
from astrbot_plugin_ltm.long_term_memory.storage.connection import Connection
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.namespaces import Namespace
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.write.batches import BatchProcessor
from astrbot_plugin_ltm.long_term_memory.write.protocols import ChatModel, VectorIndex
from astrbot_plugin_ltm.long_term_memory.write.stages import Neighbours, WriterParts
from astrbot_plugin_ltm.long_term_memory.write.token_budget import TokenBudget
from astrbot_plugin_ltm.long_term_memory.write.verify import verifier
from astrbot_plugin_ltm.long_term_memory.write.worker import Pause, Worker
from astrbot_plugin_ltm.long_term_memory.write.writer import MemoryWriter
from sqlalchemy import Table, select
from sqlalchemy import event as sql_event

from tests.read.fakes import NoEmbedder
from tests.stores import migrated
from tests.write.fakes import CountingIds, FakeClock, ScriptedChatModel, access, event, turn

if TYPE_CHECKING:
    from astrbot_plugin_ltm.long_term_memory.domain.providers import Embedder

RETENTION: Mapping[MemoryType, int | None] = {
    MemoryType.PROFILE: None,
    MemoryType.PREFERENCE: 90,
    MemoryType.TASK_STATE: 36_500,
}

type OpenDesk = Callable[..., Awaitable["Desk"]]
"""Makes a desk with a model and the policy's changes, as `a_desk` does."""


def answer(*facts: str, **changes: object) -> str:
    """A model's good answer with these facts."""
    common = {"type": "profile", "confidence": 0.95, "importance": 0.7} | changes
    return json.dumps([common | {"fact": fact} for fact in facts])


def evidence_of(item: Item, said: Event) -> Evidence:
    """The whole event as the reason for the item."""
    return Evidence(
        evidence_id=f"{item.memory_id}-{said.event_id}",
        memory_id=item.memory_id,
        event_id=said.event_id,
        quote=said.text,
        extraction_method=item.origin,
        extraction_meta={},
        created_at=said.created_at,
    )


class Chats(asyncio.TaskGroup):
    """Counts what is begun in it."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = 0

    def create_task[T](self, coro: Coroutine[Any, Any, T], **kwargs: Any) -> asyncio.Task[T]:
        self.begun += 1
        return super().create_task(coro, **kwargs)


class NoVectors(Namespace):
    """A scope without vectors."""

    def __init__(self, ref: ScopeRef) -> None: ...

    async def search(
        self,
        vector: Sequence[float],  # noqa: ARG002
        *,
        model_id: str,  # noqa: ARG002
        limit: int,  # noqa: ARG002
    ) -> Mapping[str, float]:
        return {}


class FrailDatabase(Database):
    """A real one that fails when told to."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.broken: Exception | None = None
        """What the next commits raise instead of committing."""
        self.good_commits = 0
        """How many of them still go well."""
        self.bad_commits = -1
        """How many then do not; as long as `broken` is set when below 0."""
        self.unreadable: Exception | None = None
        """What the next reads raise."""
        sql_event.listen(self._writer._engine, "commit", self._commit)  # pyright: ignore[reportPrivateUsage]

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[Connection]:
        if self.unreadable:
            raise self.unreadable
        async with super().read() as seat:
            yield seat

    def _commit(self, _connection: object) -> None:
        if self.broken:
            self.good_commits -= 1
            if self.good_commits < 0:
                raise self._broken_now()

    def _broken_now(self) -> Exception:
        assert self.broken
        error, self.bad_commits = self.broken, self.bad_commits - 1
        if self.bad_commits == 0:
            self.broken = None
        return error


@asynccontextmanager
async def a_desk(folder: Path, model: ChatModel | None = None, **policy: Any) -> AsyncGenerator["Desk"]:
    """A desk on a new file in this folder."""
    database = FrailDatabase(migrated(folder / "desk.db"))
    await database.open()
    try:
        yield Desk(database, model or ScriptedChatModel("[]"), **policy)
    finally:
        await database.close()


class Desk:
    """Everything a test of the write pipeline touches."""

    def __init__(self, database: FrailDatabase, model: ChatModel, **policy: Any) -> None:
        self.database = database
        self.clock = FakeClock()
        self.store = Store(database, self.clock)
        self.policy = replace(MemoryWritePolicy(mode=Mode.AUTO), **policy)
        self._settings = ExtractionSettings(batch_turns=2, idle=timedelta(minutes=2))
        self.model = model
        self.embedder: Embedder = NoEmbedder()
        self.verify = True
        self.vectors: VectorIndex = NoVectors
        self.pauses: list[timedelta | None] = []
        self.make_id = CountingIds()
        self.pause: Pause = self._pause
        self.start_again()

    @property
    def settings(self) -> ExtractionSettings:
        """Those of the worker and the budget, which begin anew with others."""
        return self._settings

    @settings.setter
    def settings(self, settings: ExtractionSettings) -> None:
        self._settings = settings
        self.start_again()

    def start_again(self) -> None:
        """What a restart does: all but the store begins anew."""
        self.budget = TokenBudget(self.model, self.store, self.clock, self.settings.daily_token_cap)
        self.writer = MemoryWriter(
            WriterParts(
                store=self.store,
                budget=self.budget,
                neighbours=Neighbours(self.embedder, self.vectors),
                policy=lambda: self.policy,
                verify=verifier(self.budget, UTC) if self.verify else None,
                retention=RETENTION,
                clock=self.clock,
                make_id=self.make_id,
            )
        )
        self.worker = self.another_worker()

    def another_worker(self, on_learnt: Callable[[], None] = lambda: None) -> Worker:
        """One more on the same store."""
        return Worker(
            BatchProcessor(
                writer=self.writer,
                on_learnt=on_learnt,
                sleep=lambda seconds: self.pause(asyncio.Event(), timedelta(seconds=seconds)),
            ),
            self.settings,
            self.pause,
        )

    async def say(self, text: str, reply: str = "Fine.", message_id: str = "") -> None:
        await self.writer.record(turn(text, reply, message_id=message_id, at=self.clock()), access())

    async def hear(self, said: str, fact: str, **changes: object) -> None:
        """Let Alice say it, and a model make this fact of it; some hours pass."""
        self.model = ScriptedChatModel(answer(fact, **({"quote": said} | changes)))
        self.start_again()
        await self.say(said, message_id=said)
        await self.work(timedelta(hours=3))

    async def work(self, span: timedelta = timedelta(0)) -> timedelta | None:
        """Let time pass, then let the worker do what is due; returns how long nothing need be done then."""
        self.clock.move(span)
        while True:
            async with Chats() as chats:
                rest = await self.worker.begin(chats)
            if not chats.begun:
                return rest

    async def work_for(self, span: timedelta) -> int:
        """Work until nothing is left to do or the span is over; returns how many times there was a rest."""
        end = self.clock() + span
        rounds = 0
        while self.clock() <= end:
            rest = await self.work()
            rounds += 1
            if rest is None:
                break
            self.clock.move(rest)
        return rounds

    async def items(self) -> list[Item]:
        """All of them, oldest first."""
        async with self.database.read() as seat:
            return await item_rows.listed(seat, select(ITEMS).order_by(ITEMS.c.id))

    async def item(self) -> Item:
        """The only one."""
        (item,) = await self.items()
        return item

    async def keep(self, *items: Item) -> None:
        """Put items there; a new one with a worked-off event of its own."""
        async with self.store.transaction() as tx:
            for item in items:
                if await tx.get_item(item.memory_id):
                    await tx.update_item(item)
                else:
                    said = replace(
                        event(item.fact, event_id=f"said-{item.memory_id}"), extraction=Extraction.SKIPPED
                    )
                    await tx.add_events([said])
                    await tx.insert_item(item, [evidence_of(item, said)])

    async def events(self) -> list[Event]:
        """All of them, oldest first."""
        async with self.database.read() as seat:
            return await event_rows.listed(seat, select(EVENTS).order_by(EVENTS.c.id))

    async def evidence(self) -> list[Evidence]:
        """All of it, oldest first."""
        return [
            Evidence(
                evidence_id=row["evidence_id"],
                memory_id=row["memory_id"],
                event_id=row["event_id"],
                quote=row["quote"],
                extraction_method=Origin(row["extraction_method"]),
                extraction_meta=row["extraction_meta"],
                created_at=row["created_at"],
            )
            for row in await self.rows(EVIDENCE)
        ]

    async def audits(self) -> list[AuditEntry]:
        """All of them, oldest first."""
        return [
            AuditEntry(**{name: row[name] for name in AuditEntry.__dataclass_fields__})
            for row in await self.rows(AUDIT)
        ]

    async def rows(self, table: Table) -> Sequence[Mapping[str, Any]]:
        """The rows of a table, in the order they came."""
        async with self.database.read() as seat:
            found = await seat.execute(select(table).order_by(*table.primary_key))
            return [dict(row) for row in found.mappings()]

    async def nothing(self) -> None:
        """What may happen while a model thinks."""

    async def active_facts(self) -> list[str]:
        return [item.fact for item in await self.items() if item.status.value == "active"]

    async def facts(self) -> dict[str, str]:
        """Each fact with its status and reason, as text."""
        return {item.fact: f"{item.status.value}:{item.reason}" for item in await self.items()}

    async def states(self) -> list[str]:
        return [event.extraction.value for event in await self.events()]

    async def erase(self, *events: Event) -> None:
        """Remove events as an erasure does."""
        ids = [event.event_id for event in events]
        async with self.database.write() as seat:
            await seat.change(EVENTS.delete().where(EVENTS.c.event_id.in_(ids)))

    async def _pause(self, wake: asyncio.Event, limit: timedelta | None) -> None:
        self.pauses.append(limit)
        if limit is None:
            await wake.wait()
        else:
            self.clock.move(limit)
            await asyncio.sleep(0)
