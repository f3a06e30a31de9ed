"""What is said and not read yet, and when it will be."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from ..domain.chat import Access
from .parts import Parts


@dataclass(frozen=True)
class Unread:
    """The speaker's own messages that are yet to be read, as far as the chat may know of them."""

    count: int
    at: datetime | None
    """When the first of them is; None: not while read-only, or there is none."""


async def reading_times(parts: Parts) -> Mapping[tuple[str, str], datetime]:
    """When each chat is read, by its origin and scope id; none while read-only."""
    if parts.store.read_only:
        return {}
    settings = parts.settings.extraction
    return await parts.store.events.reading_at(
        now=parts.clock(), batch_turns=settings.batch_turns, idle=settings.idle
    )


async def unread(parts: Parts, access: Access) -> Unread:
    """How many, and when."""
    chats = await parts.store.memories.own_unread(access)
    times = await reading_times(parts)
    return Unread(len(chats), min((times[each] for each in chats if each in times), default=None))
