"""Stage 8, persist: write a verdict as rows of one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo

from ..access.identity import persona_of
from ..domain.enums import Audience, MemoryType, Origin, Role, Stance, Status
from ..domain.memory import Evidence, Item
from ..domain.time import MakeId
from ..domain.writing import Grounded, Merged, MergeKind, Passage, Scored, Verdict
from ..policies.admission import ROOM_RULE
from ..policies.keys import is_chosen, shown_key, waiting_key
from ..policies.retention import expiry
from ..policies.succession import is_in_doubt
from ..text_analysis.dates import last_day
from ..text_analysis.word_forms import same_words
from .conflicts import PASSING, groups_of, replaceable, visibility_of, visibility_of_words
from .protocols import WriteTransaction
from .transitions import Decision, audit_line, end_of, leave, put_superseding

type RetentionDays = Mapping[MemoryType, int | None]
"""Days from the last confirmation to the expiry of each type; None is never."""


@dataclass(frozen=True, kw_only=True)
class WriteContext(Decision):
    """What a row needs beside the verdict."""

    make_id: MakeId
    retention: RetentionDays
    zone: tzinfo = UTC


async def persist(
    tx: WriteTransaction, scored: Scored, verdict: Verdict, context: WriteContext
) -> Item | None:
    """Write the verdict with evidence and audit; returns the stored or unchanged item, None without one."""
    if verdict.status is None:
        if scored.kind is not MergeKind.KNOWN:
            line = audit_line(context, "refuse", scored.existing, scored.existing, reason=verdict.rule)
            await tx.audit(line)
        return scored.existing
    for memory_id in verdict.evicts:
        # Expired, not deleted: an evicted fact may return when it is heard again.
        if evicted := await tx.get_item(memory_id):
            await leave(tx, evicted, Status.EXPIRED, context, "evict", ROOM_RULE)
    item = _item(scored, verdict, verdict.status, context)
    if matched := scored.existing:
        item = await _with_background(tx, item, matched, scored.grounded)
        candidate = scored.grounded.candidate
        if candidate.stance is Stance.LASTING and await tx.stance_of(matched.memory_id) in PASSING:
            days = _ttl(scored.grounded, candidate.type, context)  # a stay that became lasting
            item = replace(item, type=candidate.type, ttl_days=days, expires_at=expiry(days, context.now))
        elif item.ttl_days == matched.ttl_days:
            item = replace(item, expires_at=await end_of(tx, matched, now=context.now))
    conflicts = await _conflicts(tx, scored)
    stored = await put_superseding(
        tx,
        scored.existing,
        item if scored.existing else _under_chosen_key(item, conflicts),
        context,
        "add" if scored.kind is MergeKind.NEW else scored.kind.value,
        conflicts,
        evidence=await _evidence(tx, scored.grounded, item, context),
    )
    await _note_late(tx, stored, scored.newer)
    return stored


def _under_chosen_key(item: Item, conflicts: Sequence[Item]) -> Item:
    """Give the item the key that a model chose for an item it replaces, so that the model finds it."""
    of_one = [other for other in conflicts if (other.owner, other.person) == (item.owner, item.person)]
    keys = (shown_key(other.fact_key) for other in of_one)
    key = next(filter(is_chosen, keys), "") if not is_chosen(shown_key(item.fact_key)) else ""
    return replace(item, fact_key=waiting_key(key, item.fact)) if key else item


async def _note_late(tx: WriteTransaction, item: Item, newer: Item | None) -> None:
    """Let a late item return for review if the newer one is rejected, as if it had been read in time."""
    if newer and item.superseded_by == newer.memory_id:
        supersedes = dict.fromkeys((*newer.supersedes, item.memory_id))
        await tx.update_item(replace(newer, supersedes=tuple(supersedes)))


def _item(scored: Scored, verdict: Verdict, status: Status, context: WriteContext) -> Item:
    """The matched item with its own id, age and text, or a new one.

    A revived or doubtful item takes the candidate's text. A deleted one belongs to the chat in which it is
    saved again, and is no longer shared.
    """
    grounded, candidate, matched = scored.grounded, scored.grounded.candidate, scored.existing
    item = matched or _new(scored, context)
    kept = item.supersedes if scored.kind is MergeKind.CONFIRM else ()
    lasts_on = scored.kind is MergeKind.CONFIRM and candidate.origin is not Origin.USER_EXPLICIT
    ttl_days = item.ttl_days if lasts_on else _ttl(grounded, item.type, context)
    if item.status is Status.DELETED:
        item = replace(item, origin_umo=grounded.event.umo, audience=Audience.CHAT)
    return replace(
        item,
        fact=candidate.fact if matched and _is_said_anew(matched, scored, verdict) else item.fact,
        fact_key=scored.fact_key if matched else item.fact_key,
        status=status,
        reason=verdict.rule,
        confidence=scored.confidence,
        importance=scored.importance,
        evidence_count=scored.evidence_count,
        origin=candidate.origin if candidate.origin is Origin.USER_EXPLICIT else item.origin,
        slot=candidate.slot,
        emotion=max(item.emotion, candidate.emotion),
        superseded_by=scored.newer.memory_id if scored.newer and status is Status.SUPERSEDED else None,
        supersedes=tuple(dict.fromkeys((*kept, *(older.memory_id for older in scored.older)))),
        updated_at=context.now,
        last_confirmed_at=max(item.last_confirmed_at, grounded.event.created_at),
        ttl_days=ttl_days,
        expires_at=expiry(ttl_days, context.now),
        deleted_at=None,
    )


def _new(scored: Scored, context: WriteContext) -> Item:
    grounded, candidate, key = scored.grounded, scored.grounded.candidate, scored.fact_key
    return Item(
        memory_id=context.make_id(),
        owner=grounded.owner,
        type=candidate.type,
        fact=candidate.fact,
        fact_key=waiting_key(key, candidate.fact) if candidate.key else key,
        confidence=candidate.confidence,
        importance=candidate.importance,
        evidence_count=1,
        ttl_days=None,
        status=Status.ACTIVE,
        reason="",
        level=grounded.event.level,
        audience=Audience.CHAT,
        origin=candidate.origin,
        origin_umo=grounded.event.umo,
        person=grounded.person,
        teller=grounded.teller,
        relationship=candidate.relationship,
        backstory=candidate.backstory,
        tags=candidate.tags,
        persona_id=persona_of(grounded.owner),
        created_at=context.now,
        updated_at=context.now,
        last_confirmed_at=grounded.event.created_at,
    )


def _is_said_anew(matched: Item, scored: Scored, verdict: Verdict) -> bool:
    """Whether the item takes the candidate's wording: it was out of use or in doubt."""
    if same_words(matched.fact, scored.grounded.candidate.fact):
        return False
    is_doubted = is_in_doubt(verdict.status or matched.status, verdict.rule)
    freed = is_in_doubt(matched.status, matched.reason) and not is_doubted
    return freed or scored.kind is MergeKind.REVIVE


