"""What strikes does so where it is told to, and nowhere else."""

import errno
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.children import run
from tests.torture.crashes.shim import CHANGES, COUNT_ONLY, Control, Operation, Strike, What

pytestmark = [
    pytest.mark.torture,
    pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD and /proc are Linux's"),
]

FOUR_BYTES_TWICE = """
import os, sys
file = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR)
try:
    print(os.write(file, b"abcd"), os.pwrite(file, b"efgh", 4), os.fsync(file), os.ftruncate(file, 8))
    os.rename(sys.argv[1], sys.argv[1] + ".new")
    os.unlink(sys.argv[1] + ".new")
except OSError as error:
    print(error.errno)
"""


@dataclass(frozen=True, kw_only=True)
class Ended:
    code: int
    said: str
    left: bytes | None


@pytest.fixture
def control(tmp_path: Path) -> Iterator[Control]:
    with Control(tmp_path / "control") as control:
        yield control


def struck(control: Control, strike: Strike, file: str = "store.db", *, exactly: bool = False) -> Ended:
    folder = control.path.parent
    control.arm(strike, under=folder / "store.db", exactly=exactly)
    left = folder / file
    ended = run(
        [sys.executable, "-I", "-c", FOUR_BYTES_TWICE, str(left)], env=os.environ | control.environment
    )
    return Ended(
        code=ended.returncode, said=ended.stdout.strip(), left=left.read_bytes() if left.exists() else None
    )


def test_every_operation_on_the_folder_is_counted(control: Control) -> None:
    ended = struck(control, COUNT_ONLY)
    assert ended == Ended(code=0, said="4 4 None None", left=None)
    assert control.counts == {
        Operation.WRITE: 2,
        Operation.SYNC: 1,
        Operation.RENAME: 1,
        Operation.TRUNCATE: 1,
        Operation.UNLINK: 1,
        Operation.READ: 0,
    }
    assert (control.number, control.struck, control.where) == (6, 0, None)


def test_other_files_are_left_alone(control: Control) -> None:
    assert struck(control, Strike(what=What.KILL_BEFORE, at=1), file="another.db").code == 0
    assert control.number == 0


def test_one_file_alone_is_counted(control: Control) -> None:
    assert struck(control, COUNT_ONLY, exactly=True).code == 0
    assert control.number == 4  # the renamed file is another


@pytest.mark.parametrize(
    ("what", "at", "left"),
    [
        (What.KILL_BEFORE, 1, b""),
        (What.KILL_TORN, 1, b"ab"),
        (What.KILL_AFTER, 1, b"abcd"),
        (What.KILL_BEFORE, 2, b"abcd"),
        (What.KILL_TORN, 2, b"abcdef"),
        (What.KILL_AFTER, 3, b"abcdefgh"),
        (What.KILL_BEFORE, 5, b"abcdefgh"),
        (What.KILL_AFTER, 5, None),
    ],
)
def test_a_kill_comes_before_in_the_middle_of_or_after_an_operation(
    control: Control, what: What, at: int, left: bytes | None
) -> None:
    ended = struck(control, Strike(what=what, at=at))
    assert (ended.code, ended.left) == (-signal.SIGKILL, left)
    assert (control.number, control.struck) == (at, 1)


@pytest.mark.parametrize(
    ("strike", "said", "left"),
    [
        (Strike(what=What.FAIL, at=1), str(errno.ENOSPC), b""),
        (Strike(what=What.FAIL, at=3, error=errno.EIO), str(errno.EIO), b"abcdefgh"),
        (Strike(what=What.SHORT, at=2), "4 2 None None", None),
        (Strike(what=What.SHORT, at=1, following=True), "2 2 None None", None),
        (Strike(what=What.FULL, at=1, following=True), str(errno.ENOSPC), b"ab"),
        (Strike(what=What.FAIL, at=1, operations=Operation.SYNC), str(errno.ENOSPC), b"abcdefgh"),
        (Strike(what=What.FAIL, at=1, operations=CHANGES & ~Operation.WRITE), "28", b"abcdefgh"),
    ],
)
def test_an_operation_fails_or_does_half(control: Control, strike: Strike, said: str, left: bytes) -> None:
    ended = struck(control, strike)
    assert (ended.code, ended.said, ended.left) == (0, said, left)


def test_what_was_struck_is_told(control: Control) -> None:
    struck(control, Strike(what=What.FAIL, at=4))
    assert control.struck_at is Operation.TRUNCATE
    assert control.where == control.path.with_name("store.db")
