"""Pausing: of whom, and of which group, nothing is learnt and nothing recalled for now."""

from collections.abc import Sequence

from ..access.identity import sender_of
from ..access.persons import private_chat
from ..domain.chat import Chat, ScopeRef
from ..domain.errors import InvalidInputError, RefusedError
from ..domain.writing import AuditEntry
from .operations import PAUSED_BY_OPERATOR, Operations


class Pausing(Operations):
    """Of whom nothing is learnt or recalled. Each switch returns whether it changed anything."""

    async def pause(self, chat: Chat) -> bool:
        """Learn and recall nothing for the speaker, anywhere, under all joined accounts."""
        own = self._people.scopes(chat)
        return await self._pause(own, actor=own[0].scope_id)

    async def resume(self, chat: Chat) -> bool:
        """End that. Raises RefusedError (`paused_by_operator`) when an operator began it."""
        person, _ = self._people.pausable(chat)
        if await self._store.paused_by_operator(*person):
            raise RefusedError(PAUSED_BY_OPERATOR)
        return await self._resume(person, actor=self._people.scopes(chat)[0].scope_id)

    async def pause_group(self, chat: Chat, *, actor: str) -> bool:
        """Learn and recall nothing in the group of this chat. Raises InvalidInputError in a private one."""
        group = self._group(chat)
        return await self._pause([group], actor=actor, reason=group.scope_id)

    async def resume_group(self, chat: Chat, *, actor: str) -> bool:
        """End that."""
        group = self._group(chat)
        return await self._resume([group], actor=actor, reason=group.scope_id)

    async def pause_account(self, account: str, *, actor: str) -> bool:
        """As `pause`, for an account, until an operator says otherwise. Raises InvalidInputError."""
        own = self._people.scopes(chat_of(account))
        return await self._pause(own, actor=actor, reason=own[0].scope_id)

    async def resume_account(self, account: str, *, actor: str) -> bool:
        """Learn and recall for them again, whoever paused it; raises as `pause_account`."""
        chat = chat_of(account)
        person, _ = self._people.pausable(chat)
        return await self._resume(person, actor=actor, reason=self._people.scopes(chat)[0].scope_id)

    def _group(self, chat: Chat) -> ScopeRef:
        _, groups = self._people.pausable(chat)
        if not groups:
            raise InvalidInputError("group", "a private chat is in no group")
        return groups[0]

    async def _pause(self, refs: Sequence[ScopeRef], *, actor: str, reason: str = "") -> bool:
        async with self._store.transaction() as tx:
            if changed := await tx.pause(*refs, actor=actor):
                await tx.audit(AuditEntry(actor=actor, action="pause", after="paused", reason=reason))
        return changed

    async def _resume(self, refs: Sequence[ScopeRef], *, actor: str, reason: str = "") -> bool:
        async with self._store.transaction() as tx:
            if changed := await tx.resume(*refs):
                await tx.audit(AuditEntry(actor=actor, action="resume", before="paused", reason=reason))
        self._components.worker.notify()
        return changed


def chat_of(account: str) -> Chat:
    """The private chat with an account. Raises InvalidInputError when it is none."""
    sender = sender_of(account)
    if sender is None:
        raise InvalidInputError("account", "must name an account, as `platform:user` does")
    return private_chat(*sender)
