"""The one job that tidies the store: soon after the start, then every hour (design 5.6, 9.8)."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta

from ..domain.errors import LtmError, RefusedError

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

SETTLE = timedelta(minutes=1)
"""How long after the start the first round begins: the host is busy until then."""
EVERY = timedelta(hours=1)

type Step = Callable[[], Awaitable[None]]
"""One bounded piece of work in short transactions; doing it again at once changes nothing."""
type Pause = Callable[[float], Awaitable[None]]
"""Waits so many seconds."""


class Housekeeping:
    """Runs its steps one after the other; one that fails is tried again in the next round."""

    def __init__(
        self,
        steps: Mapping[str, Step],
        *,
        read_only: Callable[[], bool],
        settle: timedelta = SETTLE,
        every: timedelta = EVERY,
        pause: Pause = asyncio.sleep,
    ) -> None:
        """`steps` have names for the log; nothing at all is done while `read_only` says so."""
        self._steps = dict(steps)
        self._read_only = read_only
        self._settle = settle.total_seconds()
        self._every = every.total_seconds()
        self._pause = pause
        self._broken: set[str] = set()

    async def run(self) -> None:
        """Work until cancelled; a transaction under way then happens wholly or not at all."""
        await self._pause(self._settle)
        while True:
            await self.work()
            await self._pause(self._every)

    async def work(self) -> None:
        """One round."""
        for name, step in self._steps.items():
            if not self._read_only():
                await self._try(name, step)

    async def _try(self, name: str, step: Step) -> None:
        try:
            await step()
        except RefusedError:
            return  # it turned read-only meanwhile
        except Exception as error:  # noqa: BLE001  the outer edge: whatever broke, the next step has its turn
            self._note(name, error)
        else:
            self._note(name, None)

    def _note(self, name: str, error: Exception | None) -> None:
        """Log once when a step breaks and once when it works again."""
        if error is not None and name not in self._broken:
            self._broken.add(name)
            why = str(error) if isinstance(error, LtmError) else type(error).__name__
            logger.warning("Housekeeping could not do %s and tries again: %s", name, why)
        elif error is None and name in self._broken:
            self._broken.remove(name)
            logger.info("Housekeeping does %s again.", name)
