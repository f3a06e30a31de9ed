"""`why <id>`: the words a memory rests on, and what it took the place of."""

from collections.abc import Iterator
from datetime import datetime

from ..domain.memory import EvidenceInContext, reworded_at
from ..domain.words import Audience, Role, Status
from ..manager import Explained, LTMManager
from .command import Command, short
from .when import instant

MAX_QUOTES = 5
MAX_OLDER = 5


async def why(manager: LTMManager, command: Command) -> str:
    """All that speaks for one of the speaker's own memories."""
    explained = await manager.why(command.chat, command.needed())
    waiting = await manager.accepting.waiting(command.chat)
    parts = (_fact_lines, _quote_lines, _older_lines)
    lines = [line for part in parts for line in part(explained, command)]
    if explained.item in waiting.acceptable:
        lines.append(command.say.text("why.keep", id=short(explained.item)))
    return "\n".join(lines)


def _fact_lines(explained: Explained, command: Command) -> Iterator[str]:
    item, say = explained.item, command.say
    yield say.text("why.fact", type=say.text(f"type.{item.type}"), fact=item.fact)
    if item.person:
        yield say.text("why.about", person=item.person)
    if item.teller:
        yield say.text("why.teller", teller=item.teller)
    yield say.text(
        "why.state",
        status=say.text(f"item_status.{item.status}"),
        confidence=f"{item.confidence:.2f}",
        count=item.evidence_count if command.chat.private else len(explained.evidence),
    )
    if item.status is not Status.ACTIVE and item.reason:
        yield say.text("why.held", reason=say.rule(item.reason))
    yield say.text("why.origin", origin=say.text(f"origin.{item.origin}"))
    chats = {item.origin_umo, *(one.umo for one in explained.evidence)}
    yield say.text("why.said_here" if command.chat.umo in chats else "why.said_elsewhere")
    if item.audience is Audience.EVERYWHERE:
        yield say.text("why.shared", id=short(item))


def _quote_lines(explained: Explained, command: Command) -> Iterator[str]:
    say, evidence = command.say, explained.evidence
    yield say.text("why.quotes" if evidence else "why.unquoted")
    if evidence and (at := reworded_at(explained.item, explained.older)):
        yield say.text("why.reworded", when=instant(at))
    for one in evidence[:MAX_QUOTES]:
        yield say.text(
            "why.quote", quote=one.evidence.quote, who=_who(one, command), when=instant(one.said_at)
        )
    if len(evidence) > MAX_QUOTES:
        yield say.text("why.more", count=len(evidence) - MAX_QUOTES)


def _older_lines(explained: Explained, command: Command) -> Iterator[str]:
    say, older = command.say, explained.older
    if not older:
        return
    yield say.text("why.older")
    for item in older[:MAX_OLDER]:
        since, until = _day(item.created_at), _day(item.updated_at)
        yield say.text("why.older_line", fact=item.fact, since=since, until=until)
    if len(older) > MAX_OLDER:
        yield say.text("why.more", count=len(older) - MAX_OLDER)


def _who(one: EvidenceInContext, command: Command) -> str:
    if one.role in {Role.TOOL, Role.ASSISTANT}:
        return command.say.text(f"who.{one.role}")
    if one.sender_id == command.chat.sender_id:
        return command.say.text("who.you")
    return one.sender_name or command.say.text("who.unknown")


def _day(at: datetime) -> str:
    return at.strftime("%Y-%m-%d")
