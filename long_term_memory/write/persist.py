"""Stage 8, persist: a verdict becomes rows, inside the transaction it is given (design 5.8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo

from ..access.personas import persona_of
from ..domain.memory import Evidence, Item
from ..domain.time import MakeId
from ..domain.words import Audience, MemoryType, Origin, Role, Stance, Status
from ..domain.writing import Grounded, Merged, MergeKind, Passage, Verdict
from ..policies.admission import ROOM_RULE
from ..policies.expiry import expiry
from ..policies.keys import same_words, waiting_key
from ..policies.succession import is_in_doubt
from .placement import Decision, leave, line, take_place
from .protocols import WriteTransaction
from .surface import giving_way, groups_of, surface, surface_of

type Retention = Mapping[MemoryType, int | None]
"""Days from the last confirmation until an item of a type expires; None is permanent."""

_ACTIONS = {
    MergeKind.NEW: "add",
    MergeKind.CONFIRM: "confirm",
    MergeKind.REVIVE: "revive",
}


@dataclass(frozen=True, kw_only=True)
class Stamp(Decision):
    """What a row needs that the verdict does not say."""

    make_id: MakeId
    retention: Retention
    zone: tzinfo = UTC
    """Where days begin."""


async def persist(tx: WriteTransaction, verdict: Verdict, stamp: Stamp) -> Item | None:
    """Write what the verdict says, with evidence and audit.

    Returns the item as it stands now: stored, or met without a change; None when there is none.
    """
    merged = verdict.scored.merged
    if verdict.status is None:
        if merged.kind is not MergeKind.KNOWN:
            await tx.audit(line(stamp, "refuse", merged.existing, merged.existing, reason=verdict.rule))
        return merged.existing
    for memory_id in verdict.evicts:
        # Expired, not deleted: what was merely squeezed out may come back when it is heard again.
        if evicted := await tx.get_item(memory_id):
            await leave(tx, evicted, Status.EXPIRED, stamp, "evict", ROOM_RULE)
    if merged.existing:
        texts = await _texts_beside(tx, merged.existing, merged.grounded)
        item = _again(merged.existing, verdict, verdict.status, stamp, texts)
    else:
        item = _new(verdict, verdict.status, stamp)
    return await take_place(
        tx,
        merged.existing,
        item,
        stamp,
        _ACTIONS[merged.kind],
        await _standing(tx, merged),
        evidence=await _evidence(tx, verdict, item, stamp),
    )


async def _standing(tx: WriteTransaction, merged: Merged) -> Sequence[Item]:
    """What the candidate may displace, with what its item has been waiting to displace."""
    older, met = merged.older, merged.existing
    if met is None or merged.kind is not MergeKind.CONFIRM:
        return older
    there = {each.memory_id for each in older}
    linked = [await tx.get_item(memory_id) for memory_id in met.supersedes if memory_id not in there]
    known = await surface(tx, met)
    both = replace(known, groups=known.groups | groups_of(merged.grounded.event))
    return (*older, *await giving_way(tx, [each for each in linked if each], both))


def _again(existing: Item, verdict: Verdict, status: Status, stamp: Stamp, texts: tuple[str, str]) -> Item:
    """The item heard again: its own id, age and text.

    What nobody vouched for before gets the words that do so now. One that was deleted belongs to the chat in
    which it is saved again: what was shared before is not.
    """
    scored, grounded = verdict.scored, verdict.scored.merged.grounded
    candidate = grounded.candidate
    explicit = candidate.origin is Origin.USER_EXPLICIT
    deleted = existing.status is Status.DELETED
    return replace(
        existing,
        fact=candidate.fact if _is_said_anew(existing, verdict) else existing.fact,
        fact_key=scored.merged.fact_key,
        status=status,
        reason=verdict.rule,
        confidence=scored.confidence,
        importance=scored.importance,
        evidence_count=scored.evidence_count,
        origin=candidate.origin if explicit else existing.origin,
        origin_umo=grounded.event.umo if deleted else existing.origin_umo,
        audience=Audience.CHAT if deleted else existing.audience,
        relationship=texts[0],
        backstory=texts[1],
        slot=candidate.slot,
        emotion=max(existing.emotion, candidate.emotion),
        superseded_by=_outdated_by(verdict, status),
        supersedes=_supersedes(existing, verdict),
        updated_at=stamp.now,
        last_confirmed_at=stamp.now,
        expires_at=expiry(existing.ttl_days, stamp.now),
        deleted_at=None,
    )


async def _texts_beside(tx: WriteTransaction, met: Item, grounded: Grounded) -> tuple[str, str]:
    """Relationship and backstory; what was told in one chat only does not come to light in another.

    What the item left open is filled in from the same chat.
    """
    known, here = await surface(tx, met), surface_of(grounded)
    is_kept = known.covers(here.groups)
    is_added = here.covers(known.groups) and known.everywhere is here.everywhere

    def text(before: str, told: str) -> str:
        return before if before == told else (before if is_kept else "") or (told if is_added else "")

    candidate = grounded.candidate
    return text(met.relationship, candidate.relationship), text(met.backstory, candidate.backstory)


def _is_said_anew(existing: Item, verdict: Verdict) -> bool:
    """Whether the item was out of use or in doubt, so that its own wording is nobody's any more."""
    if same_words(existing.fact, verdict.scored.merged.grounded.candidate.fact):
        return False
    freed = is_in_doubt(existing.status, existing.reason) and not is_in_doubt(
        verdict.status or existing.status, verdict.rule
    )
    return freed or verdict.scored.merged.kind is MergeKind.REVIVE


