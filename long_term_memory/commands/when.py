"""Instants as commands tell them, and when what was said is read."""

from datetime import datetime

from ..manager.reading import Unread
from ..messages import Messages


def instant(at: datetime) -> str:
    """To the minute."""
    return at.strftime("%Y-%m-%d %H:%M UTC")


def unread_line(unread: Unread, say: Messages) -> list[str]:
    """How much of what the person said is not read yet, and when it will be; nothing when all is."""
    if not unread.count:
        return []
    if unread.at is None:
        return [say.text("unread.stopped", count=unread.count)]
    return [say.text("unread.waits", count=unread.count, at=instant(unread.at))]
