"""MemoryWriter: the write pipeline.

A message is recorded. Facts are extracted by rules at once and by a model in batches, then grounded and
verified. `stages` merges, scores, gates and persists each fact. Explicit saves, by a command or by the
model's tool, go through these at once, and are active unless a rule forbids it.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from ..domain.chat import Access, ToolUse, Turn
from ..domain.enums import BY_ITSELF, LIVE_STATUSES, Extraction, Origin, Role, Stance, Status
from ..domain.errors import AnswerError, InvalidInputError, LtmError, RefusedError
from ..domain.log import logger
from ..domain.memory import QUEUE_FULL, Event, Item
from ..domain.writing import Grounded
from ..policies.requests import OptOut, asks_not_to_keep
from ..policies.secrets import mask
from ..policies.token_cap import DAILY_CAP
from ..text_analysis.sanitize import seen_line
from .conflicts import is_visible_here
from .extract import LeasedBatch, affordable, claim_batch, extract, with_known_of
from .ground import ground_all
from .protocols import WriteTransaction
from .record import (
    MAX_FORGOTTEN,
    apply_opt_out,
    event_of_command,
    events_of_tool,
    events_of_turn,
    forget_withdrawn,
)
from .reverting import PriorStates
from .rule_facts import as_asked, expire_refused, last_to_count
from .rules import explicit_fact, extract_by_rules, read_beside
from .stages import FactOutcome, Notice, WriterParts, refusal, store_fact
from .tool_save import Saved, ToolSave, grounded_save
from .transitions import Decision
from .verify import UNVERIFIED, verified

MAX_WAITING = 200
"""Overheard messages of one group that wait for the model; beyond them the rules alone read."""
MAX_ADDRESSED_WAITING = 1_000
"""The same for messages to the bot in one chat: more than people send while a model is down for a day."""
MAX_NOTICES = 1_000
"""New memories that await a notice to their owners, in all chats together."""
_TRIES = 3
"""How often a batch is asked about whose request not to keep something cannot be verified."""


class Extracted(NamedTuple):
    """Grounded facts of a batch, and the reasons why others were rejected."""

    facts: Sequence[Grounded]
    rejected: Sequence[str]


class MemoryWriter:
    """The write pipeline. Every method may raise what `WriteStore.transaction` raises."""

    def __init__(self, parts: WriterParts) -> None:
        self.parts = parts
        self._store = parts.store
        self._reading = asyncio.Lock()
        self._opted_out: deque[tuple[Any, ...]] = deque(maxlen=MAX_NOTICES)
        """The last messages that were not kept: an exchange may be recorded twice."""
        self._taken_back: deque[tuple[Any, ...]] = deque(maxlen=MAX_NOTICES)
        """The last ones that such a request took: their replies may be recorded later."""

    async def record(
        self, turn: Turn, access: Access, *, overheard: bool = False
    ) -> Mapping[str, PriorStates]:
        """Store an exchange and the facts that the rules find in it; durable and idempotent.

        Returns the ids of what the person asked to remember and was not known, and what changed with each.
        A request not to keep something drops the exchange, and the message before it if it refers to that.
        An `overheard` message was said to others in a group, so "remember that" is no request to the bot.
        """
        if request := asks_not_to_keep(turn.user_text):
            await self._opt_out(turn, access, request)
            return {}
        if (turn.chat.umo, turn.chat.sender_id, turn.at) in self._taken_back:
            return {}
        most = MAX_WAITING if overheard else MAX_ADDRESSED_WAITING
        by_rules = partial(extract_by_rules, zone=self.parts.zone, asked=not overheard)
        # An error may be over at the second try; what fails twice fails on these very words.
        for extracted in (by_rules, by_rules, _nothing_extracted):
            try:
                events, facts = await self._read(turn, access, extracted)
                outcomes = await self._store.in_transaction(
                    partial(self._record_events, events=events, access=access, most_waiting=most, facts=facts)
                )
                self._note_learnt(outcomes)
                new = [(item, changed) for item, known, _, changed in outcomes if item and not known]
                asked_for = (Origin.USER_EXPLICIT, Status.ACTIVE)
                return {i.memory_id: changed for i, changed in new if (i.origin, i.status) == asked_for}
            except LtmError:
                raise
            except Exception:
                if extracted is _nothing_extracted:
                    raise
                logger.exception("A message could not be read; if that fails again, the rules are left out.")
        return {}

    async def _opt_out(self, turn: Turn, access: Access, request: OptOut) -> None:
        said = (turn.chat.umo, turn.chat.sender_id, turn.at, turn.user_text)
        if said in self._opted_out:
            return
        since = max((at for *who, at, _ in self._opted_out if (*who,) == said[:2]), default=None)
        apply = partial(apply_opt_out, turn=turn, access=access, request=request, since=since)
        taken = await self._store.in_transaction(apply)
        if taken is not None:
            self._opted_out.append(said)
            self._taken_back.extend((*said[:2], at) for at in taken)

    async def record_tool(self, use: ToolUse, access: Access) -> None:
        """Store the result of a tool; durable on return."""
        who = (use.chat.umo, use.chat.sender_id, use.at)
        if who in self._taken_back or any(each[:3] == who for each in self._opted_out):
            return
        if events := events_of_tool(use, access):
            await self._store.in_transaction(
                lambda tx: self._record_events(tx, events, access, MAX_ADDRESSED_WAITING)
            )

    async def save_explicit(self, command: Turn, access: Access, fact: str) -> Saved:
        """Save what a person asks to remember. Raises InvalidInputError, and RefusedError with the rule."""
        if not seen_line(fact).strip(" .。!！,，;；:：") or not command.user_text.strip():
            raise InvalidInputError("fact", "must not be empty")
        if asks_not_to_keep(fact):
            raise RefusedError("off_the_record")
        if mask(fact) != fact:
            raise RefusedError("secret")
        event = event_of_command(command, access)
        said = await asyncio.to_thread(explicit_fact, fact, event, self.parts.zone)
        item, known, rule, changed = await self._store.in_transaction(
            lambda tx: self._store_said(tx, said, actor=access.owner.scope_id)
        )
        if item is None or item.status not in LIVE_STATUSES:
            raise RefusedError(rule)
        return Saved(item=item, known=known, changed=changed)

    async def save_by_tool(self, turn: Turn, access: Access, save: ToolSave, *, actor: str) -> Saved:
        """Save under a chosen key what a model saves in a turn, with the person's message as evidence.

        What the person did not ask for or did not say waits, or follows the mode. Raises RefusedError.
        """
        if asks_not_to_keep(turn.user_text):
            raise RefusedError("off_the_record")
        events = await self._read(turn, access, list)
        if not events or events[0].role is not Role.USER:
            raise RefusedError("no_words")
        event, verified = events[0], self.parts.verify is not None
        grounded = await asyncio.to_thread(grounded_save, save, event, self.parts.zone, verified=verified)

        async def store(tx: WriteTransaction) -> tuple[FactOutcome, bool]:
            if await tx.paused(*access.readable):
                raise RefusedError("paused")
            outcome = await self._store_said(tx, grounded, actor=actor)
            return outcome, outcome.item is None or await is_visible_here(tx, outcome.item, event)

        (item, known, rule, changed), is_visible = await self._store.in_transaction(store)
        if item is None or item.status not in LIVE_STATUSES - {Status.DISABLED}:
            raise RefusedError(rule if is_visible else "not_kept")
        return Saved(item=item, known=known, changed=changed)

    async def lease(self, batch: Sequence[Event], provider: str) -> LeasedBatch | None:
        """Lease as much of a batch as fits the daily token cap; None when there is nothing to ask now."""
        part = await asyncio.to_thread(affordable, batch, self.parts.budget.cap, self.parts.zone)
        if part is None:
            await self.pass_over(batch[:1], DAILY_CAP)
            return None
        # Not `in_transaction`: a cancelled caller would leave a lease that nobody knows of.
        async with self._store.transaction() as tx:
            return await claim_batch(tx, *part, self.parts, provider=provider)

    async def ask(self, leased: LeasedBatch) -> Extracted:
        """Extract, ground and verify. Raises what `extract.extract` raises."""
        parts, segment, provider = self.parts, leased.segment, leased.reservation.provider_id
        answer = await extract(leased, parts.budget)
        facts, broken = await asyncio.to_thread(ground_all, answer.candidates, segment, parts.zone)
        read: Sequence[Grounded] = ()
        if parts.verify:
            items = await self._store.in_snapshot(lambda tx: tx.extracted_by_rules(leased.event_ids))
            read = await asyncio.to_thread(read_beside, items, facts, segment.events, parts.zone)
        if parts.verify and (
            to_verify := [each for each in (*facts, *read) if not (each.doubt or each.refused)]
        ):
            segment = await self._store.in_snapshot(partial(with_known_of, facts=to_verify, segment=segment))
        judged = await verified((*facts, *read), segment, parts.verify, provider=provider)
        # What the rules read is stored already; refused, it expires.
        facts = [*judged[: len(facts)], *(each for each in judged[len(facts) :] if each.refused)]
        requests = [each for each in facts if each.candidate.stance is Stance.WITHDRAWN]
        attempts = min(event.attempts for event in segment.events)
        if attempts < _TRIES and any(each.doubt == UNVERIFIED for each in requests):
            raise AnswerError("a request not to keep something is not verified")
        facts = await parts.neighbours.found(facts)
        return Extracted(facts=facts, rejected=(*answer.rejected, *broken))

    async def store_facts(self, leased: LeasedBatch, extracted: Extracted) -> bool:
        """Persist the facts and mark the events as done; False when the lease was lost."""
        outcomes, rule_items, forgotten = list[FactOutcome](), list[Item](), dict[str, Notice]()

        async def store(tx: WriteTransaction) -> bool:
            if not await tx.held(leased.event_ids, leased.lease):
                return False
            for reason in extracted.rejected:
                await tx.audit(refusal(reason))
            await tx.mark_events(leased.event_ids, Extraction.DONE)
            rule_items.extend(await tx.extracted_by_rules(leased.event_ids))
            readings, forgotten_count = list(rule_items), 0
            decision = Decision(actor=BY_ITSELF, now=self.parts.clock())
            for grounded in sorted(extracted.facts, key=last_to_count):
                if grounded.candidate.stance is Stance.WITHDRAWN:
                    most = max(0, MAX_FORGOTTEN - forgotten_count)
                    forgotten_count += len(grounded.candidate.replaces)
                    prior = await forget_withdrawn(tx, grounded, now=decision.now, most=most)
                    forgotten.update({each.memory_id: (grounded.event.owner, [each]) for each in prior})
                    continue
                await expire_refused(tx, grounded, readings, decision)
                fact = await as_asked(tx, grounded, rule_items, self.parts.zone)
                outcomes.append(outcome := await store_fact(tx, fact, self.parts, by_rules=readings))
                readings = [_as_stated(each, outcome) for each in readings]
                if outcome.item is None:  # `/ltm why-not` tells the rule
                    await tx.mark_events([fact.event.event_id], Extraction.DONE, outcome.rule)
            return True

        is_stored = await self._store.in_transaction(store)
        self._note_learnt(outcomes, rule_items)
        self.parts.notices.update(forgotten)
        self._note_learnt(())  # no more of them than may be
        return is_stored

    async def pass_over(self, events: Sequence[Event], why: str) -> None:
        """Leave events to the rules, which have read them already."""
        async with self._store.transaction() as tx:
            await tx.mark_events([event.event_id for event in events], Extraction.SKIPPED, why)

    async def _read[T](self, turn: Turn, access: Access, then: Callable[[Sequence[Event]], T]) -> T:
        """What `then` makes of the turn's events: all that is slow, in one step of a thread that reads."""

        async def read(tx: WriteTransaction) -> T:
            asked_before = await tx.asked_before(turn.chat.umo, access.at_scope.scope_id, before=turn.at)
            return then(events_of_turn(turn, access, asked_before))

        async with self._reading:  # however many are said at once, other threads are left to read for replies
            return await self._store.in_snapshot(read)

    async def _record_events(
        self,
        tx: WriteTransaction,
        events: Sequence[Event],
        access: Access,
        most_waiting: int,
        facts: Sequence[Grounded] = (),
    ) -> Sequence[FactOutcome]:
        """Store all of it, or nothing while the speaker or the group is paused.

        Beyond `most_waiting` messages in the queue it is left to the rules.
        """
        # What can be paused is among what is read: the speaker's accounts and the group.
        if not events or await tx.paused(*access.readable) or await tx.erased_since(events[0]):
            self._opted_out.extend((e.umo, e.sender_id, e.created_at, "") for e in events[:1])
            return ()
        if await tx.waiting_turns(events[0]) >= most_waiting:
            events = [replace(each, extraction=Extraction.SKIPPED, last_error=QUEUE_FULL) for each in events]
        await tx.add_events(events)
        return [await store_fact(tx, grounded, self.parts) for grounded in facts]

    async def _store_said(self, tx: WriteTransaction, grounded: Grounded, *, actor: str) -> FactOutcome:
        """Store message and fact, unless the speaker was erased meanwhile."""
        if await tx.erased_since(grounded.event):
            raise RefusedError("forgotten")
        await tx.add_events([grounded.event])
        return await store_fact(tx, grounded, self.parts, actor=actor)

    def _note_learnt(self, kept: Iterable[FactOutcome], rule_items: Sequence[Item] = ()) -> None:
        """Note new memories for their owners, but no rewording of what the rules found before."""
        notices, before = self.parts.notices, {item.memory_id for item in rule_items}
        for item, known, _, changed in kept if self.parts.notify_learned else ():
            if item and not known and before.isdisjoint(item.supersedes):
                notices[item.memory_id] = (item.owner, changed)
        while len(notices) > MAX_NOTICES:
            del notices[next(iter(notices))]


def _nothing_extracted(events: Sequence[Event]) -> tuple[Sequence[Event], Sequence[Grounded]]:
    return events, ()


def _as_stated(read: Item, kept: FactOutcome) -> Item:
    """What the rules read, as the model's own where it says the same: it does not replace that."""
    is_same = kept.is_known and kept.item and kept.item.memory_id == read.memory_id
    return replace(read, origin=Origin.LLM_EXTRACT) if is_same else read
