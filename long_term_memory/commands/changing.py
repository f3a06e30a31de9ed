"""`add`, `forget`, `undo`, `share` and `unshare`: what people change about one memory of theirs."""

from collections.abc import Sequence

from ..domain.memory import Item
from ..domain.words import Status
from ..manager import LTMManager
from ..manager.sharing import NotSharedError, WhyNotShared
from ..manager.undo import UNDO_FOR
from ..messages import Messages
from ..text_analysis.quotes import MAX_QUOTE
from .command import Command, UsageError, short
from .erasing import forget_all, means_all

_MINUTES = int(UNDO_FOR.total_seconds() / 60)


async def add(manager: LTMManager, command: Command) -> str:
    """`add <fact>`: keep it in the person's own words."""
    fact = " ".join(command.needed().split())
    if len(fact) > MAX_QUOTE:
        return command.say.text("add.too_long", length=len(fact), most=MAX_QUOTE)
    saved = await manager.save(command.chat, fact=fact, said=command.said, message_id=command.message_id)
    say, item, level = command.say, saved.item, manager.raised_to(command.chat)
    key = "add.saved" if item.status is Status.ACTIVE else "add.pending"
    text = say.text("add.known" if saved.known else key, fact=item.fact, id=short(item))
    if saved.replaced:
        text = "\n".join((text, say.text("add.replaces", facts=_facts(saved.replaced, say))))
    if level and level is item.level:
        return "\n".join((text, say.text("add.raised", level=say.text(f"level.{level.name}"))))
    return text


async def forget(manager: LTMManager, command: Command) -> str:
    """`forget <id|number|words>`, several numbers too. `forget all`: everything."""
    if means_all(command):
        return await forget_all(manager, command)
    command.needed()
    gone = await manager.forget(command.chat, *command.ids)
    return command.say.text("forget.done", fact=_facts(gone, command.say), minutes=_MINUTES)


async def undo(manager: LTMManager, command: Command) -> str:
    """`undo`: bring back what was forgotten last, or forget what was noted last."""
    if command.argument:
        raise UsageError
    say, undone = command.say, await manager.undo(command.chat)
    lines: list[str] = []
    if undone.forgotten:
        # What was replaced would be in the way.
        key = "undo.forgotten" if undone.restored else "forget.done"
        lines.append(say.text(key, fact=_facts(undone.forgotten, say), minutes=_MINUTES))
    if undone.restored:
        lines.append(say.text("undo.done", fact=_facts(undone.restored, say)))
    return "\n".join(lines) or say.text("undo.none", minutes=_MINUTES)


async def share(manager: LTMManager, command: Command) -> str:
    """`share <id>`: use it everywhere."""
    try:
        shared = await manager.sharing.share(command.chat, _asked_for(command))
    except NotSharedError as refused:
        return _refusal(command, refused)
    return command.say.text("share.done", fact=shared.item.fact, id=short(shared.item))


async def unshare(manager: LTMManager, command: Command) -> str:
    """`unshare <id>`: only where it was said, and in one's own private chats."""
    say = command.say
    try:
        kept = await manager.sharing.unshare(command.chat, _asked_for(command))
    except NotSharedError as refused:
        return _refusal(command, refused)
    if kept.stands_for is not None:
        return say.text("unshare.known", fact=kept.item.fact, id=short(kept.stands_for))
    return say.text("unshare.done", fact=kept.item.fact)


def _facts(items: Sequence[Item], say: Messages) -> str:
    return say.joined(item.fact for item in items)


def _asked_for(command: Command) -> str:
    """The id. In a group whatever follows is answered alike, also nothing at all."""
    if command.chat.private:
        command.needed()
    return "".join(command.ids)


def _refusal(command: Command, refused: NotSharedError) -> str:
    say, item = command.say, refused.item
    if refused.why is WhyNotShared.IN_GROUP or item is None:
        return say.text("error.private_only", command=command.shown)
    status, reason = say.text(f"item_status.{item.status}"), say.rule(item.reason) if item.reason else ""
    values = {"fact": item.fact, "id": short(item), "status": status, "reason": reason}
    return say.text(f"not_shared.{refused.why}", **values).rstrip()
