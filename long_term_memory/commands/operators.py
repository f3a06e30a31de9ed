"""What admins may ask: `mode`, `readonly` and `retry` of memory as a whole, and decisions on what waits."""

import math

from ..domain.memory import Item
from ..domain.words import Mode
from ..manager import LTMManager
from ..manager.bulk_review import UNSURE, WaitingPage
from ..messages import Messages
from .command import ALL, PAGE_SIZE, Command, UsageError, page_number, short

_ON = frozenset({"on", "开", "开启", "打开"})
_OFF = frozenset({"off", "关", "关闭"})

_CHINESE = {"试运行": "shadow", "影子": "shadow", "自动": "auto", "手动": "manual"}


async def mode(manager: LTMManager, command: Command) -> str:
    """`mode` tells what automatic writing may do, `mode <mode>` changes it."""
    say = command.say
    if not command.argument:
        return say.text("mode.current", mode=say.text(f"mode.{manager.mode}"))
    word = _CHINESE.get(command.word, command.word)
    if word not in list(Mode):
        raise UsageError
    wanted = Mode(word)
    key = "mode.same" if wanted is manager.mode else "mode.changed"
    await manager.governing.set_mode(wanted, actor=command.operator)
    return say.text(key, mode=say.text(f"mode.{wanted}"))


async def readonly(manager: LTMManager, command: Command) -> str:
    """`readonly` tells whether nothing is written, `readonly on` and `readonly off` switch it."""
    say, switches = command.say, manager.switches
    if not command.argument:
        return say.text("readonly.is_on" if switches.read_only else "readonly.is_off")
    if command.word not in (*_ON, *_OFF):
        raise UsageError
    on = command.word in _ON
    changed = await switches.set_read_only(on=on, actor=command.operator)
    if on:
        return say.text("readonly.on" if changed else "readonly.same_on")
    return say.text("readonly.off" if changed else "readonly.same_off")


async def retry(manager: LTMManager, command: Command) -> str:
    """`retry`: read the messages again that the extraction gave up on."""
    tried = await manager.jobs.retry(actor=command.operator)
    return command.say.text("retry.done", count=tried) if tried else command.say.text("retry.none")


async def pending(manager: LTMManager, command: Command) -> str:
    """`pending [page]`: what waits, of whom and why, oldest first; each reason once on a page."""
    say = command.say
    page = page_number(command.argument or "1")
    if page is None:
        raise UsageError
    found = await manager.review.waiting_for(command.chat, page=page, page_size=PAGE_SIZE)
    pages = math.ceil(found.total / PAGE_SIZE)
    if not found.total:
        return say.text("approve.none")
    if page > pages:
        return say.text("list.no_page", pages=pages, size=PAGE_SIZE)
    lines = [say.text("pending.header", total=found.total, page=page, pages=pages)]
    for reason in dict.fromkeys(map(_reason, found.items)):
        lines.append(say.text("pending.reason", reason=say.rule(reason)))
        lines.extend(_line(item, found, say) for item in found.items if _reason(item) == reason)
    if page < pages:
        lines.append(say.text("pending.more", page=page + 1))
    return "\n".join(lines)


async def approve(manager: LTMManager, command: Command) -> str:
    """`approve <id>`, and `approve all` for what is in no doubt."""
    say = command.say
    which = command.needed()
    if which.lower() not in ALL:
        item = await manager.review.approve_one(which, actor=command.operator)
        # Not the fact: whose it is may not be in this chat.
        return say.text("approve.one", id=short(item))
    decided = await manager.review.approve_all(actor=command.operator)
    left = [why for why in decided.left.values() if why == UNSURE]
    lines = [say.text("approve.done", count=len(decided.done))] if decided.done else []
    if left:
        lines.append(say.text("approve.left", count=len(left)))
    return "\n".join(lines) or say.text("approve.none")


async def reject(manager: LTMManager, command: Command) -> str:
    """`reject <id>`: drop a memory, waiting or in use; it is not learnt again by itself."""
    item = await manager.review.reject_one(command.needed(), actor=command.operator)
    return command.say.text("reject.done", id=short(item))


def _reason(item: Item) -> str:
    return item.reason.partition(":")[0] or "mode"


def _line(item: Item, found: WaitingPage, say: Messages) -> str:
    readable = item.memory_id in found.readable
    days = (found.at - item.created_at).days
    values = {
        "id": short(item),
        "type": say.text(f"type.{item.type}"),
        "fact": _fact(item, found, say) if readable else say.text("pending.hidden"),
        "age": say.text("pending.age" if days else "pending.today", days=days),
    }
    if item.expires_at is not None and found.ends_soon(item):
        return say.text("pending.line_ends", **values, day=say.day(item.expires_at))
    return say.text("pending.line", **values)


def _fact(item: Item, found: WaitingPage, say: Messages) -> str:
    """Whose it is, the words with what of them is in doubt, and of whom and by whom they were said."""
    owner = found.names.get(item.owner.scope_id, item.owner.scope_id)
    doubt = item.reason.partition(":")[2].strip()
    fact = say.text(
        "pending.fact_doubt" if doubt else "pending.fact", owner=owner, fact=item.fact, doubt=doubt
    )
    if not item.person:
        return fact
    key = "pending.about_told" if item.teller else "pending.about"
    return say.text(key, fact=fact, person=item.person, teller=item.teller)
