"""Who is who and what that lets them reach, as it stands now."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from ..access.gatekeeper import LevelRules, access_of
from ..access.identity import IdentityRules, group_scope, legacy_scope, user_scopes
from ..domain.chat import Access, Chat, ScopeRef
from ..domain.words import Level
from ..storage.store import Store
from ..upkeep.scheduler import Scheduler

LINKS_DEADLINE = timedelta(seconds=1)
"""How long a change of links waits until it is taken over while the store is busy."""


class People:
    """The operator's rules with the links that people have made; asked anew for each message."""

    def __init__(
        self,
        identity: IdentityRules,
        levels: LevelRules,
        store: Store,
        scheduler: Scheduler,
        *,
        raised: Callable[[Chat], Level],
    ) -> None:
        """`raised` tells what tools have made of the chat's conversation."""
        self.rules = identity
        self._levels = levels
        self._raised = raised
        self._store = store
        self._scheduler = scheduler
        self._loading = asyncio.Lock()

    def access(self, chat: Chat) -> Access:
        """What a message in this chat may read, and where it writes."""
        return access_of(chat, self.rules, self._levels, self._raised(chat))

    def raised_to(self, chat: Chat) -> Level | None:
        """What tools have raised the level of this chat to; None while they have not."""
        level = self.access(chat).level
        floor = access_of(replace(chat, raised=Level.PUBLIC), self.rules, self._levels, Level.PUBLIC).level
        return level if level > floor else None

    def pausable(self, chat: Chat) -> tuple[Sequence[ScopeRef], Sequence[ScopeRef]]:
        """What stands for the speaker where people are paused, and what for the group where groups are."""
        legacy, group = legacy_scope(chat, self.rules), group_scope(chat)
        # The legacy scope stood for the person when memories were kept by chat.
        person = (*self.scopes(chat), *([legacy] if legacy else []))
        return person, (group,) if group else ()

    def scopes(self, chat: Chat) -> Sequence[ScopeRef]:
        """The scopes of the speaker's accounts without a persona, the one that is written to first."""
        return user_scopes(chat, self.rules)

    async def links_changed(self) -> None:
        """Take over links that have changed: soon, or as soon as the store answers.

        Accounts that were parted must not stay joined.
        """
        await self._scheduler.within("links", LINKS_DEADLINE, self.load)

    async def load(self) -> None:
        """Take over the links as they are stored. Raises UnavailableError."""
        # In turn: of two that read, the one that began first must not have the last word.
        async with self._loading:
            links = await self._store.links()
            if links != self.rules.links:
                self.rules = replace(self.rules, links=links)
