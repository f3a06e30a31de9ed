"""`link` and `unlink`: several accounts of one person, joined by a code that both sides know."""

from ..manager import LTMManager, NotLinked
from ..manager.link_codes import LENGTH, LIFE, Account, Offer, bare
from .command import Command, UsageError
from .read_only import refuse_while_read_only

_CONFIRM = frozenset({"confirm", "yes", "确认", "是"})
_CANCEL = frozenset({"cancel", "no", "取消", "否"})
_MINUTES = LIFE.seconds // 60


async def link(manager: LTMManager, command: Command) -> str:
    """`link` gives a code, `link <code>` enters that of the other account, `link confirm` joins the two."""
    if command.word in _CANCEL:
        return command.say.text("link.cancelled" if manager.linking.cancel(command.chat) else "link.no_code")
    if command.chat.private:  # in a group a code that is shown becomes void, whatever else
        refuse_while_read_only(manager)
    if not command.argument:
        return _begin(manager, command)
    if command.word in _CONFIRM:
        return await _confirm(manager, command)
    if len(bare(command.argument)) != LENGTH:
        raise UsageError
    entered = manager.linking.enter(command.chat, command.argument)
    if isinstance(entered, NotLinked):
        return _refusal(command, entered)
    return command.say.text("link.entered", minutes=_MINUTES, **_shown(entered.of))


async def unlink(manager: LTMManager, command: Command) -> str:
    """`unlink`: the account stands alone again."""
    if command.argument:
        raise UsageError
    left = await manager.linking.leave(command.chat)
    if isinstance(left, NotLinked):
        return _refusal(command, left)
    return command.say.text("unlink.keeps" if left.is_head else "unlink.leaves", account=left.head)


def _begin(manager: LTMManager, command: Command) -> str:
    offer = manager.linking.begin(command.chat)
    if isinstance(offer, NotLinked):
        return _refusal(command, offer)
    return _waiting(offer, command) or command.say.text("link.code", code=offer.code, minutes=_MINUTES)


async def _confirm(manager: LTMManager, command: Command) -> str:
    linked = await manager.linking.confirm(command.chat)
    if isinstance(linked, NotLinked):
        return _refusal(command, linked)
    return command.say.text("link.joined", account=linked.head, **_shown(linked.other))


def _waiting(offer: Offer, command: Command) -> str | None:
    return offer.entered_by and command.say.text("link.waiting", **_shown(offer.entered_by))


def _shown(account: Account) -> dict[str, str]:
    return {"name": account.name, "id": account.sender_id, "platform": account.platform_id}


def _refusal(command: Command, why: NotLinked) -> str:
    return command.say.text(f"not_linked.{why}", minutes=_MINUTES)
