"""Every part made, and tied to those it works with."""

import asyncio
from contextlib import AsyncExitStack
from datetime import timedelta
from functools import partial

from ..domain.chat import ScopeRef
from ..domain.words import MemoryType
from ..manager.bulk_review import send_review_notice
from ..manager.components import Components, Ports
from ..manager.people import People
from ..manager.session_levels import SessionLevels
from ..manager.transferring import Transferring
from ..policies.memory_policies import LivePolicies
from ..read.query_embedding import QueryVectors
from ..read.reader import MemoryReader
from ..read.retrieve import Retriever
from ..read.search import MemorySearch
from ..read.similarity_baseline import SimilarityBaseline
from ..read.transcript import TranscriptReader
from ..settings import Settings
from ..storage.database import Database
from ..storage.files import IN_TRANSIT, Transit
from ..storage.index.cache import IndexCache
from ..storage.index.search import IndexedMemory, IndexedTranscript
from ..storage.namespaces import Namespaces
from ..storage.snapshots import Snapshots
from ..storage.store import Store
from ..upkeep.duplicates import Duplicates
from ..upkeep.embedding import Embedding
from ..upkeep.episodes import CountedModel, Episodes
from ..upkeep.housekeeping import DailySnapshot, Housekeeping, Retention
from ..upkeep.recall_log import RecallLog
from ..upkeep.scheduler import Scheduler, breathe
from ..upkeep.scrubbing import Scrubbing
from ..write.batches import BatchProcessor
from ..write.neighbours import Neighbours
from ..write.stages import WriterParts
from ..write.token_budget import TokenBudget
from ..write.verify import verifier
from ..write.worker import Worker
from ..write.writer import MemoryWriter

EMBEDDED_TALK = timedelta(days=30)
"""What was said longer ago is found by its words, unless it was embedded in time."""
MAX_TRANSCRIPT_BYTES = 48 * 2**20
"""Apart from what is remembered, so that a search of the transcript pushes none of that out of memory."""


def assemble(settings: Settings, ports: Ports, database: Database, stack: AsyncExitStack) -> Components:
    """Put them together; what has to be closed is left with the stack."""
    store = Store(database, ports.clock)
    policies = LivePolicies(settings.write, settings.read)
    scheduler = Scheduler()
    snapshots = Snapshots(database, ports.folder, ports.clock, plugin_version=ports.version)
    transit = Transit(ports.folder / IN_TRANSIT, ports.make_id)
    scrubbing = Scrubbing(store.scrubber, forget=partial(_forget_copies, snapshots, transit))
    levels = SessionLevels(settings.levels, store.session_levels, scheduler, ports.clock)
    ahead = QueryVectors(
        ports.embedder,
        begin=partial(scheduler.spare, eager=True),
        deadline=settings.recall_deadline,
        clock=ports.clock,
    )
    embedding = Embedding(
        store.vectors,
        ports.embedder,
        ports.clock,
        transcript_since=(lambda: ports.clock() - EMBEDDED_TALK) if settings.tools.session_search else None,
    )
    remembered, said = IndexCache(database), IndexCache(database, MAX_TRANSCRIPT_BYTES)
    stack.callback(remembered.close)
    stack.callback(said.close)
    memory = IndexedMemory(remembered, lambda: embedding.model_id)
    baseline = SimilarityBaseline(ports.embedder, begin=scheduler.spare)
    retriever = Retriever(memory=memory, ahead=ahead, baseline=baseline)
    reader = MemoryReader(retriever=retriever, policy=policies.read, zone=ports.zone)
    budget = budget_of(settings, ports, store)
    learnt = dict[str, ScopeRef]()
    writer = MemoryWriter(
        WriterParts(
            store=store,
            budget=budget,
            neighbours=Neighbours(
                ports.embedder, Namespaces(store, ports.embedder, remembered, ports.namespace)
            ),
            policy=policies.write,
            verify=verifier(budget, ports.zone) if settings.extraction.verify else None,
            retention=settings.retention_days,
            learnt=learnt if settings.notify_learned else None,
            clock=ports.clock,
            make_id=ports.make_id,
            zone=ports.zone,
        )
    )
    return Components(
        **vars(ports),
        settings=settings,
        policies=policies,
        people=People(settings.identity, settings.levels, store, raised=levels.of),
        levels=levels,
        store=store,
        writer=writer,
        learnt=learnt,
        reader=reader,
        search=MemorySearch(memory=memory, retriever=retriever, policy=policies.read, zone=ports.zone),
        transcript=TranscriptReader(
            transcript=IndexedTranscript(database, said, lambda: embedding.model_id),
            ahead=ahead,
            baseline=baseline,
            zone=ports.zone,
        ),
        ahead=ahead,
        memory=memory,
        worker=Worker(
            BatchProcessor(
                writer=writer,
                queue=store.events,
                budget=budget,
                clock=ports.clock,
                learnt=embedding.notify,
            ),
            lambda: settings.extraction,
        ),
        embedding=embedding,
        recall_log=RecallLog(
            store.recalls, store.memories, ports.make_id, kept=settings.recall_log != timedelta(0)
        ),
        scheduler=scheduler,
        scrubbing=scrubbing,
        snapshots=snapshots,
        transit=transit,
    )


async def _forget_copies(snapshots: Snapshots, transit: Transit) -> None:
    """Remove what lies beside the store and holds the same."""
    await snapshots.forget()
    await asyncio.to_thread(transit.clear)


def budget_of(settings: Settings, ports: Ports, store: Store) -> TokenBudget:
    """What books the tokens of each question before it is asked."""
    return TokenBudget(ports.chat_model, store, ports.clock, lambda: settings.extraction.daily_token_cap)


def housekeeping(parts: Components, ports: Ports) -> Housekeeping:
    """What tidies the store, its steps in the order in which they make room for each other."""
    settings, store, clock = parts.settings, parts.store, ports.clock
    retention = Retention(
        store,
        parts.embedding,
        clock,
        breathe,
        keep_events=settings.event_retention,
        keep_deleted=settings.deleted_retention,
        keep_recalls=settings.recall_log,
    )
    duplicates = Duplicates(
        store,
        model_id=lambda: parts.embedding.bare_model_id,
        clock=clock,
        make_id=ports.make_id,
        breathe=breathe,
    )
    episodes = Episodes(
        store,
        CountedModel(budget_of(settings, ports, store)),
        ttl_days=settings.retention_days.get(MemoryType.EPISODE),
        allowed=lambda: MemoryType.EPISODE in parts.policies.write().allowed_types,
        clock=clock,
        make_id=ports.make_id,
    )
    daily = DailySnapshot(parts.snapshots, clock, partial(Transferring(parts).snapshot, actor="system"))
    steps = {
        "the end of conversations' levels": partial(parts.levels.forget_ended, ports.gone, breathe),
        "the sweep of what is over": retention.expire,
        "the purge of what was deleted": retention.purge_deleted,
        "the purge of too much that is out of use": retention.purge_surplus,
        "the joining of duplicates": duplicates.work,
        "the dropping of old events": retention.drop_events,
        "the passing over of what waited too long": retention.pass_over,
        "the dropping of old counts": retention.drop_tokens,
        "the dropping of old recalls": retention.drop_recalls,
        "the dropping of old vectors": retention.drop_vectors,
        "proposals for old episodes": episodes.work,
        "the daily snapshot": daily.work,
    }
    if settings.review_notice:
        steps["the notice of what waits for an admin"] = partial(send_review_notice, parts, ports.tell_admins)
    return Housekeeping(steps, read_only=lambda: store.read_only)
