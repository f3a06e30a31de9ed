"""The one place that knows every concrete class and owns every lifetime."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from .domain.chat import ScopeRef
from .domain.time import Clock, MakeId
from .domain.words import Mode
from .manager import LTMManager, Parts
from .policies.live import LivePolicies
from .read.protocols import Embedder
from .read.reader import MemoryReader
from .read.retrieve import Retriever
from .settings import Settings
from .storage.database import Database
from .storage.namespaces import Namespace, Namespaces
from .storage.schema import upgrade
from .storage.store import Store
from .upkeep.embedding import Embedding
from .upkeep.recall_log import RecallLog
from .upkeep.scheduler import Scheduler
from .write.protocols import ChatModel
from .write.worker import Worker
from .write.writer import MemoryWriter, WriterParts


@dataclass(frozen=True, kw_only=True)
class Ports:
    """What the outside provides."""

    database: Path
    """The host's SQLite file."""
    chat_model: ChatModel
    has_chat_model: Callable[[], bool]
    """Whether there is any chat provider at the moment."""
    embedder: Embedder
    namespace: Callable[[ScopeRef, Store, Embedder], Namespace]
    keep_mode: Callable[[Mode], Awaitable[None]]
    """Writes the mode into the host's config."""
    clock: Clock
    make_id: MakeId


@asynccontextmanager
async def running(settings: Settings, ports: Ports) -> AsyncGenerator[LTMManager]:
    """The plugin's memory, at work until the block ends."""
    await upgrade(ports.database)
    async with AsyncExitStack() as stack:
        database = Database(ports.database)
        await database.open()
        stack.push_async_callback(database.close)
        database.read_only = settings.emergency_read_only
        parts = _assemble(settings, ports, Store(database, ports.clock), stack)
        await _note_policy(parts)
        # Last in, first out: the jobs end before what they work with is closed.
        stack.push_async_callback(parts.scheduler.stop)
        parts.scheduler.start("worker", parts.worker.run())
        parts.scheduler.start("embedding", parts.embedding.run())
        parts.scheduler.start("recall_log", parts.recall_log.run())
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
    writer = MemoryWriter(
        WriterParts(
            store=store,
            queue=store.events,
            model=ports.chat_model,
            policy=policies.write,
            retention=settings.retention_days,
            clock=ports.clock,
            make_id=ports.make_id,
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
            settings=lambda: settings.extraction,
            clock=ports.clock,
            learnt=embedding.notify,
        ),
        embedding=embedding,
        recall_log=RecallLog(reader, ports.clock),
        scheduler=Scheduler(),
        keep_mode=ports.keep_mode,
        has_chat_model=ports.has_chat_model,
        clock=ports.clock,
    )


async def _note_policy(parts: Parts) -> None:
    if not parts.store.read_only:
        await parts.store.record_policy(parts.policies.as_json(), actor="system")
