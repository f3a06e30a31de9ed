"""`why <id>` and `why-not <words>`: what a memory rests on, and where what was said stands."""

from collections.abc import Iterator
from dataclasses import replace

from ..domain.enums import LIVE_STATUSES, WAITING, Audience, Extraction, Role, Status
from ..domain.memory import Event, EvidenceInContext, Item, reworded_at
from ..domain.review import Explained
from ..manager import LTMManager
from ..manager.own_memories import SWITCHED_OFF, OwnWaiting
from ..manager.why_not import Fate, RecallOutcome, Then, Unused, WhyNot
from ..messages import Messages
from ..policies.retention import TTL_RULE
from ..policies.secrets import MARK
from ..policies.token_cap import is_for_tokens
from ..read.transcript import excerpt
from .changing import replaced_since
from .command import Command, approving, list_numbers, short, type_of
from .listing import admin_reason, paused_line, unread_line

MAX_QUOTES = 5
MAX_OLDER = 5
_GONE = frozenset({RecallOutcome.FORGOTTEN, RecallOutcome.REMOVED})
_NOT_IN_USE = frozenset(
    {RecallOutcome.HELD, RecallOutcome.DISABLED, RecallOutcome.SUPERSEDED, RecallOutcome.EXPIRED}
)
_NO_NEWS = frozenset({"nothing", "other", "rules"})
"""Of a message, where a memory answers already."""


async def why(manager: LTMManager, command: Command) -> str:
    """All that speaks for one of the speaker's own memories."""
    explained = await manager.why(command.chat, *command.ids)
    waiting = await manager.own_waiting(command.chat)
    now = await replaced_since(manager, command, command.ids)
    accepting = _accepting(explained.item, waiting, command.say)
    return "\n".join((*_lines(explained, command), *accepting, *now.values()))


async def why_waiting(manager: LTMManager, command: Command) -> str:
    """For an admin all that speaks for one that waits or was rejected, in a group where to ask.

    Of one that was approved it tells only that: its words are its owner's again.
    """
    say = command.say
    item, owner = await manager.review.seen_one(command.chat, command.argument)
    if not command.chat.private:
        return say.text("error.private_only", command=f"{command.shown} {short(item)}")
    named = replace(item, fact=say.text("pending.fact", owner=owner, fact=item.fact))
    explained = replace(await manager.browsing.item(item.memory_id), item=named)
    key = "why.by_admin" if item.status in WAITING else "decide.restore"
    return "\n".join((*_lines(explained, command), say.text(key, id=short(item))))


def _percent(share: float) -> str:
    """To two places first, as the request's block and the page tell it: what is stored as 0.855 is 0.85."""
    return f"{round(share, 2):.0%}"


def _lines(explained: Explained, command: Command) -> list[str]:
    lines = [line for part in (_fact_lines, _quote_lines, _older_lines) for line in part(explained, command)]
    return [*lines, *approving(explained.replaces, explained.otherwise, command.say)]


def _accepting(item: Item, waiting: OwnWaiting, say: Messages) -> Iterator[str]:
    """How its person accepts it, or why only an admin may."""
    if any(item.memory_id == one.memory_id for one in waiting.acceptable):
        yield say.text("why.keep", id=short(item))
    elif rule := waiting.others.get(item.memory_id):
        # Why a disputed one waits has been told.
        key = rule if rule in {"disputed", SWITCHED_OFF} else "by_admin" if rule == item.reason else "admin"
        yield say.text(f"why.{key}", id=short(item), reason=admin_reason(item, waiting, say))


def _fact_lines(explained: Explained, command: Command) -> Iterator[str]:
    item, say = explained.item, command.say
    yield say.text("why.fact", type=type_of(item, say), fact=item.fact)
    if item.person:
        yield say.text("why.about", person=item.person)
    if item.teller:
        yield say.text("why.teller", teller=item.teller)
    confidence, origin = _percent(item.confidence), say.text(f"origin.{item.origin}")
    if reworded_at(item, explained.older):
        confidence = say.text("why.of_earlier", text=confidence)
        origin = say.text("why.by_operator", origin=origin)
    count = item.evidence_count if command.chat.private else len(explained.evidence)
    yield say.text(
        "why.state" if count else "why.state_bare",
        status=say.text(f"item_status.{item.status}"),
        confidence=confidence,
        count=count,
    )
    if item.status is not Status.ACTIVE and item.reason:
        yield say.text("why.held", reason=say.rule(item.reason))
    yield say.text("why.origin", origin=origin)
    chats = {item.origin_umo, *(one.umo for one in explained.evidence)}
    yield say.text("why.said_here" if command.chat.umo in chats else "why.said_elsewhere")
    if item.audience is Audience.EVERYWHERE:
        yield say.text("why.shared" if command.chat.private else "why.shared_here", id=short(item))


