"""What `bootstrap` puts together and the manager works with."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..domain.chat import ScopeRef
from ..domain.time import Clock, MakeId
from ..domain.transfer import Progress as ImportProgress
from ..policies.live import LivePolicies, PoliciesJson
from ..read.protocols import Memory, QueryEmbedding
from ..read.reader import MemoryReader
from ..read.search import MemorySearch
from ..read.transcript import TranscriptReader
from ..settings import Settings
from ..storage.files import Transit
from ..storage.snapshots import Snapshots
from ..storage.store import Store
from ..upkeep.embedding import Embedding
from ..upkeep.recall_log import RecallLog
from ..upkeep.scheduler import Scheduler
from ..upkeep.scrubbing import Scrubbing
from ..write.worker import Worker
from ..write.writer import MemoryWriter
from .people import People
from .session_levels import SessionLevels


def _no_import() -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Everything memory is made of."""

    settings: Settings
    policies: LivePolicies
    people: People
    levels: SessionLevels
    store: Store
    writer: MemoryWriter
    learnt: dict[str, ScopeRef]
    """Ids of what people are yet to be told was learnt about them, with whose it is; oldest first."""
    reader: MemoryReader
    search: MemorySearch
    transcript: TranscriptReader
    ahead: QueryEmbedding
    memory: Memory
    worker: Worker
    embedding: Embedding
    recall_log: RecallLog
    scheduler: Scheduler
    scrubbing: Scrubbing
    snapshots: Snapshots
    transit: Transit
    plugin_version: str
    keep_policies: Callable[[PoliciesJson], Awaitable[None]]
    keep_read_only: Callable[[bool], Awaitable[None]]
    has_chat_model: Callable[[], bool]
    knows_tool: Callable[[str], bool]
    """Whether the host has a tool of this name now."""
    memory_plugins: Callable[[], Sequence[str]]
    """Names of other memory plugins at work on the host now."""
    notes: Callable[[], Sequence[str]]
    """May read the disk."""
    copies: Callable[[], Sequence[Path]]
    """What was set aside when the operator deleted the data; reads the disk."""
    clock: Clock
    make_id: MakeId
    importing: Callable[[], ImportProgress | None] = _no_import
    """How far the import under way has come, if there is one."""
