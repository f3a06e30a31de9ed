"""How memories stood before a change, and putting them back so."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from ..domain.enums import LIVE_STATUSES, Audience, Origin, Status
from ..domain.memory import Item
from ..policies.succession import status_rank, waited_as
from .conflicts import answers_beside, holder_of
from .protocols import WriteTransaction
from .transitions import Decision, put, supersede

CHANGED = "changed_since"
"""Somebody has changed it, or what left for it, after the change."""
TAKEN = "taken"
"""Another memory has its place by now."""
IMPORT_UNDONE = "import_undone"
"""It, its earlier text, or what left for it would come back after the undo of the import that brought it."""
_OF_PLACE = {"status", "reason", "superseded_by", "fact", "fact_key", "type", "level", "audience"}
_DECIDED = _OF_PLACE | {"importance", "ttl_days"}
"""What somebody decides about a memory; the other fields change when it is told again."""
_OF_ANY_TEXT = {"type", "importance", "ttl_days", "expires_at", "updated_at"}


@dataclass(frozen=True)
class PriorState:
    """How a memory stood before a change, as far as the change touched it."""

    memory_id: str
    origin: Origin
    at: datetime
    """Its `updated_at` after the change."""
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    """The same fields after the change."""


type PriorStates = Sequence[PriorState]
"""The memories that one decision changed, in this order."""
type Updates = Iterable[tuple[Item, Item]]
"""Items before and after each change."""


def first_and_last(updates: Updates) -> Sequence[tuple[Item, Item]]:
    """Each memory before its first update and after its last."""
    first, last = dict[str, Item](), dict[str, Item]()
    for before, after in updates:
        first.setdefault(before.memory_id, before)
        last[after.memory_id] = after
    return [(before, last[memory_id]) for memory_id, before in first.items()]


def prior_states(updates: Updates) -> PriorStates:
    """How each memory stood before the first of its updates."""
    prior: list[PriorState] = []
    for before, after in first_and_last(updates):
        changed = {name: now for name, now in vars(after).items() if now != getattr(before, name)}
        if not changed.keys() <= _OF_ANY_TEXT:  # what was reworded since is another one
            changed["fact"] = after.fact
        was = {name: getattr(before, name) for name in changed}
        prior.append(PriorState(after.memory_id, after.origin, after.updated_at, was, changed))
    return prior


async def put_back(tx: WriteTransaction, prior: PriorStates, decision: Decision) -> str | tuple[Item, Item]:
    """Put the memories of one change back as they were; or say why not, and change nothing.

    Where another memory has the place of one by now, that is these two. What was only told again since stays
    told.
    """
    back = await to_put_back(tx, prior)
    if not isinstance(back, list):
        return back
    for now, earlier in back:
        if _is_shared_again(now, earlier) and (version := await holder_of(tx, earlier)):
            await supersede(tx, version, decision, by=earlier.memory_id)
        await put(tx, now, earlier, decision, "undo")
    for now, earlier in back:
        if now.status is Status.ACTIVE and earlier.audience is not now.audience:
            await bring_back(tx, now, decision)
    return ""


async def to_put_back(
    tx: WriteTransaction, prior: PriorStates
) -> list[tuple[Item, Item]] | str | tuple[Item, Item]:
    """Each memory as it is and as it would be put back, or why not, as `put_back` says it."""
    changed = {one.memory_id for one in prior}
    back: list[tuple[Item, Item]] = []
    for one in reversed(prior):
        now = await tx.get_item(one.memory_id)
        is_gone = now and now.status is Status.DELETED and "status" not in one.after  # forgotten since
        decided = _DECIDED & one.after.keys()
        is_changed = now and any(getattr(now, name) != one.after[name] for name in decided)
        if now is None or is_gone or is_changed:
            later = now.superseded_by if now and now.status is Status.SUPERSEDED else None
            successor = await tx.get_item(later) if later else None
            return (now, successor) if now and successor else CHANGED
        as_left = {name for name, value in one.after.items() if getattr(now, name) == value}
        earlier = replace(now, **{name: was for name, was in one.before.items() if name in as_left})
        back_in_use = status_rank(earlier.status) > status_rank(now.status) or earlier.fact != now.fact
        if back_in_use and await tx.import_undone(now.memory_id):
            return IMPORT_UNDONE
        is_unshared = "audience" in one.before and now.audience is Audience.EVERYWHERE
        holder = await holder_of(tx, earlier) if earlier.status in LIVE_STATUSES else None
        if holder and _is_shared_again(now, earlier) and holder.status is not Status.DISABLED:
            holder = None  # a group's own version gives way to what is shared
        in_use = earlier.status is Status.ACTIVE and not is_unshared  # a narrower use displaces no answer
        answers = await answers_beside(tx, earlier) if in_use else []
        if others := [one for one in (holder, *answers) if one and one.memory_id not in changed]:
            return now, others[0]
        back.append((now, earlier))
    return back


def _is_shared_again(now: Item, earlier: Item) -> bool:
    return earlier.audience is Audience.EVERYWHERE is not now.audience


async def bring_back(tx: WriteTransaction, shared: Item, decision: Decision) -> None:
    """Let a group's own version be as it was before this item took its place by being shared."""
    for former in (await tx.older([shared.memory_id]))[shared.memory_id]:
        place = (former.superseded_by, former.level, former.fact_key, former.person)
        is_own = place == (shared.memory_id, shared.level, shared.fact_key, shared.person)
        if not is_own or former.audience is Audience.EVERYWHERE:  # which it has replaced as another value
            continue
        if await holder_of(tx, former) is None and not await tx.import_undone(former.memory_id):
            waited = waited_as([line for _, line in await tx.history(former.memory_id)])
            status, reason = waited or (Status.ACTIVE, "")
            back = replace(former, status=status, reason=reason, superseded_by=None, updated_at=decision.now)
            await put(tx, former, back, decision, "restore")
