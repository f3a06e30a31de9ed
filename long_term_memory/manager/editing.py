"""What operators change about a memory: all of a request in one transaction, with a line of audit each."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from ..domain.enums import EDITED, LIVE_STATUSES, NOTE, Level, MemoryType, Origin, Status
from ..domain.errors import InvalidInputError, RefusedError
from ..domain.memory import Item
from ..domain.time import MakeId
from ..domain.writing import AuditEntry
from ..policies.keys import key_of, keys_of_fact, shown_key, waiting_key, waits
from ..policies.retention import TTL_RULE, expiry
from ..policies.secrets import mask
from ..storage.store import StoreTransaction
from ..text_analysis.sanitize import seen_line
from ..write.conflicts import answers_beside, holder_of
from ..write.transitions import Decision, audit_line, put, restore
from .operations import forget_item

MAX_FACT = 500
SAME_TTL = -1


@dataclass(frozen=True, kw_only=True)
class Edit:
    """What is to be changed; by default all is left as it is."""

    status: Status | None = None
    """ACTIVE, for what is over or off as it was before; DISABLED or DELETED."""
    fact: str | None = None
    level: Level | None = None
    importance: float | None = None
    ttl_days: int | None = SAME_TTL
    """Days from the last confirmation until it expires; None is for ever."""
    type: MemoryType | None = None


async def edit_item(
    tx: StoreTransaction, item: Item, decision: Decision, *, wanted: Edit, make_id: MakeId
) -> Item:
    """The memory after these changes; what is so already is no change.

    Raises InvalidInputError for a fact without words or a level above the present one; RefusedError when
    another memory has the place, or one that is over is changed and not brought back.
    """
    stays_over = item.status not in LIVE_STATUSES and wanted.status is not Status.ACTIVE
    if stays_over and wanted != Edit(status=wanted.status):
        raise RefusedError(f"not_in_use: this memory is {item.status}; restore it first")
    if wanted.fact is not None:
        # Before all else: its earlier text keeps its type, and stays as confidential as it was.
        item = await _reword(tx, item, _cleaned(wanted.fact), decision, make_id)
    item = await _set_values(tx, item, wanted, decision)
    if wanted.level is not None:
        item = await _lower(tx, item, wanted.level, decision)
    if wanted.status is not None:
        item = await _set_status(tx, item, wanted.status, decision)
    over = as_it_stands(item, decision.now)
    if wanted.ttl_days != SAME_TTL and over != item:
        return await put(tx, item, replace(over, updated_at=decision.now), decision, "expire")
    return item


async def _set_values(tx: StoreTransaction, item: Item, wanted: Edit, decision: Decision) -> Item:
    if wanted.importance is not None:
        item = await _set(tx, item, decision, importance=wanted.importance)
    if (days := wanted.ttl_days) != SAME_TTL:
        item = await _set(tx, item, decision, ttl_days=days, expires_at=expiry(days, _lives_since(item)))
    return item if wanted.type is None else await _set(tx, item, decision, type=wanted.type)


async def _set(tx: StoreTransaction, item: Item, decision: Decision, **values: object) -> Item:
    """The item with these values, of which the first is what the audit names; as it is if it has them."""
    field = next(iter(values))
    before, after = getattr(item, field), values[field]
    if before == after:
        return item
    changed = replace(item, **values, updated_at=decision.now)  # pyright: ignore[reportArgumentType] - its own
    await tx.update_item(changed)
    await tx.audit(_line(item, decision, field, before=before, after=after))
    return changed


async def _reword(tx: StoreTransaction, item: Item, fact: str, decision: Decision, make_id: MakeId) -> Item:
    if fact == item.fact:
        return item
    changed = replace(item, fact=fact, fact_key=_key(item, fact), updated_at=decision.now)
    await _refuse_taken(tx, changed, slot_too=False)
    await tx.update_item(changed)
    earlier_id = await keep_wording(tx, item, decision, make_id)
    # The texts are in the two rows; nothing erases what the audit holds.
    await tx.audit(_line(item, decision, "fact", before=earlier_id, after=item.memory_id))
    return changed


async def keep_wording(tx: StoreTransaction, item: Item, decision: Decision, make_id: MakeId) -> str:
    """The id of a superseded one with the text that the item had until now, and the same evidence."""
    earlier = replace(
        item,
        memory_id=make_id(),
        status=Status.SUPERSEDED,
        reason=EDITED,
        superseded_by=item.memory_id,
        supersedes=(),
        created_at=item.created_at - timedelta.resolution,  # the newest first, it stands behind
        updated_at=decision.now,
        deleted_at=None,
    )
    known = await tx.links_of(item.memory_id)
    links = [replace(each, evidence_id=make_id(), memory_id=earlier.memory_id) for each in known]
    await tx.insert_item(earlier, links)
    return earlier.memory_id


def _key(item: Item, fact: str) -> str:
    if waits(item.fact_key):
        return waiting_key(shown_key(item.fact_key), fact)
    return key_of(fact) if item.fact_key in keys_of_fact(item.fact, "") else item.fact_key


async def _lower(tx: StoreTransaction, item: Item, level: Level, decision: Decision) -> Item:
    if level > item.level:
        raise InvalidInputError("level", f"must be at or below {item.level.name}")
    if level < item.level:
        await _refuse_taken(tx, replace(item, level=level), slot_too=True)
    return await _set(tx, item, decision, level=level)


async def _refuse_taken(tx: StoreTransaction, item: Item, *, slot_too: bool) -> None:
    """Raise RefusedError when the item is live and another live one has its key, or answers its slot."""
    if item.status not in LIVE_STATUSES:
        return
    answers = await answers_beside(tx, item) if slot_too and item.status is Status.ACTIVE else []
    if other := await holder_of(tx, item) or next(iter(answers), None):
        raise RefusedError(f"taken: the memory {other.memory_id} answers the same question")


async def _set_status(tx: StoreTransaction, item: Item, status: Status, decision: Decision) -> Item:
    if status is Status.DELETED:
        return await forget_item(tx, item, decision) or item
    if status is Status.ACTIVE:
        current = replace(item, status=as_it_stands(item, decision.now).status)
        return item if current.status is Status.ACTIVE else await restore(tx, current, decision)
    if item.status is status:
        return item
    if item.status not in LIVE_STATUSES:
        raise RefusedError(f"not_in_use: this memory is {item.status}, so it cannot be {status}")
    off = replace(item, status=status, reason="switched_off", updated_at=decision.now)
    return await put(tx, item, off, decision, "disable")


def as_it_stands(item: Item, now: datetime) -> Item:
    """The item as it would be had upkeep looked at it by now."""
    mortal = item.status in LIVE_STATUSES and item.status is not Status.DISABLED
    over = mortal and item.expires_at is not None and item.expires_at <= now
    return replace(item, status=Status.EXPIRED, reason=TTL_RULE) if over else item


def _lives_since(item: Item) -> datetime:
    """From when its days count: its last confirmation, or when somebody let it be used after that."""
    if item.expires_at is None or item.ttl_days is None:
        return item.last_confirmed_at
    return item.expires_at - timedelta(days=item.ttl_days)


def _cleaned(fact: str) -> str:
    """The fact on one line, as it is seen, its secrets masked."""
    line = seen_line(fact)
    if not line:
        raise InvalidInputError("fact", "must not be empty")
    if len(line) > MAX_FACT:
        raise InvalidInputError("fact", f"must have at most {MAX_FACT} characters")
    return mask(line)


def _line(item: Item, decision: Decision, field: str, *, before: object, after: object) -> AuditEntry:
    line, origin = audit_line(decision, "edit", item, item, reason=field), item.origin
    return replace(line, before=shown(before, origin), after=shown(after, origin))


def shown(value: object, origin: Origin) -> str:
    """A value as the audit and lists show it, of a memory of this origin."""
    if value is MemoryType.EPISODE and origin is Origin.USER_EXPLICIT:
        return NOTE
    if isinstance(value, Level):
        return value.name
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else str(value)
