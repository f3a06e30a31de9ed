"""Erasing a person whole: by themselves, or by an operator (design 8 and 9.6).

A pause stays: it says that nobody wants to be learnt about, and holds no words.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from ..access.identity import account_of
from ..access.persons import Person, person_named, person_of
from ..domain.chat import Chat
from ..domain.errors import LtmError, NotFoundError
from .parts import Parts
from .transferring import noting_snapshots

PATIENCE = timedelta(seconds=5)
"""How long the answer waits until the bytes are overwritten as well."""
_UNKNOWN = "nothing is known of this account"


@dataclass(frozen=True, kw_only=True)
class Erased:
    """What is gone."""

    items: int
    events: int
    copies: int = 0
    """Files of what was set aside when an operator deleted the data: they stay, and may tell of them."""
    overwritten: bool = True
    """Whether no byte is left in the database file and its log; if not, the background goes on trying."""


class Erasing:
    """What cannot be undone. All of it raises RefusedError while read-only, and UnavailableError."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def own(self, chat: Chat) -> Erased:
        """Erase the speaker, under all joined accounts and all of the bot's personas."""
        rules = self._parts.people.rules
        account = account_of(chat, rules)
        person = person_of(chat, rules)
        return await self._erase(person, account, actor=account, action="forget_all", if_known=False)

    async def of(self, account: str, *, actor: str) -> Erased:
        """Erase whoever has the account `platform_id:sender_id`, under all joined accounts.

        Raises NotFoundError when nothing is known of it.
        """
        person = person_named(account, self._parts.people.rules)
        if person is None:
            raise NotFoundError(_UNKNOWN)
        return await self._erase(person, account, actor=actor, action="erase", if_known=True)

    async def knows(self, account: str) -> bool:
        """Whether there is anything of the account `platform_id:sender_id` that `of` would erase."""
        person = person_named(account, self._parts.people.rules)
        return person is not None and await self._parts.store.erasure.knows(person)

    async def _erase(
        self, person: Person, account: str, *, actor: str, action: str, if_known: bool
    ) -> Erased:
        parts = self._parts
        gone = await parts.store.erasure.erase(
            person,
            actor=actor,
            action=action,
            subject=account,
            if_known=if_known,
            mark=parts.make_id(),
        )
        with suppress(LtmError):  # else they are read again in the background
            await parts.people.load()
        removed = await self._forget_copies()
        overwritten = await parts.scrubbing.settle(PATIENCE)
        if removed:
            parts.scheduler.spare("snapshot", self._snapshot)
        return Erased(
            items=gone.items,
            events=gone.events,
            overwritten=overwritten,
            copies=len(await asyncio.to_thread(parts.copies)),
        )

    async def _forget_copies(self) -> int:
        """Remove the snapshots, all of which may tell of them; how many there were."""
        try:
            return await self._parts.snapshots.forget()
        except LtmError:
            return 0  # the scrubbing goes on trying

    async def _snapshot(self) -> None:
        made = await self._parts.snapshots.make()
        if made is not None:
            await noting_snapshots(self._parts, "system")(made)
