"""An operator puts a fact into other words: the memory stays, and what it said so far is its history."""

from collections.abc import Sequence
from dataclasses import replace

from ..domain.errors import RefusedError
from ..domain.memory import Evidence, Item
from ..domain.time import MakeId
from ..domain.words import EDITED, LIVE_STATUSES, Status
from ..domain.writing import AuditEntry
from ..policies.keys import key_of, keys_of_fact, shown_key, waiting_key, waits
from ..storage.transaction import StoreTransaction
from ..write.placement import Decision, answers_beside, holder_of


async def reworded(
    tx: StoreTransaction, item: Item, fact: str, decision: Decision, *, make_id: MakeId
) -> Item:
    """The memory with this fact.

    Its earlier text becomes a superseded memory with the same evidence, so that a message that is read again
    adds nothing. A key made of the earlier words follows the new ones, one that was chosen or proposed
    stays, and so does the slot. Raises RefusedError when another live memory has that key.
    """
    if fact == item.fact:
        return item
    changed = replace(item, fact=fact, fact_key=_key(item, fact), updated_at=decision.now)
    await refuse_taken(tx, changed, slot_too=False)
    earlier = _earlier(item, make_id(), decision)
    evidence = _copied(await tx.links_of(item.memory_id), earlier.memory_id, make_id)
    await tx.update_item(changed)
    await tx.insert_item(earlier, evidence)
    # The texts are in the two rows; nothing erases what the audit holds.
    await tx.audit(entry(item, decision, "fact", before=earlier.memory_id, after=item.memory_id))
    return changed


def entry(item: Item, decision: Decision, field: str, *, before: str, after: str) -> AuditEntry:
    """That a field of the memory was changed."""
    return AuditEntry(
        actor=decision.actor,
        action="edit",
        memory_id=item.memory_id,
        before=before,
        after=after,
        reason=field,
    )


async def refuse_taken(tx: StoreTransaction, item: Item, *, slot_too: bool) -> None:
    """Raise RefusedError when the item is live and another live one has its key, or answers its slot."""
    if item.status not in LIVE_STATUSES:
        return
    holder = await holder_of(tx, item)
    others = [holder] if holder else []
    if slot_too and item.status is Status.ACTIVE:
        others += await answers_beside(tx, item)
    for other in others:
        raise RefusedError(f"taken: the memory {other.memory_id} has this place")


def _key(item: Item, fact: str) -> str:
    if waits(item.fact_key):
        return waiting_key(shown_key(item.fact_key), fact)
    return key_of(fact) if item.fact_key in keys_of_fact(item.fact, "") else item.fact_key


def _earlier(item: Item, memory_id: str, decision: Decision) -> Item:
    return replace(
        item,
        memory_id=memory_id,
        status=Status.SUPERSEDED,
        reason=EDITED,
        superseded_by=item.memory_id,
        supersedes=(),
        updated_at=decision.now,
        deleted_at=None,
    )


def _copied(evidence: Sequence[Evidence], memory_id: str, make_id: MakeId) -> list[Evidence]:
    return [replace(each, evidence_id=make_id(), memory_id=memory_id) for each in evidence]
