"""What concerns the last moments of each person in each chat: in memory alone, and gone with a restart."""

from collections.abc import Callable
from functools import lru_cache

from ..domain.chat import Chat

MOST = 1_000
"""People in chats; the one of longest ago gives way."""


class Recent[T]:
    """One thing for each person in each chat, which is made by `new` and then changed in place."""

    def __init__(self, new: Callable[[], T]) -> None:
        self._of = lru_cache(MOST)(lambda *_: new())

    def __getitem__(self, chat: Chat) -> T:
        """What the speaker has here."""
        return self._of(chat.umo, chat.platform_id, chat.sender_id)
