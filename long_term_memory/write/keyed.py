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
from ..policies.succession import height, is_in_doubt
from ..text_analysis.dates import with_days
from ..text_analysis.polarity import polarity
from ..text_analysis.quotes import best_sentence, shared_terms
from ..text_analysis.values import missing_value
from .ground import ENOUGH_SHARED
from .merge import end, kind_of
from .protocols import WriteTransaction
from .provisional import explicit
from .surface import giving_way, groups_of, is_known_here, surface_of


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
    plain = explicit(save.content, event, zone).candidate
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
    doubt = (
        "" if said else _elsewhere(save.content, event) or ("unverified" if verified else "quote_not_found")
    )
    quote = best_sentence(save.content, event.text)
    return Grounded(candidate=candidate, event=event, quote=quote, owner=event.owner, person="", doubt=doubt)


def _is_said(content: str, event: Event, at: datetime) -> bool:
    """Whether the message says it in nearly these words, on the same side, and does not merely ask."""
    text = best_sentence(content, event.text)
    asked = text.rstrip().endswith(("?", "？")) and remembered(text) is None
    alike = shared_terms(content, text) >= ENOUGH_SHARED and polarity(content).sides == polarity(text).sides
    return alike and not asked and not missing_value(content, [event.text], at)


def _elsewhere(content: str, event: Event) -> str:
    """Whether it stands in the quoted message or the name instead."""
    if shared_terms(content, event.quoted) >= ENOUGH_SHARED:
        return "quoted_message"
    return "nickname" if shared_terms(content, event.sender_name) >= ENOUGH_SHARED else ""


async def merge_by_key(tx: WriteTransaction, grounded: Grounded, *, now: datetime) -> Merged:
    """Meet the store under the chosen key: the same version again, another one, or a new fact."""
    holder, waiting = await _under(tx, grounded)
    for met in (holder, waiting):
        if met and kind_of(met, grounded) is MergeKind.TOMBSTONE:
            return end(grounded, MergeKind.TOMBSTONE, met)
    if holder and holder.status in LIVE_STATUSES:
        if holder.status is Status.DISABLED:
            return end(grounded, MergeKind.KNOWN, holder)
        if await _is_the_same(tx, holder, grounded):
            return await _again(tx, grounded, holder)
    if waiting and _still_waits(waiting, grounded):
        return end(grounded, MergeKind.KNOWN, waiting)
    older = (
        *(item for item in (holder, waiting) if item and height(item.status)),
        *await _rivals(tx, grounded, now=now),
    )
    key = grounded.candidate.key
    if holder and await _comes_back(tx, holder, grounded):
        return Merged(grounded=grounded, kind=MergeKind.REVIVE, fact_key=key, existing=holder, older=older)
    return Merged(grounded=grounded, kind=MergeKind.NEW, fact_key=key, existing=None, older=older)


async def _under(tx: WriteTransaction, grounded: Grounded) -> tuple[Item | None, Item | None]:
    """What has the key, and this very text that waits for it."""
    candidate, level = grounded.candidate, grounded.event.level
    keys = (candidate.key, waiting_key(candidate.key, candidate.fact))
    holder, waiting = [await tx.find_item(grounded.owner, level, key, "") for key in keys]
    return holder, waiting


def _is_version(item: Item, grounded: Grounded) -> bool:
    return (item.fact, item.tags) == (grounded.candidate.fact, grounded.candidate.tags)


async def _is_the_same(tx: WriteTransaction, item: Item, grounded: Grounded) -> bool:
    """Whether it is the version that is there already.

    What is freed from doubt here is not brought to light elsewhere; and what was said elsewhere alone answers
    nobody here who has not said it, for that would tell of it.
    """
    if not _is_version(item, grounded):
        return False
    if grounded.doubt:
        return await is_known_here(tx, item, grounded.event)
    said_in = await tx.said_in(item.memory_id)
    return said_in <= groups_of(grounded.event) or not is_in_doubt(item.status, item.reason)


async def _again(tx: WriteTransaction, grounded: Grounded, item: Item) -> Merged:
    if await tx.has_evidence(item.memory_id, grounded.event.event_id):
        return end(grounded, MergeKind.KNOWN, item)
    same = replace(grounded, candidate=replace(grounded.candidate, slot=item.slot))
    return end(same, MergeKind.CONFIRM, item)


def _still_waits(item: Item, grounded: Grounded) -> bool:
    """Whether nothing is known now that was not when it began to wait, or an operator disabled it."""
    if item.status is Status.DISABLED:
        return True
    if item.status not in LIVE_STATUSES:
        return False
    explicit_now = grounded.candidate.origin is Origin.USER_EXPLICIT
    return not explicit_now and (bool(grounded.doubt) or not is_in_doubt(item.status, item.reason))


async def _comes_back(tx: WriteTransaction, item: Item, grounded: Grounded) -> bool:
    """Whether it is the same again, and was said nowhere else: else its words would come to light here."""
    if item.status in LIVE_STATUSES or not _is_version(item, grounded):
        return False
    if await tx.has_evidence(item.memory_id, grounded.event.event_id):
        return False
    return await tx.said_in(item.memory_id) <= groups_of(grounded.event)


async def _rivals(tx: WriteTransaction, grounded: Grounded, *, now: datetime) -> list[Item]:
    """What was learnt before as another answer to the same question; what people saved stays."""
    candidate, event = grounded.candidate, grounded.event
    if not candidate.slot:
        return []
    rivals: list[Item] = []
    for item in await tx.same_slot(grounded.owner, event.level, candidate.slot, ""):
        learnt = item.origin is not Origin.USER_EXPLICIT and bool(height(item.status))
        if learnt and item.fact_key != candidate.key and not same_value(candidate.fact_key, item.fact):
            said = await tx.last_said(item.memory_id) or item.last_confirmed_at
            # What bears a time to come was said before the clock was set back.
            rivals += [] if event.created_at <= said <= now else [item]
    return await giving_way(tx, rivals, surface_of(grounded))
