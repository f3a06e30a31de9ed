"""Changing memories: one in a transaction, or many in parts, so that others may write in between."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import batched

from ..domain.errors import InvalidInputError, NotFoundError, RefusedError
from ..domain.memory import Item
from ..storage.store import StoreTransaction
from ..upkeep.scheduler import breathe
from ..write.transitions import Decision
from .operations import Operations
from .undo import Changes, changes_of

AT_ONCE = 20
"""Items of one transaction: a reply that has something to write hardly notices it."""
UNKNOWN = "unknown"

type Change[T] = Callable[[StoreTransaction, Item, Decision], Awaitable[T]]
"""What is done to a memory as it is now; raises RefusedError where a rule forbids it."""


class NotChangedError(RefusedError):
    """Of many memories that are changed together this one is left; `rule` is why."""


@dataclass(frozen=True, kw_only=True)
class Left:
    """A memory about which nothing was decided.

    `unknown`, `not_waiting`, `in_doubt`, `unchanged`, `not_in_use`, `taken` or `changed_since`.
    """

    memory_id: str
    why: str


class Changing(Operations):
    """All of it raises RefusedError while read-only."""

    async def _change[T](self, memory_id: str, change: Change[T | None], *, actor: str) -> T:
        """What a change makes of one memory. Raises NotFoundError when there is none, and what it raises."""
        async with self._store.transaction() as tx:
            item = await tx.get_item(memory_id)
            changed = await change(tx, item, self._decision(actor)) if item else None
        self._components.embedding.notify()
        if changed is None:
            raise NotFoundError("no such memory")
        return changed

    async def _change_each(
        self, memory_ids: Iterable[str], change: Change[object], *, actor: str
    ) -> tuple[Mapping[str, Changes], list[Left]]:
        """For each of the memories what changed with it, and those of which a rule says why nothing did."""
        done, left = dict[str, Changes](), list[Left]()
        for place, part in enumerate(list(batched(dict.fromkeys(memory_ids), AT_ONCE)) or [()]):
            if place:
                await breathe()
            work = partial(_results, memory_ids=part, change=change, decision=self._decision(actor))
            for memory_id, result in (await self._store.at_once(work)).items():
                if isinstance(result, str):
                    left.append(Left(memory_id=memory_id, why=result))
                else:
                    done[memory_id] = result
        self._components.embedding.notify()
        return done, left


async def _results(
    tx: StoreTransaction, memory_ids: Sequence[str], change: Change[object], decision: Decision
) -> Mapping[str, Changes | str]:
    """For each id what was changed, or why nothing was."""
    return {memory_id: await _result(tx, memory_id, change, decision) for memory_id in memory_ids}


async def _result(
    tx: StoreTransaction, memory_id: str, change: Change[object], decision: Decision
) -> Changes | str:
    item = await tx.get_item(memory_id)
    if item is None:
        return UNKNOWN
    tx.changes = updates = list[tuple[Item, Item]]()
    try:
        await change(tx, item, decision)
    except (RefusedError, InvalidInputError) as refused:
        return str(refused).partition(":")[0]
    return changes_of(updates)
