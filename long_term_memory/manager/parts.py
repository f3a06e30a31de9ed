"""What `bootstrap` puts together and the manager works with."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from ..domain.time import Clock
from ..domain.words import Mode
from ..policies.live import LivePolicies
from ..read.reader import MemoryReader
from ..settings import Settings
from ..storage.store import Store
from ..upkeep.embedding import Embedding
from ..upkeep.recall_log import RecallLog
from ..upkeep.scheduler import Scheduler
from ..write.worker import Worker
from ..write.writer import MemoryWriter


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Everything memory is made of."""

    settings: Settings
    policies: LivePolicies
    store: Store
    writer: MemoryWriter
    reader: MemoryReader
    worker: Worker
    embedding: Embedding
    recall_log: RecallLog
    scheduler: Scheduler
    keep_mode: Callable[[Mode], Awaitable[None]]
    has_chat_model: Callable[[], bool]
    notes: Callable[[], Sequence[str]]
    """May read the disk."""
    clock: Clock
