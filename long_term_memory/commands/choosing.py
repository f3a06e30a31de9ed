"""Which of one's own memories a command is about: by id, by numbers of the last list, or by words."""

import re
from contextlib import suppress
from dataclasses import replace

from ..domain.enums import WAITING, Audience, Status
from ..domain.errors import InvalidInputError, NotFoundError
from ..domain.memory import Item
from ..manager import LTMManager
from .changing import of_everything
from .command import MOST_LISTED, PAGE_SIZE, Command, UsageError, list_numbers, means_all, ranges
from .listing import SUBJECT, numbered
from .why import why_waiting

SEVERAL = frozenset({"forget", "keep", "share", "unshare"})
VAGUE = re.compile(
    r"(?:the )?(?:last|latest|newest)(?: (?:\d|two|three|few))?(?: (?:ones?|memory|memories))?"
    r"|最[后新近]的?[一二两三几\d]?[条个]?|两[条个]",
    re.IGNORECASE,
)
"""The last of the list, or what was noted last? Any two?"""
ID = re.compile(r"\W*[0-9a-f][0-9a-f-]{3,}\W*", re.IGNORECASE)


async def choose(manager: LTMManager, command: Command) -> Command | str:
    """The command with the ids of what it is about, or the question which of several is meant."""
    words, of_words = command.argument, command.name == "why-not"
    if of_everything(command) or (command.name == "keep" and means_all(words)):
        return command
    if command.name in {"share", "unshare"} and means_all(words):
        return await _shared(manager, command)
    if (chosen := _by_numbers(command)) and not (of_words and isinstance(chosen, str)):
        return chosen
    with suppress(NotFoundError, InvalidInputError):  # a short word is no id
        each = words.split()
        if len(each) == 1 or (command.name in SEVERAL and all(map(ID.fullmatch, each))):
            items = [await manager.own_item(command.chat, word) for word in each]
            return replace(command, ids=tuple(dict.fromkeys(item.memory_id for item in items)))
    return command if of_words else await _by_words(manager, command)


async def _shared(manager: LTMManager, command: Command) -> Command | str:
    """All that are shared, to unshare them; what others may read is shared one by one."""
    if command.name == "share":
        return command.say.text("share.all")
    found = await manager.own_items(command.chat, kind=None, page=1, page_size=MOST_LISTED)
    ids = tuple(item.memory_id for item in found.rows if item.audience is Audience.EVERYWHERE)
    return replace(command, ids=ids) if ids else command.say.text("unshare.none")


def _by_numbers(command: Command) -> Command | str | None:
    """What the numbers mean, or that none means anything; None where there are other words than numbers."""
    numbers = list_numbers(command.argument)
    if not numbers:
        return None
    missing = tuple(number for number in numbers if number not in command.listed)
    ids = tuple(dict.fromkeys(command.listed[number] for number in numbers if number not in missing))
    if missing and (command.name not in SEVERAL or not ids):
        shown = command.say.joined(ranges(command.listed), short=True)
        key = "error.no_number" if 1 in command.listed else "error.no_number_of_page"
        key = key if shown else "error.no_list"
        return command.say.text(key, number=missing[0], shown=shown)
    if len(ids) > 1 and command.name not in SEVERAL:
        raise UsageError
    return replace(command, ids=ids, unlisted=missing)


async def _by_words(manager: LTMManager, command: Command) -> Command | str:
    words = command.argument
    if not any(char.isalnum() for char in words):
        raise UsageError
    chat, say, key = command.chat, command.say, "choose.which"
    found = await manager.search_own(chat, words, page=1, page_size=MOST_LISTED, every=True)
    if not found.total:  # what has only some of the words is asked about
        found = await manager.search_own(chat, words, page=1, page_size=MOST_LISTED)
        key = "choose.unsure"
    if not found.total:
        return await _nothing_with(manager, command)
    if len(exact := [item for item in found.rows if item.fact.casefold() == words.casefold()]) == 1:
        return replace(command, ids=(exact[0].memory_id,))
    if found.total == 1 and (key == "choose.which" or command.name == "why"):
        return replace(command, ids=(found.rows[0].memory_id,))
    first = found.rows[:PAGE_SIZE]
    fits = [_fits(command, item) for item in first]
    if command.name == "unshare" and key == "choose.which" and not any(fits) and found.total <= PAGE_SIZE:
        # It says of each why not.
        return replace(command, ids=tuple(item.memory_id for item in first))
    lines = await numbered(manager, command, first)
    number = lines[fits.index(True) if any(fits) else 0].partition(".")[0]
    return "\n".join((say.text(key, count=found.total, command=command.shown, number=number), *lines))


def _fits(command: Command, item: Item) -> bool:
    if command.name in {"share", "unshare"}:
        is_shared = item.audience is Audience.EVERYWHERE
        return is_shared if command.name == "unshare" else item.status is Status.ACTIVE and not is_shared
    return command.name != "keep" or item.status in WAITING


async def _nothing_with(manager: LTMManager, command: Command) -> Command | str:
    """What words mean that no memory has: a numeral, an id that is not one's own, or nothing."""
    words = command.argument
    if SUBJECT.fullmatch(words):
        return command.say.text("search.subject", command=command.shown)
    if VAGUE.fullmatch(words):
        shown = command.say.joined(ranges(command.listed), short=True)
        return command.say.text("error.vague" if shown else "error.no_list", words=words, shown=shown)
    may_be_numeral = len(words) == 1 or words.isascii()
    if may_be_numeral and (chosen := _by_numbers(replace(command, argument=f"第{words}条"))):
        return chosen
    if ID.fullmatch(words):
        if command.name == "why" and command.admin:  # of the ids that `pending` shows
            return await why_waiting(manager, command)
        raise NotFoundError("no such memory")
    return command.say.text("why.none" if command.name == "why" else "search.none", words=words)
