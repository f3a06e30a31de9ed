"""`why-not <words>`: where one's own memories and messages with these words stand."""

from ..domain.memory import Item
from ..domain.words import LIVE_STATUSES, Extraction, Status
from ..manager import LTMManager, OwnWaiting, WhyNot
from ..manager.why_not import Explained, Message
from ..messages import Messages
from ..policies.worth import TTL_RULE
from ..read.absence import Fate
from .command import Command, short
from .when import instant, unread_line

_GONE = frozenset({Fate.FORGOTTEN, Fate.REMOVED})


async def why_not(manager: LTMManager, command: Command) -> str:
    """A line for each memory and message, or that there is none."""
    say = command.say
    found = await manager.why_not(command.chat, command.needed())
    waiting = await manager.accepting.waiting(command.chat)
    lines = [_line(one, found, waiting, say) for one in found.explained]
    if found.more:
        lines.append(say.text("absent.more", count=found.more))
    known = any(one.item.status in LIVE_STATUSES for one in found.explained)
    fates = [(one, _fate(one)) for one in found.said]
    told = [(one, fate) for one, fate in fates if not known or fate not in ("nothing", "other", "rules")]
    lines.extend(_said_line(one, fate, say) for one, fate in told)
    if not lines:
        lines.append(say.text("absent.none"))
    if not found.explained:
        lines.extend(unread_line(found.unread, say))
    if found.paused:
        lines.append(say.text("absent.paused", reason=say.rule(found.paused)))
    if not found.reading:
        lines.append(say.text("absent.off"))
    return "\n".join(dict.fromkeys(lines))


def _line(one: Explained, found: WhyNot, waiting: OwnWaiting, say: Messages) -> str:
    item, fate = one.item, one.explanation.fate
    if fate in _GONE:  # without the words: they are not to be told any more
        return say.text(f"fate.{fate}", when=instant(item.updated_at))
    why = _why(one, found, say)
    if item in waiting.acceptable:
        why = f"{why} {say.text('why.keep', id=short(item))}"
    values = {"id": short(item), "type": say.text(f"type.{item.type}"), "fact": item.fact, "why": why}
    if one.said_at is None:
        return say.text("absent.line", **values)
    return say.text("absent.line_said", **values, when=instant(one.said_at))


def _fate(one: Message) -> str:
    """What became of a message."""
    match one.event.extraction:
        case Extraction.PENDING:
            return "unread" if one.reading_at else "stopped"
        case Extraction.FAILED:
            return "failed"
        case Extraction.SKIPPED:
            return "rules"
        case Extraction.DONE if one.event.last_error:
            return "refused"
        case Extraction.DONE:
            return "other" if one.fruitful else "nothing"


def _said_line(one: Message, fate: str, say: Messages) -> str:
    reason = say.rule(one.event.last_error) if fate == "refused" else ""
    at = instant(one.reading_at) if one.reading_at else ""
    why = say.text(f"said.{fate}", reason=reason, at=at)
    return say.text("said.line", quote=one.text, when=instant(one.event.created_at), why=why)


def _why(one: Explained, found: WhyNot, say: Messages) -> str:
    item, fate, detail = one.item, one.explanation.fate, one.explanation.detail
    values = {
        "when": instant(found.last_at) if found.last_at else "",
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
