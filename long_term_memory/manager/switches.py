"""What operators switch and start for memory as a whole while it runs."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from datetime import timedelta

from ..domain.errors import LtmError, UnavailableError
from ..domain.log import logger
from ..domain.writing import AuditEntry
from ..storage.store import StoreTransaction
from .operations import Operations

AUDIT_DEADLINE = timedelta(seconds=1)
"""How long the switch to read-only waits for its line in the audit: nothing may keep it."""


class NotKeptError(UnavailableError):
    """It is in force until the next restart."""


@contextmanager
def not_kept_errors() -> Generator[None]:
    """Raise NotKeptError in place of what the settings file raises."""
    try:
        yield
    except OSError as error:
        raise NotKeptError(
            "it is in effect, but the settings file cannot be written: the change is lost at the next restart"
        ) from error


class Switches(Operations):
    """In force from the next statement on, and kept in the settings."""

    @property
    def read_only(self) -> bool:
        """Whether nothing is written at the moment."""
        return self._store.read_only

    async def set_read_only(self, *, on: bool, actor: str) -> bool:
        """Let nothing be written, or let it go on; whether that changed anything. Raises NotKeptError."""
        if on is self.read_only:
            return False
        if on:
            await self._audit_in_time(actor)
        self._store.read_only = on
        if not on:
            self._components.worker.notify()
            self._components.embedding.notify()
            self._components.levels.notify()
        try:
            with not_kept_errors():
                await self._components.ports.save_read_only(on)
        finally:
            if not on:
                await self._audit(AuditEntry(actor=actor, action="readwrite", before="read_only"))
        return True

    async def _audit_in_time(self, actor: str) -> None:
        """The line comes first, since afterwards none can be written; without it the switch works as well."""
        try:
            async with asyncio.timeout(AUDIT_DEADLINE.total_seconds()):
                await self._audit(AuditEntry(actor=actor, action="readonly", after="read_only"))
        except (LtmError, TimeoutError) as error:
            logger.warning("The switch to read-only is not in the audit: %s", type(error).__name__)


class FailedExtractions(Operations):
    """Messages that the extraction gave up on, and another try at them; or at all that waits, at once."""

    async def retry(self, *, actor: str) -> int:
        """Give all that was given up a new start; returns how many messages. Raises RefusedError."""
        return await self._restart(StoreTransaction.retry_failed, actor, "retry", before="failed")

    async def read_now(self, *, actor: str) -> int:
        """Have all that waits read now; returns how many messages. Raises RefusedError."""
        return await self._restart(StoreTransaction.hasten, actor, "read_now", before="pending")

    async def _restart(
        self, restart: Callable[[StoreTransaction], Awaitable[int]], actor: str, action: str, *, before: str
    ) -> int:
        async with self._store.transaction() as tx:
            number = await restart(tx)
            line = AuditEntry(actor=actor, action=action, before=before, after="pending", reason=str(number))
            if number:
                await tx.audit(line)
        self._components.worker.notify()
        return number
