"""Forgetting one memory of one's own, by its id or its words, and taking that back for a while."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial, reduce
from typing import NamedTuple

from ..domain.chat import Access, Chat
from ..domain.enums import LIVE_STATUSES, WAITING, Origin, Status
from ..domain.errors import NotFoundError, RefusedError
from ..domain.memory import Item
from ..messages import Messages, locale_of
from ..policies.requests import asks_not_to_keep, asks_to_be_left_out, remembered
from ..policies.secrets import mask
from ..storage.store import StoreTransaction
from ..text_analysis.fact_relation import same_value
from ..write.conflicts import answers_beside, contested_by
from ..write.reverting import CHANGED, first_and_last, put_back, to_put_back
from ..write.stages import Notice
from .operations import PAUSED_BY_OPERATOR, forget_item
from .own_memories import OwnMemories
from .undo import Step, StepKind

MAX_NEWS = 5
"""Memories of one line."""
MAX_REWORDED = 5
"""Links followed from what was noted to its last wording."""


class NotUndone(NamedTuple):
    """A memory that stays as it is."""

    item: Item
    is_taken: bool
    """Another memory has its place by now; else somebody has changed it since."""
    other: Item | None
    """Which one that is, if this chat may show it."""


class Undone(NamedTuple):
    """What one step of undoing changed, each as it stood till then."""

    restored: Sequence[Item] = ()
    forgotten: Sequence[Item] = ()
    waiting: Sequence[Item] = ()
    """What was accepted and waits again."""
    sharing: Sequence[Item] = ()
    """What was shared or unshared."""
    kept: Sequence[NotUndone] = ()
    erased: int = 0
    """So many memories are gone for good."""
    opted_out: bool = False
    """What the speaker asked not to keep was passed over."""
    switched: Step | None = None
    """Nothing is changed yet: the speaker paused or resumed last."""
    following: tuple[StepKind, Sequence[Item]] | None = None
    """What the next undo takes back, and what that is about."""


class Forgetting(OwnMemories):
    """By the person alone, in the chats that may show the memory."""

    async def own_item(self, chat: Chat, short_id: str) -> Item:
        """The one whose id begins so, of any persona, live or over. Raises NotFoundError, AmbiguousError."""
        return await self._own_of_any_status(await self._every_persona(chat), short_id)

    async def forget(
        self, chat: Chat, *short_ids: str, message: object = None
    ) -> tuple[Sequence[Item], Sequence[Item]]:
        """Delete these with all their versions; returns them and what they had replaced, which stays over.

        All of one `message` is undone at once. Raises NotFoundError, AmbiguousError, RefusedError.
        """
        access = await self._every_persona(chat)
        items: list[Item] = []
        for short_id in short_ids:
            with suppress(NotFoundError):  # of several, one may be gone
                items.append(await self._own_item(access, short_id))
        ids, said = {item.memory_id for item in items}, await self._events_of(items, access)
        versions, decision = await self._versions(items, access), self._decision(access.owner.scope_id)
        deleted = await self._delete(chat, versions, decision, message=message)
        gone = [one for one in deleted if one.memory_id in ids]
        if not gone:
            raise NotFoundError("no such memory")
        replaced_ids = [older for item in gone for older in item.supersedes]
        replaced = (await self._store.memories.own_by_id(replaced_ids, access)).values()
        over = [item for item in replaced if item.status is Status.SUPERSEDED]
        # What has the same words was no earlier fact, but another reading of them.
        return gone, [item for item in over if said.isdisjoint(await self._events_of([item], access))]

    async def _events_of(self, items: Sequence[Item], access: Access) -> set[str]:
        evidence = [await self._store.memories.own_evidence(item.memory_id, access) for item in items]
        return {piece.event_id for pieces in evidence for piece in pieces}

    async def learnt_notice(self, chat: Chat, text: str) -> str:
        """A line about what was learnt of the speaker since the last reply, if anything.

        A message that asks to be left out gets the hint at pause, one that asks not to keep something that at
        forget, and while nothing is stored that. One that asks to keep something is told if it is not kept:
        paused, read-only, a secret.
        """
        access, notices = self._access(chat), self._components.notices
        ids = [memory_id for memory_id, (owner, _) in notices.items() if owner in access.own]
        leave_out, keep, out = asks_to_be_left_out(text), remembered(text), asks_not_to_keep(text)
        is_dropped = out and out.is_asked and not (out.points_back or leave_out)
        plain = leave_out or (out and out.is_asked)
        paused = await self.paused_by(chat) if ids or keep or plain else ""
        read_only = self._store.read_only and "emergency_read_only"
        if keep and (rule := paused or read_only or (mask(keep) != keep and "secret")):
            say = Messages(locale_of(text))
            return say.text("add.refused", reason=say.rule(rule))
        if plain and (paused or read_only):
            return Messages(locale_of(text)).text("noted.read_only" if read_only else "noted.paused")
        if paused or not (ids or leave_out or is_dropped):
            return ""
        shown = await self._store.memories.own_by_id(ids, access)
        found = {each: shown[each] for each in [one for one in ids if one in shown][:MAX_NEWS]}
        # What is about its owner and in no doubt.
        gone = [item for each, item in found.items() if each in notices and _is_forgetting(notices[each])]
        own = [item for item in found.values() if not (item.person or item in gone)]
        gone = [item for item in gone if item.status is Status.DELETED]
        news = [item for item in own if item.status is Status.ACTIVE or item.reason == "mode"]
        say = Messages(locale_of(f"{text} {[item.fact for item in news]}"))
        used = [item for item in news if item.status is Status.ACTIVE]
        mine = {item.memory_id for item in (await self._own_waiting(access)).acceptable}
        waits = [item for item in news if item not in used]
        older = await self._store.memories.own_older([item.memory_id for item in used], access)
        lines = {
            "noted.used": used,
            "noted.replaces": [replaced for each in older.values() for replaced in each[:1]],
            "noted.waits": [item for item in waits if item.memory_id in mine],
            "noted.waits_admin": [item for item in waits if item.memory_id not in mine],
            "noted.still": await self.used_beside(chat, waits, here=True),
            "noted.beside": await self.used_beside(chat, used),
            "noted.forgotten": gone if chat.private else (),
        }
        facts = {key: say.joined(item.fact for item in items) for key, items in lines.items() if items}
        told = [say.text(key, facts=each) for key, each in facts.items()]
        if gone and not chat.private:  # others read along
            told.append(say.text("noted.forgotten_here", count=len(gone)))
        # Last: until here it may be broken off, and is told in the next reply.
        changed = {each: notice[1] for each in found if (notice := notices.pop(each, None))}
        told_now: Sequence[tuple[StepKind, list[Item]]] = (("note", news), ("forget", gone))
        for kind, items in told_now:
            ids = [item.memory_id for item in items if item.memory_id in changed]
            self._components.undo.add(chat, kind, {each: changed[each] for each in ids})
        told += [say.text("noted.wrong")] if news or gone else []
        told += [say.text("noted.pause")] if leave_out else []
        told += [say.text("noted.not_kept")] if is_dropped else []
        return reduce(say.after, told) if told else ""

    async def used_beside(self, chat: Chat, items: Sequence[Item], *, here: bool = False) -> Sequence[Item]:
        """What is in use and says otherwise, as this chat may show; `here`: answers of their level."""

        async def others_of(tx: StoreTransaction) -> list[tuple[Item, Item]]:
            found = [
                (item, await (answers_beside(tx, item) if here else contested_by(tx, item, ())))
                for item in items
            ]
            return [(one, item) for item, others in found for one in others if one.status is Status.ACTIVE]

        others = await self._store.in_snapshot(others_of) if items else ()
        own = {item.memory_id for item in items}
        beside = [one.memory_id for one, item in others if not same_value(one.fact, item.fact)]
        ids = [each for each in beside if each not in own]
        return [*(await self._store.memories.own_by_id(ids, self._access(chat))).values()]

    async def undo(self, chat: Chat) -> Undone:
        """Take back what the speaker did last, in whatever chat, of what this one may show.

        What they have forgotten, accepted, shared or unshared is again as it was. What was noted for them is
        forgotten, and what it replaced comes back. What cannot come back is told once.
        Raises RefusedError while read-only, and of all but what they forgot while an operator pauses them.
        """
        access = await self._every_persona(chat)
        steps, shown = await self._undoable(chat, access)
        if not steps and await self.paused_by(chat) == PAUSED_BY_OPERATOR:
            raise RefusedError(PAUSED_BY_OPERATOR)
        undone = Undone()
        for step in steps:
            if step.kind == "opt_out":
                if any(undone) and not undone.opted_out:
                    break
                undone = Undone(opted_out=True)
            elif any(undone):
                if await self._would_change(step, access):
                    named = [shown[each] for each in step.noted or step.changed if each in shown]
                    return undone._replace(following=(step.kind, named))
            elif step.is_switch:
                undone = Undone(switched=step)
                continue
            else:
                undone = await self._taken_back(step, access, shown)
            self._components.undo.drop(chat, step)
        return undone

    async def forgot_last(self, chat: Chat) -> Collection[str]:
        """Ids of what was forgotten and an undo in this chat would bring back."""
        steps, _ = await self._undoable(chat, await self._every_persona(chat))
        return steps[0].ids if steps and steps[0].kind == "forget" else ()

    def last_step(self, chat: Chat) -> int:
        """The number of what the speaker did last, wherever; 0 where nothing can be undone."""
        return max((step.number for step in self._components.undo.recent(chat)), default=0)

    async def may_undo(self, chat: Chat, *, after: int) -> bool:
        """Whether an undo in this chat would take back what the speaker did after the step of this number."""
        steps, _ = await self._undoable(chat, await self._every_persona(chat))
        return any(step.number > after for step in steps[:1])

    async def _undoable(self, chat: Chat, access: Access) -> tuple[Sequence[Step], Mapping[str, Item]]:
        """The steps that may be undone in this chat, the last first, and what they are about."""
        steps, later, seen = self._components.undo.recent(chat), set[str](), list[Step]()
        paused = await self.paused_by(chat) == PAUSED_BY_OPERATOR
        every = {each for step in steps for each in step.ids}
        shown = await self._store.memories.own_by_id([*every], access)
        erased = {each for each in every.difference(shown) if not await self._store.item(each)}
        for step in steps:
            needed = {*step.changed}.difference(erased, step.noted if chat.private else ())
            hidden = not shown.keys() >= needed or (step.kind in ("share", "unshare") and not chat.private)
            hidden = hidden or shown.keys().isdisjoint(step.ids) or not later.isdisjoint(step.ids)
            if paused and step.kind != "forget":
                later |= {*step.ids}
            elif step.kind != "opt_out" and (later if step.is_switch else hidden):
                later |= {*step.ids}  # an earlier step of the same memory, or a pause, waits for this one
            elif step.kind != "opt_out" or chat.private or step.umo == chat.umo:
                seen.append(step)
        return seen, shown

    async def _would_change(self, step: Step, access: Access) -> bool:
        found = await self._store.memories.own_by_id([*step.noted], access)
        noted = [await self._last_wording(access, item) for item in found.values()]
        priors = step.changed.values()
        back = [await self._store.in_snapshot(partial(to_put_back, prior=prior)) for prior in priors]
        return step.is_switch or any(noted) or any(each and isinstance(each, list) for each in back)

    async def _taken_back(self, step: Step, access: Access, shown: Mapping[str, Item]) -> Undone:
        """What putting all of it back as it was has changed."""
        decision, outcomes = self._decision(access.owner.scope_id), dict[str, str | tuple[Item, Item]]()
        noted = dict[str, Sequence[Item]]()
        for each in step.noted & shown.keys():
            if item := await self._last_wording(access, shown[each]):
                since, versions = shown[each].created_at, await self._versions([item], access)
                # What had its words before it was noted stays.
                noted[each] = [one for one in versions if one == item or one.created_at >= since]
        async with self._store.transaction() as tx:
            tx.updates = updates = list[tuple[Item, Item]]()
            last_first = [*step.changed][::-1]
            # What was noted goes first: it would be in the way of what it had replaced.
            for each in sorted(last_first, key=lambda each: each not in step.noted):
                prior = step.changed[each]
                is_exact = each not in step.noted or any(one.memory_id == each for one in prior)
                outcomes[each] = await put_back(tx, prior, decision) if is_exact else CHANGED
                if outcomes[each] and each in noted:
                    for one in noted[each]:
                        await forget_item(tx, one, decision)
                    others = [await put_back(tx, [one], decision) for one in prior if one.memory_id != each]
                    outcomes[each] = next(filter(None, others), "")
            erased = [await tx.get_item(each) for each in step.changed].count(None)
        self._components.embedding.notify()
        changed = first_and_last(updates)[::-1]  # as they were named
        in_the_way = [each[1].memory_id for each in outcomes.values() if isinstance(each, tuple)]
        ids = [*step.changed, *(after.memory_id for _, after in changed), *in_the_way]
        shown = await self._store.memories.own_by_id(ids, access)
        changed = [(before, after) for before, after in changed if after.memory_id in shown]
        sharing = [before for before, after in changed if before.audience is not after.audience]
        # A group's own version of what was shared is no news.
        shared = {item.fact for item in sharing}
        others = [(before, after) for before, after in changed if before.fact not in shared]
        live = [(before, after.status in LIVE_STATUSES) for before, after in others]
        return Undone(
            restored=[item for item, is_live in live if is_live and item.status not in LIVE_STATUSES],
            forgotten=[item for item, is_live in live if item.status in LIVE_STATUSES and not is_live],
            waiting=[b for b, after in others if b.status is Status.ACTIVE and after.status in WAITING],
            sharing=sharing,
            kept=[
                NotUndone(
                    item=shown[each],
                    is_taken=isinstance(why, tuple),
                    other=shown.get(why[1].memory_id) if isinstance(why, tuple) else None,
                )
                for each, why in outcomes.items()
                if why and each in shown
            ],
            erased=erased,
        )

    async def _last_wording(self, access: Access, item: Item) -> Item | None:
        """The live one that it is, or that a model has put it into since."""
        last = item
        for _ in range(MAX_REWORDED):
            if last.status in LIVE_STATUSES or not last.superseded_by:
                break
            found = await self._store.memories.own_by_id([last.superseded_by], access)
            last = found.get(last.superseded_by, last)
        same = last is item or last.origin is Origin.USER_EXPLICIT
        return last if same and last.status in LIVE_STATUSES else None

    async def _versions(self, items: Sequence[Item], access: Access) -> Sequence[Item]:
        """These and what else has their words, each once."""
        found = [one for item in items for one in await self._store.memories.own_versions(item, access)]
        return [*{one.memory_id: one for one in (*items, *found)}.values()]


def _is_forgetting(notice: Notice) -> bool:
    return any(one.after.get("status") is Status.DELETED for one in notice[1])
