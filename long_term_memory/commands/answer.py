"""Which subcommand answers a message, and what is said when it cannot."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC

from ..domain import errors
from ..domain.chat import Chat
from ..domain.enums import LISTED_TYPES
from ..domain.log import logger
from ..manager import LTMManager
from ..manager.confirmation_codes import Confirming, asker
from ..manager.linking import LENGTH, NotLinkedError, bare
from ..manager.operations import MIN_ID_LENGTH
from ..manager.switches import NotKeptError
from ..manager.undo import recent
from ..messages import Messages, locale_of
from ..service import Service, State
from . import operators
from .accounts import LINK_MINUTES, link, pause_or_resume, unlink
from .changing import MINUTES, add, erase, forget, of_everything, present, replaced_since, share, undo
from .choosing import ID, SEVERAL, choose
from .command import (
    PAGE_SIZE,
    SHORT_ID,
    Command,
    Listed,
    Reply,
    UsageError,
    list_numbers,
    ranges,
    refuse_while_read_only,
)
from .exporting import export
from .listing import keep, list_own, numbered, paused_line, search
from .spelling import CORRECTED, CORRECTED_BY_WORDS, ENGLISH, HELP, meant_by, separated, subcommand
from .why import why, why_not


@dataclass(frozen=True, kw_only=True)
class Subcommand:
    """What answers, and what is checked before it is asked."""

    answer: Callable[[LTMManager, Command], Awaitable[str | Reply]]
    words: bool | None = None
    """Whether it needs an argument; None where it may have one."""
    by_id: bool = False
    """Whether that names memories of the speaker's own, which are looked up before."""
    private: bool = False
    """Whether it is refused in a group, whatever follows."""
    in_part: bool = False
    """About oneself: in a group it tells only what the group may see."""


FOR_ALL: Mapping[str, Subcommand] = {
    "list": Subcommand(answer=list_own, in_part=True),
    "search": Subcommand(answer=search, words=True, in_part=True),
    "why": Subcommand(answer=why, words=True, by_id=True, in_part=True),
    "why-not": Subcommand(answer=why_not, words=True, by_id=True, in_part=True),
    "keep": Subcommand(answer=keep, words=True, by_id=True, in_part=True),
    "add": Subcommand(answer=add, words=True),
    "forget": Subcommand(answer=forget, words=True, by_id=True, in_part=True),
    "undo": Subcommand(answer=undo, words=False),
    "share": Subcommand(answer=share, words=True, by_id=True, private=True),
    "unshare": Subcommand(answer=share, words=True, by_id=True, private=True),
    "export": Subcommand(answer=export, words=False, private=True),
    "pause": Subcommand(answer=pause_or_resume),
    "resume": Subcommand(answer=pause_or_resume),
    "link": Subcommand(answer=link),
    "unlink": Subcommand(answer=unlink, words=False, private=True),
}
FOR_ADMINS: Mapping[str, Subcommand] = {
    "mode": Subcommand(answer=operators.mode),
    "pending": Subcommand(answer=operators.pending),
    "approve": Subcommand(answer=operators.approve, words=True),
    "reject": Subcommand(answer=operators.decide, words=True),
    "retry": Subcommand(answer=operators.retry),
    "readonly": Subcommand(answer=operators.readonly),
    "erase": Subcommand(answer=erase, words=True, private=True),
}
_ADMIN_NAMES = ("status", *FOR_ADMINS)
_IN_GROUP = ("list", "why-not", "keep", "add", "forget", "undo", "pause_resume", "group")
"""What the help names in a group."""
_UNDONE = frozenset({"add", "keep", "share", "unshare"})
"""What the reply tells how to take back; that of `forget` says so itself, those of pauses how to end them."""
_OF_HINTS = {"resume": ("恢复", "继续"), "undo": ("恢复",)}
"""What is sent along of the sentence that named the command."""
_FURTHER = {"forget": "help.forget_all", "add": "help.correct"}
"""What the help tells behind a subcommand."""
_ERROR_KEYS: Mapping[type[errors.LtmError], str] = {
    **operators.NOT_SEEN,
    errors.NotFoundError: "error.not_found",
    errors.RefusedError: "error.read_only",
    errors.ClosedError: "error.closed",
    NotKeptError: "error.not_kept",
}


