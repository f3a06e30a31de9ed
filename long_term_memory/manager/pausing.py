"""Pausing: of whom, and of which group, nothing is learnt and nothing recalled for now."""

from collections.abc import Sequence
from dataclasses import replace

from ..access.persons import chat_of
from ..domain.chat import Chat, ScopeRef
from ..domain.errors import InvalidInputError, RefusedError
from ..domain.writing import AuditEntry
from .operations import PAUSED_BY_OPERATOR, Operations


class Pausing(Operations):
    """Of whom nothing is learnt or recalled. Each switch returns whether it changed anything."""

    async def pause(self, chat: Chat) -> bool:
        """Learn and recall nothing for the speaker, anywhere, as all joined accounts; raises as `resume`."""
        await self._own(chat)
        own = self._people.scopes(chat)
        changed = await self._switch(own, actor=own[0].scope_id)
        return self._noted(chat, "pause", changed=changed)

    async def resume(self, chat: Chat) -> bool:
        """End that. Raises RefusedError (`paused_by_operator`) when an operator began it."""
        person = await self._own(chat)
        changed = await self._switch(person, on=False, actor=self._people.scopes(chat)[0].scope_id)
        return self._noted(chat, "resume", changed=changed)

    def _noted(self, chat: Chat, switch: str, *, changed: bool) -> bool:
        if changed:
            self._components.undo.switched(chat, switch, at=self._clock())
        return changed

    async def _own(self, chat: Chat) -> Sequence[ScopeRef]:
        """What is the speaker's to pause and resume."""
        person, _ = self._people.pausable(chat)
        if await self._store.paused_by_operator(*person):
            raise RefusedError(PAUSED_BY_OPERATOR)
        return person

    async def pause_group(self, chat: Chat, *, actor: str) -> bool:
        """Learn and recall nothing in the group of this chat. Raises InvalidInputError in a private one."""
        group = self._group(chat)
        return await self._switch([group], actor=actor, reason=group.scope_id)

    async def resume_group(self, chat: Chat, *, actor: str) -> bool:
        """End that."""
        group = self._group(chat)
        return await self._switch([group], on=False, actor=actor, reason=group.scope_id)

    async def pause_account(self, account: str, *, actor: str) -> bool:
        """As `pause`, for an account, until an operator says otherwise. Raises InvalidInputError."""
        own = self._people.scopes(chat_of(account))
        return await self._switch(own, actor=actor, reason=own[0].scope_id)

    async def resume_account(self, account: str, *, actor: str) -> bool:
        """Learn and recall for them again, whoever paused it; raises as `pause_account`."""
        chat = chat_of(account)
        person, _ = self._people.pausable(chat)
        reason = self._people.scopes(chat)[0].scope_id
        return await self._switch(person, on=False, actor=actor, reason=reason)

    def _group(self, chat: Chat) -> ScopeRef:
        _, groups = self._people.pausable(chat)
        if not groups:
            raise InvalidInputError("group", "a private chat is in no group")
        return groups[0]

    async def _switch(
        self, refs: Sequence[ScopeRef], *, actor: str, on: bool = True, reason: str = ""
    ) -> bool:
        line = AuditEntry(actor=actor, action="pause", after="paused", reason=reason)
        if not on:
            line = replace(line, action="resume", before="paused", after="")
        async with self._store.transaction() as tx:
            if changed := await (tx.pause(*refs, actor=actor) if on else tx.resume(*refs)):
                await tx.audit(line)
        self._components.worker.notify()
        return changed
