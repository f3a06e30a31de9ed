"""The stages that every grounded fact goes through: merge, score, gate, persist (design 5.5 to 5.8).

What people ask to keep by a command, and what a model saves for them by its tool, goes through them at once.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import NamedTuple

from ..domain.chat import Access, ScopeRef, Turn
from ..domain.errors import InvalidInputError, RefusedError
from ..domain.memory import Item
from ..domain.time import Clock, MakeId
from ..domain.words import LIVE_STATUSES, Role, Status
from ..domain.writing import AuditEntry, Grounded
from ..policies.memory_policies import MemoryWritePolicy
from ..policies.requests import asks_not_to_keep
from ..policies.secrets import mask
from ..text_analysis.seen import seen_line
from .gate import gate
from .keyed import KeyedSave, grounded_save, merge_by_key
from .merge import merge
from .neighbours import Neighbours
from .persist import Retention, WriteContext, persist
from .protocols import Verify, WriteStore, WriteTransaction
from .record import event_of_command, events_of_turn, pausable, place
from .rules import explicit_fact
from .score import score
from .token_budget import TokenBudget
from .visibility import is_visible_here

SYSTEM = "system"
"""The actor of what nobody asked for."""
MAX_LEARNT = 1_000
"""Memories of which their owners are yet to be told, of all people together."""


class Kept(NamedTuple):
    """What became of a grounded fact."""

    item: Item | None
    """None when it is not stored, for what the rule says."""
    is_known: bool
    """Whether the item stood like this before."""
    rule: str


@dataclass(frozen=True, kw_only=True)
class Saved:
    """What became of an explicit save: the item as it stands, and whether it stood like that before."""

    item: Item
    known: bool


@dataclass(frozen=True, kw_only=True)
class WriterParts:
    """What a writer works with."""

    store: WriteStore
    budget: TokenBudget
    neighbours: Neighbours
    policy: Callable[[], MemoryWritePolicy]
    """The policy in force, asked at each use."""
    verify: Verify | None
    """None when what is grounded goes on as it is."""
    retention: Retention
    clock: Clock
    make_id: MakeId
    zone: tzinfo = UTC
    """Where the days of "tomorrow" begin."""
    learnt: dict[str, ScopeRef] | None = None
    """Takes up the id and the owner of what messages have given; None: nobody is to be told."""


class ExplicitSaves:
    """The last four stages; explicit saves are active at once unless a rule forbids it, which they name."""

    def __init__(self, parts: WriterParts) -> None:
        self._parts = parts
        self._store = parts.store

    async def save_explicit(self, command: Turn, access: Access, fact: str) -> Saved:
        """Keep what a person asks to remember. Raises InvalidInputError, and RefusedError with the rule."""
        if mask(fact) != fact:
            raise RefusedError("secret")
        if not seen_line(fact).strip(" .。!！,，;；:：") or not command.user_text.strip():
            raise InvalidInputError("fact", "must not be empty")
        event = event_of_command(command, access)
        async with self._store.transaction() as tx:
            said = explicit_fact(fact, event, self._parts.zone)
            item, known, rule = await self._keep_said(tx, said, actor=access.owner.scope_id)
        if item is None or item.status not in LIVE_STATUSES:
            raise RefusedError(rule)
        return Saved(item=item, known=known)

    async def save_keyed(self, turn: Turn, access: Access, save: KeyedSave, *, actor: str) -> Saved:
        """Keep under a chosen key what a model saves in a turn; the person's message is kept as evidence.

        What the person has not asked for, or not said, waits or goes by the mode. Raises RefusedError.
        """
        if asks_not_to_keep(turn.user_text):
            raise RefusedError("off_the_record")
        asked_before = await self._store.last_reply(turn.chat.umo, place(access), before=turn.at)
        events = await asyncio.to_thread(events_of_turn, turn, access, asked_before)
        if not events or events[0].role is not Role.USER:
            raise RefusedError("no_words")
        event, verified = events[0], self._parts.verify is not None
        grounded = await asyncio.to_thread(grounded_save, save, event, self._parts.zone, verified=verified)
        async with self._store.transaction() as tx:
            if await tx.paused(*pausable(access)):
                raise RefusedError("paused")
            item, known, rule = await self._keep_said(tx, grounded, actor=actor)
            is_told = item is None or await is_visible_here(tx, item, event)
        if item is None or item.status not in LIVE_STATUSES - {Status.DISABLED}:
            raise RefusedError(rule if is_told else "not_kept")
        return Saved(item=item, known=known)

    async def _keep_said(self, tx: WriteTransaction, grounded: Grounded, *, actor: str) -> Kept:
        """Keep the words and the fact, unless whoever said them was erased just then."""
        if await tx.erased_since(grounded.event):
            raise RefusedError("forgotten")
        await tx.add_events([grounded.event])
        return await self._keep(tx, grounded, actor=actor)

    async def _keep(
        self, tx: WriteTransaction, grounded: Grounded, *, actor: str = SYSTEM, outdated: Sequence[Item] = ()
    ) -> Kept:
        parts, now = self._parts, self._parts.clock()
        if grounded.refused:
            await tx.audit(refusal(grounded.refused))
            return Kept(None, is_known=False, rule=grounded.refused)
        if grounded.candidate.key:
            merged = await merge_by_key(tx, grounded, now=now)
        else:
            merged = await merge(tx, grounded, outdated, now=now)
        verdict = await gate(tx, score(merged), parts.policy(), now=now)
        context = WriteContext(
            now=now, make_id=parts.make_id, retention=parts.retention, actor=actor, zone=parts.zone
        )
        item, met = await persist(tx, verdict, context), merged.existing
        return Kept(item, bool(item and met and met.status is item.status), verdict.rule)

    def _tell(self, kept: Iterable[Kept], outdated: Sequence[Item] = ()) -> None:
        """Note what was learnt, but not what only says anew what these messages gave before."""
        learnt, before = self._parts.learnt, {item.memory_id for item in outdated}
        if learnt is None:
            return
        for item, known, _ in kept:
            if item and not known and before.isdisjoint(item.supersedes):
                learnt[item.memory_id] = item.owner
        while len(learnt) > MAX_LEARNT:
            del learnt[next(iter(learnt))]


def refusal(reason: str) -> AuditEntry:
    """The line about a fact that is not kept."""
    return AuditEntry(actor=SYSTEM, action="refuse", memory_id="", before="", after="", reason=reason)