def _supersedes(existing: Item | None, verdict: Verdict) -> tuple[str, ...]:
    merged = verdict.scored.merged
    kept = existing.supersedes if existing and merged.kind is MergeKind.CONFIRM else ()
    return tuple(dict.fromkeys((*kept, *(item.memory_id for item in merged.older))))


def _outdated_by(verdict: Verdict, status: Status) -> str | None:
    newer = verdict.scored.merged.newer
    return newer.memory_id if newer and status is Status.SUPERSEDED else None


def _new(verdict: Verdict, status: Status, stamp: Stamp) -> Item:
    scored, grounded = verdict.scored, verdict.scored.merged.grounded
    candidate = grounded.candidate
    ttl_days = _ttl(verdict, stamp)
    key = scored.merged.fact_key
    return Item(
        memory_id=stamp.make_id(),
        owner=grounded.owner,
        type=candidate.type,
        fact=candidate.fact,
        fact_key=waiting_key(key, candidate.fact) if candidate.key else key,
        confidence=scored.confidence,
        importance=scored.importance,
        evidence_count=scored.evidence_count,
        ttl_days=ttl_days,
        status=status,
        reason=verdict.rule,
        level=grounded.event.level,
        audience=Audience.CHAT,
        origin=candidate.origin,
        origin_umo=grounded.event.umo,
        person=grounded.person,
        teller=grounded.teller,
        relationship=candidate.relationship,
        backstory=candidate.backstory,
        slot=candidate.slot,
        superseded_by=_outdated_by(verdict, status),
        supersedes=_supersedes(None, verdict),
        tags=candidate.tags,
        emotion=candidate.emotion,
        persona_id=persona_of(grounded.owner),
        access_count=0,
        created_at=stamp.now,
        updated_at=stamp.now,
        last_confirmed_at=stamp.now,
        last_accessed_at=None,
        expires_at=expiry(ttl_days, stamp.now),
        deleted_at=None,
    )


async def _evidence(tx: WriteTransaction, verdict: Verdict, item: Item, stamp: Stamp) -> tuple[Evidence, ...]:
    """One piece for each event that the fact rests on and that does not count for the item yet."""
    grounded = verdict.scored.merged.grounded
    candidate = grounded.candidate
    # The bot's words are evidence of what was agreed to, and of nothing that a person said in own words.
    beside = (
        each
        for each in grounded.beside
        if item.origin is Origin.CONFIRMED or each.event.role is not Role.ASSISTANT
    )
    passages = (Passage(event=grounded.event, text=grounded.quote), *beside)
    return tuple(
        [
            Evidence(
                evidence_id=stamp.make_id(),
                memory_id=item.memory_id,
                event_id=each.event.event_id,
                quote=each.text,
                method=candidate.origin,
                meta={**candidate.meta, "confidence": candidate.confidence},
                created_at=stamp.now,
            )
            for each in passages
            if not await tx.has_evidence(item.memory_id, each.event.event_id)
        ]
    )


def _ttl(verdict: Verdict, stamp: Stamp) -> int | None:
    """Days that it lives: by its type; what holds for a while no longer than an episode (seed 002 2.3).

    What a person asked to keep ends with the day it names; their own words, which have no type yet, stay.
    """
    grounded = verdict.scored.merged.grounded
    candidate = grounded.candidate
    explicit = candidate.origin is Origin.USER_EXPLICIT
    if explicit and candidate.until:
        return (candidate.until - grounded.event.created_at.astimezone(stamp.zone).date()).days + 1
    if explicit and candidate.type is MemoryType.EPISODE:
        return None
    days = stamp.retention.get(candidate.type)
    longest = stamp.retention.get(MemoryType.EPISODE)
    if candidate.stance is Stance.TEMPORARY and longest is not None:
        return longest if days is None else min(days, longest)
    return days
