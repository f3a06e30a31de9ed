"""The one owner of background tasks: what it started it also stops."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from datetime import timedelta
from functools import partial

from ..domain.errors import ClosedError, UnavailableError
from ..domain.log import logger
from ..policies.back_off import FailureLog

MAX_LATE = 100
"""How many pieces of work may be late at once; more means that the store is not coming back by itself."""
RETRY = timedelta(seconds=1)
MAX_OPTIONAL = 32
"""How many pieces of work may be under way at once that nobody misses when they are not done."""
STOP_DEADLINE = timedelta(seconds=10)
CANCEL_DEADLINE = timedelta(seconds=10)
"""How long a stop waits for what it has cancelled: a step of the database cannot be broken off."""
BREATH = timedelta(milliseconds=100)
"""Between two transactions others may write; the host looks as often whether the file is free."""
type Breathe = Callable[[], Awaitable[None]]
type Work = Callable[[], Coroutine[None, None, None]]


async def breathe() -> None:
    """The real `Breathe`."""
    await asyncio.sleep(BREATH.total_seconds())


class Scheduler:
    """Runs a few long-lived jobs until `stop`, and short work that must not keep a reply waiting."""

    def __init__(self, *, retry: timedelta = RETRY, stop_deadline: timedelta = STOP_DEADLINE) -> None:
        self._retry = retry.total_seconds()
        self._stop_deadline = stop_deadline.total_seconds()
        self._jobs: list[asyncio.Task[None]] = []
        self._late: dict[asyncio.Task[None], str] = {}
        self._optional: set[asyncio.Task[None]] = set()
        self._again = asyncio.Lock()
        self._store = FailureLog(
            "The store does not answer (%s); what is to be written waits and is tried again.",
            "The store answers again; what waited is written.",
        )
        self.failures = Counter[str]()
        """How much late work came to nothing, by name, and what others count there."""
        self._logged: set[tuple[str, str]] = set()
        self._stopped = self._closed = False

    def start(self, name: str, job: Work) -> None:
        """Run a job in the background. A job that ends by an exception is logged; the others go on."""
        self._stopped = self._closed = False
        self._jobs.append(asyncio.get_running_loop().create_task(_guarded(name, job), name=f"ltm:{name}"))

    def begin_optional(self, name: str, work: Work) -> bool:
        """Begin work that nobody misses and a stop breaks off; False when much of it is under way already.

        It begins within this call, up to the first thing that it waits for.
        """
        if self._stopped or len(self._optional) >= MAX_OPTIONAL:
            return False
        loop = asyncio.get_running_loop()
        task = asyncio.Task(work(), name=f"ltm:{name}", loop=loop, eager_start=True)
        if not task.done():
            self._optional.add(task)
            task.add_done_callback(self._optional.discard)
        task.add_done_callback(partial(self._ended_alone, name))
        return True

    async def run_with_deadline(self, name: str, deadline: timedelta, work: Work) -> None:
        """Do the work, but keep the caller no longer than the deadline: after it the work goes on alone.

        Work that raises UnavailableError is tried again until it succeeds, so doing it twice must do no harm.
        Raises what else the work raises in time; after it, that is counted and logged. Raises TimeoutError,
        and does nothing, while too much work is late already; ClosedError when a stop gives the work up, and
        after the stop.
        """
        if self._closed:
            raise ClosedError("the plugin is unloaded")
        if len(self._late) >= MAX_LATE:
            raise TimeoutError("too much work is late")
        task = asyncio.get_running_loop().create_task(self._until_done(work), name=f"ltm:{name}")
        self._late[task] = name
        task.add_done_callback(self._late.pop)
        try:
            await asyncio.wait({task}, timeout=deadline.total_seconds())
        except asyncio.CancelledError:
            task.add_done_callback(partial(self._ended_alone, name))  # done or not
            raise
        if not task.done():
            task.add_done_callback(partial(self._ended_alone, name))
        elif task.cancelled():
            raise ClosedError("the plugin is unloaded")
        else:
            task.result()

    async def stop(self) -> None:
        """Cancel every job, give late work one deadline to finish in, and cancel what is left of it."""
        self._stopped = True
        for task in (*self._jobs, *self._optional):
            task.cancel()
        jobs, self._jobs = self._jobs, []
        # For what a hook begins meanwhile as well.
        with suppress(TimeoutError):
            async with asyncio.timeout(self._stop_deadline):
                while self._late:
                    await asyncio.wait(set(self._late))
        self._closed = True
        self._give_up()
        tasks = {*jobs, *self._late, *self._optional}
        if tasks:
            _, left = await asyncio.wait(tasks, timeout=CANCEL_DEADLINE.total_seconds())
            if left:
                logger.error("Background tasks do not end: %s", sorted(task.get_name() for task in left))

    @property
    def running(self) -> int:
        """How many jobs have not ended."""
        return sum(not job.done() for job in self._jobs)

    @property
    def late(self) -> int:
        """How many pieces of work are under way that somebody waits for, or waited for too long."""
        return len(self._late)

    async def _until_done(self, work: Work) -> None:
        try:
            return await work()
        except UnavailableError as error:
            self._store.note(str(error))
        # One at a time: many that try at once would only wait for each other.
        async with self._again:
            while True:
                with suppress(UnavailableError):
                    await work()
                    return self._store.note("")
                await asyncio.sleep(self._retry)

    def _give_up(self) -> None:
        lost = Counter(name for task, name in self._late.items() if task.cancel())
        if lost:
            self.failures += lost
            told = ", ".join(f"{number} {name}" for name, number in sorted(lost.items()))
            logger.error("Stopped while the store did not answer; lost for good: %s", told)

    def _ended_alone(self, name: str, task: asyncio.Task[None]) -> None:
        if task.cancelled() or not (error := task.exception()):
            return
        self.failures[name] += 1
        kind = type(error).__name__
        if (name, kind) not in self._logged:
            self._logged.add((name, kind))
            logger.error("Work in the background failed: %s: %s", name, kind)


async def _guarded(name: str, job: Work) -> None:
    try:
        await job()
    except Exception:
        logger.exception("The background job %s ended.", name)
