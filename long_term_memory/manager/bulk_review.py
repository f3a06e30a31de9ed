"""What operators decide about items: one by its short id, or many in parts, so that others may write."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import batched

from ..domain.chat import Access, Chat
from ..domain.errors import InvalidInputError, NotFoundError, RefusedError
from ..domain.memory import Item
from ..domain.review import WaitingFilter, WaitingItems
from ..domain.words import LIVE_STATUSES, Status
from ..policies.succession import is_in_doubt
from ..storage.store import StoreTransaction
from ..upkeep.scheduler import breathe
from ..write.rivals import answers_beside, holder_of
from ..write.transitions import WAITING, Decision, approve, put, reject
from .codes import Expiring
from .components import Components
from .editing import Edit, edited
from .operations import Operations, id_prefix, only

SOON = timedelta(days=7)
"""How long before its end a waiting item is shown as one that expires soon."""
AT_ONCE = 20
"""Items of one transaction: a reply that has something to write hardly notices it."""
UNKNOWN = "unknown"
NOT_WAITING = "not_waiting"
"""Somebody has decided already, or its time is over."""
UNSURE = "in_doubt"
"""No words of a person bear it out: it deserves a look of its own."""
SO_ALREADY = "unchanged"

UNDO_FOR = timedelta(minutes=10)
MAX_UNDO = 20_000
"""Memories of all decisions together that can be taken back."""
CHANGED = "changed_since"
"""Somebody has changed it, or what left for it, after the decision."""
TAKEN = "taken"
"""Another memory has its place by now."""

type Changes = Sequence[tuple[Item, Item]]
"""Each memory before and after, in the order in which one decision changed them."""
type ChangeItem = Callable[[StoreTransaction, Item, Decision], Awaitable[Item | None]]
type Decide = Callable[[StoreTransaction, Item, Decision], Awaitable[str]]
"""Returns why nothing is decided, if so."""


@dataclass(frozen=True, kw_only=True)
class WaitingHere:
    """Some of the items that wait, for a chat that may not be shown the words of all."""

    found: WaitingItems
    at: datetime
    """When they were looked at."""
    readable: frozenset[str]
    """Memory ids of those whose words may be shown."""
    names: Mapping[str, str]
    """What the people are called whose scopes these are."""


@dataclass(frozen=True, kw_only=True)
class Left:
    """A memory about which nothing was decided.

    `unknown`, `not_waiting`, `in_doubt`, `unchanged`, `not_in_use`, `taken` or `changed_since`.
    """

    memory_id: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Decided:
    """About which it was decided, and about which not."""

    done: Sequence[str]
    left: Sequence[Left]
    decision_id: str
    """By which it can be taken back; empty when it cannot."""


class BulkReview(Operations):
    """For operators only. What decides raises RefusedError while read-only; parts before that stand."""

    def __init__(self, components: Components) -> None:
        super().__init__(components)
        self._undo = Expiring[str, Mapping[str, Changes]](self._clock, UNDO_FOR, MAX_UNDO, size=len)

    async def waiting(self, wanted: WaitingFilter) -> WaitingItems:
        """One page of everybody's items that wait, oldest first."""
        return await self._store.browsing.waiting(wanted, soon=self._clock() + SOON)

    async def waiting_for(self, chat: Chat, *, page: int, page_size: int) -> WaitingHere:
        """The same for a chat."""
        access = self._access(chat)
        found = await self.waiting(WaitingFilter(page=page, page_size=page_size))
        readable = [row.item for row in found.rows if _readable(row.item, access)]
        return WaitingHere(
            found=found,
            at=self._clock(),
            readable=frozenset(item.memory_id for item in readable),
            names=await self._store.statistics.names({item.owner.scope_id for item in readable}),
        )

    async def approve_one(self, short_id: str, *, actor: str) -> Item:
        """Let one waiting item be used, whatever it waits for. Raises NotFoundError, AmbiguousError."""
        return await self._one(only(await self._store.waiting(id_prefix(short_id), limit=2)), approve, actor)

    async def reject_one(self, short_id: str, *, actor: str) -> Item:
        """Drop one item, whether it waits or is in use. Raises NotFoundError, AmbiguousError."""
        return await self._one(only(await self._store.live(id_prefix(short_id), limit=2)), reject, actor)

    async def approve(self, memory_ids: Sequence[str], *, actor: str) -> Decided:
        """Let these be used, whatever they wait for."""
        return await self._each(memory_ids, _of_waiting(approve), actor=actor)

    async def reject(self, memory_ids: Sequence[str], *, actor: str) -> Decided:
        """Drop these for good."""
        return await self._each(memory_ids, _of_waiting(reject), actor=actor)

    async def approve_all(self, reason: str | None = None, *, actor: str) -> Decided:
        """Let all be used that wait for this reason, or for any, but those in doubt."""
        waiting = await self._store.browsing.waiting_ids(reason)
        doubtful = [memory_id for memory_id, status, why in waiting if is_in_doubt(status, why)]
        sure = [memory_id for memory_id, status, why in waiting if not is_in_doubt(status, why)]
        decided = await self.approve(sure, actor=actor)
        left = [Left(memory_id=memory_id, why=UNSURE) for memory_id in doubtful]
        return replace(decided, left=[*decided.left, *left])

    async def reject_all(self, reason: str | None = None, *, actor: str) -> Decided:
        """Drop all that wait for this reason, or for any."""
        waiting = await self._store.browsing.waiting_ids(reason)
        return await self.reject([memory_id for memory_id, *_ in waiting], actor=actor)

    async def edit(self, memory_ids: Sequence[str], wanted: Edit, *, actor: str) -> Decided:
        """Change these in the same way, each as `Editing.edit` would."""

        async def decide(tx: StoreTransaction, item: Item, decision: Decision) -> str:
            after = await edited(tx, item, wanted, decision, make_id=self._components.ports.make_id)
            return SO_ALREADY if after == item else ""

        return await self._each(memory_ids, decide, actor=actor)

    async def undo(self, decision_id: str, *, actor: str) -> Decided:
        """Put back what a decision changed, as far as nobody has changed it since. Raises NotFoundError."""
        changes = self._undo.get(decision_id)
        if changes is None:
            raise NotFoundError("this cannot be undone any more")

        async def decide(tx: StoreTransaction, item: Item, decision: Decision) -> str:
            return await _put_back(tx, changes[item.memory_id], decision)

        decided = await self._each(list(changes)[::-1], decide, actor=actor)
        self._undo.pop(decision_id)
        return decided

    async def _one(self, item: Item, change: ChangeItem, actor: str) -> Item:
        async with self._store.transaction() as tx:
            changed = await change(tx, item, self._decision(actor))
        self._components.embedding.notify()
        if changed is None:
            raise NotFoundError("no such memory")
        return changed

    async def _each(self, memory_ids: Sequence[str], decide: Decide, *, actor: str) -> Decided:
        left, changes = list[Left](), dict[str, Changes]()
        async for part in in_parts(dict.fromkeys(memory_ids)):
            work = partial(_results, memory_ids=part, decide=decide, decision=self._decision(actor))
            for memory_id, result in (await self._store.at_once(work)).items():
                if isinstance(result, str):
                    left.append(Left(memory_id=memory_id, why=result))
                else:
                    changes[memory_id] = result
        self._components.embedding.notify()
        decision_id = self._components.ports.make_id()
        can_be_undone = changes and self._undo.put(decision_id, changes)
        return Decided(done=[*changes], left=left, decision_id=decision_id if can_be_undone else "")


