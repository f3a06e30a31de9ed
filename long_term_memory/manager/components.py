"""What memory needs of the outside, and everything that it is made of, tied together."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta, tzinfo
from functools import partial
from pathlib import Path

from ..domain.providers import Embedder
from ..domain.time import Clock, MakeId
from ..policies.memory_policies import LivePolicies, PoliciesJson
from ..read.query_embedding import QuestionEmbedder
from ..read.reader import MemoryReader
from ..read.retrieve import Retriever
from ..read.search import MemorySearch
from ..read.similarity_baseline import SimilarityBaseline
from ..read.transcript import TranscriptReader
from ..settings import Settings
from ..storage.database import Database
from ..storage.files import IN_TRANSIT, Transit
from ..storage.index.cache import OF_EVENTS, IndexCache
from ..storage.index.search import IndexedMemory, IndexedTranscript
from ..storage.namespaces import Namespace
from ..storage.scrub import Scrubbing
from ..storage.snapshots import Snapshots
from ..storage.store import Store
from ..storage.uninstall import StoreMarkers
from ..upkeep.embedding import Embedding
from ..upkeep.recall_log import RecallLog
from ..upkeep.scheduler import Scheduler
from ..write.batches import BatchProcessor
from ..write.protocols import ChatModel
from ..write.stages import Neighbours, Notice, WriterParts
from ..write.token_budget import TokenBudget
from ..write.verify import verifier
from ..write.worker import Worker
from ..write.writer import MemoryWriter
from .access_resolver import AccessResolver
from .session_levels import Gone, SessionLevels
from .undo import UndoLog

EMBEDDED_TALK = timedelta(days=30)
"""What was said longer ago is found by its words, unless it was embedded in time."""
MAX_TRANSCRIPT_BYTES = 48 * 2**20
"""Apart from what is remembered, so that a search of the transcript pushes none of that out of memory."""


@dataclass(frozen=True, kw_only=True)
class Ports:
    """What the outside provides."""

    database: Path
    """The host's SQLite file."""
    folder: Path
    """The plugin's own; it need not exist yet."""
    markers: StoreMarkers
    chat_model: ChatModel
    has_chat_model: Callable[[], bool]
    """Whether there is any chat provider at the moment."""
    embedder: Embedder
    namespace: type[Namespace]
    """Of the host's type."""
    keep_policies: Callable[[PoliciesJson], Awaitable[None]]
    """Writes both policies into the host's config."""
    save_read_only: Callable[[bool], Awaitable[None]]
    """Writes there whether nothing may be written."""
    clock: Clock
    make_id: MakeId
    gone: Gone
    """Which conversations the host has no more."""
    version: str
    knows_tool: Callable[[str], bool]
    """Whether the host has a tool of this name now."""
    memory_plugins: Callable[[], Sequence[str]]
    """Names of other memory plugins at work on the host now."""
    tell_admins: Callable[[str], Awaitable[int]]
    """Sends a text to each admin of whom a private chat is known; to how many."""
    zone: tzinfo
    """Where the operator's days begin: what "tomorrow" means."""


class Components:
    """Everything memory is made of; what has to be closed is left with the stack."""

    def __init__(self, settings: Settings, ports: Ports, database: Database, stack: AsyncExitStack) -> None:
        self.settings = settings
        self.ports = ports
        self.store = store = Store(database, ports.clock)
        self.policies = LivePolicies(settings.write, settings.read)
        self.scheduler = Scheduler()
        self.snapshots = Snapshots(database, ports.folder, ports.clock, plugin_version=ports.version)
        self.transit = Transit(ports.folder / IN_TRANSIT, ports.make_id)
        self.scrubbing = Scrubbing(store.scrubber, self._forget_copies)
        self.levels = SessionLevels(settings.levels, store.session_levels, self.scheduler, ports.clock)
        self.resolver = AccessResolver(settings.identity, settings.levels, store, raised=self.levels.of)
        self.undo = UndoLog(self.resolver, ports.clock)
        since = (lambda: ports.clock() - EMBEDDED_TALK) if settings.tools.session_search else None
        self.embedding = Embedding(store.vectors, ports.embedder, ports.clock, transcript_since=since)

        remembered, said = IndexCache(database), IndexCache(database, OF_EVENTS, MAX_TRANSCRIPT_BYTES)
        stack.callback(remembered.close)
        stack.callback(said.close)
        begin = self.scheduler.begin_optional
        self.question_embedder = QuestionEmbedder(
            ports.embedder, begin=begin, deadline=settings.recall_deadline, clock=ports.clock
        )
        baseline = SimilarityBaseline(ports.embedder, begin=begin)
        self.memory = IndexedMemory(remembered, lambda: self.embedding.model_id)
        retriever = Retriever(memory=self.memory, seek=self.question_embedder.vector, baseline=baseline)
        self.reader = MemoryReader(retriever=retriever, policy=self.policies.read, zone=ports.zone)
        self.search = MemorySearch(
            memory=self.memory, retriever=retriever, policy=self.policies.read, zone=ports.zone
        )
        self.transcript = TranscriptReader(
            transcript=IndexedTranscript(said, lambda: self.embedding.model_id),
            seek=self.question_embedder.vector,
            baseline=baseline,
            zone=ports.zone,
        )
        self.recall_log = RecallLog(
            store.recalls, store.memories, ports.make_id, kept=settings.recall_log != timedelta(0)
        )

        self.budget = TokenBudget(ports.chat_model, store, ports.clock, settings.extraction.daily_token_cap)
        namespaces = partial(ports.namespace, store=store, embedder=ports.embedder, cache=remembered)
        self.notices = dict[str, Notice]()
        """By memory id what people are yet to be told was learnt or forgotten; oldest first."""
        self.writer = MemoryWriter(
            WriterParts(
                store=store,
                budget=self.budget,
                neighbours=Neighbours(ports.embedder, namespaces),
                policy=self.policies.write,
                verify=verifier(self.budget, ports.zone) if settings.extraction.verify else None,
                retention=settings.retention_days,
                notices=self.notices,
                notify_learned=settings.notify_learned,
                clock=ports.clock,
                make_id=ports.make_id,
                zone=ports.zone,
            )
        )
        batches = BatchProcessor(writer=self.writer, on_learnt=self.embedding.notify)
        self.worker = Worker(batches, settings.extraction)

    async def _forget_copies(self) -> None:
        """Remove what lies beside the store and holds the same."""
        await asyncio.to_thread(self.transit.clear)
        await self.snapshots.forget()
