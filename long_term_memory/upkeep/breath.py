"""A breath between two transactions, in which others may write."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

BREATH = timedelta(milliseconds=100)
"""The host looks as often whether the file is free."""

type Breathe = Callable[[], Awaitable[None]]


async def breathe() -> None:
    """The real `Breathe`."""
    await asyncio.sleep(BREATH.total_seconds())
