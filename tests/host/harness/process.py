"""The host's process: started, waited for, ended cleanly or killed."""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path

import httpx

from tests.children import Child, child

from .waiting import wait_for

_COVERAGE = "COVERAGE_PROCESS_CONFIG"
_CHILD = Path(__file__).with_name("child.py")


class HostDiedError(RuntimeError):
    """The host's process ended when it should not have, or not as it should have."""


def free_port() -> int:
    """Find a loopback port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_free(port: int) -> bool:
    """Say whether nobody listens on a loopback port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


class _Forked:
    """A host forked from the template, with the part of `subprocess.Popen` that is needed here."""

    def __init__(self, order: Mapping[str, object]) -> None:
        self.pid = int(_template().ask(json.dumps(order)))
        self.returncode: int | None = None
        self._file = os.pidfd_open(self.pid)

    def poll(self) -> int | None:
        """The exit code, once it has ended."""
        with suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def wait(self, timeout: float | None = None) -> int:
        """The exit code. Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            ended = select.poll()
            ended.register(self._file, select.POLLIN)
            if not ended.poll(None if timeout is None else timeout * 1_000):
                raise subprocess.TimeoutExpired("astrbot", timeout or 0)
            self.returncode = int(_template().ask(json.dumps(self.pid)))
            os.close(self._file)
        return self.returncode

    def send_signal(self, sig: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._file, sig)


@cache
def _template() -> Child:
    """A process with the host's libraries imported, which takes six seconds of CPU time; it ends with us."""
    stack = ExitStack()
    atexit.register(stack.close)
    untraced = {name: value for name, value in os.environ.items() if name != _COVERAGE}
    program = [sys.executable, "-P", "-u", str(_CHILD), "--template"]
    template = stack.enter_context(child(program, env=untraced))
    template.line()
    return template


def _forked(root: Path, log: Path, arguments: Sequence[str]) -> _Forked:
    return _Forked(
        {"cwd": str(root), "log": str(log), "arguments": arguments, "environment": _environment(root)}
    )


def _started(root: Path, log: Path, arguments: Sequence[str]) -> "subprocess.Popen[bytes]":
    """The same by a start of its own, where there are no file descriptors of processes."""
    with log.open("ab") as output:
        return subprocess.Popen(  # noqa: S603 - the arguments are ours
            # -P: the modules beside the program stay out of the host's sight.
            [sys.executable, "-P", str(_CHILD), *arguments],
            cwd=root,
            env=_environment(root),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            # Ctrl-C in the terminal is for us: a second SIGINT would cut the host's own stop short.
            start_new_session=True,
        )


class HostProcess:
    """One run of `astrbot run` in a root folder, its output appended to a log file."""

    def __init__(self, root: Path, port: int, log: Path) -> None:
        self.port = port
        self._log = log
        start = _forked if hasattr(os, "pidfd_open") else _started
        self._process = start(root, log, ["run", "--port", str(port)])

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    def wait_until_ready(self, timeout: float = 120.0) -> None:
        """Wait until the dashboard answers.

        Raises:
            HostDiedError: the process ended instead; the end of its log is in the message.
            TimeoutError: it took too long.
        """
        with httpx.Client(base_url=f"http://127.0.0.1:{self.port}", trust_env=False) as client:
            wait_for(lambda: self._answers(client), timeout, every=0.1)

    def stop(self, timeout: float = 30.0) -> None:
        """End the process as Ctrl-C does, and see to it that it says it went well.

        Raises:
            HostDiedError: the exit code is not 0.
            subprocess.TimeoutExpired: it did not end in time; it is killed then.
        """
        self._process.send_signal(signal.SIGINT)
        try:
            code = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        if code != 0:
            raise HostDiedError(self._epitaph(code))

    def wait(self) -> None:
        """Wait until the process ends by itself.

        Raises:
            HostDiedError: the exit code is not 0.
        """
        code = self._process.wait()
        if code != 0:
            raise HostDiedError(self._epitaph(code))

    def kill(self, by: signal.Signals = signal.SIGKILL) -> None:
        """End the process with a signal, whatever its exit code.

        Raises:
            subprocess.TimeoutExpired: it did not end in time; it is killed then, with its children.
        """
        self._process.send_signal(by)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            raise

    def _answers(self, client: httpx.Client) -> bool:
        code = self._process.poll()
        if code is not None:
            raise HostDiedError(self._epitaph(code))
        try:
            return client.get("/api/auth/setup-status").is_success
        except httpx.TransportError:
            return False

    def _epitaph(self, code: int) -> str:
        tail = self._log.read_text("utf-8", errors="replace")[-4000:]
        return f"the host ended with code {code}:\n{tail}"


def _environment(root: Path) -> dict[str, str]:
    """Keep what the parent has, and point the host at its root; coverage is left to the child to start."""
    inherited = dict(os.environ)
    coverage = inherited.pop(_COVERAGE, None)
    own = {
        "ASTRBOT_ROOT": str(root),
        "ASTRBOT_DISABLE_METRICS": "1",
        "PYTHONUNBUFFERED": "1",
    }
    return {**inherited, **own, **({"HARNESS_COVERAGE": coverage} if coverage else {})}
