"""Pausing: of whom, and of which group, nothing is learnt and nothing recalled for now."""

from collections.abc import Sequence

from ..access.persons import chat_of
from ..domain.chat import Chat, ScopeRef
from ..domain.errors import InvalidInputError, RefusedError
from ..domain.writing import AuditEntry
from .operations import PAUSED_BY_OPERATOR, Operations
from .undo import Step


class Pausing(Operations):
    """Each begins a pause or, unless `on`, ends it; returns whether that changed anything."""

    async def own(self, chat: Chat, *, on: bool, undoing: Step | None = None) -> bool:
        """Learn and recall nothing for the speaker, anywhere, as all joined accounts.

        They may undo it, unless it is itself `undoing` a step.
        Raises RefusedError (`paused_by_operator`) when an operator has paused them.
        """
        person, _ = self._resolver.pausable(chat)
        if await self._store.paused_by_operator(*person):
            raise RefusedError(PAUSED_BY_OPERATOR)
        own = self._resolver.scopes(chat)
        changed = await self._switch(own if on else person, on=on, actor=own[0].scope_id)
        if undoing:
            self._components.undo.drop(chat, undoing)
        elif changed:
            self._components.undo.add(chat, "pause" if on else "resume", {})
        return changed

    async def group(self, chat: Chat, *, on: bool, actor: str) -> bool:
        """Learn and recall nothing in the group of this chat. Raises InvalidInputError in a private one."""
        _, groups = self._resolver.pausable(chat)
        if not groups:
            raise InvalidInputError("group", "a private chat is in no group")
        return await self._switch(groups, on=on, actor=actor, reason=groups[0].scope_id)

    async def account(self, account: str, *, on: bool, actor: str, as_own: bool = False) -> bool:
        """Learn and recall nothing for an account until an operator ends that. Raises InvalidInputError.

        A pause `as_own` is as if the person had begun it, who may end it. Whether this ended such a one.
        """
        chat = chat_of(account)
        own, (person, _) = self._resolver.scopes(chat), self._resolver.pausable(chat)
        whose, reason = own if on else person, own[0].scope_id
        was_own = await self._store.paused(*person) and not await self._store.paused_by_operator(*person)
        await self._switch(whose, on=on, actor=actor, reason=reason, by=reason if as_own else actor)
        return was_own and not as_own

    async def _switch(
        self, refs: Sequence[ScopeRef], *, on: bool, actor: str, reason: str = "", by: str = ""
    ) -> bool:
        """`by` is whose pause it is, unless the actor's."""
        before, after = ("", "paused") if on else ("paused", "")
        line = AuditEntry(
            actor=actor, action="pause" if on else "resume", before=before, after=after, reason=reason
        )
        async with self._store.transaction() as tx:
            if by not in ("", actor):  # an operator's own would stay
                await tx.resume(*refs)
            if changed := await (tx.pause(*refs, actor=by or actor) if on else tx.resume(*refs)):
                await tx.audit(line)
        self._components.worker.notify()
        return changed