def _quote_lines(explained: Explained, command: Command) -> Iterator[str]:
    say, evidence = command.say, explained.evidence
    yield say.text("why.quotes" if evidence else "why.unquoted")
    if evidence and (at := reworded_at(explained.item, explained.older)):
        yield say.text("why.reworded", when=say.instant(at))
    for one in evidence[:MAX_QUOTES]:
        yield say.text("why.quote", quote=one.quote, who=_who(one, command), when=say.instant(one.said_at))
    if len(evidence) > MAX_QUOTES:
        yield say.text("why.more", count=len(evidence) - MAX_QUOTES)


def _older_lines(explained: Explained, command: Command) -> Iterator[str]:
    say, older = command.say, explained.older
    if not older:
        return
    yield say.text("why.older")
    for item in older[:MAX_OLDER]:
        since, until = say.day(min(item.created_at, item.last_confirmed_at)), say.day(item.updated_at)
        span = since if since == until else say.text("why.span", since=since, until=until)
        yield say.text("why.older_line", fact=item.fact, span=span)
    if len(older) > MAX_OLDER:
        yield say.text("why.more", count=len(older) - MAX_OLDER)


def _who(one: EvidenceInContext, command: Command) -> str:
    if one.role in {Role.TOOL, Role.ASSISTANT}:
        return command.say.text(f"who.{one.role}")
    if one.sender_id == command.chat.sender_id:
        return command.say.text("who.you")
    return one.sender_name or command.say.text("who.unknown")


async def why_not(manager: LTMManager, command: Command) -> str:
    """A line for each memory and message with the words, or that there is none; of an id only its memory."""
    words, ids = command.argument, command.ids
    if ids:
        words = (await manager.why(command.chat, ids[0])).item.fact
    found = await manager.why_not(command.chat, words)
    if not (found.explained or found.said) and (numbers := list_numbers(words)):
        return command.say.text("error.no_number" if command.listed else "error.no_list", number=numbers[0])
    if ids:
        explained = [one for one in found.explained if one.item.memory_id in ids]
        found = replace(found, explained=explained, more=0, said=())
    waiting = await manager.own_waiting(command.chat)
    told = told_of(found, waiting, command.say, in_group=not command.chat.private)
    back = await manager.forgot_last(command.chat)
    comes_back = any(one.item.memory_id in back for one in found.explained)
    return "\n".join((command.say.text("resume.forgot"), told)) if comes_back else told


def told_of(found: WhyNot, waiting: OwnWaiting | None, say: Messages, *, in_group: bool = False) -> str:
    """The lines of the answer; without `waiting`, for an operator, no ids and no hints at `keep`."""
    lines = [_line(one, found, waiting, say) for one in found.explained]
    lines += [say.text("absent.more", count=found.more)] if found.more else []
    known = any(one.item.status in LIVE_STATUSES for one in found.explained)
    told = [(event, _fate(event, found, fruitful=fruitful)) for event, fruitful in found.said]
    lines.extend(_said(event, fate, found, say) for event, fate in told if not known or fate not in _NO_NEWS)
    if not lines:
        lines.append(say.text("absent.none"))
        lines += [say.text("absent.unheard")] if found.unheard else []
        lines += [say.text("absent.private")] if in_group and not found.paused else []
    if not found.explained and not any(fate == "unread" for _, fate in told):  # which has told when
        lines.extend(unread_line(found.unread, say, paused=bool(found.paused)))
    if found.recall_at:  # what was switched off then, it has told
        return "\n".join(dict.fromkeys(lines))
    lines.extend(paused_line(found.paused, say))
    lines += [] if found.reading else [say.text("absent.off")]
    return "\n".join(dict.fromkeys(lines))


