"""`/ltm`: what people and admins type, and what they are told."""

import logging
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .config_form import SettingsProblem
from .domain.chat import Chat
from .domain.errors import (
    AmbiguousError,
    ClosedError,
    InvalidInputError,
    LtmError,
    NotFoundError,
    RefusedError,
    UnavailableError,
)
from .domain.memory import EvidenceInContext, Item
from .domain.words import MemoryType, Mode, Role, Status
from .manager import Counts, Explained, LTMManager, Saved
from .messages import SUBCOMMANDS, Messages, locale_of
from .service import STORE, Report, Service, State

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

PAGE_SIZE = 10
SHORT_ID = 8
MAX_QUOTES = 5


@dataclass(frozen=True, kw_only=True)
class Command:
    """One `/ltm` message, taken apart."""

    chat: Chat
    admin: bool
    message_id: str
    said: str
    """The whole message: the evidence of what is saved by it."""
    name: str
    """The subcommand in English; empty for a bare `/ltm`."""
    argument: str
    say: Messages


class Commands:
    """Answers each `/ltm` message with one text."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._answers: Mapping[str, Callable[[Command], Awaitable[str]]] = {
            "": self._help,
            "help": self._help,
            "帮助": self._help,
            "list": self._list,
            "why": self._why,
            "add": self._add,
            "forget": self._forget,
            "status": self._status,
            "mode": self._mode,
            "approve": self._approve,
        }

    async def answer(self, chat: Chat, text: str, *, admin: bool, message_id: str) -> str:
        """The reply to this message; never raises."""
        command = _command_of(chat, text, admin=admin, message_id=message_id)
        say = command.say
        answer = self._answers.get(command.name)
        if answer is None:
            return say.text("error.unknown_command", command=command.name)
        if command.name in _ADMIN_ONLY and not admin:
            return say.text("error.not_admin")
        try:
            return await answer(command)
        except LtmError as error:
            return self._excuse(error, command)
        except Exception:
            logger.exception("The command %s failed.", command.name)
            return say.text("error.broken")

    async def _help(self, command: Command) -> str:
        names = ["list", "why", "add", "forget"]
        lines = [command.say.text("help.title"), *(command.say.text(f"help.{name}") for name in names)]
        if command.admin:
            lines.append(command.say.text("help.admin"))
            lines.extend(command.say.text(f"help.{name}") for name in _ADMIN_ONLY)
        return "\n".join(lines)

    async def _list(self, command: Command) -> str:
        say = command.say
        kind, page = _list_arguments(command)
        found = await self._manager.own_items(command.chat, kind=kind, page=page, page_size=PAGE_SIZE)
        pages = math.ceil(found.total / PAGE_SIZE)
        if not found.total:
            return (
                say.text("list.empty_type", type=say.text(f"type.{kind}")) if kind else say.text("list.empty")
            )
        if page > pages:
            return say.text("list.no_page", pages=pages)
        lines = [say.text("list.header", total=found.total, page=page, pages=pages)]
        lines.extend(_list_line(item, say) for item in found.items)
        if page < pages:
            lines.append(say.text("list.more", page=page + 1))
        return "\n".join(lines)

    async def _why(self, command: Command) -> str:
        explained = await self._manager.why(command.chat, _needed(command))
        return "\n".join(_why_lines(explained, command))

    async def _add(self, command: Command) -> str:
        fact = _needed(command)
        saved = await self._manager.save(
            command.chat, fact=fact, said=command.said, message_id=command.message_id
        )
        return _saved_text(saved, command.say)

    async def _forget(self, command: Command) -> str:
        item = await self._manager.forget(command.chat, _needed(command))
        return command.say.text("forget.done", fact=item.fact)

    async def _mode(self, command: Command) -> str:
        say = command.say
        manager = self._manager
        if not command.argument:
            return say.text("mode.current", mode=say.text(f"mode.{manager.mode}"))
        if command.argument.lower() not in list(Mode):
            raise _UsageError
        mode = Mode(command.argument.lower())
        key = "mode.same" if mode is manager.mode else "mode.changed"
        await manager.set_mode(mode, actor=_operator(command.chat))
        return say.text(key, mode=say.text(f"mode.{mode}"))

    async def _approve(self, command: Command) -> str:
        say = command.say
        which = _needed(command)
        if which.lower() not in {"all", "全部", "所有"}:
            item = await self._manager.approve(which, actor=_operator(command.chat))
            # Not the fact: whose it is may not be in this chat.
            return say.text("approve.one", id=item.memory_id[:SHORT_ID])
        approved, left = await self._manager.approve_all(actor=_operator(command.chat))
        lines = [say.text("approve.done", count=approved)] if approved else []
        if left:
            lines.append(say.text("approve.left", count=left))
        return "\n".join(lines) or say.text("approve.none")

    async def _status(self, command: Command) -> str:
        report = await self._service.health()
        return "\n".join(_status_lines(report, command.say))

    @property
    def _manager(self) -> LTMManager:
        return self._service.manager()

    def _excuse(self, error: LtmError, command: Command) -> str:
        """What somebody is told whose command came to nothing."""
        say, state = command.say, self._service.state
        if isinstance(error, _UsageError | InvalidInputError):
            return say.text(f"usage.{command.name}", types=", ".join(MemoryType))
        if isinstance(error, RefusedError) and error.rule != "emergency_read_only":
            return say.text("add.refused", reason=say.rule(error.rule))
        if isinstance(error, UnavailableError) and state in _UNAVAILABLE_KEYS:
            return say.text(_paused_key(_UNAVAILABLE_KEYS[state], self._service.problems))
        return say.text(_ERROR_KEYS.get(type(error), "error.unavailable"), id=command.argument)


class _UsageError(LtmError):
    """The arguments make no sense; the reply shows how it is meant."""


_ADMIN_ONLY = ("status", "mode", "approve")
_STATE_KEYS = {
    State.RUNNING: "status.on",
    State.DISABLED: "status.off",
    State.PAUSED: "status.paused",
    State.CLOSED: "error.closed",
}
_STORE_KEYS = {"status.paused": "status.paused_store", "error.paused": "error.paused_store"}
_UNAVAILABLE_KEYS = {State.PAUSED: "error.paused", State.DISABLED: "error.off"}
_ERROR_KEYS: Mapping[type[LtmError], str] = {
    AmbiguousError: "error.ambiguous",
    NotFoundError: "error.not_found",
    RefusedError: "error.read_only",
    ClosedError: "error.closed",
}
_ENGLISH = {alias: name for name, alias in SUBCOMMANDS.items()}


def _command_of(chat: Chat, text: str, *, admin: bool, message_id: str) -> Command:
    # The first word is the command itself, under whatever name the operator gave it.
    _, name, argument = [*text.split(maxsplit=2), "", "", ""][:3]
    return Command(
        chat=chat,
        admin=admin,
        message_id=message_id,
        said=text.strip(),
        name=_ENGLISH.get(name, name.lower()),
        argument=argument.strip(),
        say=Messages(locale_of(text)),
    )


def _needed(command: Command) -> str:
    if not command.argument:
        raise _UsageError
    return command.argument


def _list_arguments(command: Command) -> tuple[MemoryType | None, int]:
    kind: MemoryType | None = None
    page = 1
    for word in command.argument.lower().split():
        if word in list(MemoryType):
            kind = MemoryType(word)
        elif word.isascii() and word.isdigit() and len(word) < 6 and int(word):
            page = int(word)
        else:
            raise _UsageError
    return kind, page


def _list_line(item: Item, say: Messages) -> str:
    values = {"id": item.memory_id[:SHORT_ID], "type": say.text(f"type.{item.type}"), "fact": item.fact}
    if item.status is Status.ACTIVE:
        return say.text("list.line", **values)
    return say.text("list.line_held", **values, status=say.text(f"item_status.{item.status}"))


def _why_lines(explained: Explained, command: Command) -> list[str]:
    item, say = explained.item, command.say
    lines = [say.text("why.fact", type=say.text(f"type.{item.type}"), fact=item.fact)]
    if item.person:
        lines.append(say.text("why.about", person=item.person))
    lines.append(
        say.text(
            "why.state",
            status=say.text(f"item_status.{item.status}"),
            confidence=f"{item.confidence:.2f}",
            count=item.evidence_count,
        )
    )
    if item.status is not Status.ACTIVE and item.reason:
        lines.append(say.text("why.held", reason=say.rule(item.reason)))
    lines.append(say.text("why.origin", origin=say.text(f"origin.{item.origin}")))
    lines.append(say.text("why.said_here" if item.origin_umo == command.chat.umo else "why.said_elsewhere"))
    lines.append(say.text("why.quotes"))
    lines.extend(_quote_line(one, command) for one in explained.evidence[:MAX_QUOTES])
    if len(explained.evidence) > MAX_QUOTES:
        lines.append(say.text("why.more_quotes", count=len(explained.evidence) - MAX_QUOTES))
    return lines


def _quote_line(one: EvidenceInContext, command: Command) -> str:
    say = command.say
    if one.role is Role.TOOL:
        who = say.text("who.tool")
    elif one.sender_id == command.chat.sender_id:
        who = say.text("who.you")
    else:
        who = one.sender_name or say.text("who.unknown")
    when = one.said_at.strftime("%Y-%m-%d %H:%M UTC")
    return say.text("why.quote", quote=one.evidence.quote, who=who, when=when)


def _saved_text(saved: Saved, say: Messages) -> str:
    values = {"fact": saved.item.fact, "id": saved.item.memory_id[:SHORT_ID]}
    if saved.known:
        return say.text("add.known", **values)
    return say.text("add.saved" if saved.item.status is Status.ACTIVE else "add.pending", **values)


def _status_lines(report: Report, say: Messages) -> list[str]:
    state = _paused_key(_STATE_KEYS[report.state], report.problems)
    lines = [say.text("status.title", version=report.version), say.text(state)]
    lines.extend(say.text("status.problem", key=p.key, why=p.why) for p in report.problems)
    if report.failures:
        lines.append(say.text("status.failures", count=sum(report.failures.values())))
    if report.counts:
        lines.extend(_count_lines(report.counts, say))
    return lines


def _count_lines(counts: Counts, say: Messages) -> Iterator[str]:
    by_status = {status.value: counts.items.get(status.value, 0) for status in Status}
    if counts.read_only:
        yield say.text("status.read_only")
    yield say.text("status.mode", mode=say.text(f"mode.{counts.mode}"))
    yield say.text("status.counts", **by_status)
    if waiting := by_status["shadow"] + by_status["pending"]:
        yield say.text("status.pending", count=waiting)
    events = counts.events
    yield say.text("status.events", waiting=events.get("pending", 0), failed=events.get("failed", 0))
    if counts.last_error:
        yield say.text("status.last_error", error=counts.last_error)
    yield say.text("status.chat_provider" if counts.chat_provider else "status.no_chat_provider")
    if counts.embedding_model:
        yield say.text("status.embedding", provider=counts.embedding_model)
    else:
        yield say.text("status.no_embedding")
    if counts.embedding_error:
        yield say.text("status.embedding_error", error=counts.embedding_error)


def _paused_key(key: str, problems: Sequence[SettingsProblem]) -> str:
    """The text for a pause that no setting ends, where the store is what is wrong."""
    by_store = bool(problems) and all(problem.key == STORE for problem in problems)
    return _STORE_KEYS.get(key, key) if by_store else key


def _operator(chat: Chat) -> str:
    return f"operator:{chat.platform_id}:{chat.sender_id}"
