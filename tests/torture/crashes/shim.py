"""What strikes at the operations of a process on the files of one folder: `shim.c`, built and spoken to.

    with Control(folder / "control") as control:
        control.arm(Strike(what=What.FAIL, at=3, error=errno.EIO), under=store)
        run(command, env=os.environ | control.environment)
        control.disarm()
        control.counts, control.struck, control.where

A process under the shim can speak to itself: it opens a `Control` on the path in its own `LTM_SHIM`.
"""

import atexit
import errno
import mmap
import os
import shutil
import struct
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from functools import cache
from pathlib import Path
from typing import Self

from tests.children import run

SOURCE = Path(__file__).with_name("shim.c")
VARIABLE = "LTM_SHIM"
_SAID, _TOLD = struct.Struct("=7q"), struct.Struct("=9q")
_TEXT = 512
_SIZE = _SAID.size + _TOLD.size + 2 * _TEXT


class Operation(IntFlag):
    """What a process does to files."""

    WRITE = 1
    SYNC = 2
    RENAME = 4
    TRUNCATE = 8
    UNLINK = 16
    READ = 32


CHANGES = Operation.WRITE | Operation.SYNC | Operation.RENAME | Operation.TRUNCATE | Operation.UNLINK


class What(IntEnum):
    """What befalls an operation."""

    NOTHING = 0
    KILL_BEFORE = 1
    """The process is killed instead of it."""
    KILL_AFTER = 2
    """The process is killed as soon as it is done."""
    KILL_TORN = 3
    """The process is killed when half of the bytes are written; instead of what is no write."""
    FAIL = 4
    """It is not done, and returns the error."""
    SHORT = 5
    """Half of the bytes are written, and told so; what is no write is done."""
    FULL = 6
    """The first write is a short one; all else returns the error."""


@dataclass(frozen=True, kw_only=True)
class Strike:
    """One operation that goes wrong, counted from 1 among those of these `operations`; 0 counts only."""

    what: What = What.NOTHING
    at: int = 0
    operations: Operation = CHANGES
    error: int = errno.ENOSPC
    following: bool = False
    """Whether every one after it goes wrong as well."""


COUNT_ONLY = Strike()


class Control:
    """The file through which the shim is told what to do and tells what it has seen."""

    def __init__(self, path: Path) -> None:
        """Make the file, unless it is there."""
        self.path = path
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            os.ftruncate(descriptor, _SIZE)
            self._mapped = mmap.mmap(descriptor, _SIZE)
        finally:
            os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._mapped.close()

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables of a process that is to be under this control."""
        return {"LD_PRELOAD": str(library()), VARIABLE: str(self.path)}

    def arm(self, strike: Strike, *, under: Path, exactly: bool = False) -> None:
        """Count from now on what is done to the files whose path begins so, and strike.

        `exactly`: only what is done to the file of just this path.
        """
        self.disarm()
        kinds = int(strike.operations)
        prefix = os.fsencode(under)
        assert len(prefix) < _TEXT
        self._mapped[:] = (
            _SAID.pack(0, strike.what, strike.at, strike.following, strike.error, kinds, exactly)
            + bytes(_TOLD.size)
            + prefix.ljust(_TEXT, b"\0")
            + bytes(_TEXT)
        )
        self._mapped[0] = 1

    def disarm(self) -> None:
        """Let everything happen, and count nothing."""
        self._mapped[0] = 0

    @property
    def number(self) -> int:
        """How many operations there were of those that count."""
        return self._told[0]

    @property
    def struck(self) -> int:
        """How many of them went wrong."""
        return self._told[1]

    @property
    def struck_at(self) -> Operation | None:
        """What kind of operation went wrong first."""
        return Operation(1 << self._told[2]) if self.struck else None

    @property
    def counts(self) -> Mapping[Operation, int]:
        """How many there were of each kind."""
        return dict(zip(Operation, self._told[3:], strict=True))

    @property
    def where(self) -> Path | None:
        """The file of the one that went wrong first."""
        told = self._mapped[-_TEXT:].partition(b"\0")[0]
        return Path(os.fsdecode(told)) if told else None

    @property
    def _told(self) -> tuple[int, ...]:
        return _TOLD.unpack_from(self._mapped, _SAID.size)


@cache
def library() -> Path:
    """The shim, built once in a process. Raises RuntimeError in plain words when it cannot be."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise RuntimeError("No C compiler: install gcc and libc6-dev (Debian), so that `cc` is on the PATH.")
    folder = Path(tempfile.mkdtemp(prefix="ltm_shim_"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    built = folder / "shim.so"
    flags = ("-Wall", "-Wextra", "-O1", "-fPIC", "-shared")
    made = run([compiler, *flags, "-o", str(built), str(SOURCE)])
    if made.returncode:
        raise RuntimeError(f"The shim cannot be built; are the C library's headers there?\n{made.stderr}")
    return built
