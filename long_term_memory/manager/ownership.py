"""A memory of one's own: named by the beginning of its id, and forgotten."""

import unicodedata
from collections.abc import Sequence

from ..domain.errors import AmbiguousError, InvalidInputError, NotFoundError
from ..domain.memory import Item
from ..domain.words import Status
from ..storage.store import StoreTransaction
from ..write.transitions import Decision, leave

MIN_ID_LENGTH = 4
_AROUND = " ()[]{}<>【】「」'\"`.,:;。、#"


def id_prefix(short_id: str) -> str:
    """How the ids meant begin. Raises InvalidInputError when that could be anything."""
    # As it is copied from a reply, with what stands around it there.
    prefix = unicodedata.normalize("NFKC", short_id).strip(_AROUND).lower()
    if len(prefix) < MIN_ID_LENGTH:
        raise InvalidInputError("id", f"give at least {MIN_ID_LENGTH} characters of it")
    return prefix


def only(items: Sequence[Item]) -> Item:
    """The one item found. Raises NotFoundError, AmbiguousError."""
    if not items:
        raise NotFoundError("no such memory")
    if len(items) > 1:
        raise AmbiguousError("several memories begin like this")
    return items[0]


async def forgotten(tx: StoreTransaction, item: Item, decision: Decision) -> Item | None:
    """The item as it is deleted, softly and with a line of audit; None when it is gone already."""
    current = await tx.get_item(item.memory_id)
    if current is None or current.status is Status.DELETED:
        return None
    return await leave(tx, current, Status.DELETED, decision, "forget", "forgotten")
