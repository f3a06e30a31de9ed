"""Work so long that nobody waits for its end when the store closes: exports, imports, snapshots."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

from ..domain.errors import ClosedError
from .transfer.course import Course, StoppedError


class LongWork:
    """Knows what is under way, so that it can be broken off."""

    def __init__(self) -> None:
        self._courses = dict[asyncio.Future[None], Course]()
        self._ended = False

    @contextmanager
    def under_way(self, course: Course) -> Generator[None]:
        """The block is such work. Raises ClosedError in place of the StoppedError of what was broken off."""
        end = asyncio.get_running_loop().create_future()
        self._courses[end] = course
        try:
            yield
        except StoppedError as error:
            if self._ended:
                raise ClosedError("the store is closed") from error
            raise
        finally:
            del self._courses[end]
            end.set_result(None)

    async def end(self) -> None:
        """Have all of it stop at its next step, and wait until it has: nothing may be left of it."""
        self._ended = True
        for course in self._courses.values():
            course.stop()
        if self._courses:
            await asyncio.wait(self._courses)
