"""Saves under a chosen key, by the model's tool.

A page, a tool or a quoted message may have told the model to save. So the save is explicit only if the person
asks for it in this turn and says it. What they say without asking is written as the mode allows; what they do
not say is pending. The key alone identifies the item.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo

from ..domain.enums import LIVE_STATUSES, Origin, Status
from ..domain.memory import Event, Item
from ..domain.writing import Grounded, Merged, MergeKind
from ..policies.keys import waiting_key
from ..policies.requests import asks_to_save, remembered
from ..policies.slots import is_exclusive, slot_of
from ..policies.succession import is_in_doubt, status_rank
from ..text_analysis.dates import with_days
from ..text_analysis.fact_relation import is_mistold, same_value
from ..text_analysis.fact_words import polarity
from ..text_analysis.quotes import best_sentence, shared_terms
from ..text_analysis.values import missing_value
from .conflicts import answers_of, as_match, groups_of, is_visible_here, split_by_time, visibility_of_words
from .ground import ENOUGH_SHARED
from .merge import forgotten
from .protocols import WriteTransaction
from .reverting import PriorStates
from .rules import explicit_fact


@dataclass(frozen=True, kw_only=True)
class ToolSave:
    """What to save: one line of bounded length, secrets masked."""

    key: str
    content: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Saved:
    """The outcome of an explicit save: the item, and whether it had this status before."""

    item: Item
    known: bool
    replaced: Sequence[Item] = ()
    """What it took the place of, as far as the chat may show it."""
    changed: PriorStates = ()
    """How what was there before stood, if that has changed."""


def grounded_save(save: ToolSave, event: Event, zone: tzinfo = UTC, *, verified: bool = True) -> Grounded:
    """The save with the person's message as evidence; always a fact about the person.

    What the message does not support waits for verification, or for a person where that is off.
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
    """Whether the message says it of the person in similar words with the same polarity, and asks nothing."""
    text = best_sentence(content, event.text)
    request = remembered(text)
    asked = text.rstrip().endswith(("?", "？")) and request is None
    alike = shared_terms(content, text) >= ENOUGH_SHARED and polarity(content).sides == polarity(text).sides
    # A capital that opens any other sentence is no name.
    mistold = is_mistold(content, request or text.casefold())
    return alike and not asked and not mistold and not missing_value(content, [event.text], at)


async def merge_by_key(tx: WriteTransaction, grounded: Grounded, *, now: datetime) -> Merged:
    """Match under the chosen key: the same version again, another version, or a new fact."""
    candidate, event = grounded.candidate, grounded.event
    # The holder of the key, and this text where it waits for the key.
    keys = (candidate.key, waiting_key(candidate.key, candidate.fact))
    holder, waiting = [await tx.find_item(grounded.owner, event.level, key, "") for key in keys]
    there = [item for item in (holder, waiting) if item]
    if gone := await forgotten(tx, grounded, there):
        return as_match(grounded, MergeKind.TOMBSTONE, gone)
    if holder and holder.status is Status.DISABLED:
        return as_match(grounded, MergeKind.KNOWN, holder)
    same = holder if holder and (holder.fact, holder.tags) == (candidate.fact, candidate.tags) else None
    is_evident = bool(same and await tx.has_evidence(same.memory_id, event.event_id))
    if same and same.status in LIVE_STATUSES and await _is_the_same(tx, same, grounded):
        again = replace(grounded, candidate=replace(candidate, slot=same.slot))
        return as_match(again, MergeKind.KNOWN if is_evident else MergeKind.CONFIRM, same)
    if waiting and _still_waits(waiting, grounded):
        return as_match(grounded, MergeKind.KNOWN, waiting)
    older = (*(item for item in there if status_rank(item.status)), *await _conflicts(tx, grounded, now=now))
    # A version that was said in other chats is not revived, because that would reveal its words here.
    comes_back = same and same.status not in LIVE_STATUSES and not is_evident
    if same and comes_back and await tx.said_in(same.memory_id) <= groups_of(event):
        return replace(as_match(grounded, MergeKind.REVIVE, same), older=older)
    return Merged(grounded=grounded, kind=MergeKind.NEW, fact_key=candidate.key, existing=None, older=older)


async def _is_the_same(tx: WriteTransaction, item: Item, grounded: Grounded) -> bool:
    """Whether the item may count as the same without revealing it in a chat where it was not said."""
    if grounded.doubt:
        return await is_visible_here(tx, item, grounded.event)
    said_in = await tx.said_in(item.memory_id)
    return said_in <= groups_of(grounded.event) or not is_in_doubt(item.status, item.reason)


def _still_waits(item: Item, grounded: Grounded) -> bool:
    """Whether the save adds nothing to the waiting version, or an operator disabled that."""
    if item.status is Status.DISABLED:
        return True
    if item.status not in LIVE_STATUSES or grounded.candidate.origin is Origin.USER_EXPLICIT:
        return False
    return bool(grounded.doubt) or not is_in_doubt(item.status, item.reason)


async def _conflicts(tx: WriteTransaction, grounded: Grounded, *, now: datetime) -> tuple[Item, ...]:
    """Learnt answers in the same slot, said before; explicit saves stay."""
    candidate, event = grounded.candidate, grounded.event
    conflicts = [
        item
        for item in await answers_of(tx, grounded.owner, event.level, candidate.slot, "", candidate.fact)
        if item.origin is not Origin.USER_EXPLICIT
        and item.fact_key != candidate.key
        and not same_value(candidate.fact_key, item.fact)
        and not await tx.has_evidence(item.memory_id, event.event_id)  # one message gives both answers
    ]
    return (
        await split_by_time(
            tx, conflicts, event.created_at, visibility_of_words(grounded), owner=grounded.owner, now=now
        )
    )[0]
