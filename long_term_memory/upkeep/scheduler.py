"""The one owner of background tasks: what it started it also stops."""

import asyncio
import logging
from collections.abc import Coroutine
from datetime import timedelta

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

MAX_LATE = 100
"""How many pieces of work may be late at once; more means that the store is not coming back by itself."""


class Scheduler:
    """Runs a few long-lived jobs until `stop`, and short work that must not keep a reply waiting."""

    def __init__(self) -> None:
        self._jobs: list[asyncio.Task[None]] = []
        self._late: set[asyncio.Task[None]] = set()

    def start(self, name: str, job: Coroutine[None, None, None]) -> None:
        """Run a job in the background. A job that ends by an exception is logged; the others go on."""
        self._jobs.append(_task(f"ltm:{name}", _guarded(name, job)))

    async def within(self, deadline: timedelta, work: Coroutine[None, None, None]) -> None:
        """Do the work, but keep the caller no longer than the deadline: after it the work goes on alone.

        Raises what the work raises in time. Work that is late and fails is logged. Raises TimeoutError, and
        does nothing, while too much work is late already.
        """
        if len(self._late) >= MAX_LATE:
            work.close()
            raise TimeoutError("too much work is late")
        task = _task("ltm:late", work)
        self._late.add(task)
        task.add_done_callback(self._late.discard)
        done, _ = await asyncio.wait({task}, timeout=deadline.total_seconds())
        if done:
            task.result()
        else:
            task.add_done_callback(_log_late_failure)

    async def stop(self) -> None:
        """Cancel every job, let late work finish, and wait until each has ended."""
        for job in self._jobs:
            job.cancel()
        await asyncio.gather(*self._jobs, *self._late, return_exceptions=True)
        self._jobs.clear()

    @property
    def running(self) -> int:
        """How many jobs have not ended."""
        return sum(not job.done() for job in self._jobs)


def _task(name: str, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
    return asyncio.create_task(work, name=name)  # noqa: TID251  the one place


async def _guarded(name: str, job: Coroutine[None, None, None]) -> None:
    try:
        await job
    except Exception:
        logger.exception("The background job %s ended.", name)


def _log_late_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        logger.error("Late work failed: %s", type(error).__name__)