class Commands:
    """Answers each `/ltm` message."""

    def __init__(self, service: Service, confirming: Confirming) -> None:
        self._service = service
        self._confirming = confirming
        self._listed = recent(Listed)

    async def answer(
        self, chat: Chat, text: str, *, admin: bool, message_id: str, by_person: bool = True
    ) -> Reply:
        """The reply to this message; never raises. Who is no person has no memories."""
        text = separated(text) or text
        ltm, rest = [*text.split(maxsplit=1), "", ""][:2]
        name, argument = subcommand(rest)
        if name in ("全部忘记", "forgetall") and not argument.strip("0123456789 "):
            argument = f"全部 {argument}".rstrip()
        active = self._service.active
        command = Command(
            chat=chat,
            admin=admin,
            message_id=message_id,
            said=text.strip(),
            name=ENGLISH.get(name, name),
            argument=argument,
            # Named as it was called, whatever name the operator gave it.
            say=Messages(locale_of(text), ltm=ltm.lstrip("/"), zone=active.zone if active else UTC),
            confirming=self._confirming,
            listed=self._listed(*asker(chat)),
        )
        about_others = command.name in HELP or (admin and command.name in _ADMIN_NAMES)
        if not (by_person or about_others):
            return Reply(text=command.say.text("error.no_person"))
        try:
            return _in_part(await self._answer(command), command)
        except (errors.NotFoundError, errors.AmbiguousError) as error:
            if command.name == "correct":  # it looks its memory up as `forget` does
                command = replace(command, name="forget", argument=command.argument.partition(" ")[0])
            # In a group word for word the same for what is hidden there and for what there is not.
            return _in_part(self._excuse(error, command), command)
        except errors.LtmError as error:
            return Reply(text=self._excuse(error, command))
        except Exception:
            logger.exception("The command %s failed.", command.name)
            return Reply(text=command.say.text("error.broken"))

    async def _answer(self, command: Command) -> str | Reply:
        name, say = command.name, command.say
        if name in HELP:
            active = self._service.active
            return _help(command, keeps=not active or active.self_approval)
        if name in _ADMIN_NAMES and not command.admin:
            return say.known(f"error.not_admin_{name}", say.text("error.not_admin"))
        if name == "status":
            return await self._status(command)
        if found := FOR_ALL.get(name) or FOR_ADMINS.get(name):
            return await self._called(found, command)
        if name == "correct":
            return await self._corrected(command)
        meant = meant_by(name, (*FOR_ALL, "correct", *(_ADMIN_NAMES if command.admin else ())))
        key = "error.unknown_meant" if meant else "error.unknown_command"
        return say.text(key, command=name, meant=meant and say.subcommand(meant))

    async def _corrected(self, command: Command) -> str | Reply:
        found, manager = CORRECTED.match(command.argument), self._service.manager()
        if not found or not (list_numbers(found[1]) or ID.fullmatch(found[1])):
            return await _corrected_by_words(manager, command)
        old = await choose(manager, replace(command, argument=found[1]))
        if isinstance(old, str):
            return old
        item = await present(manager, old, old.ids[0])
        if not item or not found["sentence"]:
            key = "correct.no_sentence" if item else "forget.gone"
            return command.say.text(key, fact=item.fact if item else "", number=found[1], numbers=found[1])
        fact, ids = command.argument[found.end() :], (item.memory_id,)
        return await _answered(manager, FOR_ALL["add"], replace(old, name="add", argument=fact, ids=ids))

    async def _called(self, found: Subcommand, command: Command) -> str | Reply:
        manager = self._service.manager()
        if command.argument in _OF_HINTS.get(command.name, ()):
            command = replace(command, argument="")
        if found.private and not command.chat.private:
            argument = command.argument if found.words else ""
            # Numbers mean other memories there, and of ids it takes one.
            if found.by_id and (numbers := list_numbers(argument)):
                argument = command.listed.get(numbers[0], "")[:SHORT_ID] if len(numbers) == 1 else ""
            key = "error.private_id" if found.by_id and not argument else "error.private_only"
            return command.say.text(key, command=f"{command.shown} {argument}".rstrip())
        if command.name in {"forget", "erase"}:
            refuse_while_read_only(manager)
        if found.words not in (None, bool(command.argument)):
            raise UsageError
        chosen = await choose(manager, command) if found.by_id else command
        if isinstance(chosen, str):
            return chosen
        answer = await _answered(manager, found, chosen)
        if not chosen.unlisted or isinstance(answer, Reply):
            return answer
        numbers = command.say.joined(ranges(chosen.unlisted), short=True)
        return "\n".join((answer, command.say.text("error.no_number", number=numbers)))

    async def _status(self, command: Command) -> str:
        report, paused = await self._service.health(), ""
        with suppress(errors.LtmError):  # what is wrong, the report tells
            paused = await self._service.manager().paused_by(command.chat)
        return "\n".join((*paused_line(paused, command.say), operators.status(report, command.say)))

    def _excuse(self, error: errors.LtmError, command: Command) -> str:
        """What somebody is told whose command came to nothing."""
        say, state = command.say, self._service.state
        if command.name == "correct":
            command = replace(command, name="add")
        if isinstance(error, UsageError | errors.InvalidInputError):
            usage = say.text(f"usage.{command.name}", types=_types(say))
            too_short = isinstance(error, errors.InvalidInputError) and error.field == "id"
            return "\n".join((say.text("error.short_id", least=MIN_ID_LENGTH), usage)) if too_short else usage
        if isinstance(error, NotLinkedError):
            coded = error.rule.endswith("in_group") and len(bare(command.argument)) == LENGTH
            return say.text(f"{error.rule}_code" if coded else error.rule, minutes=LINK_MINUTES)
        if isinstance(error, errors.RefusedError) and error.rule != "emergency_read_only":
            key = "add.refused" if command.name == "add" else "error.refused"
            return say.text(key, reason=say.rule(error.rule))
        is_down = isinstance(error, errors.UnavailableError | errors.UnusableStoreError)
        if is_down and state is not State.RUNNING:
            return say.text(f"error.{state}")
        key, found = _ERROR_KEYS.get(type(error), "error.unavailable"), FOR_ALL.get(command.name)
        if (key, command.name) == ("error.read_only", "pause"):
            key = "error.read_only_pause"
        is_own = found and found.by_id and key == "error.not_found"
        if is_own and (numbers := list_numbers(command.argument)):
            key = "forget.gone" if command.name in SEVERAL else "forget.missing"
            return say.text(key, numbers=say.joined(ranges(numbers), short=True))
        own = "error.not_found_own" if command.chat.private else "error.not_found_here"
        named = f"{command.shown} {command.argument}"
        return say.text(own if is_own else key, id=command.argument, command=named)


