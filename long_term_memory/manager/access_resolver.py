"""Resolves a chat to accounts, scopes and access."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ..access.gatekeeper import LevelRules, access_of
from ..access.identity import IdentityRules, group_scope, legacy_scope, user_scopes
from ..domain.chat import Access, Chat, ScopeRef
from ..domain.enums import Level
from ..domain.errors import LtmError
from ..domain.log import logger
from ..storage.store import Store


class AccessResolver:
    """The operator's rules with the links that people have made; asked anew for each message."""

    def __init__(
        self, identity: IdentityRules, levels: LevelRules, store: Store, *, raised: Callable[[Chat], Level]
    ) -> None:
        """`raised` tells what tools have made of the chat's conversation."""
        self.rules = identity
        self._levels = levels
        self._raised = raised
        self._store = store
        self._loading = asyncio.Lock()

    def access(self, chat: Chat) -> Access:
        """What a message in this chat may read, and where it writes."""
        return access_of(chat, self.rules, self._levels, self._raised(chat))

    def pausable(self, chat: Chat) -> tuple[Sequence[ScopeRef], Sequence[ScopeRef]]:
        """What stands for the speaker where people are paused, and what for the group where groups are."""
        legacy, group = legacy_scope(chat, self.rules), group_scope(chat)
        # The legacy scope stood for the person when memories were kept by chat.
        person = (*self.scopes(chat), *([legacy] if legacy else []))
        return person, (group,) if group else ()

    def scopes(self, chat: Chat) -> Sequence[ScopeRef]:
        """The scopes of the speaker's accounts without a persona, the one that is written to first."""
        return user_scopes(chat, self.rules)

    async def links_changed(self, links: Mapping[str, str] | None = None) -> None:
        """Take over changed links before the caller answers: as stored, else those just written."""
        try:
            await self.load()
        except LtmError as error:
            if links is not None:
                self.rules = replace(self.rules, links=links)
            logger.warning("The links between accounts could not be read again: %s", type(error).__name__)

    async def load(self) -> None:
        """Take over the links as they are stored. Raises UnavailableError."""
        # In turn: of two that read, the one that began first must not have the last word.
        async with self._loading:
            links = await self._store.links()
            if links != self.rules.links:
                self.rules = replace(self.rules, links=links)
