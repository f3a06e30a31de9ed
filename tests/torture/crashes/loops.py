"""A loop whose threads really work beside it; its time passes only while none of them is at work."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, override

from tests.faults.faults import Points
from tests.faults.loop import Step, SteppedLoop, this_loop


class FreeLoop(SteppedLoop):
    """As the stepped one, but nothing stands still while a thread works."""

    under_way: int = 0
    """How much work threads have been given that they have not done."""

    @override
    def run_in_executor(self, executor: Executor | None, func: Callable[..., Any], *args: Any) -> Step:
        step = Step(loop=self)
        self.under_way += 1
        doing = (executor or self._pool).submit(func, *args)
        doing.add_done_callback(lambda done: self.call_soon_threadsafe(self._done, step, done))
        return step

    def _done(self, step: Step, done: "Future[Any]") -> None:
        self.under_way -= 1
        if step.cancelled():
            return
        error = done.exception()
        if error is not None:
            step.set_exception(error)
        else:
            step.set_result(done.result())


def let_time_pass() -> SteppedLoop:
    """From now on for ever, whenever no task waits for a thread; returns the loop whose time it is."""
    loop = this_loop()
    Points(None, lambda: None).watch(loop)
    if isinstance(loop, FreeLoop):
        waits = loop.is_busy
        loop.is_busy = lambda: loop.under_way > 0 or waits()
    loop.passing = True
    return loop
