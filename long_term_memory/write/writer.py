"""MemoryWriter: what happens to a message, stage by stage (design 5).

Record keeps it; extract proposes facts, by rules at once and by a model in batches; then each proposed fact
is grounded, merged, scored, gated and persisted.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..domain.chat import Access, ToolUse, Turn
from ..domain.errors import InvalidInputError, LtmError, RefusedError
from ..domain.memory import Event, Item
from ..domain.time import Clock, MakeId
from ..domain.words import LIVE_STATUSES, Extraction, Role, Status
from ..domain.writing import AuditEntry, Candidate, Grounded, PendingBatch
from ..policies.secrets.mask import mask
from ..policies.write_policy import MemoryWritePolicy
from .extract import extract
from .gate import gate
from .ground import ground
from .merge import merge
from .persist import Retention, Stamp, persist
from .protocols import ChatModel, EventQueue, WriteStore, WriteTransaction
from .record import event_of_command, events_of_tool_use, events_of_turn
from .rules import explicit, read
from .score import score

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

_SYSTEM = "system"


@dataclass(frozen=True, kw_only=True)
class Saved:
    """What became of an explicit save: the item as it stands, and whether it stood like that before."""

    item: Item
    known: bool


@dataclass(frozen=True, kw_only=True)
class _Kept:
    item: Item | None
    before: Status | None
    """The status it had, None for a new item."""
    rule: str


@dataclass(frozen=True, kw_only=True)
class WriterParts:
    """What a writer works with."""

    store: WriteStore
    queue: EventQueue
    model: ChatModel
    policy: Callable[[], MemoryWritePolicy]
    """The policy in force, asked at each use."""
    retention: Retention
    clock: Clock
    make_id: MakeId


class MemoryWriter:
    """The write pipeline. All of it may raise what `WriteStore.transaction` raises."""

    def __init__(self, parts: WriterParts) -> None:
        self._parts = parts
        self._store = parts.store

    async def record(self, turn: Turn, access: Access) -> None:
        """Keep a completed exchange, and the facts its plain statements tell; durable on return.

        Recording it again adds nothing. What the rules make of a message never costs the message itself.
        """
        events = events_of_turn(turn, access)
        try:
            await self._record(events, _told_plainly(events))
        except LtmError:
            raise
        except Exception:
            logger.exception("The rules failed on a message; it is kept without them.")
            await self._record(events)

    async def record_tool(self, use: ToolUse, access: Access) -> None:
        """Keep what a tool answered; durable on return."""
        await self._record(events_of_tool_use(use, access))

    async def save_explicit(self, command: Turn, access: Access, fact: str) -> Saved:
        """Keep what a person asks to remember; the command's own words are the evidence.

        Raises InvalidInputError for an empty fact and RefusedError when a rule forbids it.
        """
        fact = mask(fact)
        candidate = explicit(fact, quote=fact)
        if not candidate.fact or not command.user_text.strip():
            raise InvalidInputError("fact", "must not be empty")
        event = event_of_command(command, access)
        async with self._store.transaction() as tx:
            await tx.add_events([event])
            kept = await self._keep(tx, ground(candidate, [event]), actor=access.owner.scope_id)
        if kept.item is None or kept.item.status not in LIVE_STATUSES:
            raise RefusedError(kept.rule)
        return Saved(item=kept.item, known=kept.before is kept.item.status)

    async def extract(self, batch: PendingBatch) -> bool:
        """Ask the model about one batch and keep what it found, the facts and the events' state together.

        Returns whether the batch is worked off.
        The model is not asked while the store cannot be written, nor about what nobody said. Should events
        of the batch be gone when the answer is there, it counts for nothing: the rest stays pending.
        Raises what `extract.extract` raises; then nothing has changed.
        """
        ids = [event.event_id for event in batch.events]
        async with self._store.transaction() as tx:
            if not any(event.role is Role.USER for event in batch.events):
                await tx.mark_events(ids, Extraction.SKIPPED)
                return True
            if await tx.still_pending(ids) != frozenset(ids):
                return False
        answer = await extract(batch.events, self._parts.model)
        facts = await asyncio.to_thread(_ground_all, answer.candidates, batch.events)
        async with self._store.transaction() as tx:
            if await tx.still_pending(ids) != frozenset(ids):
                return False
            for reason in answer.rejected:
                await tx.audit(_refusal(reason))
            for grounded in facts:
                await self._keep(tx, grounded)
            await tx.mark_events(ids, Extraction.DONE)
        return True

    async def _record(self, events: Sequence[Event], facts: Sequence[Grounded] = ()) -> None:
        if events:
            async with self._store.transaction() as tx:
                await tx.add_events(events)
                for grounded in facts:
                    await self._keep(tx, grounded)

    async def _keep(self, tx: WriteTransaction, grounded: Grounded, actor: str = _SYSTEM) -> _Kept:
        """The four stages that a grounded fact goes through."""
        now = self._parts.clock()
        merged = await merge(tx, grounded)
        scored = score(merged)
        verdict = await gate(tx, scored, self._parts.policy(), now=now)
        stamp = Stamp(now=now, make_id=self._parts.make_id, retention=self._parts.retention, actor=actor)
        item = await persist(tx, verdict, stamp)
        return _Kept(item=item, before=merged.existing and merged.existing.status, rule=verdict.rule)


def _ground_all(candidates: Sequence[Candidate], events: Sequence[Event]) -> list[Grounded]:
    return [ground(candidate, events) for candidate in candidates]


def _told_plainly(events: Sequence[Event]) -> list[Grounded]:
    """What the rules find in what people said: at once, for it takes no model and hardly any time."""
    return [ground(candidate, [event]) for event in events for candidate in read(event, 0)]


def _refusal(reason: str) -> AuditEntry:
    return AuditEntry(actor=_SYSTEM, action="refuse", memory_id="", before="", after="", reason=reason)
