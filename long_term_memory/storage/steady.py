"""A connection that a cancelled task cannot leave half-way."""

import asyncio
from collections.abc import Awaitable
from typing import Any

from sqlalchemy import CursorResult, Executable
from sqlalchemy.ext.asyncio import AsyncConnection


async def undisturbed[T](step: Awaitable[T]) -> T:
    """Let the step come to its end; a cancellation that arrives meanwhile is raised after it."""
    task = asyncio.ensure_future(step)  # never outlives this call
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        _ = task.cancelled() or task.exception()  # nobody else will look at it
        raise cancelled
    return task.result()


class SteadyConnection(AsyncConnection):
    """Statements take milliseconds, so a cancellation waits for the one that runs.

    The driver's thread goes on with a statement that nobody awaits any more, and what awaited it then gives
    the connection up: threads and locks of such connections outlive their owner.
    """

    async def execute(  # pyright: ignore[reportIncompatibleMethodOverride] - one signature for its overloads
        self,
        statement: Executable,
        parameters: Any = None,  # noqa: ANN401 - as inherited
        *,
        execution_options: Any = None,  # noqa: ANN401 - as inherited
    ) -> CursorResult[Any]:
        """Execute one statement to its end."""
        return await undisturbed(super().execute(statement, parameters, execution_options=execution_options))
