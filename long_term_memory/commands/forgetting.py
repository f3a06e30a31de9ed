"""`forget <id|number|words>` and `undo`: one memory at once, and back for a while."""

import re
from collections.abc import Sequence
from contextlib import suppress

from ..domain.errors import NotFoundError
from ..domain.memory import Item
from ..manager import LTMManager
from ..manager.forgetting import UNDO_FOR
from .command import PAGE_SIZE, Command, UsageError
from .erasing import forget_all, means_all
from .people import numbered
from .read_only import refuse_while_read_only

_MINUTES = int(UNDO_FOR.total_seconds() / 60)
_ID = re.compile(r"\W*[0-9a-f][0-9a-f-]{3,}\W*", re.IGNORECASE)


async def forget(manager: LTMManager, command: Command) -> str:
    """Forget the one that is meant; of several with the words a list is given. `forget all`: everything."""
    if means_all(command):
        return await forget_all(manager, command)
    say, words = command.say, command.needed()
    refuse_while_read_only(manager)
    found, total = await _meant(manager, command, words)
    if not found:
        return say.text("search.none", words=words)
    if total > 1:
        lines = await numbered(manager, command, found)
        return "\n".join((say.text("forget.which", count=total), *lines))
    gone = await manager.forget(command.chat, found[0].memory_id)
    return say.text("forget.done", fact=gone.fact, minutes=_MINUTES)


async def undo(manager: LTMManager, command: Command) -> str:
    """Bring back what was forgotten last, or forget what the last reply said was learnt."""
    if command.argument:
        raise UsageError
    items, taken_away = await manager.forgetting.undo(command.chat)
    key = ("forget.done" if taken_away else "undo.done") if items else "undo.none"
    return command.say.text(key, fact="; ".join(item.fact for item in items), minutes=_MINUTES)


async def _meant(manager: LTMManager, command: Command, words: str) -> tuple[Sequence[Item], int]:
    """The one with this id, else the first of those with these words, and how many there are."""
    like_an_id = _ID.fullmatch(words)
    with suppress(NotFoundError):
        if like_an_id:
            return [await manager.forgetting.by_id(command.chat, words)], 1
    if not any(char.isalnum() for char in words):
        raise UsageError
    found = await manager.searching.own(command.chat, words, page=1, page_size=PAGE_SIZE)
    if like_an_id and not found.total:
        raise NotFoundError("no such memory")
    return found.rows, found.total
