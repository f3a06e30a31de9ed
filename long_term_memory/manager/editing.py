"""What operators change about one memory: all of a request in one transaction, with a line of audit each."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from ..domain.errors import InvalidInputError, NotFoundError, RefusedError
from ..domain.memory import Item
from ..domain.time import MakeId
from ..domain.words import LIVE_STATUSES, Level, MemoryType, Status
from ..policies.secrets.mask import mask
from ..policies.worth import TTL_RULE, expiry
from ..storage.transaction import StoreTransaction
from ..text_analysis.seen import seen_line
from ..write.approval import restore
from ..write.placement import Decision, put
from .owning import forgotten
from .parts import Parts
from .rewording import entry, refuse_taken, reworded

MAX_FACT = 500


@dataclass(frozen=True, kw_only=True)
class Lifetime:
    """Days from the last confirmation until a memory expires; None is for ever."""

    days: int | None


@dataclass(frozen=True, kw_only=True)
class Edit:
    """What is to be changed; None leaves it as it is."""

    status: Status | None = None
    """ACTIVE, DISABLED or DELETED."""
    fact: str | None = None
    level: Level | None = None
    importance: float | None = None
    lifetime: Lifetime | None = None
    type: MemoryType | None = None

    @property
    def only_status(self) -> bool:
        """Whether nothing else is to be changed."""
        return replace(self, status=None) == Edit()


class Editing:
    """For operators only: whoever's the memory is. All of it raises RefusedError while read-only."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._store = parts.store

    async def edit(self, memory_id: str, wanted: Edit, *, actor: str) -> Item:
        """The memory as it is then; what is so already is no change.

        Raises NotFoundError; InvalidInputError for a fact without words, a level above the present one, or a
        type that it cannot have;
        RefusedError when another memory has the place, or one that is over is changed and not brought back.
        """
        if wanted.fact is not None:
            wanted = replace(wanted, fact=_cleaned(wanted.fact))
        decision = Decision(actor=actor, now=self._parts.clock())
        async with self._store.transaction() as transaction:
            item = await transaction.get_item(memory_id)
            if item is None:
                raise NotFoundError("no such memory")
            after = await edited(transaction, item, wanted, decision, make_id=self._parts.make_id)
        self._parts.embedding.notify()
        return after

    async def delete(self, memory_id: str, *, actor: str) -> Item:
        """The memory, deleted softly; nothing changes when it is so already. Raises NotFoundError."""
        return await self.edit(memory_id, Edit(status=Status.DELETED), actor=actor)


async def edited(
    tx: StoreTransaction, item: Item, wanted: Edit, decision: Decision, *, make_id: MakeId
) -> Item:
    """The memory after these changes; raises as `Editing.edit`."""
    stays_over = item.status not in LIVE_STATUSES and wanted.status is not Status.ACTIVE
    if stays_over and not wanted.only_status:
        raise RefusedError(f"not_in_use: this memory is {item.status}; bring it back first")
    item = await _valued(tx, item, wanted, decision)
    if wanted.type is not None:
        item = await _retyped(tx, item, wanted.type, decision)
    if wanted.fact is not None:
        # Before its level: what it said so far stays as confidential as it was.
        item = await reworded(tx, item, wanted.fact, decision, make_id=make_id)
    if wanted.level is not None:
        item = await _lowered(tx, item, wanted.level, decision)
    if wanted.status is not None:
        item = await _placed(tx, item, wanted.status, decision)
    may_end = wanted.lifetime is not None and _is_over(item, decision.now)
    return await _ended(tx, item, decision) if may_end else item


async def _valued(tx: StoreTransaction, item: Item, wanted: Edit, decision: Decision) -> Item:
    """Its importance and its lifetime."""
    if wanted.importance is not None and wanted.importance != item.importance:
        changed = replace(item, importance=wanted.importance, updated_at=decision.now)
        before, after = f"{item.importance:g}", f"{changed.importance:g}"
        item = await _kept(tx, changed, decision, "importance", before, after)
    if wanted.lifetime is not None and wanted.lifetime.days != item.ttl_days:
        days = wanted.lifetime.days
        changed = replace(
            item, ttl_days=days, expires_at=expiry(days, _lives_since(item)), updated_at=decision.now
        )
        item = await _kept(tx, changed, decision, "ttl_days", _days(item.ttl_days), _days(days))
    return item


async def _retyped(tx: StoreTransaction, item: Item, kind: MemoryType, decision: Decision) -> Item:
    """A summary of several memories is an episode and stays one; nothing else may look like one."""
    if kind is item.type:
        return item
    if MemoryType.EPISODE in {kind, item.type} and len(item.supersedes) > 1:
        raise InvalidInputError("type", f"must stay {item.type}: this memory stands for several others")
    changed = replace(item, type=kind, updated_at=decision.now)
    return await _kept(tx, changed, decision, "type", item.type.value, kind.value)


async def _lowered(tx: StoreTransaction, item: Item, level: Level, decision: Decision) -> Item:
    if level > item.level:
        raise InvalidInputError("level", f"must be at or below {item.level.name}")
    if level == item.level:
        return item
    lower = replace(item, level=level, updated_at=decision.now)
    await refuse_taken(tx, lower, slot_too=True)
    return await _kept(tx, lower, decision, "level", item.level.name, level.name)


async def _placed(tx: StoreTransaction, item: Item, status: Status, decision: Decision) -> Item:
    """The item with this status."""
    if status is Status.DELETED:
        return await forgotten(tx, item, decision) or item
    if status is Status.ACTIVE:
        seen = replace(item, status=Status.EXPIRED) if _is_over(item, decision.now) else item
        return item if seen.status is Status.ACTIVE else await restore(tx, seen, decision)
    if item.status is Status.DISABLED:
        return item
    if item.status not in LIVE_STATUSES:
        raise RefusedError(f"not_in_use: this memory is {item.status}, so nothing is to be switched off")
    off = replace(item, status=status, reason="switched_off", updated_at=decision.now)
    return await put(tx, item, off, decision, "disable")


async def _ended(tx: StoreTransaction, item: Item, decision: Decision) -> Item:
    """The item as upkeep would leave it by now."""
    over = replace(item, status=Status.EXPIRED, reason=TTL_RULE, updated_at=decision.now)
    return await put(tx, item, over, decision, "expire")


def _is_over(item: Item, now: datetime) -> bool:
    mortal = item.status in LIVE_STATUSES and item.status is not Status.DISABLED
    return mortal and item.expires_at is not None and item.expires_at <= now


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


def _days(days: int | None) -> str:
    return "" if days is None else str(days)


async def _kept(
    tx: StoreTransaction, changed: Item, decision: Decision, field: str, before: str, after: str
) -> Item:
    await tx.update_item(changed)
    await tx.audit(entry(changed, decision, field, before=before, after=after))
    return changed
