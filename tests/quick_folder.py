"""Where many stores are made and thrown away: in memory, where there is a place with room for them."""

import itertools
import shutil
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.torture.form import either

_IN_MEMORY = Path("/dev/shm")  # noqa: S108  a place where nothing waits for a disk; in containers it is small
_ROOM = either(512, 4_096) * 2**20
"""Bytes that have to be free there."""


def root() -> Path | None:
    """The folder to make others in; None for the usual one."""
    if not _IN_MEMORY.is_dir() or shutil.disk_usage(_IN_MEMORY).free < _ROOM:
        return None
    return _IN_MEMORY


@contextmanager
def quick_folder() -> Generator[Path]:
    """A new folder, which goes with all that is in it when the block ends."""
    with tempfile.TemporaryDirectory(dir=root()) as folder:
        yield Path(folder)


@contextmanager
def quick_folders() -> Generator[Iterator[Path]]:
    """New folders, one after the other, each to be made by whoever gets it."""
    with quick_folder() as root:
        yield (root / str(number) for number in itertools.count())
