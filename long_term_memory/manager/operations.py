"""The base of all operations on memory."""

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from ..domain.chat import Access, Chat, Turn
from ..domain.errors import AmbiguousError, InvalidInputError, NotFoundError, RefusedError
from ..domain.memory import Item
from ..domain.words import Status
from ..domain.writing import AuditEntry
from ..storage.store import StoreTransaction
from ..write.transitions import Decision, leave
from .components import Components
from .undo import changes_of

MIN_ID_LENGTH = 4
_AROUND = " ()[]{}<>【】「」'\"`.,:;。、#"
PAUSED_BY_OPERATOR = "paused_by_operator"
"""The rule: only an operator ends what an operator began."""


class Operations:
    """Some of what can be asked of memory; whose turn it is, the `Chat` of a call says and nothing else."""

    def __init__(self, components: Components) -> None:
        self._components = components
        self._store = components.store
        self._people = components.people
        self._clock = components.ports.clock

    def _access(self, chat: Chat) -> Access:
        return self._people.access(chat)

    def _decision(self, actor: str) -> Decision:
        return Decision(actor=actor, now=self._clock())

    async def _every_persona(self, chat: Chat) -> Access:
        """The chat's access, and to what any persona of the bot keeps of the speaker."""
        access = self._access(chat)
        personas = await self._store.memories.of_every_persona(self._people.scopes(chat))
        return replace(access, readable=tuple(dict.fromkeys((*access.readable, *personas))))

    async def _own_of_any_status(self, access: Access, short_id: str) -> Item:
        """The speaker's own whose id begins like this; one that is live before those that are over."""
        prefix, memories = id_prefix(short_id), self._store.memories
        live = await memories.own_matching(prefix, access, limit=2)
        return only(live or await memories.own_ended(prefix, access, limit=2))

    async def _delete(self, chat: Chat, items: Sequence[Item], decision: Decision) -> Sequence[Item]:
        """Delete these softly, which the speaker may undo here; those that are deleted by that."""
        async with self._store.transaction() as tx:
            tx.changes = changes = list[tuple[Item, Item]]()
            gone = [one for item in items if (one := await forgotten(tx, item, decision))]
        self._components.undo.forgot(chat, changes_of(changes), at=decision.now)
        return gone

    async def _audit(self, line: AuditEntry) -> None:
        async with self._store.transaction() as tx:
            await tx.audit(line)

    async def paused_by(self, chat: Chat) -> str:
        """`paused`, `paused_by_operator` or `paused_group`; empty when nobody has paused it."""
        person, groups = self._people.pausable(chat)
        if not await self._store.paused(*person, *groups):
            return ""
        if await self._store.paused_by_operator(*person):
            return PAUSED_BY_OPERATOR
        if await self._store.paused(*person):
            return "paused"
        return "paused_group" if await self._store.paused(*groups) else ""

    async def _unless_paused(self, chat: Chat) -> Access:
        """The chat's access. Raises RefusedError with the rule while the speaker or the group is paused."""
        if rule := await self.paused_by(chat):
            raise RefusedError(rule)
        return self._access(chat)

    async def _without_paused_quote(self, turn: Turn) -> Turn:
        """The turn without what it quotes of somebody who is paused, where the platform tells whose it is."""
        if not turn.quoted or not turn.quoted_sender:
            return turn
        person, _ = self._people.pausable(replace(turn.chat, sender_id=turn.quoted_sender))
        return replace(turn, quoted="") if await self._store.paused(*person) else turn


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
