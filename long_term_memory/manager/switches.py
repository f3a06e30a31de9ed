"""What operators switch for memory as a whole while it runs."""

import asyncio
import logging
from datetime import timedelta

from ..domain.errors import LtmError
from ..domain.writing import AuditEntry
from .keeping import told_when_not_kept
from .parts import Parts

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

AUDIT_DEADLINE = timedelta(seconds=1)
"""How long the switch to read-only waits for its line in the audit: nothing may keep it."""


class Switches:
    """In force from the next statement on, and kept in the settings."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    @property
    def read_only(self) -> bool:
        """Whether nothing is written at the moment."""
        return self._parts.store.read_only

    async def set_read_only(self, *, on: bool, actor: str) -> bool:
        """Let nothing be written any more, or let it go on; whether that changed anything.

        What is being written at that moment is taken back. Raises NotKeptError when the switch is set and
        cannot be kept over a restart.
        """
        if on is self.read_only:
            return False
        if on:
            await self._audit_in_time(actor)
        self._parts.store.read_only = on
        if not on:
            self._go_on()
        try:
            with told_when_not_kept():
                await self._parts.keep_read_only(on)
        finally:
            if not on:
                await self._audit("readwrite", actor)
        return True

    def _go_on(self) -> None:
        """Tell whoever waits for it that there is writing again."""
        self._parts.worker.notify()
        self._parts.embedding.notify()
        self._parts.levels.notify()

    async def _audit_in_time(self, actor: str) -> None:
        """The line comes first, since afterwards none can be written; without it the switch works as well."""
        try:
            async with asyncio.timeout(AUDIT_DEADLINE.total_seconds()):
                await self._audit("readonly", actor)
        except (LtmError, TimeoutError) as error:
            logger.warning("The switch to read-only is not in the audit: %s", type(error).__name__)

    async def _audit(self, action: str, actor: str) -> None:
        before, after = ("", "read_only") if action == "readonly" else ("read_only", "")
        async with self._parts.store.transaction() as transaction:
            await transaction.audit(
                AuditEntry(actor=actor, action=action, memory_id="", before=before, after=after, reason="")
            )
