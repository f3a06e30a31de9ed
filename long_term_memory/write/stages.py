"""The last four stages of each grounded fact: merge, score, gate, persist.

Explicit saves, by a command or by the model's tool, go through them at once.
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
from ..text_analysis.sanitize import seen_line
from .gate import gate
from .keyed import KeyedSave, grounded_save, merge_by_key
from .merge import merge
from .neighbours import Neighbours
from .persist import Retention, WriteContext, persist
from .protocols import Verify, WriteStore, WriteTransaction
from .record import chat_scope, event_of_command, events_of_turn, pause_scopes
from .rules import explicit_fact
from .score import score
from .token_budget import TokenBudget
from .visibility import is_visible_here

SYSTEM = "system"
"""The actor of automatic changes."""
MAX_LEARNT = 1_000
"""New memories that await a notice to their owners, in all chats together."""


class FactOutcome(NamedTuple):
    """The outcome of a grounded fact."""

    item: Item | None
    """None when the rule refuses it."""
    is_known: bool
    """Whether the item had this status before."""
    rule: str


@dataclass(frozen=True, kw_only=True)
class Saved:
    """The outcome of an explicit save: the item, and whether it had this status before."""

    item: Item
    known: bool
    replaced: Sequence[Item] = ()
    """What it took the place of, as far as the chat may show it."""


@dataclass(frozen=True, kw_only=True)
class WriterParts:
    """Dependencies of a writer."""

    store: WriteStore
    budget: TokenBudget
    neighbours: Neighbours
    policy: Callable[[], MemoryWritePolicy]
    """The policy in force, asked at each use."""
    verify: Verify | None
    """None: verification is off."""
    retention: Retention
    clock: Clock
    make_id: MakeId
    zone: tzinfo = UTC
    """Where the days of "tomorrow" begin."""
    learnt: dict[str, ScopeRef] | None = None
    """Memory id to owner of what messages yielded, for notices; None: no notices."""


class ExplicitSaves:
    """The last four stages, and explicit saves, which are active at once unless a rule forbids it."""

    def __init__(self, parts: WriterParts) -> None:
        self._parts = parts
        self._store = parts.store

    async def save_explicit(self, command: Turn, access: Access, fact: str) -> Saved:
        """Save what a person asks to remember. Raises InvalidInputError, and RefusedError with the rule."""
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
        """Save under a chosen key what a model saves in a turn, with the person's message as evidence.

        What the person did not ask for or did not say waits, or follows the mode. Raises RefusedError.
        """
        if asks_not_to_keep(turn.user_text):
            raise RefusedError("off_the_record")
        asked_before = await self._store.asked_before(turn.chat.umo, chat_scope(access), before=turn.at)
        events = await asyncio.to_thread(events_of_turn, turn, access, asked_before)
        if not events or events[0].role is not Role.USER:
            raise RefusedError("no_words")
        event, verified = events[0], self._parts.verify is not None
        grounded = await asyncio.to_thread(grounded_save, save, event, self._parts.zone, verified=verified)
        async with self._store.transaction() as tx:
            if await tx.paused(*pause_scopes(access)):
                raise RefusedError("paused")
            item, known, rule = await self._keep_said(tx, grounded, actor=actor)
            is_told = item is None or await is_visible_here(tx, item, event)
        if item is None or item.status not in LIVE_STATUSES - {Status.DISABLED}:
            raise RefusedError(rule if is_told else "not_kept")
        return Saved(item=item, known=known)

    async def _keep_said(self, tx: WriteTransaction, grounded: Grounded, *, actor: str) -> FactOutcome:
        """Store message and fact, unless the speaker was erased meanwhile."""
        if await tx.erased_since(grounded.event):
            raise RefusedError("forgotten")
        await tx.add_events([grounded.event])
        return await self._keep(tx, grounded, actor=actor)

    async def _keep(
        self, tx: WriteTransaction, grounded: Grounded, *, actor: str = SYSTEM, outdated: Sequence[Item] = ()
    ) -> FactOutcome:
        parts, now = self._parts, self._parts.clock()
        if grounded.refused:
            await tx.audit(refusal(grounded.refused))
            return FactOutcome(None, is_known=False, rule=grounded.refused)
        if grounded.candidate.key:
            merged = await merge_by_key(tx, grounded, now=now)
        else:
            merged = await merge(tx, grounded, outdated, now=now)
        verdict = await gate(tx, score(merged), parts.policy(), now=now)
        context = WriteContext(
            now=now, make_id=parts.make_id, retention=parts.retention, actor=actor, zone=parts.zone
        )
        item, matched = await persist(tx, verdict, context), merged.existing
        return FactOutcome(item, bool(item and matched and matched.status is item.status), verdict.rule)

    def _note_learnt(self, kept: Iterable[FactOutcome], outdated: Sequence[Item] = ()) -> None:
        """Note new memories for their owners, but no rewording of what the rules found before."""
        learnt, before = self._parts.learnt, {item.memory_id for item in outdated}
        if learnt is None:
            return
        for item, known, _ in kept:
            if item and not known and before.isdisjoint(item.supersedes):
                learnt[item.memory_id] = item.owner
        while len(learnt) > MAX_LEARNT:
            del learnt[next(iter(learnt))]


def refusal(reason: str) -> AuditEntry:
    """The audit entry of a refused fact."""
    return AuditEntry(actor=SYSTEM, action="refuse", reason=reason)
