"""Files that are whole or not there."""

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from ...domain.errors import UnavailableError
from ..set_aside import keep_name


@contextmanager
def whole_file(folder: Path, unfinished: str, name: Callable[[], str]) -> Generator[IO[bytes]]:
    """A file that gets its name once all of it is on the disk; else nothing is left of it.

    Raises UnavailableError when the disk does not take it.
    """
    path = named = folder / unfinished
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        named = path.replace(folder / name())
        keep_name(folder)
    except OSError as error:
        _forget(path)
        _forget(named)
        reason = error.strerror or type(error).__name__
        raise UnavailableError(f"the file cannot be written: {reason}") from error
    except BaseException:
        _forget(path)
        raise


def _forget(path: Path) -> None:
    """A disk that does not take a file may not give one up either: the next one takes its place."""
    with suppress(OSError):
        path.unlink(missing_ok=True)
