"""`why-not <words>`: where one's own memories and messages with these words stand."""

from ..domain.memory import Event, Item
from ..domain.words import LIVE_STATUSES, Extraction, Status
from ..manager import LTMManager, OwnWaiting, WhyNot
from ..manager.why_not import Explained
from ..messages import Messages
from ..policies.worth import TTL_RULE
from ..read.absence import Fate
from ..read.excerpt import excerpt
from .command import Command, short
from .when import instant, unread_line

_GONE = frozenset({Fate.FORGOTTEN, Fate.REMOVED})
_NO_NEWS = frozenset({"nothing", "other", "rules"})
"""Of a message, where a memory answers already."""


async def why_not(manager: LTMManager, command: Command) -> str:
    """A line for each memory and message, or that there is none."""
    say = command.say
    found = await manager.why_not(command.chat, command.needed())
    waiting = await manager.accepting.waiting(command.chat)
    lines = [_line(one, found, waiting, say) for one in found.explained]
    if found.more:
        lines.append(say.text("absent.more", count=found.more))
    known = any(one.item.status in LIVE_STATUSES for one in found.explained)
    told = [(event, _fate(event, found, fruitful=fruitful)) for event, fruitful in found.said]
    lines.extend(_said(event, fate, found, say) for event, fate in told if not known or fate not in _NO_NEWS)
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


def _fate(event: Event, found: WhyNot, *, fruitful: bool) -> str:
    """What became of a message."""
    if event.extraction is Extraction.PENDING:
        return "unread" if _chat_of(event) in found.reading_at else "stopped"
    if event.extraction is Extraction.DONE:
        return "refused" if event.last_error else "other" if fruitful else "nothing"
    return "failed" if event.extraction is Extraction.FAILED else "rules"


def _said(event: Event, fate: str, found: WhyNot, say: Messages) -> str:
    at = found.reading_at.get(_chat_of(event), event.created_at)
    why = say.text(f"said.{fate}", reason=say.rule(event.last_error), at=instant(at))
    return say.text(
        "said.line", quote=excerpt(event.text, (), most=100), when=instant(event.created_at), why=why
    )


def _chat_of(event: Event) -> tuple[str, str]:
    return event.umo, event.at_scope.scope_id


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
