"""`share <id>` and `unshare <id>`: whether one of one's own memories may be known in every chat."""

from ..manager import LTMManager, NotShared, WhyNotShared
from .command import Command, short


async def share(manager: LTMManager, command: Command) -> str:
    """`share <id>`: use it everywhere."""
    shared = await manager.sharing.share(command.chat, _asked_for(command))
    if isinstance(shared, NotShared):
        return _refusal(command, shared)
    return command.say.text("share.done", fact=shared.item.fact, id=short(shared.item))


async def unshare(manager: LTMManager, command: Command) -> str:
    """`unshare <id>`: only where it was said, and in one's own private chats."""
    say = command.say
    kept = await manager.sharing.unshare(command.chat, _asked_for(command))
    if isinstance(kept, NotShared):
        return _refusal(command, kept)
    if kept.stands_for is not None:
        return say.text("unshare.known", fact=kept.item.fact, id=short(kept.stands_for))
    return say.text("unshare.done", fact=kept.item.fact)


def _asked_for(command: Command) -> str:
    """The id. In a group whatever follows is answered alike, also nothing at all."""
    return command.needed() if command.chat.private else command.argument


def _refusal(command: Command, refused: NotShared) -> str:
    say, item = command.say, refused.item
    if refused.why is WhyNotShared.IN_GROUP or item is None:
        return say.text("error.private_only", command=command.shown)
    status, reason = say.text(f"item_status.{item.status}"), say.rule(item.reason) if item.reason else ""
    values = {"fact": item.fact, "id": short(item), "status": status, "reason": reason}
    return say.text(f"not_shared.{refused.why}", **values).rstrip()
