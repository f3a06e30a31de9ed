"""Files on their way out or in: they lie in the plugin's folder for as long as that takes, and no longer."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import rmtree

from ..domain.errors import UnavailableError
from ..domain.time import MakeId

FOLDER = "in_transit"


class Transit:
    """Names that tell nothing, in a folder of their own."""

    def __init__(self, folder: Path, make_id: MakeId) -> None:
        """`folder` is the plugin's own; it need not exist yet."""
        self._folder = folder / FOLDER
        self._make_id = make_id
        self.cleared = 0
        """How often all of it was removed since this process began."""

    async def place(self) -> Path:
        """A place for a file, whose folder is there; whoever writes it sees that it goes.

        Raises UnavailableError when the folder cannot be made.
        """
        try:
            await asyncio.to_thread(self._folder.mkdir, parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise UnavailableError(f"the plugin's folder cannot be written: {reason}") from error
        return self._folder / f"{hashlib.sha256(self._make_id().encode()).hexdigest()}.json"

    @asynccontextmanager
    async def arriving(self) -> AsyncGenerator[Path]:
        """A place for a file that is gone after the block."""
        path = await self.place()
        try:
            yield path
        finally:
            # At once: who is called off must not leave it to a thread that may never run.
            path.unlink(missing_ok=True)

    def clear(self) -> None:
        """Remove what a killed process has left, or a receiver that hung up, and what an erasure forbids."""
        self.cleared += 1
        rmtree(self._folder, ignore_errors=True)
