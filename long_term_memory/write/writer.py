"""MemoryWriter: the write pipeline.

A message is recorded. Facts are extracted by rules at once and by a model in batches, then grounded and
verified. `stages` merges, scores, gates and persists each fact.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from functools import partial
from typing import NamedTuple

from ..domain.chat import Access, ToolUse, Turn
from ..domain.errors import LtmError
from ..domain.memory import QUEUE_FULL, Event, Item
from ..domain.words import Extraction, Origin, Status
from ..domain.writing import Grounded, PendingBatch
from ..policies.requests import asks_not_to_keep
from ..policies.spending import DAILY_CAP
from ..policies.succession import RATE_RULES
from ..text_analysis.dates import end_named
from ..text_analysis.fact_words import polarity
from ..text_analysis.quotes import shared_terms
from .extract import LeasedBatch, affordable, extract, lease
from .ground import ground_all
from .protocols import WriteTransaction
from .readings import SAME_ENOUGH, expire_refused
from .record import MAX_LOOKBACK, apply_opt_out, chat_scope, events_of_tool_use, events_of_turn, pause_scopes
from .retry_queue import recheck_of, release_by_rate, settle
from .rules import extract_by_rules
from .stages import SYSTEM, ExplicitSaves, FactOutcome, WriterParts, refusal
from .transitions import Decision
from .verify import UNVERIFIED, verified

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

MAX_WAITING = 200
"""Overheard messages of one group that wait for the model; beyond them the rules alone read."""
MAX_ADDRESSED_WAITING = 1_000
"""The same for messages to the bot in one chat: more than people send while a model is down for a day."""


class Extracted(NamedTuple):
    """Grounded facts of a batch, and the reasons why others were rejected."""

    facts: Sequence[Grounded]
    rejected: Sequence[str]


class MemoryWriter(ExplicitSaves):
    """The write pipeline. Every method may raise what `WriteStore.transaction` raises."""

    def __init__(self, parts: WriterParts) -> None:
        super().__init__(parts)
        self._asked_again = set[str]()
        """Ids of the unverified memories that were asked about again in this round."""
        self._opted_out: deque[tuple[str, str, datetime, str]] = deque(maxlen=MAX_LOOKBACK)
        """The last requests not to keep something: an exchange may be recorded twice."""

    async def record(self, turn: Turn, access: Access, *, overheard: bool = False) -> Sequence[Item]:
        """Store an exchange and the facts that the rules find in it; durable and idempotent.

        Returns what the person asked to remember and was not known.

        A request not to keep something drops the exchange, and the message before it if it refers to that.
        An `overheard` message was said to others in a group, so "remember that" is no request to the bot.
        """
        if opted_out := asks_not_to_keep(turn.user_text):
            said = (turn.chat.umo, turn.chat.sender_id, turn.at, turn.user_text)
            if said not in self._opted_out:
                await self._store.at_once(lambda tx: apply_opt_out(tx, turn, access, opted_out))
                self._opted_out.append(said)
            return ()
        asked_before = await self._store.asked_before(turn.chat.umo, chat_scope(access), before=turn.at)
        events: Sequence[Event] = await asyncio.to_thread(events_of_turn, turn, access, asked_before)
        most, zone = MAX_WAITING if overheard else MAX_ADDRESSED_WAITING, self._parts.zone
        # An error may be over at the second try; what fails twice fails on these very words.
        for by_rules in (True, True, False):
            try:
                read, facts = (
                    await asyncio.to_thread(extract_by_rules, events, zone, asked=not overheard)
                    if by_rules
                    else (events, ())
                )
                outcomes = await self._store.at_once(
                    partial(self._record_events, events=read, access=access, most_waiting=most, facts=facts)
                )
                self._note_learnt(outcomes)
                new = [item for item, known, _ in outcomes if item and not known]
                return [
                    item
                    for item in new
                    if (item.origin, item.status) == (Origin.USER_EXPLICIT, Status.ACTIVE)
                ]
            except LtmError:
                raise
            except Exception:
                if not by_rules:
                    raise
                logger.exception("The rules failed on a message; if they do again, it is kept without them.")
        return ()

    async def record_tool(self, use: ToolUse, access: Access) -> None:
        """Store the result of a tool; durable on return."""
        if events := events_of_tool_use(use, access):
            await self._store.at_once(
                lambda tx: self._record_events(tx, events, access, MAX_ADDRESSED_WAITING)
            )

    async def lease(self, batch: PendingBatch, provider: str) -> LeasedBatch | None:
        """Lease as much of a batch as fits the daily token cap, and reserve the tokens of its question.

        None when there is nothing to ask now. A message that alone exceeds the cap is left to the rules.
        """
        budget = self._parts.budget
        part = await asyncio.to_thread(affordable, batch.events, budget.cap(), self._parts.zone)
        if part is None:
            await self.pass_over(batch.events[:1], DAILY_CAP)
            return None
        now, name = self._parts.clock(), self._parts.make_id()
        async with self._store.transaction() as tx:
            return await lease(tx, *part, budget, provider=provider, name=name, now=now)

    async def ask(self, leased: LeasedBatch) -> Extracted:
        """Extract, ground and verify. Raises what `extract.extract` raises."""
        answer = await extract(leased, self._parts.budget)
        facts, broken = await asyncio.to_thread(
            ground_all, answer.candidates, leased.segment, self._parts.zone
        )
        provider, verify = leased.reservation.provider_id, self._parts.verify
        facts = await verified(facts, leased.segment, verify, provider=provider)
        facts = await self._parts.neighbours.found(facts)
        return Extracted(facts=facts, rejected=(*answer.rejected, *broken))

    async def keep(self, leased: LeasedBatch, extracted: Extracted) -> bool:
        """Persist the facts and mark the events as done; False when the lease was lost."""
        async with self._store.transaction() as tx:
            if not await tx.held(leased.event_ids, leased.lease):
                return False
            for reason in extracted.rejected:
                await tx.audit(refusal(reason))
            await tx.mark_events(leased.event_ids, Extraction.DONE)
            outdated, outcomes = await tx.read_by_rules(leased.event_ids), list[FactOutcome]()
            readings = list(outdated)
            decision = Decision(actor=SYSTEM, now=self._parts.clock())
            for grounded in sorted(extracted.facts, key=_last_to_count):
                await expire_refused(tx, grounded, readings, decision)
                fact = await _as_asked(tx, grounded, outdated, self._parts.zone)
                outcomes.append(kept := await self._keep(tx, fact, outdated=readings))
                readings = [_as_stated(each, kept) for each in readings]
                if kept.item is None:  # `/ltm why-not` tells the rule
                    await tx.mark_events([fact.event.event_id], Extraction.DONE, kept.rule)
        self._note_learnt(outcomes, outdated)
        return True

    async def held_back(self) -> bool:
        """Whether the retry queue has items."""
        return await self._store.any_held_back({*RATE_RULES, UNVERIFIED})

    async def release(self) -> int:
        """Release items that a rate limit allows now; returns how many."""
        async with self._store.transaction() as tx:
            return await release_by_rate(
                tx, self._parts.policy(), Decision(actor=SYSTEM, now=self._parts.clock())
            )

    async def recheck(self, provider_of: Callable[[str], Awaitable[str]]) -> bool | None:
        """Verify the unverified facts of one chat; whether the model settled any.

        None when each chat has had its turn; the next call begins a new round. Raises what `provider_of`
        raises, which names the provider of a chat.
        """
        verify = self._parts.verify
        async with self._store.transaction() as tx:
            waiting = await recheck_of(tx, self._asked_again)
        if waiting is None or verify is None:
            self._asked_again.clear()
            return None
        self._asked_again |= {item.memory_id for item in waiting.items}
        provider = await provider_of(waiting.items[0].origin_umo)
        judgements = await verify(waiting.segment, waiting.facts, provider)
        async with self._store.transaction() as tx:
            return await settle(
                tx, waiting, judgements, self._parts.policy(), Decision(actor=SYSTEM, now=self._parts.clock())
            )

    async def pass_over(self, events: Sequence[Event], why: str) -> None:
        """Leave events to the rules, which have read them already."""
        async with self._store.transaction() as tx:
            await tx.mark_events([event.event_id for event in events], Extraction.SKIPPED, why)

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
        if not events or await tx.paused(*pause_scopes(access)) or await tx.erased_since(events[0]):
            return ()
        if await tx.waiting_turns(events[0]) >= most_waiting:
            passed_over = {"extraction": Extraction.SKIPPED, "last_error": QUEUE_FULL}
            events = [replace(event, **passed_over) for event in events]
        await tx.add_events(events)
        return [await self._keep(tx, grounded) for grounded in facts]


def _as_stated(read: Item, kept: FactOutcome) -> Item:
    """What the rules read, as the model's own where it says the same: it does not replace that."""
    is_same = kept.is_known and kept.item and kept.item.memory_id == read.memory_id
    return replace(read, origin=Origin.LLM_EXTRACT) if is_same else read


