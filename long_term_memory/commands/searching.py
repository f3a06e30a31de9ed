"""`search <words> [page]`: one's own memories that have these words."""

import math

from ..domain.memory import Item, Page
from ..manager import LTMManager
from .command import PAGE_SIZE, Command, UsageError, page_number
from .people import numbered


async def search(manager: LTMManager, command: Command) -> str:
    """The memories with most of the words first."""
    say = command.say
    words, found = await _found(manager, command)
    if not found.total:
        return say.text("search.none", words=words)
    pages = _pages(found)
    lines = [say.text("search.header", total=found.total, page=found.page, pages=pages)]
    lines.extend(await numbered(manager, command, found.rows, after=(found.page - 1) * PAGE_SIZE))
    if found.page < pages:
        lines.append(say.text("search.more", words=words, page=found.page + 1))
    return "\n".join(lines)


async def _found(manager: LTMManager, command: Command) -> tuple[str, Page[Item]]:
    """What was asked for, and a page of it.

    A number at the end is a page where there is such a page, else a word like the others: lockers have
    numbers, too.
    """
    words = command.needed()
    before, _, last = words.rpartition(" ")
    page = page_number(last) or 1
    if before and page > 1:
        found = await manager.searching.own(command.chat, before, page=page, page_size=PAGE_SIZE)
        if page <= _pages(found):
            return before, found
    if not any(char.isalnum() for char in words):
        raise UsageError
    return words, await manager.searching.own(command.chat, words, page=1, page_size=PAGE_SIZE)


def _pages(found: Page[Item]) -> int:
    return math.ceil(found.total / PAGE_SIZE)
