"""Messages that the extraction gave up on, and another try at them."""

from ..domain.memory import EventPage
from ..domain.writing import AuditEntry
from .parts import Parts


class Jobs:
    """The dead letters of extraction."""

    def __init__(self, parts: Parts) -> None:
        self._store = parts.store
        self._worker = parts.worker

    async def failed(self, *, page: int, page_size: int) -> EventPage:
        """One page of what was given up, the newest first; pages count from 1."""
        return await self._store.failed_page(page=page, page_size=page_size)

    async def retry(self, *, actor: str) -> int:
        """Give all of it a new start; returns how many messages. Raises RefusedError while read-only."""
        async with self._store.transaction() as transaction:
            tried = await transaction.retry_failed()
            if tried:
                await transaction.audit(_entry(actor, tried))
        self._worker.notify()
        return tried


def _entry(actor: str, tried: int) -> AuditEntry:
    return AuditEntry(
        actor=actor, action="retry", memory_id="", before="failed", after="pending", reason=str(tried)
    )
