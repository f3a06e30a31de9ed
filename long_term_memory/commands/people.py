"""What everybody may ask about oneself: list, add, pause, resume."""

import math
from collections.abc import Awaitable, Callable, Sequence

from ..domain.chat import Chat
from ..domain.memory import Item
from ..domain.words import Audience, MemoryType, Status
from ..manager import LTMManager, OwnWaiting, Saved
from ..messages import Messages
from ..text_analysis.quotes import MAX_QUOTE
from .command import PAGE_SIZE, Command, UsageError, page_number, short
from .keep import waits_line
from .when import unread_line

_GROUP = frozenset({"group", "群", "本群", "群聊", "群组"})


async def list_own(manager: LTMManager, command: Command) -> str:
    """`list [type] [page]`: one's own memories, last changed first."""
    say = command.say
    kind, page = _list_arguments(command)
    found = await manager.own_items(command.chat, kind=kind, page=page, page_size=PAGE_SIZE)
    pages = math.ceil(found.total / PAGE_SIZE)
    unread = unread_line(await manager.unread(command.chat), say)
    if not found.total:
        empty = say.text("list.empty_type", type=say.text(f"type.{kind}")) if kind else say.text("list.empty")
        return "\n".join((empty, *unread))
    if page > pages:
        return say.text("list.no_page", pages=pages)
    lines = [say.text("list.header", total=found.total, page=page, pages=pages)]
    lines.extend(await numbered(manager, command, found.rows, after=(page - 1) * PAGE_SIZE))
    if page < pages:
        lines.append(say.text("list.more", page=f"{kind or ''} {page + 1}"))
    lines.extend((*unread, *waits_line(await manager.accepting.waiting(command.chat), say)))
    return "\n".join(lines)


async def add(manager: LTMManager, command: Command) -> str:
    """`add <fact>`: keep it in the person's own words."""
    fact = " ".join(command.needed().split())
    if len(fact) > MAX_QUOTE:
        return command.say.text("add.too_long", length=len(fact), most=MAX_QUOTE)
    saved = await manager.save(command.chat, fact=fact, said=command.said, message_id=command.message_id)
    level = manager.raised_to(command.chat)
    told = [_saved_text(saved, command.say)]
    if level and level is saved.item.level:
        told.append(command.say.text("add.raised", level=command.say.text(f"level.{level.name}")))
    return "\n".join(told)


async def pause(manager: LTMManager, command: Command) -> str:
    """`pause`: nothing is learnt or recalled for oneself; `pause group`: for a group, by an admin."""
    return await _switched(command, manager.pause, manager.pause_group)


async def resume(manager: LTMManager, command: Command) -> str:
    """`resume` and `resume group`: end what `pause` began."""
    return await _switched(command, manager.resume, manager.resume_group)


async def _switched(
    command: Command, person: Callable[[Chat], Awaitable[bool]], group: Callable[..., Awaitable[bool]]
) -> str:
    say, name = command.say, command.name
    if not _means_group(command):
        return say.text(f"{name}.done" if await person(command.chat) else f"{name}.same")
    if refusal := _group_refusal(command):
        return say.text(refusal)
    changed = await group(command.chat, actor=command.operator)
    return say.text(f"{name}.group_done" if changed else f"{name}.group_same")


def _means_group(command: Command) -> bool:
    if command.argument and command.word not in _GROUP:
        raise UsageError
    return bool(command.argument)


def _group_refusal(command: Command) -> str | None:
    if not command.admin:
        return "error.not_admin"
    return "error.no_group" if command.chat.private else None


def _list_arguments(command: Command) -> tuple[MemoryType | None, int]:
    kinds = {name: each for each in MemoryType for name in (each.value, command.say.text(f"type.{each}"))}
    numbers = {word: number for word in command.word.split() if (number := page_number(word))}
    # What lists call a type may have two words.
    name = " ".join(word for word in command.word.split() if word not in numbers)
    if name and name not in kinds:
        raise UsageError
    return kinds.get(name), next(iter(numbers.values()), 1)


async def numbered(
    manager: LTMManager, command: Command, items: Sequence[Item], *, after: int = 0
) -> list[str]:
    """The lines of a list, which is the one that numbers refer to from now on."""
    waiting = await manager.accepting.waiting(command.chat)
    command.listed.clear()
    command.listed.update((number, item.memory_id) for number, item in enumerate(items, after + 1))
    return [_list_line(item, number, command.say, waiting) for number, item in enumerate(items, after + 1)]


def _list_line(item: Item, number: int, say: Messages, waiting: OwnWaiting) -> str:
    kind = say.text(f"type.{item.type}")
    values = {"number": number, "id": short(item), "type": kind, "fact": item.fact}
    if item in waiting.acceptable:
        return say.text("list.line_held", **values, status=say.text("list.waits_for_you"))
    if item.status is not Status.ACTIVE:
        return say.text("list.line_held", **values, status=say.text(f"item_status.{item.status}"))
    if item.audience is Audience.EVERYWHERE:
        return say.text("list.line_held", **values, status=say.text("list.shared"))
    return say.text("list.line", **values)


def _saved_text(saved: Saved, say: Messages) -> str:
    values = {"fact": saved.item.fact, "id": short(saved.item)}
    if saved.known:
        return say.text("add.known", **values)
    return say.text("add.saved" if saved.item.status is Status.ACTIVE else "add.pending", **values)
