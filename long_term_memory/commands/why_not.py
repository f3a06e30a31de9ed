"""`why-not <words>`: where one's own memories with these words stand, why the last request lacked them."""

from ..domain.memory import Item
from ..domain.words import Status
from ..manager import LTMManager, WhyNot
from ..manager.why_not import Explained
from ..messages import Messages
from ..policies.expiry import TTL_RULE
from ..read.absence import Fate
from .command import Command, short


async def why_not(manager: LTMManager, command: Command) -> str:
    """A line for each memory, or that there is none."""
    say = command.say
    found = await manager.why_not(command.chat, command.needed())
    lines = [_line(one, found, say) for one in found.explained] or _none(found, say)
    if found.more:
        lines.append(say.text("absent.more", count=found.more))
    if found.paused:
        lines.append(say.text("absent.paused"))
    if not found.reading:
        lines.append(say.text("absent.off"))
    return "\n".join(lines)


def _none(found: WhyNot, say: Messages) -> list[str]:
    unread = [say.text("absent.unread", count=found.unread)] if found.unread else []
    return [say.text("absent.none"), *unread]


def _line(one: Explained, found: WhyNot, say: Messages) -> str:
    item = one.item
    kind = say.text(f"type.{item.type}")
    return say.text("absent.line", id=short(item), type=kind, fact=item.fact, why=_why(one, found, say))


def _why(one: Explained, found: WhyNot, say: Messages) -> str:
    item, fate, detail = one.item, one.explanation.fate, one.explanation.detail
    values = {
        "when": f"{found.last_at:%Y-%m-%d %H:%M} UTC" if found.last_at else "",
        "status": say.text(f"item_status.{item.status}"),
        "confidence": f"{item.confidence:.2f}",
        "least": f"{found.min_confidence:.2f}",
        "reason": _reason(item, fate, detail, say),
    }
    if fate is Fate.SUPERSEDED and one.newer is not None:
        return say.text("fate.superseded_by", fact=one.newer.fact, id=short(one.newer))
    if item.status is Status.EXPIRED and item.reason != TTL_RULE:
        return say.text("fate.evicted")
    if fate is Fate.NO_RECALL and not found.logged:
        return say.text("fate.no_log")
    return say.text(f"fate.{fate}", **values)


def _reason(item: Item, fate: Fate, detail: str, say: Messages) -> str:
    match fate:
        case Fate.HELD:
            return say.rule(item.reason or "mode")
        case Fate.LEFT_OUT:
            return say.known(f"left_out.{detail}", detail)
        case Fate.NO_BLOCK:
            return say.known(f"no_block.{detail}", detail)
        case _:
            return ""
