"""An event loop for tests: work given to threads happens in a known order, and time passes only when idle."""

import asyncio
import selectors
from collections.abc import Callable, Generator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, override

from tests.running import FakeClock

STUCK = 30.0
"""Real seconds without anything happening that mean nothing ever will."""
PATIENCE = 0.25
"""Real seconds that a thread may take to answer before time passes all the same."""


class Step(asyncio.Future[Any]):
    """Work under way in a thread, as whoever awaits it sees it; a test may have it fail."""

    instead: BaseException | None = None
    """Raised while the work is never done."""
    afterwards: BaseException | None = None
    """Raised although the work was done."""


class SteppedLoop(asyncio.SelectorEventLoop):
    """Does the work for threads one by one while everything else stands still, and jumps over every wait.

    Its time begins at `began` and is the same at each moment of each run of one scenario.
    """

    def __init__(self, began: float = 0.0) -> None:
        """`began` is the loop's own time in seconds."""
        self.now = began
        self.is_busy: Callable[[], bool] = lambda: False
        """Whether somebody waits for a thread."""
        self.passing = False
        super().__init__(_Hurried(self))
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="test_pool")

    @contextmanager
    def passes(self) -> Generator[None]:
        """Let time pass whenever nobody is busy, until the block ends."""
        self.passing = True
        try:
            yield
        finally:
            self.passing = False

    @override
    def time(self) -> float:
        return self.now

    @override
    def run_in_executor(self, executor: Executor | None, func: Callable[..., Any], *args: Any) -> Step:
        step = Step(loop=self)
        self.call_soon(self._do, step, executor or self._pool, func, args)
        return step

    @override
    def close(self) -> None:
        self._pool.shutdown()
        super().close()

    def _do(self, step: Step, executor: Executor, func: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if step.cancelled():
            return
        if step.instead is not None:
            step.set_exception(step.instead)
            return
        done = executor.submit(func, *args)
        error = done.exception() or step.afterwards
        if error is not None:
            step.set_exception(error)
        else:
            step.set_result(done.result())


def this_loop() -> SteppedLoop:
    """The one that is running."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SteppedLoop)
    return loop


class LoopClock(FakeClock):
    """Goes with the time of the loop that is running when it is made."""

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()

    @override
    def __call__(self) -> datetime:
        return self.now + timedelta(seconds=self._loop.time())


class _Hurried(selectors.DefaultSelector):
    """Instead of waiting for a moment it makes it come, once no thread is expected to answer."""

    def __init__(self, loop: SteppedLoop) -> None:
        super().__init__()
        self._loop = loop

    @override
    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is not None and timeout <= 0:
            return super().select(0)
        at_once = self._loop.passing and not self._loop.is_busy()
        ready = super().select(STUCK if timeout is None else 0 if at_once else PATIENCE)
        if not ready and timeout is None:
            raise TimeoutError("everything waits and nothing will ever happen")
        if not ready and timeout is not None:
            self._loop.now += timeout
        return ready
