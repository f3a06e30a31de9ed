"""MemoryWriter: what happens to a message, stage by stage (design 5).

Record keeps it; extract proposes facts, by rules at once and by a model in batches; then each proposed fact
is grounded, merged, scored, gated and persisted.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo

from ..domain.chat import Access, ToolUse, Turn
from ..domain.errors import InvalidInputError, LtmError, RefusedError
from ..domain.memory import Event, Item
from ..domain.time import Clock, MakeId
from ..domain.words import LIVE_STATUSES, Extraction, Role, Status
from ..domain.writing import AuditEntry, Grounded, PendingBatch
from ..policies.listening import MAX_ADDRESSED_WAITING, MAX_WAITING
from ..policies.secrets.mask import mask
from ..policies.seen import seen_line
from ..policies.spending import DAILY_CAP
from ..policies.write_policy import MemoryWritePolicy
from .claim import Claim, NotClaimed, claim, drafted
from .extract import extract
from .gate import gate
from .ground import ground, ground_all
from .guards import pausable, refuse_erased
from .keyed import KeyedSave, grounded_save, merge_by_key
from .merge import merge
from .meter import Meter
from .neighbours import Neighbours
from .persist import Retention, Stamp, persist
from .places import is_known_here
from .protocols import WriteStore, WriteTransaction
from .record import event_of_command, events_of_tool_use, events_of_turn, passed_over
from .rules import explicit
from .score import score
from .told import in_haste, told_plainly

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

_SYSTEM = "system"
_KEPT = LIVE_STATUSES - {Status.DISABLED}


@dataclass(frozen=True, kw_only=True)
class Saved:
    """What became of an explicit save: the item as it stands, and whether it stood like that before."""

    item: Item
    known: bool


@dataclass(frozen=True, kw_only=True)
class Extracted:
    """What a model found in a batch, grounded."""

    facts: Sequence[Grounded]
    near: Sequence[Sequence[str]]
    """For each fact the memory ids of items that mean nearly the same."""
    rejected: Sequence[str]
    """Why the rest of the answer is no use."""


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
    meter: Meter
    neighbours: Neighbours
    policy: Callable[[], MemoryWritePolicy]
    """The policy in force, asked at each use."""
    retention: Retention
    clock: Clock
    make_id: MakeId
    zone: tzinfo = UTC
    """Where the days of "tomorrow" begin."""


class MemoryWriter:
    """The write pipeline. All of it may raise what `WriteStore.transaction` raises."""

    def __init__(self, parts: WriterParts) -> None:
        self._parts = parts
        self._store = parts.store

    async def record(self, turn: Turn, access: Access, *, overheard: bool = False) -> None:
        """Keep an exchange, and the facts its plain statements tell; durable on return.

        Recording it again adds nothing. What the rules make of a message never costs the message itself.
        `overheard` is what somebody said to others in a group: "remember that" asks nothing of the bot
        there, and while `MAX_WAITING` messages of the chat wait for the model, no more join them. What is
        said to the bot joins them up to `MAX_ADDRESSED_WAITING`.
        """
        events = events_of_turn(turn, access)
        most = MAX_WAITING if overheard else MAX_ADDRESSED_WAITING
        # Whatever it was may be over; what fails twice fails on these very words.
        for _ in range(2):
            if await self._recorded_with_facts(events, access, most, asked=not overheard):
                return
        logger.error("The rules failed on a message; it is kept without them.")
        await self._record(events, access, (), most)

    async def record_tool(self, use: ToolUse, access: Access) -> None:
        """Keep what a tool answered; durable on return. It waits for the model as long as the talk may."""
        await self._record(events_of_tool_use(use, access), access, (), MAX_ADDRESSED_WAITING)

    async def save_explicit(self, command: Turn, access: Access, fact: str) -> Saved:
        """Keep what a person asks to remember; the command's own words are the evidence.

        Raises InvalidInputError for an empty fact and RefusedError when a rule forbids it.
        """
        fact = mask(fact)
        candidate = explicit(fact, quote=fact)
        if not seen_line(candidate.fact) or not command.user_text.strip():
            raise InvalidInputError("fact", "must not be empty")
        event = event_of_command(command, access)
        async with self._store.transaction() as tx:
            await refuse_erased(tx, event)
            await tx.add_events([event])
            kept = await self._keep(
                tx, ground(candidate, [event], self._parts.zone), actor=access.owner.scope_id
            )
        if kept.item is None or kept.item.status not in LIVE_STATUSES:
            raise RefusedError(kept.rule)
        return Saved(item=kept.item, known=kept.before is kept.item.status)

    async def save_keyed(self, turn: Turn, access: Access, save: KeyedSave, *, actor: str) -> Saved:
        """Keep under a chosen key what a model saves in a turn; the person's message is kept as evidence.

        What the person has not asked for, or not said, waits or goes by the mode. Raises RefusedError.
        """
        event = next((each for each in events_of_turn(turn, access) if each.role is Role.USER), None)
        if event is None:
            raise RefusedError("no_words")
        grounded = await asyncio.to_thread(grounded_save, save, event, self._parts.zone)
        async with self._store.transaction() as tx:
            if await tx.paused(*pausable(access)):
                raise RefusedError("paused")
            await refuse_erased(tx, event)
            await tx.add_events([event])
            kept = await self._keep(tx, grounded, actor=actor)
            refused = kept.item is None or kept.item.status not in _KEPT
            hidden = refused and kept.item is not None and not await is_known_here(tx, kept.item, event)
        if kept.item is None or refused:
            raise RefusedError("not_kept" if hidden else kept.rule)
        return Saved(item=kept.item, known=kept.before is kept.item.status)

    async def claim(self, batch: PendingBatch, provider: str) -> Claim | NotClaimed:
        """Take a batch, or as much of it as a day's tokens can pay for, and book the question about it.

        A message that no day's tokens can pay for is passed over: the rules have read it.
        """
        draft = await asyncio.to_thread(drafted, batch.events, self._parts.meter.cap, self._parts.zone)
        if draft is None:
            await self.pass_over(batch.events[:1], DAILY_CAP)
            return NotClaimed.SKIPPED
        now, lease = self._parts.clock(), self._parts.make_id()
        async with self._store.transaction() as tx:
            return await claim(tx, draft, self._parts.meter, provider=provider, lease=lease, now=now)

    async def ask(self, claimed: Claim) -> Extracted:
        """Ask the model about a claimed batch. Nothing changes but the ledger.

        Raises what `extract.extract` raises.
        """
        answer = await extract(claimed, self._parts.meter)
        facts, broken = await asyncio.to_thread(
            ground_all, answer.candidates, claimed.events, self._parts.zone
        )
        near = await self._parts.neighbours.of(facts)
        return Extracted(facts=facts, near=near, rejected=(*answer.rejected, *broken))

    async def keep(self, claimed: Claim, extracted: Extracted) -> bool:
        """Keep what the model found and move its events on, together; returns whether that was done.

        An answer counts for nothing once events of the batch are gone, or somebody else has taken them.
        """
        async with self._store.transaction() as tx:
            if not await tx.held(claimed.event_ids, claimed.lease):
                return False
            for reason in extracted.rejected:
                await tx.audit(_refusal(reason))
            for grounded, near in zip(extracted.facts, extracted.near, strict=True):
                await self._keep(tx, grounded, near=near)
            await tx.mark_events(claimed.event_ids, Extraction.DONE)
        return True

    async def pass_over(self, events: Sequence[Event], why: str) -> None:
        """Leave events to the rules, which have read them."""
        async with self._store.transaction() as tx:
            await tx.mark_events([event.event_id for event in events], Extraction.SKIPPED, why)

    async def _recorded_with_facts(
        self, events: Sequence[Event], access: Access, most_waiting: int, *, asked: bool
    ) -> bool:
        """Keep the events and what the rules find in them; False when that broke: then nothing is kept."""
        try:
            facts = told_plainly(events, self._parts.zone, asked=asked)
            await self._record(in_haste(events, facts) if asked else events, access, facts, most_waiting)
        except LtmError:
            raise
        except Exception:
            logger.exception("The rules failed on a message.")
            return False
        return True

    async def _record(
        self, events: Sequence[Event], access: Access, facts: Sequence[Grounded], most_waiting: int
    ) -> None:
        """Keep all of it, or nothing while the speaker or the group is paused.

        Beyond `most_waiting` messages that wait for the model, it is kept for the rules alone.
        """

        async def keep(tx: WriteTransaction) -> None:
            if await tx.paused(*pausable(access)) or await tx.erased_since(events[0]):
                return
            full = await tx.waiting_turns(events[0]) >= most_waiting
            await tx.add_events([passed_over(event) for event in events] if full else events)
            for grounded in facts:
                await self._keep(tx, grounded)

        if events:
            await self._store.at_once(keep)

    async def _keep(
        self, tx: WriteTransaction, grounded: Grounded, *, actor: str = _SYSTEM, near: Sequence[str] = ()
    ) -> _Kept:
        """The four stages that a grounded fact goes through."""
        now = self._parts.clock()
        chosen = grounded.candidate.key
        merging = merge_by_key(tx, grounded, now=now) if chosen else merge(tx, grounded, near, now=now)
        merged = await merging
        scored = score(merged)
        verdict = await gate(tx, scored, self._parts.policy(), now=now)
        stamp = Stamp(now=now, make_id=self._parts.make_id, retention=self._parts.retention, actor=actor)
        item = await persist(tx, verdict, stamp)
        return _Kept(item=item, before=merged.existing and merged.existing.status, rule=verdict.rule)


def _refusal(reason: str) -> AuditEntry:
    return AuditEntry(actor=_SYSTEM, action="refuse", memory_id="", before="", after="", reason=reason)
