"""What is the speaker's own, and may be decided about by them."""

from dataclasses import replace
from datetime import datetime

from ..domain.chat import Access, Chat
from ..domain.memory import Item
from ..domain.words import Status
from ..domain.writing import AuditEntry
from ..policies.succession import on_leaving
from ..storage.transaction import StoreTransaction
from .parts import Parts


async def access_to_every_persona(parts: Parts, chat: Chat) -> Access:
    """The chat's access, and to what any persona of the bot keeps of the speaker."""
    access = parts.people.access(chat)
    personas = await parts.store.memories.of_every_persona(parts.people.scopes(chat))
    return replace(access, readable=tuple(dict.fromkeys((*access.readable, *personas))))


async def forgotten(tx: StoreTransaction, item: Item, *, actor: str, at: datetime) -> Item | None:
    """The item as it is deleted, softly and with a line of audit; None when it is gone already."""
    current = await tx.get_item(item.memory_id)
    if current is None or current.status is Status.DELETED:
        return None
    reason = on_leaving(current, "forgotten")
    gone = replace(current, status=Status.DELETED, reason=reason, deleted_at=at, updated_at=at)
    await tx.update_item(gone)
    await tx.audit(
        AuditEntry(
            actor=actor,
            action="forget",
            memory_id=gone.memory_id,
            before=current.status,
            after=gone.status,
            reason=gone.reason,
        )
    )
    return gone