async def _put_back(tx: StoreTransaction, changes: Changes, decision: Decision) -> str:
    """Put the memories of one decision back as they were; or say why not, and change nothing."""
    changed = {after.memory_id for _, after in changes}
    back: list[tuple[Item, Item]] = []
    for before, after in reversed(changes):
        now = await tx.get_item(after.memory_id)
        if now is None or now.updated_at != after.updated_at:
            return CHANGED
        earlier = replace(before, access_count=now.access_count, last_accessed_at=now.last_accessed_at)
        holder = await holder_of(tx, earlier) if earlier.status in LIVE_STATUSES else None
        answers = await answers_beside(tx, earlier) if earlier.status is Status.ACTIVE else []
        if any(other.memory_id not in changed for other in (holder, *answers) if other):
            return TAKEN
        back.append((now, earlier))
    for now, earlier in back:
        await put(tx, now, earlier, decision, "undo")
    return ""


async def in_parts[T](everything: Iterable[T]) -> AsyncIterator[Sequence[T]]:
    """The parts of one transaction each, at least one, with time for others to write between two."""
    for place, part in enumerate(list(batched(everything, AT_ONCE)) or [()]):
        if place:
            await breathe()
        yield part


async def _results(
    tx: StoreTransaction, memory_ids: Sequence[str], decide: Decide, decision: Decision
) -> Mapping[str, Changes | str]:
    """For each id what was changed, or why nothing was decided about it."""
    return {memory_id: await _one(tx, memory_id, decide, decision) for memory_id in memory_ids}


async def _one(tx: StoreTransaction, memory_id: str, decide: Decide, decision: Decision) -> Changes | str:
    item = await tx.get_item(memory_id)
    if item is None:
        return UNKNOWN
    changes: list[tuple[Item, Item]] = []
    tx.changes = changes
    try:
        return await decide(tx, item, decision) or changes
    except (RefusedError, InvalidInputError) as refused:
        return str(refused).partition(":")[0]


def _of_waiting(change: ChangeItem) -> Decide:
    async def decided(tx: StoreTransaction, item: Item, decision: Decision) -> str:
        if item.status not in WAITING:
            return NOT_WAITING
        await change(tx, item, decision)
        return ""

    return decided


def _readable(item: Item, access: Access) -> bool:
    """An operator reads everything, but in a group others read along: there only what is the group's."""
    return access.private or (item.owner in (access.group, *access.also_here) and item.level <= access.level)
