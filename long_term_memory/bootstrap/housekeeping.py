"""The steps by which the store is kept tidy."""

from functools import partial

from ..domain.words import MemoryType
from ..manager import Components, Transferring
from ..manager.bulk_review import send_review_notice
from ..upkeep.duplicates import Duplicates
from ..upkeep.episodes import CountedModel, Episodes
from ..upkeep.housekeeping import DailySnapshot, Housekeeping, breathe
from ..upkeep.retention import Retention
from .assembly import budget_of
from .ports import Ports


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
