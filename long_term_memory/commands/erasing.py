"""What nobody can undo, and is therefore asked for twice: `forget all`, and `erase` for admins."""

import re
from collections.abc import Iterator

from ..domain.errors import NotFoundError
from ..manager import Erased, LTMManager
from ..manager.codes import CONFIRM_LENGTH, CONFIRM_LIFE
from ..messages import Messages
from .command import ALL, Command, UsageError, refuse_while_read_only

_SECONDS = int(CONFIRM_LIFE.total_seconds())
_CODE = rf"\d(?:\s*\d){{{CONFIRM_LENGTH - 1}}}"
_QUOTED = re.compile(rf"""["'“”「『](.+)["'“”」』]\s*({_CODE})?""")
_PLAIN = re.compile(rf"(.+?)(?:\s+({_CODE}))?")


async def forget_all(manager: LTMManager, command: Command) -> str:
    """`forget all` gives a code, `forget all <code>` erases all that is kept of the speaker."""
    say = command.say
    if not command.chat.private:
        whole = say.text("word.all")
        return say.text("error.private_only", command=f"{command.shown} {whole}")
    refuse_while_read_only(manager)
    _, code = _in_two(command.argument)
    if not code:
        asked = command.confirming.ask(command.chat, "forget all")
        return say.text("forget.all_ask", code=asked, seconds=_SECONDS)
    if not command.confirming.confirmed(command.chat, "forget all", code):
        return say.text("forget.all_wrong_code", seconds=_SECONDS)
    erased = await manager.erasing.own(command.chat)
    done = say.text("forget.all_done", items=erased.items, events=erased.events)
    return "\n".join((done, *what_is_left(erased, say)))


async def erase(manager: LTMManager, command: Command) -> str:
    """`erase <platform:user>` gives a code; with it, all that is kept of that account is erased.

    In a group it does so for every account, known or not.
    """
    say = command.say
    refuse_while_read_only(manager)
    account, code = _account_and_code(command.needed())
    if not all(account.partition(":")):
        raise UsageError
    what, shown = f"erase {account}", _as_typed(account)
    if not code:
        if command.chat.private and not await manager.erasing.knows(account):
            return say.text("erase.unknown", account=account)
        asked = command.confirming.ask(command.chat, what)
        return say.text("erase.ask", account=shown, code=asked, seconds=_SECONDS)
    if not command.confirming.confirmed(command.chat, what, code):
        return say.text("erase.wrong_code", account=shown, seconds=_SECONDS)
    return await _erase(manager, command, account)


async def _erase(manager: LTMManager, command: Command, account: str) -> str:
    """What became of it. In a group nobody is told whether there was anything, and how much."""
    say, private = command.say, command.chat.private
    try:
        erased = await manager.erasing.of(account, actor=command.operator)
    except NotFoundError:
        return say.text("erase.unknown" if private else "erase.done_group", account=account)
    if not private:
        return say.text("erase.done_group", account=account)
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
    first, rest = _in_two(command.word)
    return first in ALL and (not rest or any(char.isdigit() for char in rest))


def _account_and_code(argument: str) -> tuple[str, str]:
    """The account, which may hold blanks and stand in quotes, and the digits after it."""
    found = _QUOTED.fullmatch(argument) or _PLAIN.fullmatch(argument)
    account, code = found.groups(default="") if found else (argument, "")
    return account.replace("：", ":").strip(), code


def _as_typed(account: str) -> str:
    """The account in quotes where its end could be taken for a code."""
    return f'"{account}"' if " " in account else account


def _in_two(argument: str) -> tuple[str, str]:
    """The first word, and what follows it."""
    first, rest = [*argument.split(maxsplit=1), "", ""][:2]
    return first, rest