def _last_to_count(fact: Grounded) -> tuple[bool, bool]:
    """The refused and the badly quoted last: the same fact may stand in the answer again, better told."""
    shown = shared_terms(fact.candidate.fact, fact.quote) >= SAME_ENOUGH
    return bool(fact.refused), bool(fact.doubt) or not shown


async def _as_asked(tx: WriteTransaction, fact: Grounded, outdated: Sequence[Item], zone: tzinfo) -> Grounded:
    """The fact as an explicit save, where it rewords a request to remember from the same message."""
    if fact.doubt or fact.is_of_bot or fact.candidate.origin is Origin.CONFIRMED:
        return fact
    text, event = fact.candidate.fact, fact.event
    asked = (item for item in outdated if item.origin is Origin.USER_EXPLICIT and item.owner == fact.owner)
    for item in asked:
        alike = shared_terms(text, item.fact) >= SAME_ENOUGH
        alike = alike and polarity(text).sides == polarity(item.fact).sides
        if alike and await tx.has_evidence(item.memory_id, event.event_id):
            until = end_named(text, event.created_at.astimezone(zone))
            asked_for = replace(fact.candidate, origin=Origin.USER_EXPLICIT, confidence=1.0, until=until)
            return replace(fact, candidate=asked_for)
    return fact
