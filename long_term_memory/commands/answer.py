"""Which subcommand answers a message, and what is said when it cannot."""

import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC
from difflib import get_close_matches

from ..domain.chat import Chat
from ..domain.errors import (
    AmbiguousError,
    ClosedError,
    InvalidInputError,
    LtmError,
    NotFoundError,
    RefusedError,
    UnavailableError,
    UnusableStoreError,
)
from ..domain.words import MemoryType
from ..manager import LTMManager
from ..manager.codes import Confirming
from ..manager.linking import NotLinkedError
from ..manager.operations import MIN_ID_LENGTH
from ..manager.switches import NotKeptError
from ..manager.undo import Recent
from ..messages import ARGUMENTS, SUBCOMMANDS, Messages, locale_of
from ..service import STORE, Service, State
from . import operators
from .accounts import LINK_MINUTES, link, pause, resume, unlink
from .changing import add, erase, forget, of_everything, share, undo, unshare
from .choosing import choose
from .command import ENGLISH, Command, Reply, UsageError, refuse_while_read_only
from .exporting import export
from .listing import keep, list_own, paused_line, search
from .why import why, why_not

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

type _Answer = Callable[[LTMManager, Command], Awaitable[str | Reply]]

FOR_ALL: Mapping[str, _Answer] = {
    "list": list_own,
    "search": search,
    "why": why,
    "why-not": why_not,
    "keep": keep,
    "add": add,
    "forget": forget,
    "undo": undo,
    "share": share,
    "unshare": unshare,
    "export": export,
    "pause": pause,
    "resume": resume,
    "link": link,
    "unlink": unlink,
}
FOR_ADMINS: Mapping[str, _Answer] = {
    "mode": operators.mode,
    "pending": operators.pending,
    "approve": operators.approve,
    "reject": operators.reject,
    "retry": operators.retry,
    "readonly": operators.readonly,
    "erase": erase,
}
_ADMIN_NAMES = ("status", *FOR_ADMINS)
_HELP = {"", *(word for word, meant in ARGUMENTS.items() if meant == "help")}
_IN_PART = frozenset({"list", "search", "why", "why-not", "keep", "forget"})
"""About oneself: in a group these tell only what the group may see."""
_BY_ID = frozenset({"why", "why-not", "keep", "forget", "share", "unshare"})
_IN_GROUP = ("list", "why-not", "add", "forget", "undo", "pause")
"""What the help names in a group."""
_WHY_NOT = re.compile(r"\A(\s*\S+\s+)(?:why\s+not|为什么\s+没有)(?=\s|\Z)", re.IGNORECASE)
"""In two words."""
_JOINED = re.compile(r"\A(\s*\W?记忆)列表(?=\s|\Z)")
"""In one word with its command, which the host knows by an alias."""
_INSTEAD = {"approve": "error.not_admin_keep", "erase": "error.not_admin_erase"}
"""What people may do of what admins do."""
_NEAR_ENOUGH = 0.6
"""How alike two words are of which one may have been meant by the other."""
_UNAVAILABLE_KEYS = {State.PAUSED: "error.paused", State.DISABLED: "error.off"}
_ERROR_KEYS: Mapping[type[LtmError], str] = {
    AmbiguousError: "error.ambiguous",
    NotFoundError: "error.not_found",
    RefusedError: "error.read_only",
    ClosedError: "error.closed",
    NotKeptError: "error.not_kept",
}


