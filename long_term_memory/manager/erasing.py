"""Erasing a person whole. A pause stays: it holds no words, and says what they want."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from ..access.identity import account_of
from ..access.persons import Person, person_named, person_of
from ..domain.chat import Chat
from ..domain.enums import BY_ITSELF
from ..domain.errors import ClosedError, LtmError, NotFoundError
from ..storage.erasure import Gone
from ..storage.long_work import finish_despite_cancel
from .operations import Operations
from .transferring import Transferring

PATIENCE = timedelta(seconds=5)
"""How long the answer waits until copies are gone and the bytes are overwritten as well."""


@dataclass(frozen=True, kw_only=True)
class Erased:
    """What is gone."""

    items: int
    events: int
    snapshots: int = 0
    overwritten: bool = True
    """Whether no byte is left in the database file, its log and snapshots; else the background goes on."""


class Erasing(Operations):
    """What cannot be undone. All of it raises RefusedError while read-only, and UnavailableError."""

    async def own(self, chat: Chat) -> Erased:
        """Erase the speaker, under all joined accounts and all of the bot's personas."""
        rules = self._resolver.rules
        account = account_of(chat, rules)
        erased = await self._erase(person_of(chat, rules), account, actor=account, action="forget_all")
        self._components.undo.clear(chat)
        return erased

    async def of(self, account: str, *, actor: str) -> Erased:
        """Erase whoever has this account, under all joined accounts. Raises NotFoundError."""
        person = person_named(account, self._resolver.rules)
        if person is None or not await self.knows(account):
            raise NotFoundError("nothing is known of this account")
        return await self._erase(person, account, actor=actor, action="erase")

    async def knows(self, account: str) -> bool:
        """Whether there is anything of the account `platform_id:sender_id` that `of` would erase."""
        person, snapshots = person_named(account, self._resolver.rules), self._components.snapshots
        if person is None:
            return False
        return await self._store.erasure.knows(person) or await snapshots.mention(person)

    async def _erase(self, person: Person, account: str, *, actor: str, action: str) -> Erased:
        parts = self._components
        mark = parts.ports.make_id()

        async def erase() -> Gone:
            gone = await self._store.erasure.erase(
                person, actor=actor, action=action, subject=account, mark=mark, known=action == "erase"
            )
            await self._resolver.links_changed()
            return gone

        try:
            gone = await finish_despite_cancel(erase())
        except asyncio.CancelledError:
            parts.scheduler.begin_optional("scrubbing", parts.scrubbing.work)  # it removes all copies
            raise
        overwritten, removed = False, 0

        async def clean_up() -> None:
            nonlocal overwritten, removed
            forgotten = ""
            # First: what is being exported holds the words still.
            await asyncio.to_thread(parts.transit.clear)
            with suppress(LtmError):  # else the scrubbing removes all copies
                removed = await parts.snapshots.forget(person, gone.names)
                forgotten = mark
            with suppress(LtmError):  # else housekeeping goes on with it
                await parts.scrubbing.work(forgotten=forgotten)
                overwritten = True
            if removed:
                parts.scheduler.begin_optional("snapshot", self._snapshot)

        try:
            await parts.scheduler.run_with_deadline("erase", PATIENCE, clean_up)
        except (TimeoutError, ClosedError):  # too much is late, or the plugin is unloaded
            parts.scheduler.begin_optional("scrubbing", parts.scrubbing.work)
        return Erased(items=gone.items, events=gone.events, snapshots=removed, overwritten=overwritten)

    async def _snapshot(self) -> None:
        await Transferring(self._components).snapshot(actor=BY_ITSELF)
