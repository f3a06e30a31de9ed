"""What operators decide about items: one by its short id, or many at once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from ..domain.chat import Chat
from ..domain.enums import WAITING, Level, Status
from ..domain.errors import NotFoundError
from ..domain.memory import Item
from ..domain.review import Rival, WaitingFilter, WaitingItem, WaitingItems
from ..policies.admission import as_judged
from ..policies.slots import say_otherwise
from ..policies.succession import is_in_doubt, status_rank, waited_as
from ..read.diversify import is_answered_anew
from ..storage.store import StoreTransaction
from ..write.conflicts import answers_beside, contested_by
from ..write.reverting import CHANGED, TAKEN, PriorStates, put_back, to_put_back
from ..write.transitions import REJECTED, Decision, approve, conflicts_of_waiting, history_of, reject
from .components import Components
from .confirmation_codes import Expiring
from .editing import Edit, edit_item, keep_wording, shown
from .operations import ItemOperation, Look, NotChangedError, Operations, Undecided, id_prefix, only
from .undo import UNDO_FOR

type Ids = Sequence[str]
type Made = tuple[Undoable, Mapping[str, PriorStates]]
"""A decision, and by the id of each memory what changed with it."""

SOON = timedelta(days=7)
"""How long before its end a waiting item is shown as one that expires soon."""
UNSURE = "in_doubt"
"""No words of a person bear it out: it deserves a look of its own."""
NEWER = "replaces_newer"
"""It would replace a memory in use that was confirmed later."""
CONTESTED, OPEN = "says_otherwise", ("both", "waits")
"""Another one says otherwise of the same matter; what then becomes of it that leaves both."""

_EDITED = {"fact", "type", "level", "importance", "ttl_days"}
MAX_UNDO = 100
"""Decisions that can be taken back; the first gives way."""


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
class Decided:
    """About which it was decided, and about which not."""

    done: Sequence[str]
    left: Sequence[Undecided]
    replaced: Sequence[str]
    """Ids of other memories that were in use and gave way; of an undo, that are in use again."""
    decision_id: str
    """By which it can be taken back; empty when it cannot."""


@dataclass(frozen=True, kw_only=True)
class Undoable:
    """A decision that can be taken back."""

    decision_id: str
    action: str
    """`approve`, `reject`, or of a change the status, `type` or `edit`."""
    until: datetime
    count: int
    memory_id: str
    """The first of so many memories."""
    changed: Mapping[str, Sequence[str]]
    """What an edit of one memory changed, by its field: from and to."""
    replaced: Sequence[str]
    """Ids of other memories that were in use and gave way."""


@dataclass(frozen=True, kw_only=True)
class Edited:
    """A memory after a change."""

    item: Item
    decision_id: str
    """By which it can be taken back; empty when nothing changed."""
    replaced: Sequence[str]
    """Ids of other memories that were in use and gave way."""


class ApprovedError(NotFoundError):
    """It is in use since an approval, and its owner's alone to see."""


class HiddenError(NotFoundError):
    """It waits, and the group may not read it."""


