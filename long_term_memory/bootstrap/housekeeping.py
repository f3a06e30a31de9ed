"""The steps by which the store is kept tidy."""

from ..domain.words import MemoryType
from ..manager import Parts, noting_snapshots
from ..upkeep.asking import CountedModel
from ..upkeep.breath import breathe
from ..upkeep.duplicates import Duplicates
from ..upkeep.ended_conversations import EndedConversations
from ..upkeep.episodes import Episodes
from ..upkeep.housekeeping import Housekeeping
from ..upkeep.old_vectors import OldVectors
from ..upkeep.purge import Purge
from ..upkeep.recall_retention import RecallRetention
from ..upkeep.retention import Retention
from ..upkeep.snapshots import DailySnapshot
from ..upkeep.sweep import Sweep
from .assembly import budget_of
from .ports import Ports


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
    purge = Purge(store.sweeps, clock, breathe, keep_deleted=settings.deleted_retention)
    episodes = Episodes(
        store,
        CountedModel(budget_of(settings, ports, store)),
        ttl_days=settings.retention_days.get(MemoryType.EPISODE),
        allowed=lambda: MemoryType.EPISODE in parts.policies.write().allowed_types,
        clock=clock,
        make_id=ports.make_id,
    )
    daily = DailySnapshot(parts.snapshots, clock, noting_snapshots(parts, "system"))
    steps = {
        "the end of conversations' levels": EndedConversations(parts.levels, ports.gone, breathe).work,
        "the sweep of what is over": Sweep(store.sweeps, clock, breathe).work,
        "the purge of what was deleted": purge.work,
        "the purge of too much that is out of use": purge.make_room,
        "the joining of duplicates": duplicates.work,
        "the dropping of old events": retention.drop_events,
        "the passing over of what waited too long": retention.pass_over,
        "the dropping of old counts": retention.drop_tokens,
        "the dropping of old recalls": old_recalls.work,
        "the dropping of old vectors": old_vectors.work,
        "proposals for old episodes": episodes.work,
        "the daily snapshot": daily.work,
    }
    return Housekeeping(steps, read_only=lambda: store.read_only)
