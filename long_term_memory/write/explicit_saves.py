"""What people ask to keep by a command, and what a model saves for them by its tool (design 5.7)."""

import asyncio
from dataclasses import dataclass

from ..domain.chat import Access, Turn
from ..domain.errors import InvalidInputError, RefusedError
from ..domain.memory import Item
from ..domain.words import LIVE_STATUSES, Role, Status
from ..domain.writing import Grounded
from ..policies.requests import asks_not_to_keep
from ..policies.secrets.mask import mask
from ..text_analysis.seen import seen_line
from .keyed import KeyedSave, grounded_save
from .protocols import WriteTransaction
from .provisional import explicit
from .record import event_of_command, events_of_turn, pausable, place
from .stages import Kept, Stages
from .surface import is_known_here


@dataclass(frozen=True, kw_only=True)
class Saved:
    """What became of an explicit save: the item as it stands, and whether it stood like that before."""

    item: Item
    known: bool


class ExplicitSaves(Stages):
    """Explicit saves: active at once unless a rule forbids it, and the caller is told which."""

    async def save_explicit(self, command: Turn, access: Access, fact: str) -> Saved:
        """Keep what a person asks to remember; the command's own words are the evidence.

        Raises InvalidInputError for an empty fact and RefusedError when a rule forbids it.
        """
        if mask(fact) != fact:
            raise RefusedError("secret")
        if not seen_line(fact).strip(" .。!！,，;；:：") or not command.user_text.strip():
            raise InvalidInputError("fact", "must not be empty")
        event = event_of_command(command, access)
        async with self._store.transaction() as tx:
            said = explicit(fact, event, self._parts.zone)
            kept = await self._keep_said(tx, said, actor=access.owner.scope_id)
        if kept.item is None or kept.item.status not in LIVE_STATUSES:
            raise RefusedError(kept.rule)
        return Saved(item=kept.item, known=kept.is_known)

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
            kept = await self._keep_said(tx, grounded, actor=actor)
            item = kept.item
            is_told = item is None or await is_known_here(tx, item, event)
        if item is None or item.status not in LIVE_STATUSES - {Status.DISABLED}:
            raise RefusedError(kept.rule if is_told else "not_kept")
        return Saved(item=item, known=kept.is_known)

    async def _keep_said(self, tx: WriteTransaction, grounded: Grounded, *, actor: str) -> Kept:
        """Keep the words and the fact, unless whoever said them was erased just then."""
        if await tx.erased_since(grounded.event):
            raise RefusedError("forgotten")
        await tx.add_events([grounded.event])
        return await self._keep(tx, grounded, actor=actor)
