"""Messages that the extraction gave up on, another try at them, and what is at work in the background."""

from dataclasses import dataclass

from ..domain.memory import Event, Page
from ..domain.transfer import Progress as ImportProgress
from ..domain.writing import AuditEntry
from .parts import Parts


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far the work in the background has come."""

    model: str | None
    """The embedding model in use."""
    embedded: int
    """How many memories have their vectors of that model."""
    embeddable: int
    """How many are to have them; 0 without a model."""
    embedding_error: str
    """Why there are no more for now; empty while all is well."""
    importing: ImportProgress | None
    """The import under way, if there is one."""


class Jobs:
    """The dead letters of extraction."""

    def __init__(self, parts: Parts) -> None:
        self._store = parts.store
        self._worker = parts.worker
        self._embedding = parts.embedding
        self._importing = parts.importing

    async def failed(self, *, page: int, page_size: int) -> Page[Event]:
        """One page of what was given up, the newest first; pages count from 1."""
        return await self._store.failed_page(page=page, page_size=page_size)

    async def progress(self) -> Progress:
        """What is at work now."""
        embedded = await self._embedding.progress()
        return Progress(
            model=self._embedding.model_id,
            embedded=embedded.done,
            embeddable=embedded.total,
            embedding_error=self._embedding.last_error,
            importing=self._importing(),
        )

    async def retry(self, *, actor: str) -> int:
        """Give all of it a new start; returns how many messages. Raises RefusedError while read-only."""
        async with self._store.transaction() as transaction:
            tried = await transaction.retry_failed()
            if tried:
                await transaction.audit(_entry(actor, "retry", before="failed", number=tried))
        self._worker.notify()
        return tried

    async def read_now(self, *, actor: str) -> int:
        """Have all that waits read without waiting for quiet, as the day's tokens and outages allow.

        Returns how many messages. Raises RefusedError while read-only.
        """
        async with self._store.transaction() as transaction:
            hastened = await transaction.hasten()
            if hastened:
                await transaction.audit(_entry(actor, "read_now", before="pending", number=hastened))
        self._worker.notify()
        return hastened


def _entry(actor: str, action: str, *, before: str, number: int) -> AuditEntry:
    return AuditEntry(
        actor=actor, action=action, memory_id="", before=before, after="pending", reason=str(number)
    )
