"""Work that is not left half-done when whoever waits for it is called off."""

import asyncio
from collections.abc import Coroutine


async def to_its_end[T](work: Coroutine[object, object, T]) -> T:
    """Do all of it, and only then let a cancellation through: afterwards nothing may change."""
    doing = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(doing)
    except asyncio.CancelledError:
        await asyncio.wait({doing})
        raise
