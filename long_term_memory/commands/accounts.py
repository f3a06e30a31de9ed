"""`pause`, `resume`, `link` and `unlink`: whether one is learnt about, and under which accounts."""

from ..manager import LTMManager
from ..manager.linking import LENGTH, LIFE, LinkAccount, bare
from ..manager.undo import Step
from .command import Command, UsageError, refuse_while_read_only

LINK_MINUTES = LIFE.seconds // 60


async def pause_or_resume(manager: LTMManager, command: Command, *, undoing: Step | None = None) -> str:
    """`pause`: nothing is learnt or recalled for oneself, until `resume`; of a `group` by an admin."""
    say, pausing = command.say, manager.pausing
    name = {"pause": "resume", "resume": "pause"}[undoing.kind] if undoing else command.name
    if not command.argument:
        changed = await pausing.own(command.chat, on=name == "pause", undoing=undoing)
        hints = [f"{name}.done" if changed else f"{name}.same"]
        if name == "resume":
            forgot = not undoing and await manager.forgot_last(command.chat)
            hints += ["resume.forgot"] if forgot else []
            hints += ["resume.not_group"] if await manager.paused_by(command.chat) == "paused_group" else []
        answer = "\n".join(map(say.text, hints))
        return say.after(say.text("undo.switched"), answer) if undoing and changed else answer
    if command.word != "group":
        raise UsageError
    if not command.admin:
        return say.text("error.not_admin")
    if command.chat.private:
        return say.text("error.no_group")
    changed = await pausing.group(command.chat, on=name == "pause", actor=command.operator)
    return say.text(f"{name}.group_done" if changed else f"{name}.group_same")


async def link(manager: LTMManager, command: Command) -> str:
    """`link` gives a code, `link <code>` enters that of the other account, `link confirm` joins the two.

    The first `link confirm` only says whose the other is, unless `link` has said it.
    """
    say, chat = command.say, command.chat
    if command.word == "cancel":
        return say.text("link.cancelled" if manager.linking.cancel(chat) else "link.no_code")
    if chat.private:  # in a group a code that is shown becomes void, whatever else
        refuse_while_read_only(manager)
    if not command.argument or (command.word == "confirm" and manager.linking.is_unseen(chat)):
        offer = manager.linking.begin(chat)
        if offer.entered_by:
            return say.text("link.waiting", **_shown(offer.entered_by))
        return say.text("link.code", code=offer.code, minutes=LINK_MINUTES)
    if command.word == "confirm":
        other, head = await manager.linking.confirm(chat)
        own = f"{chat.platform_id}:{chat.sender_id}"
        named = {other.account: other.name, own: say.text("link.this_account")}
        return say.text("link.joined", owner=named.get(head, head), **_shown(other))
    if len(bare(command.argument)) != LENGTH:
        raise UsageError
    entered = manager.linking.enter(chat, command.argument)
    head = manager.linking.written_to(entered)
    owner = entered.of.name if head == entered.of.account else head
    return say.text("link.entered", minutes=LINK_MINUTES, owner=owner, **_shown(entered.of))


async def unlink(manager: LTMManager, command: Command) -> str:
    """`unlink`: the account stands alone again."""
    account = await manager.linking.leave(command.chat)
    return command.say.text("unlink.done" if account else "unlink.done_own", account=account)


def _shown(account: LinkAccount) -> dict[str, str]:
    return {"name": account.name, "id": account.sender_id, "platform": account.platform_id}
