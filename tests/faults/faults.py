"""Every await of a memory at work, counted, and one of them at which something goes wrong."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import contextmanager
from contextvars import Context
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import CoroutineType
from typing import Any, cast
from weakref import WeakSet

from tests.faults.loop import Step, SteppedLoop

_ASYNCIO = Path(asyncio.__file__).parent


class Kind(StrEnum):
    """What goes wrong."""

    CRASH = "crash"
    """The process is gone; the files are what they are at that moment."""
    CANCEL = "cancel"
    """Whoever awaits is cancelled before what it awaits is done."""
    LATE_CANCEL = "late cancel"
    """Whoever awaits is cancelled; what it awaits is done all the same."""
    ERROR = "error"
    """What is awaited breaks without being done."""
    LATE_ERROR = "late error"
    """What is awaited is done, and then breaks."""
    LOCKED = "locked"
    """What is awaited finds the database locked."""

    @property
    def ends_the_run(self) -> bool:
        """Whether the memory is started anew after it."""
        return self in {Kind.CRASH, Kind.CANCEL, Kind.LATE_CANCEL}

    @property
    def breaks_steps(self) -> bool:
        """Whether it befalls only what is done in a thread: a statement, a commit, the model's answer."""
        return self in {Kind.ERROR, Kind.LATE_ERROR, Kind.LOCKED}


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One thing that goes wrong at one await, counted from 0."""

    kind: Kind
    at: int


class Points:
    """Counts the awaits of all tasks but the one that made it; the fault befalls one of them."""

    def __init__(self, fault: Fault | None, crash: Callable[[], None]) -> None:
        """`crash` is called at the moment of a crash."""
        self.steps: list[bool] = []
        """Of each await so far, whether it waits for a thread."""
        self.struck = False
        """Whether the fault has come to pass."""
        self.crashed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done at the moment of a crash."""
        self._armed = False
        self._fault = fault
        self._crash = crash
        self._watcher = asyncio.current_task()

    def watch(self, loop: SteppedLoop) -> None:
        """Count in every task made from now on, and tell the loop when one waits for a thread."""
        watched: WeakSet[_Watched] = WeakSet()
        loop.is_busy = lambda: any(work.waits_for_a_thread for work in watched)

        def task(
            loop: asyncio.AbstractEventLoop,
            work: Coroutine[Any, Any, Any] | Generator[Any, None, Any],
            context: Context | None = None,
        ) -> asyncio.Task[Any]:
            assert isinstance(work, Coroutine)
            one = _Watched(work, self)
            watched.add(one)
            return asyncio.Task(_awaited(one), loop=loop, context=context)

        loop.set_task_factory(task)

    @contextmanager
    def counted(self) -> Generator[None]:
        """Count until the block ends."""
        self._armed = True
        try:
            yield
        finally:
            self._armed = False

    def reached(self, awaited: object) -> bool:
        """Note one await; whether the process goes as soon as that is done."""
        if not self._armed or asyncio.current_task() is self._watcher:
            return False
        fault, number = self._fault, len(self.steps)
        self.steps.append(isinstance(awaited, Step))
        if fault is None or fault.at != number:
            return False
        if fault.kind is Kind.CRASH and isinstance(awaited, Step):
            return True
        if fault.kind is Kind.CRASH:
            self.crash()
        else:
            _strike(fault.kind, awaited)
            self.struck = True
        return False

    def crash(self) -> None:
        """Now the process goes."""
        self._crash()
        self.struck = True
        self.crashed.set_result(None)


def _strike(kind: Kind, awaited: object) -> None:
    if kind.breaks_steps:
        assert isinstance(awaited, Step)
        if kind is Kind.LATE_ERROR:
            awaited.afterwards = RuntimeError("injected")
        else:
            awaited.instead = RuntimeError("injected") if kind is Kind.ERROR else _locked()
        return
    task = asyncio.current_task()
    assert task is not None
    if kind is Kind.CANCEL:
        task.cancel()
    else:
        # Behind the step in the loop's queue: it is done by then.
        asyncio.get_running_loop().call_soon(task.cancel)


def _locked() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    return error


def _innermost(work: Any) -> tuple[Any, object]:
    """The last coroutine of those that wait for each other, and what it waits for."""
    while isinstance(work.cr_await, CoroutineType):
        work = cast("Any", work.cr_await)
    return work, work.cr_await


async def _awaited(work: Awaitable[Any]) -> Any:
    return await work


class _Watched:
    """A coroutine that tells of each of its awaits."""

    def __init__(self, work: Coroutine[Any, Any, Any], points: Points) -> None:
        self._work = work
        self._points = points
        self._awaits: object = None

    @property
    def waits_for_a_thread(self) -> bool:
        """As far as can be told: it waits for no other task, moment or lock of asyncio's."""
        if self._awaits is None or isinstance(self._awaits, asyncio.Task):
            return False
        waits, inner = _innermost(self._work)
        # What waits inside an asynchronous generator, such as a transaction, is hidden.
        return isinstance(inner, Awaitable) or not Path(waits.cr_code.co_filename).is_relative_to(_ASYNCIO)

    def __await__(self) -> Generator[Any, None, Any]:
        error: BaseException | None = None
        while True:
            try:
                awaited = self._work.send(None) if error is None else self._work.throw(error)
            except StopIteration as end:
                return end.value
            crash = self._points.reached(awaited)
            self._awaits, error = awaited, None
            try:
                yield awaited
            except BaseException as thrown:  # noqa: BLE001  whatever it is, it is meant for the coroutine
                error = thrown
            self._awaits = None
            if crash:
                self._points.crash()
