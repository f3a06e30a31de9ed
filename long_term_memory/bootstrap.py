"""The one place that knows every concrete class and owns every lifetime."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, timedelta, tzinfo
from functools import partial
from pathlib import Path

from .domain.chat import ScopeRef
from .domain.errors import LtmError, UnusableStoreError
from .domain.time import Clock, MakeId
from .domain.words import MemoryType, Mode
from .manager import LTMManager, Parts, People
from .models import LINKS
from .policies.live import LivePolicies
from .read.ahead import QueryVectors
from .read.protocols import Embedder
from .read.reader import MemoryReader
from .read.references import References
from .read.retrieve import Retriever
from .read.transcript import TranscriptReader
from .settings import Settings
from .storage.changes import EVERYTHING, Change
from .storage.database import Database
from .storage.deletion import Markers, Surroundings, notes, settle
from .storage.namespaces import Namespace, Namespaces
from .storage.schema import is_current, upgrade
from .storage.slices.cache import Slices
from .storage.slices.loading import Items
from .storage.slices.memory import SlicedMemory
from .storage.slices.transcript import SlicedTranscript, event_slices
from .storage.store import Store
from .upkeep.asking import CountedModel
from .upkeep.breath import breathe
from .upkeep.duplicates import Duplicates
from .upkeep.embedding import Embedding
from .upkeep.episodes import Episodes
from .upkeep.housekeeping import Housekeeping
from .upkeep.old_vectors import OldVectors
from .upkeep.recall_log import RecallLog
from .upkeep.recall_retention import RecallRetention
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
        parts = _assemble(settings, ports, database, stack)
        # Last in, first out: the jobs end before what they work with is closed.
        stack.push_async_callback(parts.scheduler.stop)
        stack.callback(database.changes.listen(partial(note_links, parts.people)))
        await parts.people.load()
        await _note_policy(parts)
        parts.scheduler.start("worker", partial(_work, parts))
        parts.scheduler.start("links", parts.people.run)
        parts.scheduler.start("embedding", parts.embedding.run)
        parts.scheduler.start("recall_log", parts.recall_log.run)
        parts.scheduler.start("housekeeping", housekeeping(parts, ports).run)
        yield LTMManager(parts)


def _assemble(settings: Settings, ports: Ports, database: Database, stack: AsyncExitStack) -> Parts:
    store = Store(database, ports.clock)
    policies = LivePolicies(settings.write, settings.read)
    namespaces = Namespaces(store, ports.embedder, ports.namespace)
    stack.push_async_callback(namespaces.close)
    scheduler = Scheduler()
    ahead = QueryVectors(
        ports.embedder, begin=scheduler.spare, deadline=settings.recall_deadline, clock=ports.clock
    )
    embedding = Embedding(store.vectors, ports.embedder, ports.clock)
    slices = Slices(database, Items())
    stack.callback(slices.close)
    memory = SlicedMemory(slices, lambda: embedding.model_id)
    said = event_slices(database)
    stack.callback(said.close)
    references = References(ports.embedder, begin=scheduler.spare)
    reader = MemoryReader(
        retriever=Retriever(
            memory=memory,
            ahead=ahead,
            references=references,
        ),
        policy=policies.read,
        zone=ports.zone,
    )
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
        people=People(settings.identity, settings.levels, store),
        store=store,
        writer=writer,
        reader=reader,
        transcript=TranscriptReader(
            transcript=SlicedTranscript(database, said, lambda: embedding.model_id),
            ahead=ahead,
            references=references,
            zone=ports.zone,
        ),
        ahead=ahead,
        memory=memory,
        worker=Worker(
            writer=writer,
            queue=store.events,
            meter=meter,
            settings=lambda: settings.extraction,
            clock=ports.clock,
            learnt=embedding.notify,
        ),
        embedding=embedding,
        recall_log=RecallLog(store.recalls, ports.make_id, kept=settings.recall_log != timedelta(0)),
        scheduler=scheduler,
        keep_mode=ports.keep_mode,
        has_chat_model=ports.has_chat_model,
        notes=lambda: notes(ports.folder),
        clock=ports.clock,
        make_id=ports.make_id,
    )


def housekeeping(parts: Parts, ports: Ports) -> Housekeeping:
    """What tidies the store, its steps in the order in which they make room for each other."""
    settings, store, clock = parts.settings, parts.store, ports.clock
    retention = Retention(store.sweeps, clock, breathe, keep_events=settings.event_retention)
    duplicates = Duplicates(
        store,
        model_id=lambda: parts.embedding.bare_model_id,
        clock=clock,
        make_id=ports.make_id,
        breathe=breathe,
    )
    old_vectors = OldVectors(
        store.vectors,
        model_id=lambda: parts.embedding.model_id,
        given_up=lambda: parts.embedding.given_up,
        breathe=breathe,
    )
    old_recalls = RecallRetention(store.recalls, clock, breathe, keep_for=settings.recall_log)
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
        "the dropping of old recalls": old_recalls.work,
        "the dropping of old vectors": old_vectors.work,
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


def note_links(people: People, changes: Sequence[Change]) -> None:
    """Tell whoever keeps the links in memory that rows of them have changed."""
    if any(change.table in (LINKS.name, EVERYTHING) for change in changes):
        people.links_changed()


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
