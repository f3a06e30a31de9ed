"""Saving under a chosen key: what the person's own words of the turn bear out, and which item it is.

A model saves it, and a page, a tool or a quoted message may have told the model to (design 8, 9.12). So it
counts as the person's wish only if the person asks for it in this turn and has said it; what they have said
without asking is automatic writing, and what they have not said waits. The key alone says which item it is.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo

from ..domain.memory import Event, Item
from ..domain.words import LIVE_STATUSES, Origin, Status
from ..domain.writing import Grounded, Merged, MergeKind
from ..policies.keys import waiting_key
from ..policies.requests import asks_to_save, remembered
from ..policies.sameness import same_value
from ..policies.slots import is_exclusive, slot_of
from ..policies.succession import is_in_doubt, status_rank
from ..text_analysis.dates import with_days
from ..text_analysis.polarity import polarity
from ..text_analysis.quotes import best_sentence, shared_terms
from ..text_analysis.values import missing_value
from .ground import ENOUGH_SHARED
from .merge import end, kind_of
from .protocols import WriteTransaction
from .rules import explicit_fact
from .transitions import answers_of
from .visibility import groups_of, is_visible_here, split_by_time, visibility_of_words


@dataclass(frozen=True, kw_only=True)
class KeyedSave:
    """What is to be saved: on one line, bounded, its secrets masked."""

    key: str
    content: str
    tags: tuple[str, ...] = ()


def grounded_save(save: KeyedSave, event: Event, zone: tzinfo = UTC, *, verified: bool = True) -> Grounded:
    """The save beside the person's message of this turn; always a fact of the person's own.

    Without the person's wish it is what a model proposes. What the words do not bear out waits until
    verification has looked at it, or, where that is switched off, until a person has.
    """
    at = event.created_at.astimezone(zone)
    plain = explicit_fact(save.content, event, zone).candidate
    said = _is_said(save.content, event, at)
    slot = slot_of(plain.slot, save.key)
    candidate = replace(
        plain,
        fact=with_days(save.content, at),
        fact_key=plain.fact,
        key=save.key,
        tags=save.tags,
        slot=slot if is_exclusive(slot) else "",
        origin=Origin.USER_EXPLICIT if said and asks_to_save(event.text) else Origin.LLM_EXTRACT,
        meta={"tool": "memory_save"},
    )
    elsewhere = (("quoted_message", event.quoted), ("nickname", event.sender_name))
    doubts = [doubt for doubt, text in elsewhere if shared_terms(save.content, text) >= ENOUGH_SHARED]
    doubt = "" if said else [*doubts, "unverified" if verified else "quote_not_found"][0]
    quote = best_sentence(save.content, event.text)
    return Grounded(candidate=candidate, event=event, quote=quote, owner=event.owner, person="", doubt=doubt)


def _is_said(content: str, event: Event, at: datetime) -> bool:
    """Whether the message says it in nearly these words, on the same side, and does not merely ask."""
    text = best_sentence(content, event.text)
    asked = text.rstrip().endswith(("?", "？")) and remembered(text) is None
    alike = shared_terms(content, text) >= ENOUGH_SHARED and polarity(content).sides == polarity(text).sides
    return alike and not asked and not missing_value(content, [event.text], at)


async def merge_by_key(tx: WriteTransaction, grounded: Grounded, *, now: datetime) -> Merged:
    """Meet the store under the chosen key: the same version again, another one, or a new fact."""
    candidate, event = grounded.candidate, grounded.event
    # What has the key, and this very text that waits for it.
    keys = (candidate.key, waiting_key(candidate.key, candidate.fact))
    holder, waiting = [await tx.find_item(grounded.owner, event.level, key, "") for key in keys]
    there = [item for item in (holder, waiting) if item]
    if gone := next((item for item in there if kind_of(item, grounded) is MergeKind.TOMBSTONE), None):
        return end(grounded, MergeKind.TOMBSTONE, gone)
    if holder and holder.status is Status.DISABLED:
        return end(grounded, MergeKind.KNOWN, holder)
    same = holder if holder and (holder.fact, holder.tags) == (candidate.fact, candidate.tags) else None
    is_evident = bool(same and await tx.has_evidence(same.memory_id, event.event_id))
    if same and same.status in LIVE_STATUSES and await _is_the_same(tx, same, grounded):
        again = replace(grounded, candidate=replace(candidate, slot=same.slot))
        return end(again, MergeKind.KNOWN if is_evident else MergeKind.CONFIRM, same)
    if waiting and _still_waits(waiting, grounded):
        return end(grounded, MergeKind.KNOWN, waiting)
    older = (*(item for item in there if status_rank(item.status)), *await _rivals(tx, grounded, now=now))
    # The same comes back where it was said nowhere else: else its words would come to light here.
    comes_back = same and same.status not in LIVE_STATUSES and not is_evident
    if same and comes_back and await tx.said_in(same.memory_id) <= groups_of(event):
        return replace(end(grounded, MergeKind.REVIVE, same), older=older)
    kind = MergeKind.NEW
    return Merged(grounded=grounded, kind=kind, fact_key=candidate.key, existing=None, older=older)


async def _is_the_same(tx: WriteTransaction, item: Item, grounded: Grounded) -> bool:
    """Whether it is known here that the item is the same.

    What is freed from doubt here is not brought to light elsewhere; and what was said elsewhere alone answers
    nobody here who has not said it, for that would tell of it.
    """
    if grounded.doubt:
        return await is_visible_here(tx, item, grounded.event)
    said_in = await tx.said_in(item.memory_id)
    return said_in <= groups_of(grounded.event) or not is_in_doubt(item.status, item.reason)


def _still_waits(item: Item, grounded: Grounded) -> bool:
    """Whether nothing is known now that was not when it began to wait, or an operator disabled it."""
    if item.status is Status.DISABLED:
        return True
    if item.status not in LIVE_STATUSES or grounded.candidate.origin is Origin.USER_EXPLICIT:
        return False
    return bool(grounded.doubt) or not is_in_doubt(item.status, item.reason)


async def _rivals(tx: WriteTransaction, grounded: Grounded, *, now: datetime) -> tuple[Item, ...]:
    """What was learnt before as another answer to the same question; what people saved stays."""
    candidate, event = grounded.candidate, grounded.event
    rivals = [
        item
        for item in await answers_of(tx, grounded.owner, event.level, candidate.slot, "")
        if item.origin is not Origin.USER_EXPLICIT
        and item.fact_key != candidate.key
        and not same_value(candidate.fact_key, item.fact)
        and not await tx.has_evidence(item.memory_id, event.event_id)  # one message gives both answers
    ]
    return (await split_by_time(tx, rivals, event.created_at, visibility_of_words(grounded), now=now))[0]
