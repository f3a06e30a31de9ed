"""The test's side of the zygote: runs of a memory, killed or not, and what they told until then."""

import json
import math
import os
import signal
import sys
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.children import Child, StuckError, child
from tests.torture.crashes.shim import Control
from tests.torture.crashes.zygote import Job

ROOT = Path(__file__).parents[3]
STUCK = 120.0
"""Seconds without a line after which a run is given up."""
NEVER = math.inf
_ALONE = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
"""A process that forks has one thread; and each run of a seed goes the same way."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """What came of a job."""

    lines: Sequence[Mapping[str, Any]]
    """What it told, one after the other."""
    killed: bool
    """Whether it was killed, and did not come to its end."""
    seconds: float
    """How long it took."""

    def told(self, what: str) -> list[Any]:
        """All it told of this."""
        return [line[what] for line in self.lines if what in line]


class Zygote:
    """One process, for one job at a time."""

    def __init__(self, process: Child, control: Control) -> None:
        self.control = control
        self._process = process

    def run(self, job: Job, *, kill_after: float | None = None) -> Run:
        """Do the job; after so many seconds it is killed whatever it is at."""
        self._process.tell(job.as_line())
        began = time.monotonic()
        try:
            lines = [*self._told(NEVER if kill_after is None else began + kill_after)]
        except StuckError as stuck:
            stuck.add_note(f"in run {job.run} of {job.plan.seed!r}")
            raise
        self._process.tell("")
        over = any("stopped" in line or "broke" in line for line in lines)
        return Run(lines=lines, killed=not over, seconds=time.monotonic() - began)

    def _told(self, kill_at: float) -> Iterator[Mapping[str, Any]]:
        """The lines of a run until it has ended; at this moment it is killed."""
        pid = 0
        while True:
            waits = kill_at == NEVER or not pid
            told = self._process.line(within=STUCK) if waits else self._process.line_until(kill_at)
            if told is None:
                os.kill(pid, signal.SIGKILL)
                kill_at = NEVER
                continue
            line = json.loads(told)
            if "ended" in line:
                return
            pid = line.get("pid", pid)
            yield line


@contextmanager
def a_zygote(folder: Path) -> Generator[Zygote]:
    """One that lives until the block ends; its control lies in this folder."""
    command = [sys.executable, "-m", "tests.torture.crashes.zygote"]
    # What it does is measured elsewhere, and a killed process saves nothing.
    without = {key: value for key, value in os.environ.items() if not key.startswith("COVERAGE_")}
    with (
        Control(folder / "control") as control,
        child(command, cwd=ROOT, env={**without, **control.environment, **_ALONE}) as process,
    ):
        yield Zygote(process, control)


def numbered(folder: Path) -> Iterator[Path]:
    """New folders in this one, one after the other."""
    number = 0
    while True:
        number += 1
        new = folder / str(number)
        new.mkdir(parents=True)
        yield new
