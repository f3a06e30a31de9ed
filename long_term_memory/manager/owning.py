"""What is the speaker's own, and may be decided about by them."""

from dataclasses import replace

from ..domain.chat import Access, Chat
from ..domain.memory import Item
from ..domain.words import Status
from ..storage.transaction import StoreTransaction
from ..write.placement import Decision, leave
from .parts import Parts


async def access_to_every_persona(parts: Parts, chat: Chat) -> Access:
    """The chat's access, and to what any persona of the bot keeps of the speaker."""
    access = parts.people.access(chat)
    personas = await parts.store.memories.of_every_persona(parts.people.scopes(chat))
    return replace(access, readable=tuple(dict.fromkeys((*access.readable, *personas))))


async def forgotten(tx: StoreTransaction, item: Item, decision: Decision) -> Item | None:
    """The item as it is deleted, softly and with a line of audit; None when it is gone already."""
    current = await tx.get_item(item.memory_id)
    if current is None or current.status is Status.DELETED:
        return None
    return await leave(tx, current, Status.DELETED, decision, "forget", "forgotten")