def _line(one: Unused, found: WhyNot, waiting: OwnWaiting | None, say: Messages) -> str:
    item, (fate, _) = one.item, one.fate
    if fate in _GONE:  # without the words: they are not to be told any more
        gone = say.text(f"fate.{fate}", when=say.instant(item.updated_at))
        if not one.then or not one.then.changed:
            return gone
        return say.after(say.text("then.of_gone", why=_then(one, one.then, found, say)), gone)
    why = _reason_of(one if waiting else replace(one, newer=None), found, say)
    if one.then:
        since = say.text("then.in_use") if fate is RecallOutcome.NO_RECALL else why
        if fate is RecallOutcome.SUPERSEDED and one.newer:
            since = say.text("then.replaced", fact=one.newer.fact, when=say.instant(item.updated_at))
        why = _then(one, one.then, found, say)
        why = say.after(why, say.text("then.now", why=since)) if one.then.changed else why
    for accepting in _accepting(item, waiting or OwnWaiting(), say):
        why = say.after(why, accepting)
    label = f"{short(item)} [{type_of(item, say)}] " if waiting else ""
    values = {"memory": label + item.fact, "why": why}
    if one.reworded_at:
        return say.text("absent.line_reworded", **values, when=say.instant(one.reworded_at))
    if one.said_at is None:
        return say.text("absent.line", **values)
    return say.text("absent.line_said", **values, when=say.instant(one.said_at))


def _then(one: Unused, then: Then, found: WhyNot, say: Messages) -> str:
    """What became of a memory at a recall of the log."""
    item, (fate, _) = one.item, then.fate
    if fate is RecallOutcome.SUPERSEDED and one.newer is not None:
        return say.text("then.superseded_by", fact=one.newer.fact)
    if fate is RecallOutcome.GIVEN and then.wording != "":
        key = "then.given_unworded" if then.wording is None else "then.given_reworded"
        return say.text(key, fact=then.wording or "")
    return say.text(
        "then.not_in_use" if fate in _NOT_IN_USE else f"then.{fate}",
        when=say.instant(then.stored_at),
        # What is over by its date may wait for the sweep.
        status=say.text(f"item_status.{fate if fate is RecallOutcome.EXPIRED else then.status}"),
        confidence=_percent(item.confidence),
        least=_percent(found.min_confidence),
        reason=_detail(then.fate, say),
    )


def _fate(event: Event, found: WhyNot, *, fruitful: bool) -> str:
    """What became of a message."""
    if event.extraction is Extraction.PENDING:
        if (event.umo, event.at_scope.scope_id) in found.extraction_at and not found.paused:
            return "unread"
        # Of a chat that is not read although the store is written to, its group is paused.
        return "stopped" if found.unread.stopped and not found.paused else "paused"
    if event.extraction is Extraction.FAILED:
        return "failed"
    if event.extraction is Extraction.DONE and (event.last_error or fruitful):
        return "refused" if event.last_error else "other"
    done = "nothing" if event.extraction is Extraction.DONE else "rules"
    return "secret" if MARK.search(event.text) else done


def _said(event: Event, fate: str, found: WhyNot, say: Messages) -> str:
    at = found.extraction_at.get((event.umo, event.at_scope.scope_id), event.created_at)
    fate = "spent" if fate == "unread" and is_for_tokens(at) else fate
    why = say.text(f"said.{fate}", reason=say.rule(event.last_error), at=say.instant(at))
    if found.recall_at:  # the log knows nothing of messages
        late = event.created_at > found.recall_at
        why = say.text("then.said_later" if late else "then.now", why=why)
    if event.extraction is Extraction.PENDING and MARK.search(event.text):
        why = say.text("said.with_secret", why=why)
    quote = excerpt(event.text, (), most=100)
    return say.text("said.line", quote=quote, when=say.instant(event.created_at), why=why)


def _detail(fate: Fate, say: Messages) -> str:
    outcome, detail = fate
    if outcome is RecallOutcome.LEFT_OUT:
        return say.known(f"left_out.{detail}", detail)
    return say.known(f"no_block.{detail}", detail) if detail else ""


def _reason_of(one: Unused, found: WhyNot, say: Messages) -> str:
    item, (fate, _) = one.item, one.fate
    values = {
        "when": say.instant(found.last_at) if found.last_at else "",
        "status": say.text(f"item_status.{item.status}"),
        "confidence": _percent(item.confidence),
        "least": _percent(found.min_confidence),
        "reason": say.rule(item.reason or "mode") if fate is RecallOutcome.HELD else _detail(one.fate, say),
    }
    if fate is RecallOutcome.SUPERSEDED and one.newer is not None:
        return say.text("fate.superseded_by", fact=one.newer.fact, id=short(one.newer))
    if item.status is Status.EXPIRED and item.reason != TTL_RULE:
        return say.text("fate.evicted")
    if fate is RecallOutcome.NO_RECALL and not found.logged:
        return say.text("fate.no_log")
    return say.text(f"fate.{fate}", **values)
