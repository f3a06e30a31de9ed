"""`forget <id|number|words>` and `undo`: one memory at once, and back for a while."""

import re

from ..domain.errors import NotFoundError
from ..domain.memory import Item
from ..manager import UNDO_FOR, LTMManager
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
    found = await _meant(manager, command, words)
    if not found:
        return say.text("search.none", words=words)
    if len(found) > 1:
        lines = await numbered(manager, command, found[:PAGE_SIZE])
        return "\n".join((say.text("forget.which", count=len(found)), *lines))
    gone = await manager.forget(command.chat, found[0].memory_id)
    return say.text("forget.done", fact=gone.fact, minutes=_MINUTES)


async def undo(manager: LTMManager, command: Command) -> str:
    """Bring back what was forgotten last, or forget what the last reply said was learnt."""
    if command.argument:
        raise UsageError
    undone = await manager.forgetting.undo(command.chat)
    if undone is None or not undone.items:
        return command.say.text("undo.none", minutes=_MINUTES)
    facts = "; ".join(item.fact for item in undone.items)
    return command.say.text("forget.done" if undone.forgotten else "undo.done", fact=facts, minutes=_MINUTES)


async def _meant(manager: LTMManager, command: Command, words: str) -> list[Item]:
    """The one with this id, else those with these words."""
    like_an_id = _ID.fullmatch(words)
    if like_an_id:
        try:
            return [await manager.forgetting.by_id(command.chat, words)]
        except NotFoundError:
            pass
    if not any(char.isalnum() for char in words):
        raise UsageError
    found = await manager.forgetting.by_words(command.chat, words)
    if like_an_id and not found:
        raise NotFoundError("no such memory")
    return list(found)
