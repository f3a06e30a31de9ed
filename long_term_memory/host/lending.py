"""Files that the host is to send: they lie in the plugin's folder until they are sent, and no longer."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import rmtree

from ..domain.time import MakeId
from ..storage.long_work import finish_despite_cancel

_FOLDER = "to_send"


class Lending:
    """Writes what is to be sent under a name that tells nothing."""

    def __init__(self, folder: Path, make_id: MakeId) -> None:
        self._folder = folder / _FOLDER
        self._make_id = make_id

    def clear(self) -> None:
        """Remove what a killed process has left."""
        rmtree(self._folder, ignore_errors=True)

    @asynccontextmanager
    async def lent(self, content: bytes) -> AsyncGenerator[Path]:
        """The file with this content, which is gone after the block."""
        path = self._folder / f"{hashlib.sha256(self._make_id().encode()).hexdigest()}.json"
        try:
            # Nor to the thread that writes it: it must not come to lie there afterwards.
            await finish_despite_cancel(asyncio.to_thread(_write, path, content))
            yield path
        finally:
            # At once: who is called off must not leave it to a thread that may never run.
            path.unlink(missing_ok=True)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