async def _corrected_by_words(manager: LTMManager, command: Command) -> str | Reply:
    """Where one memory alone has the words before the sentence; else which there are, and how to name one."""
    say, found = command.say, CORRECTED_BY_WORDS.match(command.argument)
    if not command.argument:
        return say.text("error.correct")
    words, fact = (found["words"], found["sentence"]) if found else ("", command.argument)
    rows = (await manager.search_own(command.chat, words, page=1, page_size=PAGE_SIZE, every=True)).rows
    if len(rows) == 1:
        corrected = replace(command, name="add", argument=fact, ids=(rows[0].memory_id,))
        return await _answered(manager, FOR_ALL["add"], corrected)
    lines = await numbered(manager, command, rows)
    number = lines[0].partition(".")[0] if lines else 1
    return "\n".join((say.text("error.correct_words", number=number, fact=fact), *lines))


async def _answered(manager: LTMManager, found: Subcommand, command: Command) -> str | Reply:
    """The answer, and how to take it back; where what it is about is gone, what has its place by now."""
    last = manager.last_step(command.chat)
    try:
        answer = await found.answer(manager, command)
    except errors.NotFoundError:
        if lines := await replaced_since(manager, command, command.ids):
            return "\n".join(lines.values())
        raise
    if isinstance(answer, Reply) or command.name not in _UNDONE:
        return answer
    undone = await manager.may_undo(command.chat, after=last)
    return "\n".join((answer, command.say.text("undo.hint", minutes=MINUTES))) if undone else answer


def _in_part(reply: str | Reply, command: Command) -> Reply:
    """The reply, and in a group that it tells only a part."""
    if isinstance(reply, Reply):
        return reply
    found = FOR_ALL.get(command.name)
    if command.chat.private or not (found and found.in_part) or of_everything(command):
        return Reply(text=reply)
    return Reply(text="\n".join((reply, command.say.text("group.in_part"))))


def _types(say: Messages) -> str:
    return say.joined((say.text(f"type.{kind}") for kind in LISTED_TYPES), short=True)


def _help(command: Command, *, keeps: bool) -> str:
    """The subcommands; `keep` where people may accept memories."""
    say, (word, _) = command.say, subcommand(command.argument)
    name = ENGLISH.get(word, word)
    if name == "correct":
        return say.text("error.correct")
    if name in FOR_ALL or (command.admin and name in _ADMIN_NAMES):
        return "\n".join((*_lines(say, name), say.text(f"usage.{name}", types=_types(say))))
    if not command.chat.private:
        return "\n".join(say.text(f"help.{name}") for name in _IN_GROUP if keeps or name != "keep")
    names = ["title", *(name for name in FOR_ALL if keeps or name != "keep")]
    names += ["admin", *_ADMIN_NAMES, "pause_group"] if command.admin else []
    return "\n".join(_lines(say, *names))


def _lines(say: Messages, *names: str) -> list[str]:
    return [say.text(key) for name in names for key in (f"help.{name}", _FURTHER.get(name)) if key]
