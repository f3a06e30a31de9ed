"""`keep <id>` and `keep all`: use what was learnt about oneself from one's own words."""

from ..domain.memory import Item
from ..domain.words import Status
from ..manager import LTMManager, NotAccepted, OwnWaiting
from ..messages import Messages
from .command import ALL, Command


async def keep(manager: LTMManager, command: Command) -> str:
    """`keep <id>` for one memory that waits, `keep all` for all that are in no doubt."""
    say = command.say
    which = command.needed()
    if which.lower() in ALL:
        kept, waiting = await manager.accepting.keep_all(command.chat)
        return "\n".join((_kept_all(len(kept), waiting, say), *waits_line(waiting, say)))
    outcome = await manager.accepting.keep(command.chat, which)
    if isinstance(outcome, NotAccepted):
        return _not_kept(outcome.item, say)
    return say.text("keep.one", fact=outcome.fact)


def waits_line(waiting: OwnWaiting, say: Messages) -> list[str]:
    """What waits for whom, and how it is used now, in a line; none when nothing waits."""
    mine, others = len(waiting.acceptable), waiting.others
    if mine:
        return [say.text("waits.both" if others else "waits.you", count=mine, others=others)]
    return [say.text("waits.admin", count=others)] if others else []


def _kept_all(count: int, waiting: OwnWaiting, say: Messages) -> str:
    if count:
        return say.text("keep.done", count=count)
    return say.text("keep.none" if waiting.acceptable or waiting.others else "keep.nothing")


def _not_kept(item: Item, say: Messages) -> str:
    if item.status is Status.ACTIVE:
        return say.text("keep.used", fact=item.fact)
    if item.status is Status.DISABLED:
        return say.text("keep.disabled", fact=item.fact)
    return say.text("keep.admin", fact=item.fact, reason=say.rule(item.reason or "mode"))
