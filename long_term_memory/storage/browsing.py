"""What operators look at, whoever's it is; persons never reach this."""

from collections.abc import Mapping, Sequence

from ..access.persons import Person
from ..domain.memory import EventFilter, EventPage, ItemFilter, ItemPage, WaitingFilter, WaitingItems
from ..domain.words import Status
from ..domain.writing import AuditFilter, AuditPage
from . import accounts, listing
from .database import Database


class Browsing:
    """Each call is one snapshot of the store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def items(
        self, wanted: ItemFilter, person: Person | None = None, author: Person | None = None
    ) -> ItemPage:
        """One page of items; `person` and `author` are whose accounts the filter names, if it names any."""
        async with self._database.read() as connection:
            return await listing.item_page(connection, wanted, person, author)

    async def item_ids(
        self, wanted: ItemFilter, person: Person | None, author: Person | None, *, limit: int
    ) -> Sequence[str]:
        """The ids of all items that fit, or of so many of them, in the order of the pages."""
        async with self._database.read() as connection:
            return await listing.item_ids(connection, wanted, person, author, limit=limit)

    async def events(self, wanted: EventFilter) -> EventPage:
        """One page of events, the newest first."""
        async with self._database.read() as connection:
            return await listing.event_page(connection, wanted)

    async def audit(self, wanted: AuditFilter) -> AuditPage:
        """One page of the audit, the newest first."""
        async with self._database.read() as connection:
            return await listing.audit_page(connection, wanted)

    async def private_chats(self, scope_ids: Sequence[str]) -> Sequence[str]:
        """The origins of the chats in which these people were last alone with the bot."""
        async with self._database.read() as connection:
            return await listing.private_chats(connection, scope_ids)

    async def waiting(self, wanted: WaitingFilter) -> WaitingItems:
        """One page of the items that wait for approval, oldest first, and why how many do."""
        async with self._database.read() as connection:
            return await listing.waiting(connection, wanted)

    async def waiting_ids(self, reason: str | None) -> Sequence[tuple[str, Status, str]]:
        """Id, status and reason of each item that waits for this reason, or for any, oldest first."""
        async with self._database.read() as connection:
            return await listing.waiting_ids(connection, reason)

    async def accounts(self, query: str, *, page: int, page_size: int) -> accounts.Accounts:
        """One page of the accounts that spoke, who spoke last first; pages count from 1."""
        async with self._database.read() as connection:
            return await accounts.page(connection, query, page=page, page_size=page_size)

    async def live_items(self) -> Mapping[str, int]:
        """The id of each person's scope, and how many live items it holds."""
        async with self._database.read() as connection:
            return await accounts.live_items(connection)