class BulkReview(Operations):
    """For operators only. What decides raises RefusedError while read-only; parts before that stand."""

    def __init__(self, components: Components) -> None:
        super().__init__(components)
        self._undo = Expiring[str, Made](self._clock, UNDO_FOR, MAX_UNDO)

    async def waiting(self, wanted: WaitingFilter) -> WaitingItems:
        """One page of everybody's items that wait, oldest first."""
        found = await self._store.browsing.waiting(wanted, soon=self._clock() + SOON)
        return replace(found, rows=await self._store.in_snapshot(partial(_with_others, found.rows)))

    async def waiting_for(self, chat: Chat, *, page: int, page_size: int) -> WaitingHere:
        """The same for a chat."""
        found = await self.waiting(WaitingFilter(page=page, page_size=page_size))
        policy = self._components.policies.write()
        found = replace(found, rows=[replace(row, item=as_judged(row.item, policy)) for row in found.rows])
        readable = [row.item for row in found.rows if self.readable(row.item, chat)]
        return WaitingHere(
            found=found,
            at=self._clock(),
            readable=frozenset(item.memory_id for item in readable),
            names=await self._store.statistics.names({item.owner.scope_id for item in readable}),
        )

    async def seen_one(self, chat: Chat, short_id: str) -> tuple[Item, str]:
        """What an operator sees in this chat, and what its owner is called: one of their own, or that waits.

        One rejected as it waited too. Raises NotFoundError, ApprovedError, HiddenError, AmbiguousError.
        """
        try:
            item = await self._own_of_any_status(self._access(chat), short_id)
        except NotFoundError:
            found = await self._store.beginning(id_prefix(short_id), limit=20)
            waiting = [one for one in found if one.status in WAITING]
            item = only(waiting or await self._store.in_snapshot(partial(_decided, found)))
            if item.status is Status.ACTIVE:
                raise ApprovedError if chat.private else NotFoundError from None
            if not self.readable(item, chat):
                raise HiddenError from None
        owner = item.owner.scope_id
        names = await self._store.statistics.names({owner})
        return as_judged(item, self._components.policies.write()), names.get(owner, owner)

    async def approve_one(self, memory_id: str, *, actor: str) -> Edited:
        """Let one be used, whatever it waits for. Raises NotFoundError, also where nothing waits."""
        return await self._decide_one(memory_id, approve, "approve", actor=actor)

    async def reject_one(self, memory_id: str, *, actor: str) -> Edited:
        """Drop one that is live. Raises NotFoundError, also where it is over."""
        return await self._decide_one(memory_id, reject, "reject", actor=actor)

    def readable(self, item: Item, chat: Chat) -> bool:
        """Whether its words may be shown: an operator reads everything, but in a group others read along."""
        access = self._access(chat)
        is_here = item.owner in (access.group, *access.also_here)
        return access.private or (is_here and item.level <= access.level)

    async def approve(
        self, memory_ids: Ids | None, reason: str | None = None, since: datetime | None = None, *, actor: str
    ) -> Decided:
        """Let these be used; or all that wait for this reason and are unchanged since.

        In order of last confirmation, so that the latest value wins. Without `memory_ids`, those are skipped
        that are in doubt, that would replace something confirmed later, or that another contests.
        """
        contested = dict[Item, str]()
        look = partial(_look_for_rivals, contested) if memory_ids is None else None
        apply = partial(_approve_if_sure, contested=contested) if look else approve
        ids = await self._store.browsing.waiting_ids(reason, since)
        if memory_ids is not None:
            place = {each: at for at, each in enumerate(ids)}
            ids = sorted(memory_ids, key=lambda each: place.get(each, 0))
        return await self._decide(ids, partial(_if_waiting, apply=apply), "approve", actor=actor, look=look)

    async def reject(
        self, memory_ids: Ids | None, reason: str | None = None, since: datetime | None = None, *, actor: str
    ) -> Decided:
        """Drop these for good, or all that wait for this reason and are unchanged since."""
        if memory_ids is None:
            memory_ids = await self._store.browsing.waiting_ids(reason, since)
        return await self._decide(memory_ids, partial(_if_waiting, apply=reject), "reject", actor=actor)

    async def edit_one(self, memory_id: str, wanted: Edit, *, actor: str) -> Edited:
        """Change one memory. Raises NotFoundError, and as `edit_item`."""
        change = partial(edit_item, wanted=wanted, make_id=self._components.ports.make_id)
        status_alone = wanted.status if wanted == Edit(status=wanted.status) else None
        return await self._decide_one(memory_id, change, status_alone or "edit", actor=actor)

    async def edit(self, memory_ids: Sequence[str], wanted: Edit, *, actor: str) -> Decided:
        """Change the status or type of these, each as `edit_one` would."""
        make_id = self._components.ports.make_id

        async def apply(tx: StoreTransaction, item: Item, decision: Decision) -> None:
            if await edit_item(tx, item, decision, wanted=wanted, make_id=make_id) == item:
                raise NotChangedError("unchanged")

        return await self._decide(memory_ids, apply, wanted.status or "type", actor=actor)

    async def undo(self, decision_id: str, *, actor: str) -> Decided:
        """Put back what a decision changed, as far as nobody has changed it since. Raises NotFoundError."""
        if (kept := self._undo.get(decision_id)) is None:
            raise NotFoundError("this cannot be undone any more")
        prior = kept[1]

        async def apply(tx: StoreTransaction, item: Item, decision: Decision) -> None:
            if why_not := await put_back(tx, prior[item.memory_id], decision):
                raise NotChangedError(why_not if isinstance(why_not, str) else TAKEN)
            if (now := await tx.get_item(item.memory_id)) and now.fact != item.fact:
                await keep_wording(tx, item, decision, self._components.ports.make_id)

        decided = await self._decide(list(prior)[::-1], apply, "", actor=actor)
        self._undo.pop(decision_id)
        return replace(decided, replaced=_gave_way({each: prior[each] for each in decided.done}))

    async def undoable(self) -> Sequence[Undoable]:
        """Whoever's decisions can be taken back for at least one of their memories, the last first."""
        kept = [(made, prior) for made, prior in self._undo.values if made.action]
        return await self._store.in_snapshot(partial(_with_a_way_back, kept[::-1]))

    async def _decide_one(
        self, memory_id: str, apply: ItemOperation[Item | None], action: str, *, actor: str
    ) -> Edited:
        item, prior = await self._change(memory_id, apply, actor=actor)
        made = {memory_id: prior} if prior else {}
        return Edited(item=item, decision_id=self._keep(made, action), replaced=_gave_way(made))

    async def _decide(
        self, ids: Ids, apply: ItemOperation[object], action: str, *, actor: str, look: Look | None = None
    ) -> Decided:
        """Decide about each; without an `action` it is not among the `undoable`."""
        prior, left = await self._change_each(ids, apply, actor=actor, look=look)
        decision_id = self._keep(prior, action)
        return Decided(done=[*prior], left=left, replaced=_gave_way(prior), decision_id=decision_id)

    def _keep(self, prior: Mapping[str, PriorStates], action: str) -> str:
        """By which id these changes can be taken back; empty when there are none."""
        if not prior:
            return ""
        one, *_ = prior
        key, until, n = self._components.ports.make_id(), self._clock() + UNDO_FOR, len(prior)
        gone = _gave_way(prior)
        edits = [each for each in prior[one] if each.memory_id == one and n == 1]
        was = {k: (e.before[k], e.after[k], e.origin) for e in edits for k in _EDITED & e.after.keys()}
        told = {k: [shown(a, origin), shown(b, origin)] for k, (a, b, origin) in was.items() if a != b}
        made = Undoable(
            decision_id=key, action=action, until=until, count=n, memory_id=one, changed=told, replaced=gone
        )
        self._undo.put(key, (made, prior))
        return key