class Commands:
    """Answers each `/ltm` message."""

    def __init__(self, service: Service, confirming: Confirming) -> None:
        self._service = service
        self._confirming = confirming
        self._listed = Recent[dict[int, str]](dict)

    async def answer(
        self, chat: Chat, text: str, *, admin: bool, message_id: str, by_person: bool = True
    ) -> Reply:
        """The reply to this message; never raises. Who is no person has no memories."""
        text = _JOINED.sub(r"\1 列表", text)
        ltm, name, argument = [*_WHY_NOT.sub(r"\1why-not", text).split(maxsplit=2), "", "", ""][:3]
        active = self._service.active
        command = Command(
            chat=chat,
            admin=admin,
            by_person=by_person,
            message_id=message_id,
            said=text.strip(),
            name=ENGLISH.get(name.lower(), name.lower()),
            argument=argument.strip(),
            # Named as it was called, whatever name the operator gave it.
            say=Messages(locale_of(text), ltm=ltm.lstrip("/"), zone=active.zone if active else UTC),
            confirming=self._confirming,
            listed=self._listed[chat],
        )
        if _is_for_nobody(command):
            return Reply(text=command.say.text("error.no_person"))
        try:
            return _in_part(await self._answer(command), command)
        except (NotFoundError, AmbiguousError) as error:
            # In a group word for word the same for what is hidden there and for what there is not.
            return _in_part(self._excuse(error, command), command)
        except LtmError as error:
            return Reply(text=self._excuse(error, command))
        except Exception:
            logger.exception("The command %s failed.", command.name)
            return Reply(text=command.say.text("error.broken"))

    async def _answer(self, command: Command) -> str | Reply:
        name, say = command.name, command.say
        if name in _HELP:
            return _help(command)
        if name in _ADMIN_NAMES and not command.admin:
            return say.text(_INSTEAD.get(name, "error.not_admin"))
        if name == "status":
            return await self._status(command)
        answer = FOR_ALL.get(name) or FOR_ADMINS.get(name)
        return await self._called(answer, command) if answer else _unknown(command)

    async def _called(self, answer: _Answer, command: Command) -> str | Reply:
        name, manager = command.name, self._service.manager()
        if name not in _BY_ID:
            return await answer(manager, command)
        if name == "forget":
            refuse_while_read_only(manager)
        chosen = await choose(manager, command)
        return chosen if isinstance(chosen, str) else await answer(manager, chosen)

    async def _status(self, command: Command) -> str:
        report, paused = await self._service.health(), ""
        with suppress(LtmError):  # what is wrong, the report tells
            paused = await self._service.manager().paused_by(command.chat)
        return "\n".join((*paused_line(paused, command.say), operators.status(report, command.say)))

    def _excuse(self, error: LtmError, command: Command) -> str:
        """What somebody is told whose command came to nothing."""
        say, state = command.say, self._service.state
        if isinstance(error, UsageError | InvalidInputError):
            usage = say.text(f"usage.{command.name}", types=_types(say))
            too_short = isinstance(error, InvalidInputError) and error.field == "id"
            return "\n".join((say.text("error.short_id", least=MIN_ID_LENGTH), usage)) if too_short else usage
        if isinstance(error, NotLinkedError):
            return say.text(error.rule, minutes=LINK_MINUTES)
        if isinstance(error, RefusedError) and error.rule != "emergency_read_only":
            key = "add.refused" if command.name == "add" else "error.refused"
            return say.text(key, reason=say.rule(error.rule))
        if isinstance(error, UnavailableError | UnusableStoreError) and state in _UNAVAILABLE_KEYS:
            problems = self._service.problems
            # No setting ends a pause where the store is what is wrong.
            by_store = bool(problems) and all(problem.key == STORE for problem in problems)
            paused_by_store = by_store and state is State.PAUSED
            return say.text("error.paused_store" if paused_by_store else _UNAVAILABLE_KEYS[state])
        key = _ERROR_KEYS.get(type(error), "error.unavailable")
        if key == "error.not_found" and command.name in _BY_ID:
            key = "error.not_found_own"
        return say.text(key, id=command.argument)


def _is_for_nobody(command: Command) -> bool:
    """Whether it is about the memories of whoever gives it, and that is no person."""
    about_others = command.name in _HELP or (command.admin and command.name in _ADMIN_NAMES)
    return not (command.by_person or about_others)


def _in_part(reply: str | Reply, command: Command) -> Reply:
    """The reply, and in a group that it tells only a part."""
    if isinstance(reply, Reply):
        return reply
    whole = command.chat.private or command.name not in _IN_PART
    if whole or (command.name == "forget" and of_everything(command)):
        return Reply(text=reply)
    return Reply(text="\n".join((reply, command.say.text("group.in_part"))))


def meant_by(word: str, names: Iterable[str]) -> str:
    """The subcommand, of these, that is spelt most like the word; empty when none is."""
    spellings = {name: name for name in names}
    spellings |= {SUBCOMMANDS[name]: name for name in spellings}
    # A bound on the word: comparing takes time in proportion.
    found = get_close_matches(word.lower()[:32], spellings, n=1, cutoff=_NEAR_ENOUGH)
    return spellings[found[0]] if found else ""


def _types(say: Messages) -> str:
    return say.joined((say.text(f"type.{kind}") for kind in MemoryType), short=True)


def _unknown(command: Command) -> str:
    say = command.say
    if command.name == "correct":
        return say.text("error.correct")
    names = (*FOR_ALL, *(_ADMIN_NAMES if command.admin else ()))
    meant = meant_by(command.name, (name for name in names if name != "share"))
    if not meant:
        return say.text("error.unknown_command", command=command.name)
    return say.text("error.unknown_meant", command=command.name, meant=say.subcommand(meant))


def _help(command: Command) -> str:
    say, word = command.say, command.argument.lower()
    name = ENGLISH.get(word, word)
    if name in FOR_ALL or (command.admin and name in _ADMIN_NAMES):
        return "\n".join((*_lines(say, name), say.text(f"usage.{name}", types=_types(say))))
    if not command.chat.private:
        return "\n".join(say.text(f"help.{name}") for name in ("title", *_IN_GROUP, "group"))
    lines = [say.text("help.title"), *_lines(say, *FOR_ALL)]
    if command.admin:
        lines.extend((say.text("help.admin"), *_lines(say, *_ADMIN_NAMES), say.text("help.pause_group")))
    return "\n".join(lines)


def _lines(say: Messages, *names: str) -> Iterator[str]:
    for name in names:
        yield say.text(f"help.{name}")
        if name == "forget":
            yield say.text("help.forget_all")
