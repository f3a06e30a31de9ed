"""What was said last to each person in each chat: kept in memory alone, and gone with a restart."""

from collections.abc import Callable

from ..domain.chat import Chat

MOST = 1_000
"""People in chats; the one who was there first gives way."""


class Recent[T]:
    """One thing for each person in each chat."""

    def __init__(self, new: Callable[[], T]) -> None:
        """`new` is what somebody has of whom nothing is kept."""
        self._new = new
        self._kept = dict[tuple[str, str, str], T]()

    def __getitem__(self, chat: Chat) -> T:
        """What the speaker has here; what is put in later stays."""
        key = chat.umo, chat.platform_id, chat.sender_id
        kept = self._kept.pop(key, None)
        kept = self._kept[key] = self._new() if kept is None else kept
        while len(self._kept) > MOST:
            del self._kept[next(iter(self._kept))]
        return kept
