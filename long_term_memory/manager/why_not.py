"""Why a person's own memories were not used: what they and the messages with some words came to."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from ..access.persons import is_of_group
from ..domain.chat import Access
from ..domain.enums import EDITED, HELD_BACK, LIVE_STATUSES, WAITING, Role, Status
from ..domain.memory import Event, EvidenceInContext, Item, reworded_at
from ..domain.recalls import LoggedRecall, NoBlock
from ..domain.transfer import Kind
from ..domain.writing import AuditEntry
from ..policies.admission import as_judged
from ..policies.slots import words_asked_by
from ..read.query_terms import query_terms
from ..text_analysis.terms import index_terms
from ..upkeep.recall_log import MAX_LEFT_OUT
from .components import Components
from .status import Unread, extraction_times, unread

MAX_EXPLAINED = 5
MAX_SAID = 3
MAX_LOOKED_AT = 200
"""Memories that are looked at for their words: as many of the nearest, of the newest, and of the answers."""

_NOT_SAID = frozenset({"quote_not_found", "no_quote", "quoted_message", "nickname", "not_said"})
"""Reasons of what waits although its evidence does not say it."""


class RecallOutcome(StrEnum):
    """What became of a memory at a recall; the texts `fate.*` tell it of the last, `then.*` of any."""

    HELD = "held"
    FORGOTTEN = "forgotten"
    REMOVED = "removed"
    DISABLED = "disabled"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    UNSURE = "unsure"
    NO_RECALL = "no_recall"
    LATER = "later"
    IMPORTED = "imported"
    """Only after the recall."""
    GIVEN = "given"
    LEFT_OUT = "left_out"
    """The detail is the rule."""
    NO_BLOCK = "no_block"
    """The detail is why (`NoBlock`)."""
    CHANGED = "changed"
    NOT_NEAR = "not_near"
    """So many others were nearer that the log does not name it."""


type Fate = tuple[RecallOutcome, str]
"""What became of a memory, and by which rule or reason, where there are several."""
type History = Sequence[tuple[datetime, AuditEntry]]
"""What happened to a memory, oldest first."""


@dataclass(frozen=True, kw_only=True)
class Then:
    """What became of a memory at a recall of the log."""

    fate: Fate
    status: Status
    stored_at: datetime
    """When it was learnt, or imported after the recall."""
    changed: bool
    """Whether it stands otherwise now."""
    wording: str | None = ""
    """What was given of it, where that says otherwise and it is not forgotten; None when nobody knows."""


@dataclass(frozen=True, kw_only=True)
class Unused:
    """One memory and what became of it."""

    item: Item
    fate: Fate
    """At the last recall and now; of a memory that may be used `NO_RECALL` where `then` is told."""
    then: Then | None
    """At the recall of the log that is asked about, if one is."""
    newer: Item | None
    """What took its place, when that may be shown here and is not forgotten."""
    said_at: datetime | None
    """When its person said it last, as far as this chat may know; None where they seem not to have."""
    reworded_at: datetime | None
    """When an operator put it into other words than were said."""


@dataclass(frozen=True, kw_only=True)
class WhyNot:
    """The answer for the memories and messages that have the words asked about."""

    explained: Sequence[Unused]
    """Those with most of the words first; empty when no memory has any of them."""
    more: int
    said: Sequence[tuple[Event, bool]]
    """Messages of whoever asks on which none of these rests, and whether any other memory does."""
    extraction_at: Mapping[tuple[str, str], datetime]
    """When the chats are read, by origin and scope id; none while read-only."""
    last_at: datetime | None
    """When something was last recalled in this chat for the one who asks, as far as the log goes back."""
    recall_at: datetime | None
    """When the recall of the log was that is asked about; None where it is the last."""
    logged: bool
    """Whether a log is kept at the moment: not while the store is read-only."""
    unheard: bool
    """Whether what is not said to the bot is kept in no group, and this chat may know of one."""
    reading: bool
    paused: str
    """The rule by which the one who asks, or the group, is paused; empty while neither is."""
    min_confidence: float
    unread: Unread


async def why_not(
    components: Components, access: Access, words: str, *, paused: str, recall: LoggedRecall | None = None
) -> WhyNot:
    """Answer from what this chat may know of one's own memories, messages and recalls, and nothing else.

    It is about the last recall of the chat, or about this one of the log.
    """
    memories, policy = components.store.memories, components.policies.read()
    logged = components.settings.recall_log != timedelta(0) and not components.store.read_only
    await components.recall_log.settle()
    # Rows of a log that is kept no more say nothing about the last message.
    last = await memories.own_last_recall(access) if logged and not recall else None
    kept = await memories.own_kept(words, access, limit=MAX_LOOKED_AT)
    told = await memories.own_said(words, access, limit=MAX_LOOKED_AT)
    found, said = await asyncio.to_thread(with_words, words, kept.values(), told)
    if recall:  # the log knows a memory by one id, whatever its wording was
        there = {item.memory_id for item in found}
        found = [item for item in found if item.reason != EDITED or item.superseded_by not in there]
    shown = found[:MAX_EXPLAINED]
    ids = [item.superseded_by for item in shown if item.superseded_by]
    kept_now = (await memories.own_by_id(ids, access)).values()
    newer = {one.memory_id: one for one in kept_now if one.status is not Status.DELETED}
    older = await memories.own_older([*(item.memory_id for item in shown), *ids], access)
    histories = [await components.store.history(_id_at(recall, item)) for item in shown]
    in_groups = not access.private or any(is_of_group(event.umo) for event, _ in told)
    now, least = components.ports.clock(), policy.min_confidence
    explained = [
        Unused(
            item=as_judged(item, components.policies.write()),
            fate=(fate := _fate(item, history, last, now=now, min_confidence=least)),
            then=recall
            and replace(
                explain_then(item, history, recall, now=fate, min_confidence=least),
                wording=_wording_at(recall, item, newer, older),
            ),
            newer=newer.get(item.superseded_by or ""),
            said_at=None
            if item.reason in _NOT_SAID
            else max((s.said_at for s in kept[item.memory_id][1] if s.role is Role.USER), default=None),
            reworded_at=reworded_at(item, older[item.memory_id]),
        )
        for item, history in zip(shown, histories, strict=True)
    ]
    return WhyNot(
        explained=explained,
        more=len(found) - len(shown),
        said=said[:MAX_SAID],
        extraction_at=await extraction_times(components),
        last_at=last.at if last else None,
        recall_at=recall.at if recall else None,
        logged=logged,
        unheard=in_groups and not components.settings.groups.passive_capture,
        reading=policy.enable,
        paused=paused,
        min_confidence=policy.min_confidence,
        unread=await unread(components, access),
    )


def with_words(
    words: str,
    kept: Collection[tuple[Item, Sequence[EvidenceInContext]]],
    told: Iterable[tuple[Event, Sequence[str]]] = (),
    *,
    stated: bool = False,
    every: bool = False,
) -> tuple[list[Item], list[tuple[Event, bool]]]:
    """The items with at least half as many of the words as the best, and the messages `told` likewise.

    Words are looked for in the fact, its quotes and the questions of its slot. `every`: only items with all
    words. `stated`: those questions count only if no item matches otherwise, and never with `every`. Items
    with most words come first, then live ones, then those changed last; messages newest first, without those
    that a found item rests on, each with whether another item rests on it.
    """
    wanted = _wanted(words)
    items = [(len(wanted.intersection(_terms(item, said, asked=not stated))), item) for item, said in kept]
    if stated and not every and not any(number for number, _ in items):
        return with_words(words, kept)
    said = [(len(wanted.intersection(index_terms(event.text))), event, resting) for event, resting in told]
    best = 2 * len(wanted) if every else max((number for number, _ in items), default=0)
    matching = [(number, item) for number, item in items if number and 2 * number >= best]
    matching.sort(key=lambda each: each[1].updated_at, reverse=True)
    matching.sort(key=lambda each: (-each[0], each[1].status not in LIVE_STATUSES))
    ids = {item.memory_id for _, item in matching}
    best = max([best, *(number for number, *_ in said)])
    others = [each for each in said if each[0] and 2 * each[0] >= best and ids.isdisjoint(each[2])]
    others.sort(key=lambda each: each[1].created_at, reverse=True)
    return [item for _, item in matching], [(event, bool(resting)) for _, event, resting in others]


def _wanted(words: str) -> frozenset[str]:
    """What is looked for, numbers among it; where nothing tells, as in "name", whatever there is."""
    asked = query_terms(words)
    telling = frozenset(term.text for term in asked if term.tells)
    if telling:
        return telling | {term.text for term in asked if term.text.isdecimal()}
    # Of words that only serve a sentence, such as 没有这样的, nothing is looked for.
    return frozenset(term.text for term in asked) or frozenset(filter(str.isascii, index_terms(words)))


def _terms(item: Item, evidence: Sequence[EvidenceInContext], *, asked: bool) -> Iterable[str]:
    asked_by = words_asked_by(item.slot, item.fact) if asked else ""
    card = (item.fact, item.person, item.relationship, item.backstory, asked_by, *item.tags)
    return index_terms(" ".join((*card, *(one.quote for one in evidence))))


def _fate(
    item: Item, history: History, last: LoggedRecall | None, *, now: datetime, min_confidence: float
) -> Fate:
    if item.status is Status.DELETED:
        return _removed(history)
    outcome, detail = fate = explain(item, last, now=now, min_confidence=min_confidence)
    if not last or outcome not in _MAY_BE_LATE or detail in _ALL_OFF:
        return fate
    # The dates of what only an import after the last recall brought are those of before.
    is_late = any(entry.action in Kind and at > last.at for at, entry in history)
    return (RecallOutcome.IMPORTED, "") if is_late else fate


def _removed(history: History) -> Fate:
    """Whether an operator or its person took it away."""
    # A fact that is said again is refused, which leaves a line too.
    actors = [entry.actor for _, entry in history if entry.before != entry.after == "deleted"]
    by_operator = bool(actors) and actors[-1].startswith("operator")
    return (RecallOutcome.REMOVED if by_operator else RecallOutcome.FORGOTTEN), ""


_OUT_OF_USE = frozenset({Status.DISABLED, Status.SUPERSEDED, Status.EXPIRED})
_MAY_BE_LATE = frozenset({RecallOutcome.CHANGED, RecallOutcome.NOT_NEAR, RecallOutcome.NO_BLOCK})
_ALL_OFF = frozenset({NoBlock.PAUSED, NoBlock.READING_OFF})
_NAMED = frozenset({RecallOutcome.GIVEN, RecallOutcome.LEFT_OUT})
_USABLE = _NAMED | _MAY_BE_LATE | {RecallOutcome.LATER, RecallOutcome.IMPORTED}


def explain(item: Item, last: LoggedRecall | None, *, now: datetime, min_confidence: float) -> Fate:
    """What keeps an item that is not deleted from being used now, else what became of it at the last recall.

    `last` is the latest recall of the chat that asks, for the person who asks; None when none is known.
    """
    if item.status in WAITING:
        return RecallOutcome.HELD, ""
    if item.status in _OUT_OF_USE:
        return RecallOutcome(item.status.value), ""
    if item.expires_at is not None and item.expires_at <= now:
        return RecallOutcome.EXPIRED, ""
    if item.confidence < min_confidence:
        return RecallOutcome.UNSURE, ""
    return _at(last, item) if last else (RecallOutcome.NO_RECALL, "")


def _id_at(recall: LoggedRecall | None, item: Item) -> str:
    """The id by which the log and the history have it: one reworded since keeps its id for the new words."""
    reworded = recall and item.reason == EDITED and item.updated_at > recall.at
    return (item.superseded_by if reworded else None) or item.memory_id


def _wording_at(
    recall: LoggedRecall, item: Item, newer: Mapping[str, Item], older: Mapping[str, Sequence[Item]]
) -> str | None:
    """What was given of an item that is not deleted, if that says otherwise; None when nobody knows."""
    memory_id = _id_at(recall, item)
    given = next((each for each in recall.given if each.memory_id == memory_id), None)
    if given is None or item.status is Status.DELETED:
        return ""
    then = given.fact_at(recall.at, newer.get(memory_id, item), older[memory_id])
    return "" if then == item.fact else then


def explain_then(
    item: Item, history: History, recall: LoggedRecall, *, now: Fate, min_confidence: float
) -> Then:
    """What became of an item at a recall of the log, which is asked first, then its history.

    The history of one reworded since is that of the item it was. `now` is where it stands. Its confidence,
    and the least that counts, are known as of now alone.
    """
    known = {"", *Status}  # other lines have scopes, values and ids in their places
    moves = [(at, one) for at, one in history if one.before != one.after and {one.before, one.after} <= known]
    at, move = next((each for each in moves if each[0] > recall.at), (None, None))
    memory_id, status = _id_at(recall, item), move.before if move else item.status
    if memory_id != item.memory_id and not move:
        status = moves[-1][1].after if moves else Status.ACTIVE
    was = replace(item, memory_id=memory_id, status=Status(status or item.status), updated_at=item.created_at)
    is_late = item.created_at > recall.at or not status
    at_log = _at(recall, was)
    if at_log[0] in _NAMED:
        fate = at_log
    elif is_late:
        fate = (RecallOutcome.IMPORTED if move and move.action in Kind else RecallOutcome.LATER), ""
    elif was.status is Status.DELETED:
        fate = _removed([line for line in history if line[0] <= recall.at])
    elif recall.reason in _ALL_OFF:
        fate = at_log
    else:
        fate = explain(was, recall, now=recall.at, min_confidence=min_confidence)
    # What could be used then is told of by the log, and now by nothing.
    before = RecallOutcome.NO_RECALL if fate[0] in _USABLE else fate[0]
    if fate[0] is RecallOutcome.LEFT_OUT and fate[1] in HELD_BACK:
        before = explain(replace(was, status=Status(fate[1])), None, now=recall.at, min_confidence=0)[0]
    stored_at = at if at and not status else item.created_at
    return Then(fate=fate, status=was.status, stored_at=stored_at, changed=before is not now[0])


def _at(last: LoggedRecall, item: Item) -> Fate:
    if any(each.memory_id == item.memory_id for each in last.given):
        return RecallOutcome.GIVEN, ""
    for each in last.left_out:
        if each.memory_id == item.memory_id:
            return RecallOutcome.LEFT_OUT, each.rule
    if item.created_at > last.at:
        return RecallOutcome.LATER, ""
    if item.updated_at > last.at and last.reason not in _ALL_OFF:
        return RecallOutcome.CHANGED, ""
    if last.reason in list(NoBlock):
        return RecallOutcome.NO_BLOCK, last.reason
    # Where the log had room it would be named: it was in no use, and an undo leaves no later date.
    in_use = sum(each.rule not in HELD_BACK for each in last.left_out)
    return (RecallOutcome.CHANGED if in_use < MAX_LEFT_OUT else RecallOutcome.NOT_NEAR), ""
