"""What admins decide about items: pending, approve, reject."""

import math

from ..domain.memory import Item
from ..manager import LTMManager, WaitingPage
from ..messages import Messages
from .command import ALL, PAGE_SIZE, Command, UsageError, page_number, short


async def pending(manager: LTMManager, command: Command) -> str:
    """`pending [page]`: what waits and why, oldest first."""
    say = command.say
    page = page_number(command.argument or "1")
    if page is None:
        raise UsageError
    found = await manager.waiting(command.chat, page=page, page_size=PAGE_SIZE)
    pages = math.ceil(found.total / PAGE_SIZE)
    if not found.total:
        return say.text("approve.none")
    if page > pages:
        return say.text("list.no_page", pages=pages)
    lines = [say.text("pending.header", total=found.total, page=page, pages=pages)]
    lines.extend(_line(item, found, command) for item in found.items)
    if page < pages:
        lines.append(say.text("pending.more", page=page + 1))
    return "\n".join(lines)


async def approve(manager: LTMManager, command: Command) -> str:
    """`approve <id>`, and `approve all` for what is in no doubt."""
    say = command.say
    which = command.needed()
    if which.lower() not in ALL:
        item = await manager.approve(which, actor=command.operator)
        # Not the fact: whose it is may not be in this chat.
        return say.text("approve.one", id=short(item))
    approved, left = await manager.approve_all(actor=command.operator)
    lines = [say.text("approve.done", count=approved)] if approved else []
    if left:
        lines.append(say.text("approve.left", count=left))
    return "\n".join(lines) or say.text("approve.none")


async def reject(manager: LTMManager, command: Command) -> str:
    """`reject <id>`: drop a memory, waiting or in use; it is not learnt again by itself."""
    item = await manager.reject(command.needed(), actor=command.operator)
    return command.say.text("reject.done", id=short(item))


def _line(item: Item, found: WaitingPage, command: Command) -> str:
    say, reason = command.say, item.reason or "mode"
    readable = item.memory_id in found.readable
    values = {
        "id": short(item),
        "type": say.text(f"type.{item.type}"),
        "fact": _fact(item, say) if readable else say.text("pending.hidden"),
        "days": (found.at - item.created_at).days,
        # What a reason goes on with are words of the fact.
        "reason": say.rule(reason if readable else reason.partition(":")[0]),
    }
    if item.expires_at is not None and found.ends_soon(item):
        return say.text("pending.line_ends", **values, day=f"{item.expires_at:%Y-%m-%d}")
    return say.text("pending.line", **values)


def _fact(item: Item, say: Messages) -> str:
    """The words, and of whom and by whom they were said where that is not one and the same."""
    if not item.person:
        return item.fact
    key = "pending.about_told" if item.teller else "pending.about"
    return say.text(key, fact=item.fact, person=item.person, teller=item.teller)
