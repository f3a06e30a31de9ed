"""A process that has everything imported and forks for each run, so that a run costs no start of Python.

    python -m tests.torture.crashes.zygote

It reads a job a line and answers with the lines of the run, the last of which says how that ended. What a run
tells it writes at once, in one piece, so nothing told is lost by a kill.
"""

import asyncio
import json
import logging
import os
import signal
import sys
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tests.faults.loop import SteppedLoop
from tests.torture.crashes.chance import Plan, Told
from tests.torture.crashes.loops import FreeLoop, let_time_pass
from tests.torture.crashes.outside import Outside
from tests.torture.crashes.seeded import Fault, build_in
from tests.torture.crashes.shim import VARIABLE, Control, Operation, Strike, What
from tests.torture.crashes.things import Call, Deed, Kind
from tests.torture.crashes.traffic import Traffic


@dataclass(frozen=True, kw_only=True)
class Job:
    """One run of the memory, on the files as they lie there."""

    file: Path
    run: int
    began: float
    """The loop's time at its begin."""
    plan: Plan
    strike: Strike
    only_database: bool
    """Whether it strikes at the database file alone, and not at those beside it."""
    model: str
    free: bool
    """Whether threads work beside the loop, instead of one step at a time."""
    stops: bool
    """Whether it is stopped as the host does, when it gets so far."""
    fault: Fault | None = None

    def as_line(self) -> str:
        """For the pipe."""
        return json.dumps(asdict(self) | {"file": str(self.file)})

    @classmethod
    def of_line(cls, line: str) -> "Job":
        """From the pipe."""
        raw: dict[str, Any] = json.loads(line)
        plan, strike = raw["plan"], raw["strike"]
        plan["known"] = [Told(**told | {"kind": Kind(told["kind"])}) for told in plan["known"]]
        plan["surely"] = [Deed(deed) for deed in plan["surely"]]
        plan["chosen"] = [Call.of_json(call) for call in plan["chosen"]]
        strike |= {"what": What(strike["what"]), "operations": Operation(strike["operations"])}
        raw |= {"file": Path(raw["file"]), "plan": Plan(**plan), "strike": Strike(**strike)}
        raw["fault"] = raw["fault"] and Fault(raw["fault"])
        return cls(**raw)


def tell(what: dict[str, Any]) -> None:
    """One line, shorter than what a pipe takes in one piece."""
    os.write(sys.stdout.fileno(), json.dumps(what).encode() + b"\n")


class _Loud(logging.Handler):
    """Tells what is logged as an error."""

    def emit(self, record: logging.LogRecord) -> None:
        tell({"logged": self.format(record)[-2_000:]})


async def _run(job: Job) -> None:
    loop = let_time_pass()
    outside = Outside(
        file=job.file,
        run=job.run,
        embedding_model=job.model,
        twice=lambda umo: tell({"twice": umo}),
    )
    with Control(Path(os.environ[VARIABLE])) as control:
        if job.fault is not None:
            build_in(job.fault, control, tell)
        control.arm(
            job.strike,
            under=job.file if job.only_database else job.file.parent,
            exactly=job.only_database,
        )
        async with outside.begin() as memory:
            tell({"started": loop.time()})
            await Traffic(job.plan, outside, memory, tell).run()
            if not job.stops:
                tell({"rests": loop.time()})
                os.kill(os.getpid(), signal.SIGKILL)
        tell({"stopped": loop.time()})


def _child(job: Job) -> None:
    handler = _Loud(logging.ERROR)
    logging.getLogger().addHandler(handler)
    kind = FreeLoop if job.free else SteppedLoop
    status = 1
    try:
        with asyncio.Runner(loop_factory=partial(kind, job.began)) as runner:
            runner.run(_run(job))
        status = 0
    except BaseException as error:  # noqa: BLE001  the edge of a process
        tell({"broke": f"{type(error).__name__}: {error}"})
    finally:
        os._exit(status)


def main() -> None:
    """Fork for each job until there are no more."""
    for line in sys.stdin:
        job = Job.of_line(line)
        child = os.fork()
        if not child:
            _child(job)
        tell({"pid": child})
        # It stays a zombie until it is known here: nobody else gets its number.
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        tell({"ended": 0})
        sys.stdin.readline()
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
