"""The base of all operations on memory: whose turn it is, and how memories are looked up and changed."""

import unicodedata
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import batched
from typing import Any

from ..domain.chat import Access, Chat, Turn
from ..domain.enums import Status
from ..domain.errors import AmbiguousError, InvalidInputError, NotFoundError, RefusedError
from ..domain.memory import Item
from ..domain.writing import AuditEntry
from ..storage.store import StoreTransaction
from ..upkeep.scheduler import breathe
from ..write.reverting import PriorStates, prior_states
from ..write.transitions import Decision, leave
from .components import Components

MIN_ID_LENGTH = 4
_AROUND = " ()[]{}<>【】「」'\"`.,:;。、#"
PAUSED_BY_OPERATOR = "paused_by_operator"
"""The rule: only an operator ends what an operator began."""

BATCH_SIZE = 20
"""Items of one transaction: a reply that has something to write hardly notices it."""

type ItemOperation[T] = Callable[[StoreTransaction, Item, Decision], Awaitable[T]]
"""What is done to a memory as it is now; raises RefusedError where a rule forbids it."""
type Look = Callable[[Sequence[str], StoreTransaction], Coroutine[Any, Any, None]]
"""What takes long to find of memories with these ids."""


class NotChangedError(RefusedError):
    """Of many memories that are changed together this one is left; `rule` is why."""


@dataclass(frozen=True)
class Undecided:
    """A memory about which nothing was decided.

    `unknown`, `not_waiting`, `in_doubt`, `replaces_newer`, `unchanged`, `not_in_use`, `taken`,
    `changed_since` or `import_undone`.
    """

    memory_id: str
    why: str
    detail: str = ""
    """For example which memory has the place, as a refusal tells it."""


class Operations:
    """Base of the operations. Only the `Chat` argument of a call says who acts."""

    def __init__(self, components: Components) -> None:
        self._components = components
        self._store = components.store
        self._resolver = components.resolver
        self._clock = components.ports.clock

    def _access(self, chat: Chat) -> Access:
        return self._resolver.access(chat)

    def _decision(self, actor: str) -> Decision:
        return Decision(actor=actor, now=self._clock())

    async def _every_persona(self, chat: Chat) -> Access:
        """The chat's access, and to what any persona of the bot keeps of the speaker."""
        access = self._access(chat)
        personas = await self._store.memories.of_every_persona(self._resolver.scopes(chat))
        return replace(access, readable=tuple(dict.fromkeys((*access.readable, *personas))))

    async def _own_of_any_status(self, access: Access, short_id: str) -> Item:
        """The speaker's own whose id begins like this; one that is live before those that are over."""
        prefix, memories = id_prefix(short_id), self._store.memories
        live = await memories.own_matching(prefix, access)
        return only(live or await memories.own_matching(prefix, access, ended=True))

    async def _delete(
        self, chat: Chat, items: Sequence[Item], decision: Decision, *, message: object = None
    ) -> Sequence[Item]:
        """Delete these softly, which the speaker may undo; those that are deleted by that."""
        async with self._store.transaction() as tx:
            tx.updates = updates = list[tuple[Item, Item]]()
            gone = [one for item in items if (one := await forget_item(tx, item, decision))]
        each = {one.memory_id: [one] for one in prior_states(updates)}
        self._components.undo.add(chat, "forget", each, message=message)
        return gone

    async def _audit(self, line: AuditEntry) -> None:
        async with self._store.transaction() as tx:
            await tx.audit(line)

    async def _change[T](
        self, memory_id: str, apply: ItemOperation[T | None], *, actor: str
    ) -> tuple[T, PriorStates]:
        """What a change makes of one memory, and all it changed. Raises NotFoundError, and what it raises."""
        async with self._store.transaction() as tx:
            tx.updates = updates = list[tuple[Item, Item]]()
            item = await tx.get_item(memory_id)
            changed = await apply(tx, item, self._decision(actor)) if item else None
        self._components.embedding.notify()
        if changed is None:
            raise NotFoundError("no such memory")
        return changed, prior_states(updates)

    async def _change_each(
        self, ids: Iterable[str], apply: ItemOperation[object], *, actor: str, look: Look | None = None
    ) -> tuple[Mapping[str, PriorStates], Sequence[Undecided]]:
        """For each of the memories what changed with it, and those of which a rule says why nothing did.

        It is done in parts: others may write between two. `look` is given each part before, in a snapshot.
        """
        results = dict[str, PriorStates | Undecided]()
        for place, part in enumerate(list(batched(dict.fromkeys(ids), BATCH_SIZE)) or [()]):
            if place:
                await breathe()
            if look:
                await self._store.in_snapshot(partial(look, part))
            results |= await self._store.in_transaction(partial(_results, part, apply, self._decision(actor)))
        self._components.embedding.notify()
        left = [each for each in results.values() if isinstance(each, Undecided)]
        return {key: made for key, made in results.items() if not isinstance(made, Undecided)}, left

    async def paused_by(self, chat: Chat) -> str:
        """`paused`, `paused_by_operator` or `paused_group`; empty when nobody has paused it."""
        person, groups = self._resolver.pausable(chat)
        if not await self._store.paused(*person, *groups):
            return ""
        if await self._store.paused_by_operator(*person):
            return PAUSED_BY_OPERATOR
        return "paused" if await self._store.paused(*person) else "paused_group"

    async def _unless_paused(self, chat: Chat) -> Access:
        """The chat's access. Raises RefusedError with the rule while the speaker or the group is paused."""
        if rule := await self.paused_by(chat):
            raise RefusedError(rule)
        return self._access(chat)

    async def _without_paused_quote(self, turn: Turn) -> Turn:
        """The turn without what it quotes of somebody who is paused, where the platform tells whose it is."""
        if not turn.quoted or not turn.quoted_sender:
            return turn
        person, _ = self._resolver.pausable(replace(turn.chat, sender_id=turn.quoted_sender))
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


async def forget_item(tx: StoreTransaction, item: Item, decision: Decision) -> Item | None:
    """The item as it is deleted, softly and with a line of audit; None when it is gone already."""
    current = await tx.get_item(item.memory_id)
    if current is None or current.status is Status.DELETED:
        return None
    return await leave(tx, current, Status.DELETED, decision, "forget", "forgotten")


async def _results(
    memory_ids: Sequence[str], apply: ItemOperation[object], decision: Decision, tx: StoreTransaction
) -> dict[str, PriorStates | Undecided]:
    results = dict[str, PriorStates | Undecided]()
    for memory_id in memory_ids:
        tx.updates = updates = list[tuple[Item, Item]]()
        try:
            if not (item := await tx.get_item(memory_id)):
                raise NotChangedError("unknown")
            await apply(tx, item, decision)
            results[memory_id] = prior_states(updates)
        except (RefusedError, InvalidInputError) as refused:
            results[memory_id] = Undecided(memory_id, *str(refused).partition(": ")[::2])
    return results
