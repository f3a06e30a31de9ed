"""Pausing: of whom, and of which group, nothing is learnt and nothing recalled for now."""

from collections.abc import Sequence

from ..access.identity import group_scope, legacy_scope
from ..domain.chat import Chat, ScopeRef
from ..domain.errors import InvalidInputError, RefusedError
from ..domain.words import Scope
from ..domain.writing import AuditEntry
from .parts import Parts


class Pausing:
    """The switches of `ltm_paused`. Lists, reasons and forgetting work as ever while one is set."""

    def __init__(self, parts: Parts) -> None:
        self._store = parts.store
        self._people = parts.people

    async def holds(self, chat: Chat) -> bool:
        """Whether the speaker or the group is paused."""
        return await self._store.paused(*self._person(chat), *self._groups(chat))

    async def refuse(self, chat: Chat) -> None:
        """Raise RefusedError(`paused` or `paused_group`) when it holds."""
        if await self._store.paused(*self._person(chat)):
            raise RefusedError("paused")
        if await self._store.paused(*self._groups(chat)):
            raise RefusedError("paused_group")

    async def person(self, chat: Chat, *, paused: bool) -> bool:
        """Pause or resume the speaker under all joined accounts; whether that changed anything."""
        own = self._people.scopes(chat)
        return await self._set(own if paused else self._person(chat), paused=paused, actor=own[0].scope_id)

    async def group(self, chat: Chat, *, paused: bool, actor: str) -> bool:
        """Pause or resume the group of this chat; whether that changed anything.

        Raises InvalidInputError in a private chat.
        """
        groups = self._groups(chat)
        if not groups:
            raise InvalidInputError("group", "a private chat is in no group")
        return await self._set(groups, paused=paused, actor=actor)

    async def _set(self, refs: Sequence[ScopeRef], *, paused: bool, actor: str) -> bool:
        async with self._store.transaction() as transaction:
            if paused:
                changed = await transaction.pause(*refs, actor=actor)
            else:
                changed = await transaction.resume(*refs)
            if changed:
                await transaction.audit(_entry(refs[0], paused=paused, actor=actor))
        return changed

    def _person(self, chat: Chat) -> Sequence[ScopeRef]:
        """The speaker's scopes, and what stood for them when memories were kept by chat."""
        legacy = legacy_scope(chat, self._people.rules)
        return (*self._people.scopes(chat), *([legacy] if legacy else []))

    def _groups(self, chat: Chat) -> Sequence[ScopeRef]:
        group = group_scope(chat)
        return (group,) if group else ()


def _entry(ref: ScopeRef, *, paused: bool, actor: str) -> AuditEntry:
    return AuditEntry(
        actor=actor,
        action="pause" if paused else "resume",
        memory_id="",
        before="" if paused else "paused",
        after="paused" if paused else "",
        reason=ref.scope_id if ref.scope is Scope.GROUP else "",
    )
