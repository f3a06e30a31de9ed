"""The people whom operators know by their accounts: who they are, and that they be left alone."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from ..access.identity import IdentityRules, account_of, sender_of
from ..access.personas import without_persona
from ..access.persons import person_named
from ..domain.chat import Chat, ScopeRef
from ..domain.errors import InvalidInputError
from ..domain.memory import Page
from ..domain.words import Scope
from ..storage.accounts import Account
from .parts import Parts
from .pausing import Pausing


@dataclass(frozen=True, kw_only=True)
class Known:
    """An account that spoke, and what is kept of the person it is of."""

    account: str
    """`platform_id:sender_id`, as commands and rules name it."""
    spoke: Account
    scope_id: str
    """Where memories of the person are written, under all joined accounts."""
    items: int
    """How many live memories the person has, under all joined accounts and all personas."""
    paused: bool


class KnownAccounts:
    """For operators only."""

    def __init__(self, parts: Parts, pausing: Pausing) -> None:
        self._store = parts.store
        self._people = parts.people
        self._pausing = pausing

    async def page(self, query: str, *, page: int, page_size: int) -> Page[Known]:
        """One page of the accounts that spoke, who spoke last first."""
        found = await self._store.browsing.accounts(query, page=page, page_size=page_size)
        kept = await asyncio.to_thread(_by_sender, await self._store.browsing.live_items())
        people = [await self._known(account, kept) for account in found.rows]
        return Page(rows=people, total=found.total, page=page, page_size=page_size)

    async def pause(self, account: str, *, actor: str) -> bool:
        """Learn and recall nothing for whoever has this account, until an operator says otherwise.

        Whether that changed anything. Whoever has said nothing yet can be paused all the same. Raises
        InvalidInputError when it names nobody, RefusedError.
        """
        return await self._pausing.by_operator(_chat_of(account), paused=True, actor=actor)

    async def resume(self, account: str, *, actor: str) -> bool:
        """Learn and recall for them again, whoever paused it; raises as `pause`."""
        return await self._pausing.by_operator(_chat_of(account), paused=False, actor=actor)

    async def _known(self, spoke: Account, kept: Mapping[tuple[str, str], int]) -> Known:
        chat = _private_chat(spoke.platform_id, spoke.sender_id)
        account = account_of(chat, IdentityRules())
        person = person_named(account, self._people.rules)
        senders = person.senders if person else {(spoke.platform_id, spoke.sender_id)}
        return Known(
            account=account,
            spoke=spoke,
            scope_id=self._people.scopes(chat)[0].scope_id,
            items=sum(kept.get(sender, 0) for sender in senders),
            paused=await self._pausing.is_paused(chat),
        )


def _by_sender(items: Mapping[str, int]) -> Mapping[tuple[str, str], int]:
    """Of how many there are in each scope, how many each sender has."""
    kept = Counter[tuple[str, str]]()
    for scope_id, number in items.items():
        own = without_persona(ScopeRef(scope=Scope.USER, scope_id=scope_id)).scope_id
        if sender := sender_of(own):
            kept[sender] += number
    return kept


def _chat_of(account: str) -> Chat:
    sender = sender_of(account)
    if sender is None:
        raise InvalidInputError("account", "must name an account, as `platform:user` does")
    return _private_chat(*sender)


def _private_chat(platform_id: str, sender_id: str) -> Chat:
    """The private chat with this sender, as the host names it."""
    return Chat(
        umo=f"{platform_id}:FriendMessage:{sender_id}",
        platform_id=platform_id,
        sender_id=sender_id,
        sender_name="",
        group_id="",
        conversation_id="",
    )
