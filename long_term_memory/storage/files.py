"""Files that are whole or not there, and files on their way out or in."""

import asyncio
import hashlib
import os
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from typing import IO

from ..domain.errors import UnavailableError
from ..domain.time import MakeId
from .long_work import finish_despite_cancel

IN_TRANSIT = "in_transit"


@contextmanager
def whole_file(unfinished: Path, target: Callable[[Path], Path]) -> Generator[IO[bytes]]:
    """A file that gets its name, which may tell of its bytes, once they are on the disk; else it is gone.

    Raises UnavailableError when the disk does not take it.
    """
    path = unfinished
    try:
        unfinished.parent.mkdir(parents=True, exist_ok=True)
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        path = target(unfinished)
        unfinished.replace(path)
        if os.name == "posix":  # Windows brings a name to the disk by itself
            descriptor = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
    except BaseException as error:
        forget(unfinished)
        forget(path)
        if isinstance(error, OSError):
            raise UnavailableError(f"the file cannot be written: {reason_of(error)}") from error
        raise


def forget(path: Path) -> None:
    """Remove a file if the disk lets it go: the next one takes its place."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def reason_of(error: OSError) -> str:
    """What the system says of it."""
    return error.strerror or type(error).__name__


class Transit:
    """Temporary files with random names, for as long as they are being sent."""

    def __init__(self, folder: Path, make_id: MakeId) -> None:
        """`folder` is theirs alone; it need not exist yet."""
        self._folder = folder
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
            raise UnavailableError(f"the plugin's folder cannot be written: {reason_of(error)}") from error
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

    @asynccontextmanager
    async def lent(self, content: bytes) -> AsyncGenerator[Path]:
        """The file with this content, which is gone after the block."""
        async with self.arriving() as path:
            # To its end: what is written must not come to lie there afterwards.
            await finish_despite_cancel(asyncio.to_thread(path.write_bytes, content))
            yield path

    def clear(self) -> None:
        """Remove what a killed process has left, or a receiver that hung up, and what an erasure forbids."""
        self.cleared += 1
        rmtree(self._folder, ignore_errors=True)
