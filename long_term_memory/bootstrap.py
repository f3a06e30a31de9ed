"""The one place that knows every concrete class and owns every lifetime."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, timedelta, tzinfo
from functools import partial
from pathlib import Path

from .domain.chat import ScopeRef
from .domain.errors import LtmError, UnusableStoreError
from .domain.time import Clock, MakeId
from .domain.words import MemoryType, Mode
from .manager import LTMManager, Parts
from .policies.live import LivePolicies
from .read.protocols import Embedder
from .read.reader import MemoryReader
from .read.retrieve import Retriever
from .settings import Settings
from .storage.database import Database
from .storage.deletion import Markers, Surroundings, notes, settle
from .storage.namespaces import Namespace, Namespaces
from .storage.schema import is_current, upgrade
from .storage.store import Store
from .upkeep.asking import CountedModel
from .upkeep.breath import breathe
from .upkeep.duplicates import Duplicates
from .upkeep.embedding import Embedding
from .upkeep.episodes import Episodes
from .upkeep.housekeeping import Housekeeping
from .upkeep.recall_log import RecallLog
from .upkeep.retention import Retention
from .upkeep.scheduler import Scheduler
from .upkeep.sweep import Sweep
from .write.meter import Meter
from .write.neighbours import Neighbours
from .write.protocols import ChatModel
from .write.worker import Worker
from .write.writer import MemoryWriter, WriterParts

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

POLICY_DEADLINE = timedelta(seconds=1)
"""How long the start waits until the policy in force is on record."""


@dataclass(frozen=True, kw_only=True)
class Ports:
    """What the outside provides."""

    database: Path
    """The host's SQLite file."""
    folder: Path
    """The plugin's own; it need not exist yet."""
    markers: Markers
    chat_model: ChatModel
    has_chat_model: Callable[[], bool]
    """Whether there is any chat provider at the moment."""
    embedder: Embedder
    namespace: Callable[[ScopeRef, Store, Embedder], Namespace]
    keep_mode: Callable[[Mode], Awaitable[None]]
    """Writes the mode into the host's config."""
    clock: Clock
    make_id: MakeId
    zone: tzinfo = UTC
    """Where the operator's days begin: what "tomorrow" means."""


@asynccontextmanager
async def running(settings: Settings, ports: Ports) -> AsyncGenerator[LTMManager]:
    """The plugin's memory, at work until the block ends.

    Raises UnavailableError when the store does not answer now, UnusableStoreError when it cannot be used.
    """
    await _bring_up_to_date(ports.database, read_only=settings.emergency_read_only)
    async with AsyncExitStack() as stack:
        database = Database(ports.database)
        await database.open()
        stack.push_async_callback(database.close)
        database.read_only = settings.emergency_read_only
        around = Surroundings(database=ports.database, folder=ports.folder, markers=ports.markers)
        await _to_its_end(settle(database, around, new_id=ports.make_id(), at=ports.clock()))
        parts = _assemble(settings, ports, Store(database, ports.clock), stack)
        # Last in, first out: the jobs end before what they work with is closed.
        stack.push_async_callback(parts.scheduler.stop)
        await _note_policy(parts)
        parts.scheduler.start("worker", partial(_work, parts))
        parts.scheduler.start("embedding", parts.embedding.run)
        parts.scheduler.start("recall_log", parts.recall_log.run)
        parts.scheduler.start("housekeeping", housekeeping(parts, ports).run)
        yield LTMManager(parts)


def _assemble(settings: Settings, ports: Ports, store: Store, stack: AsyncExitStack) -> Parts:
    policies = LivePolicies(settings.write, settings.read)
    namespaces = Namespaces(store, ports.embedder, ports.namespace)
    stack.push_async_callback(namespaces.close)
    reader = MemoryReader(
        retriever=Retriever(
            store=store.memories,
            vectors=namespaces,
            embedder=ports.embedder,
            deadline=settings.recall_deadline,
        ),
        log=store.memories,
        policy=policies.read,
    )
    embedding = Embedding(store, ports.embedder)
    meter = _meter(settings, ports, store)
    writer = MemoryWriter(
        WriterParts(
            store=store,
            meter=meter,
            neighbours=Neighbours(ports.embedder, namespaces),
            policy=policies.write,
            retention=settings.retention_days,
            clock=ports.clock,
            make_id=ports.make_id,
            zone=ports.zone,
        )
    )
    return Parts(
        settings=settings,
        policies=policies,
        store=store,
        writer=writer,
        reader=reader,
        worker=Worker(
            writer=writer,
            queue=store.events,
            meter=meter,
            settings=lambda: settings.extraction,
            clock=ports.clock,
            learnt=embedding.notify,
        ),
        embedding=embedding,
        recall_log=RecallLog(reader, ports.clock),
        scheduler=Scheduler(),
        keep_mode=ports.keep_mode,
        has_chat_model=ports.has_chat_model,
        notes=lambda: notes(ports.folder),
        clock=ports.clock,
    )


def housekeeping(parts: Parts, ports: Ports) -> Housekeeping:
    """What tidies the store, its steps in the order in which they make room for each other."""
    settings, store, clock = parts.settings, parts.store, ports.clock
    retention = Retention(store.sweeps, clock, breathe, keep_events=settings.event_retention)
    duplicates = Duplicates(
        store, model_id=lambda: parts.embedding.model_id, clock=clock, make_id=ports.make_id, breathe=breathe
    )
    episodes = Episodes(
        store,
        CountedModel(_meter(settings, ports, store)),
        ttl_days=settings.retention_days.get(MemoryType.EPISODE),
        allowed=lambda: MemoryType.EPISODE in parts.policies.write().allowed_types,
        clock=clock,
        make_id=ports.make_id,
    )
    steps = {
        "the sweep of what is over": Sweep(store.sweeps, clock, breathe).work,
        "the joining of duplicates": duplicates.work,
        "the dropping of old events": retention.drop_events,
        "the dropping of old counts": retention.drop_tokens,
        "proposals for old episodes": episodes.work,
    }
    return Housekeeping(steps, read_only=lambda: store.read_only)


def _meter(settings: Settings, ports: Ports, store: Store) -> Meter:
    return Meter(ports.chat_model, store, ports.clock, lambda: settings.extraction.daily_token_cap)


async def _bring_up_to_date(path: Path, *, read_only: bool) -> None:
    if await is_current(path):
        return
    if read_only:
        raise UnusableStoreError(
            "the tables are not those of this version, and emergency_read_only forbids to change them"
        )
    await _to_its_end(upgrade(path))


async def _to_its_end(work: Coroutine[object, object, None]) -> None:
    """Wait for what a thread is at even when the start is called off: afterwards nothing may change."""
    doing = asyncio.ensure_future(work)
    try:
        await asyncio.shield(doing)
    except asyncio.CancelledError:
        await asyncio.wait({doing})
        raise


async def _work(parts: Parts) -> None:
    """Work off the queue; what an earlier process was at when it ended keeps no chat waiting.

    Should the store not answer, its leases end by themselves.
    """
    with suppress(LtmError):
        await parts.store.events.release_all()
    await parts.worker.run()


async def _note_policy(parts: Parts) -> None:
    """Put the policy in force on record; memory does not depend on it."""
    if parts.store.read_only:
        return
    try:
        await parts.scheduler.within("record_policy", POLICY_DEADLINE, partial(_record_policy, parts))
    except Exception:
        logger.exception("The policy in force is not on record.")


async def _record_policy(parts: Parts) -> None:
    # What is in force when it is written: the mode may have changed while the store did not answer.
    await parts.store.record_policy(parts.policies.as_json(), actor="system")