async def _with_background(tx: WriteTransaction, item: Item, matched: Item, grounded: Grounded) -> Item:
    """With relationship and backstory, as far as every chat that sees the item was told them."""
    known, here = await visibility_of(tx, matched), visibility_of_words(grounded)
    is_kept = known.covers(here.groups)
    is_added = here.covers(known.groups) and known.everywhere is here.everywhere

    def text(before: str, now: str) -> str:
        return before if before == now else (before if is_kept else "") or (now if is_added else "")

    candidate = grounded.candidate
    return replace(
        item,
        relationship=text(matched.relationship, candidate.relationship),
        backstory=text(matched.backstory, candidate.backstory),
    )


async def _conflicts(tx: WriteTransaction, merged: Merged) -> Sequence[Item]:
    """What the candidate may supersede, and what its item has been waiting to supersede."""
    older, matched, event = merged.older, merged.existing, merged.grounded.event
    if matched is None or merged.kind is not MergeKind.CONFIRM:
        return older
    there = {each.memory_id for each in older}
    linked = [await tx.get_item(memory_id) for memory_id in matched.supersedes if memory_id not in there]
    known = await visibility_of(tx, matched)
    both = replace(known, groups=known.groups | groups_of(event))
    owners = (matched.owner, event.at_scope) if matched.owner == event.owner else (matched.owner,)
    own = [each for each in linked if each and each.owner in owners]
    return (*older, *await replaceable(tx, own, both))


async def _evidence(
    tx: WriteTransaction, grounded: Grounded, item: Item, context: WriteContext
) -> list[Evidence]:
    """One piece for each new event that the fact rests on."""
    # The bot's words are evidence only of what a person agreed to.
    is_confirmed = item.origin is Origin.CONFIRMED
    beside = (each for each in grounded.beside if is_confirmed or each.event.role is not Role.ASSISTANT)
    candidate = grounded.candidate
    return [
        Evidence(
            evidence_id=context.make_id(),
            memory_id=item.memory_id,
            event_id=each.event.event_id,
            quote=each.text,
            extraction_method=candidate.origin,
            extraction_meta={**candidate.meta, "confidence": candidate.confidence},
            created_at=context.now,
        )
        for each in (Passage(event=grounded.event, text=grounded.quote), *beside)
        if not await tx.has_evidence(item.memory_id, each.event.event_id)
    ]


def _ttl(grounded: Grounded, kind: MemoryType, context: WriteContext) -> int | None:
    """Days to live from now, by type, counted from the last day that a plan or task names.

    A temporary fact ends with an episode, or with a later day that it names; a plan without a day lives at
    least as long as an episode. An explicit save ends with the day it names, or never.
    """
    candidate, said_at = grounded.candidate, grounded.event.created_at.astimezone(context.zone)
    today = context.now.astimezone(context.zone).date()
    if candidate.origin is Origin.USER_EXPLICIT:
        return max(0, (candidate.until - today).days + 1) if candidate.until else None
    days, longest = (context.retention.get(each) for each in (kind, MemoryType.EPISODE))
    named = last_day(candidate.fact, said_at)
    ahead = max(0, (named - today).days) if named else 0
    if candidate.stance is Stance.TEMPORARY and longest is not None:
        return max(longest if days is None else min(days, longest), ahead + 1)
    is_planned = candidate.stance is Stance.PLANNED
    if is_planned and not named and days is not None:
        return None if longest is None else max(days, longest)
    has_a_day = is_planned or kind is MemoryType.TASK_STATE
    return days + ahead if days is not None and has_a_day else days