def _gave_way(prior: Mapping[str, PriorStates]) -> Sequence[str]:
    """The ids of others that were in use and changed with what was decided."""
    each = (one for changed in prior.values() for one in changed)
    used = [one for one in each if one.memory_id not in prior and "status" in one.before]
    return list(dict.fromkeys(one.memory_id for one in used if one.before["status"] is Status.ACTIVE))


async def _with_a_way_back(kept: Sequence[Made], tx: StoreTransaction) -> list[Undoable]:
    """Those that still put something back, were they the next to be undone."""
    found = list[Undoable]()
    for made, prior in kept:
        for changes in prior.values():
            if isinstance(await to_put_back(tx, changes), list):
                found.append(made)
                break
    return found


async def _decided(items: Sequence[Item], tx: StoreTransaction) -> list[Item]:
    """Those of them that waited until an operator rejected or approved them."""
    each = [(one, await history_of(tx, one)) for one in items]
    return [
        one
        for one, history in each
        if (one.reason == REJECTED and waited_as(history))
        or (one.status is Status.ACTIVE and any(line.action == "approve" for line in history))
    ]


async def _if_waiting(
    tx: StoreTransaction, item: Item, decision: Decision, apply: ItemOperation[object]
) -> None:
    if item.status not in WAITING:
        raise NotChangedError("not_waiting")
    await apply(tx, item, decision)


async def _look_for_rivals(contested: dict[Item, str], memory_ids: Ids, tx: StoreTransaction) -> None:
    """By which other memory each is contested, empty where by none."""
    items = [item for each in memory_ids if (item := await tx.get_item(each))]
    contested.update(dict.fromkeys(items, "") | dict(await open_beside(items, tx)))


async def open_beside(items: Iterable[Item], tx: StoreTransaction) -> list[tuple[Item, str]]:
    """Each with the ids of others that say otherwise, where an approval would leave both."""
    each = [(item, one) for item in items for one in (await beside(item, tx))[1]]
    return [(item, one.memory_id) for item, one in each if one.then in OPEN]


async def _approve_if_sure(
    tx: StoreTransaction, item: Item, decision: Decision, contested: Mapping[Item, str]
) -> Item | None:
    if is_in_doubt(item.status, item.reason):
        raise NotChangedError(UNSURE)
    conflicts = await conflicts_of_waiting(tx, item)
    for other in conflicts:
        if other.status is Status.ACTIVE and other.last_confirmed_at > item.last_confirmed_at:
            raise NotChangedError(f"{NEWER}: the memory {other.memory_id} was confirmed later")
    other_id = contested.get(item)
    for other in await answers_beside(tx, item, *Level):  # some of which may be in use since
        is_open = other not in conflicts and rival(item, other, replaced=False).then in OPEN
        other_id = other.memory_id if is_open and say_otherwise(item, other) else other_id
    if other_id != "":
        raise NotChangedError(CHANGED if other_id is None else f"{CONTESTED}: the memory {other_id} does")
    return await approve(tx, item, decision, conflicts=conflicts)


def rival(item: Item, other: Item, *, replaced: bool) -> Rival:
    """What becomes of the other when this item, which waits, is approved."""
    is_newer, then = other.last_confirmed_at > item.last_confirmed_at, "this" if replaced else "both"
    if not replaced and other.status is not Status.ACTIVE:
        then = "waits"
    elif not replaced and (is_answered_anew(item, [other]) or is_answered_anew(other, [item])):
        then = "other" if is_newer else "this"
    return Rival(memory_id=other.memory_id, fact=other.fact, newer=is_newer, then=then)


async def beside(item: Item, tx: StoreTransaction) -> tuple[Sequence[Rival], Sequence[Rival]]:
    """What approving one replaces; and beside what waits or is in use, what says otherwise."""
    if not status_rank(item.status):
        return (), ()
    conflicts = await conflicts_of_waiting(tx, item) if item.status in WAITING else []
    others = await contested_by(tx, item, conflicts)
    used = [rival(item, one, replaced=True) for one in conflicts if one.status is Status.ACTIVE]
    return used, [rival(item, one, replaced=False) for one in others]


async def _with_others(rows: Sequence[WaitingItem], tx: StoreTransaction) -> list[WaitingItem]:
    each = [(row, *await beside(row.item, tx)) for row in rows]
    return [replace(row, replaces=replaces, otherwise=otherwise) for row, replaces, otherwise in each]
