"""How the file behind the store has answered: what an operator must know of it."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from enum import Enum
from pathlib import Path

from ..domain.errors import UnavailableError, UnusableStoreError
from .failures import DAMAGED, DISK, translated
from .long_work import finish_despite_cancel
from .soundness import damage_in

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

_ODD = (ValueError, TypeError, LookupError)
"""What reading a row may raise that could never have been stored."""
_TRUSTED = timedelta(minutes=1)
"""How long such a row is taken for a fault of this program in a file that was found sound."""


class Doing(Enum):
    """What is done with the file."""

    READING = "read"
    WRITING = "written"


class Condition:
    """Notes how it goes, each time something is done with the file."""

    def __init__(self, path: Path, *, read_only: Callable[[], bool] = lambda: False) -> None:
        """`read_only` tells whether anything is written at the moment."""
        self._path = path
        self._read_only = read_only
        self._damage = ""
        self._troubles: dict[Doing, str] = {}
        self._looking = asyncio.Lock()
        self._looks = 0
        self._sound_at: float | None = None

    @property
    def damage(self) -> str:
        """Why the file is left alone until the next start, and what to do; empty while it is sound.

        An unreadable store is not an empty one: what is damaged is not written to (design 9.10).
        """
        return self._damage

    @property
    def trouble(self) -> str:
        """Why what was read or written last came to nothing, and what to do; empty while all is well."""
        troubles = dict(self._troubles)
        if self._read_only():
            troubles.pop(Doing.WRITING, None)  # nothing will be tried that could end it
        return "; ".join(
            f"what was to be {doing.value} last could not be: {why}" for doing, why in troubles.items()
        )

    def refuse_damaged(self) -> None:
        """Raise UnusableStoreError once the file is known to be damaged."""
        if self._damage:
            raise UnusableStoreError(self._damage)

    @asynccontextmanager
    async def noting(self, doing: Doing) -> AsyncGenerator[None]:
        """Raise as `translated`. What seems to be damaged is looked at before that is believed."""
        try:
            with translated():
                yield
        except UnavailableError as error:
            self._troubles[doing] = str(error)
            raise
        except UnusableStoreError as error:
            if await self._is_damaged(str(error)):
                raise UnusableStoreError(self._damage) from error.__cause__
            self._troubles[doing] = DISK
            raise UnavailableError(DISK) from error
        except _ODD as error:
            if not self._is_trusted() and await self._is_damaged(DAMAGED):
                raise UnusableStoreError(self._damage) from error
            raise
        self._troubles.pop(doing, None)

    def _is_trusted(self) -> bool:
        """Whether it was found sound just now: one bad row must not have all of it read at every use."""
        now = asyncio.get_running_loop().time()
        return self._sound_at is not None and now - self._sound_at < _TRUSTED.total_seconds()

    async def _is_damaged(self, why: str) -> bool:
        """Whether a look at the file shows it; one serves all who wait for one."""
        looks = self._looks
        async with self._looking:
            if not self._damage and self._looks == looks:
                # Called off or not, nobody leaves a thread behind that reads on when the store is closed.
                await finish_despite_cancel(self._look(why))
        return bool(self._damage)

    async def _look(self, why: str) -> None:
        if found := await asyncio.to_thread(damage_in, self._path):
            self._damage = f"{why}. What is damaged: {found}"
            logger.error("Paused, nothing is recorded or recalled: store: %s", self._damage)
        elif found is not None:
            self._sound_at = asyncio.get_running_loop().time()
        self._looks += 1
