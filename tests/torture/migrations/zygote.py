"""A process with everything imported that forks a child for each upgrade: so a thousand cost little.

Run as a program, it takes one JSON object a line, `path` beside the fields of a strike, and answers with the
fields of `Ended`.
"""

import json
import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.domain.errors import LtmError
from astrbot_plugin_ltm.long_term_memory.storage import schema

from tests.children import Child, child
from tests.torture.migrations.blows import arm
from tests.torture.migrations.strikes import KILLS, Ended, Strike
from tests.torture.migrations.upgrades import UPGRADES

ROOT = Path(__file__).resolve().parents[3]


class Zygote:
    """The process, as seen from the test."""

    def __init__(self, process: Child) -> None:
        self._process = process

    def upgrade(self, path: Path, strike: Strike) -> Ended:
        """Have the file upgraded in a process of its own, under this strike."""
        order = json.dumps({"path": str(path), **strike.told()})
        return Ended(**json.loads(self._process.ask(order)))


@contextmanager
def zygote() -> Generator[Zygote]:
    """One that lives until the block ends."""
    program = [sys.executable, "-m", "tests.torture.migrations.zygote"]
    with child(program, cwd=ROOT) as process:
        yield Zygote(process)


def _serve() -> None:
    sys.dont_write_bytecode = True
    for line in sys.stdin:
        told = json.loads(line)
        path = Path(told.pop("path"))
        sys.stdout.write(json.dumps(asdict(_in_a_child(path, Strike.of(told)))) + "\n")
        sys.stdout.flush()


def _in_a_child(path: Path, strike: Strike) -> Ended:
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        os.write(write, json.dumps(asdict(_upgraded(path, strike))).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        said = answer.read()
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        by = signal.Signals(os.WTERMSIG(status))
        struck = KILLS.get(strike.blow) == by
        return Ended(struck=struck, error="" if struck else f"killed by {by.name}")
    return Ended(**json.loads(said))


def _upgraded(path: Path, strike: Strike) -> Ended:
    if strike.revisions:  # what another version of the plugin comes with
        schema._MIGRATIONS = Path(strike.revisions)  # pyright: ignore[reportPrivateUsage]
    counts, error = arm(strike), ""
    try:
        UPGRADES[strike.upgrade](path)
    except LtmError as known:
        error = f"{type(known).__name__}: {known}"
    except Exception as unknown:  # noqa: BLE001 - the test is told
        error = f"{type(unknown).__name__}! {unknown}"
    return Ended(
        struck=counts.struck,
        error=error,
        begun=counts.begun,
        asked=counts.asked,
        instructions=counts.instructions,
    )


if __name__ == "__main__":
    _serve()
