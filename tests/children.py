"""Child processes of tests: whichever is not done in time is killed, with its own children, and told by name.

Each leads a process group of its own, so that whatever it has started is killed with it.
"""

import os
import select
import signal
import subprocess
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

PATIENCE = 300.0
"""Seconds in which a busy machine starts Python, imports the host and has done some work."""
_ENDING = 60.0
"""Seconds in which a process ends of which nothing more is wanted."""
_LAST_WORDS = 20_000
_LONGEST_ARGUMENT = 200

type Command = Sequence[str]
type Environment = Mapping[str, str]
type Completed = subprocess.CompletedProcess[str]


class StuckError(RuntimeError):
    """A child was not done in time, and is killed."""


class EndedError(RuntimeError):
    """A child has ended when it should not have, or not as it should have."""


def run(
    command: Command, *, within: float = PATIENCE, cwd: Path | None = None, env: Environment | None = None
) -> Completed:
    """Run it to its end, whatever its exit code.

    Raises:
        StuckError: it takes longer than `within` seconds.
    """
    nothing, pipe = subprocess.DEVNULL, subprocess.PIPE
    with subprocess.Popen(  # noqa: S603 - the tests' own commands
        command,
        cwd=cwd,
        env=env,
        stdin=nothing,
        stdout=pipe,
        stderr=pipe,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            said, complained = process.communicate(timeout=within)
        except subprocess.TimeoutExpired:
            _kill(process)
            raise _stuck(command, within, _last_words(process)) from None
        except BaseException:
            _kill(process)
            raise
    return subprocess.CompletedProcess(command, process.returncode, said, complained)


def output(
    command: Command, *, within: float = PATIENCE, cwd: Path | None = None, env: Environment | None = None
) -> str:
    """Run it to its end, and return what it said.

    Raises:
        EndedError: its exit code is not 0; what it complained of is in the message.
        StuckError: it takes longer than `within` seconds.
    """
    ended = run(command, within=within, cwd=cwd, env=env)
    if ended.returncode:
        told = f"{ended.stdout}{ended.stderr}"[-_LAST_WORDS:]
        raise EndedError(f"{_spelt(command)}\nhas ended with {ended.returncode}:\n{told}")
    return ended.stdout


class Child:
    """One that is spoken to line by line."""

    def __init__(self, command: Command, process: "subprocess.Popen[bytes]") -> None:
        self._command = command
        self._process = process
        self._rest = b""

    def tell(self, line: str) -> None:
        """Say something to it. Raises EndedError."""
        stdin = self._process.stdin
        assert stdin
        if stdin.closed:
            raise self._ended()
        try:
            stdin.write(f"{line}\n".encode())
            stdin.flush()
        except BrokenPipeError:
            raise self._ended() from None

    def ask(self, line: str, *, within: float = PATIENCE) -> str:
        """Say something to it, and return the line that it answers. Raises as `line` does."""
        self.tell(line)
        return self.line(within=within)

    def line(self, *, within: float = PATIENCE) -> str:
        """The next line it says.

        Raises:
            StuckError: there is none within so many seconds; it is killed then.
            EndedError: there are no more.
        """
        line = self.line_until(time.monotonic() + within)
        if line is None:
            self.kill()
            raise _stuck(self._command, within, self._rest.decode(errors="replace"))
        return line

    def line_until(self, moment: float) -> str | None:
        """The next line; None if there is none by this moment of the monotonic clock. Raises EndedError."""
        assert self._process.stdout
        while b"\n" not in self._rest:
            if not _is_readable(self._process.stdout.fileno(), moment):
                return None
            more = os.read(self._process.stdout.fileno(), 65_536)
            if not more:
                raise self._ended()
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode()

    def end(self, *, within: float = PATIENCE) -> int:
        """Say nothing more, and return its exit code.

        Raises:
            StuckError: it takes longer than so many seconds; it is killed then.
        """
        assert self._process.stdin
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            return self._process.wait(within)
        except subprocess.TimeoutExpired:
            self.kill()
            raise _stuck(self._command, within, self._rest.decode(errors="replace")) from None

    def kill(self) -> None:
        """Kill it and its children."""
        _kill(self._process)

    def _ended(self) -> EndedError:
        """It closes its pipes as it ends."""
        return EndedError(f"{_spelt(self._command)}\nhas ended with {self.end(within=_ENDING)}")


@contextmanager
def child(command: Command, *, cwd: Path | None = None, env: Environment | None = None) -> Generator[Child]:
    """One that lives until the block ends; then nothing more is said to it, and it has a minute to end."""
    pipe = subprocess.PIPE
    with subprocess.Popen(  # noqa: S603 - the tests' own commands
        command, cwd=cwd, env=env, stdin=pipe, stdout=pipe, start_new_session=True
    ) as process:
        one = Child(command, process)
        try:
            yield one
        finally:
            with suppress(StuckError):  # it is killed, which is all that is wanted of it
                one.end(within=_ENDING)


def _is_readable(file: int, until: float) -> bool:
    poll = select.poll()
    poll.register(file, select.POLLIN)
    return bool(poll.poll(max(0.0, until - time.monotonic()) * 1_000))


def _kill(process: "subprocess.Popen[str] | subprocess.Popen[bytes]") -> None:
    if process.returncode is None:  # not waited for yet: nobody else has got its number
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _last_words(process: "subprocess.Popen[str]") -> str:
    try:
        said, complained = process.communicate(timeout=_ENDING)
    except subprocess.TimeoutExpired:  # somebody outside its group keeps its pipes open
        return ""
    return f"{said}{complained}"


def _stuck(command: Command, within: float, told: str) -> StuckError:
    return StuckError(
        f"{_spelt(command)}\nwas not done within {within:g} s, and is killed; the last it said:\n"
        f"{told[-_LAST_WORDS:] or 'nothing'}"
    )


def _spelt(command: Command) -> str:
    """As a person reads it: the text of a program is cut off."""
    parts = (" ".join(part.split()) for part in command)
    return " ".join(
        part if len(part) <= _LONGEST_ARGUMENT else f"{part[:_LONGEST_ARGUMENT]}…" for part in parts
    )
