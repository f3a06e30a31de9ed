"""What nobody can undo, and is therefore asked for twice: `forget all`, and `erase` for admins."""

import re
from collections.abc import Iterator

from ..domain.errors import NotFoundError
from ..manager import LTMManager
from ..manager.codes import CONFIRM_LENGTH, CONFIRM_LIFE
from ..manager.erasing import Erased
from ..messages import Messages
from .command import ALL, Command, UsageError, refuse_while_read_only

_SECONDS = int(CONFIRM_LIFE.total_seconds())
_WITH_CODE = re.compile(rf"(.+?)(?:\s+(\d(?:\s*\d){{{CONFIRM_LENGTH - 1}}}))?")
"""An account, which may hold blanks, and the code after it."""


async def forget_all(manager: LTMManager, command: Command) -> str:
    """`forget all` gives a code, `forget all <code>` erases all that is kept of the speaker."""
    say = command.say
    if not command.chat.private:
        whole = say.text("word.all")
        return say.text("error.private_only", command=f"{command.shown} {whole}")
    refuse_while_read_only(manager)
    _, code = _split(command.argument)
    if not code:
        asked = command.confirming.ask(command.chat, "forget all")
        return say.text("forget.all_ask", code=asked, seconds=_SECONDS)
    if not command.confirming.confirmed(command.chat, "forget all", code):
        return say.text("forget.all_wrong_code", seconds=_SECONDS)
    erased = await manager.erasing.own(command.chat)
    done = say.text("forget.all_done", items=erased.items, events=erased.events)
    return "\n".join((done, *what_is_left(erased, say)))


async def erase(manager: LTMManager, command: Command) -> str:
    """`erase <platform:user>` gives a code; with it, all that is kept of that account is erased."""
    say = command.say
    if not command.chat.private:
        return say.text("error.private_only", command=command.shown)
    refuse_while_read_only(manager)
    found = _WITH_CODE.fullmatch(command.needed())
    named, code = found.groups(default="") if found else ("", "")
    account = named.replace("：", ":")
    if not all(account.partition(":")):
        raise UsageError
    what = f"erase {account}"
    if not code:
        if not await manager.erasing.knows(account):
            return say.text("erase.unknown", account=account)
        asked = command.confirming.ask(command.chat, what)
        return say.text("erase.ask", account=account, code=asked, seconds=_SECONDS)
    if not command.confirming.confirmed(command.chat, what, code):
        return say.text("erase.wrong_code", account=account, seconds=_SECONDS)
    try:
        erased = await manager.erasing.of(account, actor=command.operator)
    except NotFoundError:
        return say.text("erase.unknown", account=account)
    done = say.text("erase.done", account=account, items=erased.items, events=erased.events)
    return "\n".join((done, *what_is_left(erased, say)))


def what_is_left(erased: Erased, say: Messages) -> Iterator[str]:
    """What an erasure did not reach, or not yet, a line each."""
    if not erased.overwritten:
        yield say.text("erased.later")
    if erased.copies:
        yield say.text("erased.copies", count=erased.copies)
    yield say.text("erased.host_copy")


def means_all(command: Command) -> bool:
    """Whether `forget` is meant for everything: behind the word stands a code or nothing."""
    first, rest = _split(command.word)
    return first in ALL and (not rest or any(char.isdigit() for char in rest))


def _split(text: str) -> tuple[str, str]:
    """The first word and what is behind it; any blank may stand between, that of Chinese keyboards too."""
    first, rest = [*text.split(maxsplit=1), "", ""][:2]
    return first, rest
