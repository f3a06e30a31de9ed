"""What memory needs of the outside, what `bootstrap` makes of that, and the base of all operations on it."""

import unicodedata
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from pathlib import Path

from ..domain.chat import Access, Chat, ScopeRef, Turn
from ..domain.errors import AmbiguousError, InvalidInputError, NotFoundError, RefusedError
from ..domain.memory import Item
from ..domain.providers import Embedder
from ..domain.time import Clock, MakeId
from ..domain.words import Status
from ..domain.writing import AuditEntry
from ..policies.memory_policies import LivePolicies, PoliciesJson
from ..read.protocols import Memory, QueryEmbedding
from ..read.reader import MemoryReader
from ..read.search import MemorySearch
from ..read.transcript import TranscriptReader
from ..settings import Settings
from ..storage.deletion import Markers
from ..storage.files import Transit
from ..storage.namespaces import Make
from ..storage.snapshots import Snapshots
from ..storage.store import Store, StoreTransaction
from ..upkeep.embedding import Embedding
from ..upkeep.recall_log import RecallLog
from ..upkeep.scheduler import Scheduler
from ..upkeep.scrubbing import Scrubbing
from ..write.protocols import ChatModel
from ..write.transitions import Decision, leave
from ..write.worker import Worker
from ..write.writer import MemoryWriter
from .people import People
from .session_levels import Gone, SessionLevels
from .undo import UndoLog

MIN_ID_LENGTH = 4
_AROUND = " ()[]{}<>【】「」'\"`.,:;。、#"
PAUSED_BY_OPERATOR = "paused_by_operator"
"""The rule: only an operator ends what an operator began."""


async def none_gone(_conversation_ids: Sequence[str]) -> Collection[str]:
    """For a world without conversations that end."""
    return ()


async def tell_nobody(_text: str) -> int:
    """Of no admin a chat is known."""
    return 0


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
    namespace: Make
    keep_policies: Callable[[PoliciesJson], Awaitable[None]]
    """Writes both policies into the host's config."""
    keep_read_only: Callable[[bool], Awaitable[None]]
    """Writes there whether nothing may be written."""
    clock: Clock
    make_id: MakeId
    gone: Gone = none_gone
    """Which conversations the host has no more."""
    version: str = ""
    """The plugin's own."""
    knows_tool: Callable[[str], bool] = bool
    """Whether the host has a tool of this name now."""
    memory_plugins: Callable[[], Sequence[str]] = tuple
    """Names of other memory plugins at work on the host now."""
    tell_admins: Callable[[str], Awaitable[int]] = tell_nobody
    """Sends a text to each admin of whom a private chat is known; to how many."""
    zone: tzinfo = UTC
    """Where the operator's days begin: what "tomorrow" means."""


@dataclass(frozen=True, kw_only=True)
class Components(Ports):
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
    undo: UndoLog = field(default_factory=UndoLog)


class Operations:
    """Some of what can be asked of memory; whose turn it is, the `Chat` of a call says and nothing else."""

    def __init__(self, components: Components) -> None:
        self._components = components
        self._store = components.store
        self._people = components.people
        self._clock = components.clock

    def _access(self, chat: Chat) -> Access:
        return self._people.access(chat)

    def _decision(self, actor: str) -> Decision:
        return Decision(actor=actor, now=self._clock())

    async def _every_persona(self, chat: Chat) -> Access:
        """The chat's access, and to what any persona of the bot keeps of the speaker."""
        access = self._access(chat)
        personas = await self._store.memories.of_every_persona(self._people.scopes(chat))
        return replace(access, readable=tuple(dict.fromkeys((*access.readable, *personas))))

    async def _own_of_any_status(self, access: Access, short_id: str) -> Item:
        """The speaker's own whose id begins like this; one that is live before those that are over."""
        prefix, memories = id_prefix(short_id), self._store.memories
        live = await memories.own_matching(prefix, access, limit=2)
        return only(live or await memories.own_ended(prefix, access, limit=2))

    async def _delete(self, chat: Chat, items: Sequence[Item], decision: Decision) -> Sequence[Item]:
        """Delete these softly, which the speaker may undo here; those that are deleted by that."""
        async with self._store.transaction() as tx:
            gone = [one for item in items if (one := await forgotten(tx, item, decision))]
        ids = {one.memory_id for one in gone}
        before = [item for item in items if item.memory_id in ids]
        self._components.undo.forgot(chat, before, at=decision.now)
        return gone

    async def _audit(self, line: AuditEntry) -> None:
        async with self._store.transaction() as tx:
            await tx.audit(line)

    async def paused_by(self, chat: Chat) -> str:
        """`paused`, `paused_by_operator` or `paused_group`; empty when nobody has paused it."""
        person, groups = self._people.pausable(chat)
        if not await self._store.paused(*person, *groups):
            return ""
        if await self._store.paused_by_operator(*person):
            return PAUSED_BY_OPERATOR
        if await self._store.paused(*person):
            return "paused"
        return "paused_group" if await self._store.paused(*groups) else ""

    async def _unless_paused(self, chat: Chat) -> Access:
        """The chat's access. Raises RefusedError with the rule while the speaker or the group is paused."""
        if rule := await self.paused_by(chat):
            raise RefusedError(rule)
        return self._access(chat)

    async def _without_paused_quote(self, turn: Turn) -> Turn:
        """The turn without what it quotes of somebody who is paused, where the platform tells whose it is."""
        if not turn.quoted or not turn.quoted_sender:
            return turn
        person, _ = self._people.pausable(replace(turn.chat, sender_id=turn.quoted_sender))
        return replace(turn, quoted="") if await self._store.paused(*person) else turn


def id_prefix(short_id: str) -> str:
    """How the ids meant begin. Raises InvalidInputError when that could be anything."""
    # As it is copied from a reply, with what stands around it there.
    prefix = unicodedata.normalize("NFKC", short_id).strip(_AROUND).lower()
    if len(prefix) < MIN_ID_LENGTH:
        raise InvalidInputError("id", f"give at least {MIN_ID_LENGTH} characters of it")
    return prefix


def only(items: Sequence[Item]) -> Item:
    """The one item found. Raises NotFoundError, AmbiguousError."""
    if not items:
        raise NotFoundError("no such memory")
    if len(items) > 1:
        raise AmbiguousError("several memories begin like this")
    return items[0]


async def forgotten(tx: StoreTransaction, item: Item, decision: Decision) -> Item | None:
    """The item as it is deleted, softly and with a line of audit; None when it is gone already."""
    current = await tx.get_item(item.memory_id)
    if current is None or current.status is Status.DELETED:
        return None
    return await leave(tx, current, Status.DELETED, decision, "forget", "forgotten")
