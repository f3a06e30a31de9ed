"""Pausing: of whom, and of which group, nothing is learnt and nothing recalled for now."""

from collections.abc import Sequence
from dataclasses import replace

from ..domain.chat import Chat, ScopeRef, Turn
from ..domain.errors import InvalidInputError, RefusedError
from ..domain.words import Scope
from ..domain.writing import AuditEntry
from .parts import Parts

BY_OPERATOR = "paused_by_operator"
"""The rule: only an operator ends what an operator began."""


class Pausing:
    """The switches of `ltm_paused`. Lists, reasons and forgetting work as ever while one is set."""

    def __init__(self, parts: Parts) -> None:
        self._store = parts.store
        self._people = parts.people

    async def holds(self, chat: Chat) -> str:
        """`paused`, `paused_by_operator` or `paused_group`; empty when nobody has paused it."""
        person, groups = self._people.pausable(chat)
        if await self._store.paused(*person):
            return BY_OPERATOR if await self._store.paused_by_operator(*person) else "paused"
        return "paused_group" if await self._store.paused(*groups) else ""

    async def refuse(self, chat: Chat) -> None:
        """Raise RefusedError with the rule when it holds."""
        if rule := await self.holds(chat):
            raise RefusedError(rule)

    async def unquoted(self, turn: Turn) -> Turn:
        """The turn without what it quotes of somebody who is paused, where the platform tells whose it is."""
        if not turn.quoted or not turn.quoted_sender:
            return turn
        said = replace(turn.chat, sender_id=turn.quoted_sender)
        return replace(turn, quoted="") if await self.is_paused(said) else turn

    async def person(self, chat: Chat, *, paused: bool) -> bool:
        """Pause or resume the speaker under all joined accounts; whether that changed anything.

        Raises RefusedError(`paused_by_operator`) when they would resume what an operator paused.
        """
        own, (person, _) = self._people.scopes(chat), self._people.pausable(chat)
        if not paused and await self._store.paused_by_operator(*person):
            raise RefusedError(BY_OPERATOR)
        return await self._set(own if paused else person, paused=paused, actor=own[0].scope_id)

    async def is_paused(self, chat: Chat) -> bool:
        """Whether the speaker is, whoever paused them."""
        person, _ = self._people.pausable(chat)
        return await self._store.paused(*person)

    async def by_operator(self, chat: Chat, *, paused: bool, actor: str) -> bool:
        """Pause or resume the speaker under all joined accounts, as an operator decides.

        Whether that changed anything. The person can resume only what they paused themselves.
        """
        own, (person, _) = self._people.scopes(chat), self._people.pausable(chat)
        subject = own[0].scope_id
        return await self._set(own if paused else person, paused=paused, actor=actor, subject=subject)

    async def group(self, chat: Chat, *, paused: bool, actor: str) -> bool:
        """Pause or resume the group of this chat; whether that changed anything.

        Raises InvalidInputError in a private chat.
        """
        _, groups = self._people.pausable(chat)
        if not groups:
            raise InvalidInputError("group", "a private chat is in no group")
        return await self._set(groups, paused=paused, actor=actor)

    async def _set(self, refs: Sequence[ScopeRef], *, paused: bool, actor: str, subject: str = "") -> bool:
        async with self._store.transaction() as transaction:
            if paused:
                changed = await transaction.pause(*refs, actor=actor)
            else:
                changed = await transaction.resume(*refs)
            if changed:
                await transaction.audit(_entry(refs[0], paused=paused, actor=actor, subject=subject))
        return changed


def _entry(ref: ScopeRef, *, paused: bool, actor: str, subject: str) -> AuditEntry:
    return AuditEntry(
        actor=actor,
        action="pause" if paused else "resume",
        memory_id="",
        before="" if paused else "paused",
        after="paused" if paused else "",
        reason=ref.scope_id if ref.scope is Scope.GROUP else subject,
    )
