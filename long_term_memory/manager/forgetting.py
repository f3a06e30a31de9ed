"""Forgetting one memory of one's own, by its id or its words, and taking that back for a while."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import reduce
from typing import NamedTuple

from ..domain.chat import Access, Chat
from ..domain.errors import NotFoundError, RefusedError
from ..domain.memory import Item
from ..domain.words import LIVE_STATUSES, Level, Origin, Status
from ..messages import Messages, locale_of
from ..policies.succession import status_before
from ..text_analysis.fact_relation import same_value
from ..write.rivals import answers_beside
from ..write.transitions import supersede
from .operations import PAUSED_BY_OPERATOR
from .own_memories import OwnMemories
from .undo import PriorState, PriorStates, Step, prior_states, put_back

MAX_NEWS = 5
"""Memories of one line."""
MAX_REWORDED = 5
"""Links followed from what was noted to its last wording."""


class Undone(NamedTuple):
    """What one step of undoing changed, each as it stood till then."""

    restored: Sequence[Item] = ()
    forgotten: Sequence[Item] = ()
    waiting: Sequence[Item] = ()
    """What was accepted and waits again."""
    sharing: Sequence[Item] = ()
    """What was shared or unshared."""
    taken: Sequence[tuple[Item, Item | None]] = ()
    """What stays as it is, as another memory has its place by now; None if this chat may not show that."""
    switched: Step | None = None
    """Nothing is changed yet: the speaker paused or resumed last."""


class Forgetting(OwnMemories):
    """By the person alone, in the chats that may show the memory."""

    async def own_item(self, chat: Chat, short_id: str) -> Item:
        """The one whose id begins like this, of whatever persona, live or over.

        Raises NotFoundError, AmbiguousError.
        """
        return await self._own_of_any_status(await self._every_persona(chat), short_id)

    async def forget(self, chat: Chat, *short_ids: str) -> tuple[Sequence[Item], Sequence[Item]]:
        """Delete these with all their versions; returns them and what they had replaced, which stays over.

        Raises NotFoundError, AmbiguousError, RefusedError.
        """
        access = await self._every_persona(chat)
        items: list[Item] = []
        for short_id in short_ids:
            with suppress(NotFoundError):  # of several, one may be gone
                items.append(await self._own_item(access, short_id))
        ids, said = {item.memory_id for item in items}, await self._events_of(items, access)
        gone = [one for one in await self._forget(chat, access, items) if one.memory_id in ids]
        if not gone:
            raise NotFoundError("no such memory")
        replaced_ids = [older for item in gone for older in item.supersedes]
        replaced = (await self._store.memories.own_by_id(replaced_ids, access)).values()
        over = [item for item in replaced if item.status is Status.SUPERSEDED]
        # What has the same words was no earlier fact, but another reading of them.
        return gone, [item for item in over if said.isdisjoint(await self._events_of([item], access))]

    async def supersede(self, chat: Chat, old: Item, *, by: Item) -> Sequence[Item]:
        """Let one of one's own and its versions be replaced, as one step of undoing; those that are."""
        access = await self._every_persona(chat)
        decision, updates = self._decision(access.owner.scope_id), list[tuple[Item, Item]]()
        versions = {
            one.memory_id: one for one in (old, *await self._store.memories.own_versions(old, access))
        }
        async with self._store.transaction() as tx:
            tx.updates = updates
            for memory_id in versions:
                item = await tx.get_item(memory_id)
                if item and item.status in LIVE_STATUSES and memory_id != by.memory_id:
                    await supersede(tx, item, decision, by=by.memory_id)
        self._components.undo.changed(chat, {old.memory_id: prior_states(updates)}, at=decision.now)
        return [before for before, _ in updates]

    async def _events_of(self, items: Sequence[Item], access: Access) -> set[str]:
        """Ids of the messages that these rest on."""
        evidence = [await self._store.memories.own_evidence(item.memory_id, access) for item in items]
        return {piece.event_id for pieces in evidence for piece in pieces}

    async def learnt_notice(self, chat: Chat, text: str) -> str:
        """A line about what was learnt of the speaker since the last reply, if anything."""
        access, notices = self._access(chat), self._components.notices
        ids = [memory_id for memory_id, owner in notices.items() if owner in access.own][:MAX_NEWS]
        if not ids or await self.paused_by(chat):
            return ""
        found = await self._store.memories.own_by_id(ids, access)
        # What is about its owner and in no doubt.
        own = [item for each in ids if (item := found.get(each)) and not item.person]
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
            "noted.still": await self.used_beside(chat, waits, ()),
            "noted.beside": await self.used_beside(chat, used),
        }
        facts = {key: say.joined(item.fact for item in items) for key, items in lines.items() if items}
        told = (say.text(key, facts=each) for key, each in facts.items())
        # Last: until here it may be broken off, and is told in the next reply.
        for memory_id in found:
            notices.pop(memory_id, None)
        self._components.undo.noted(chat, news, at=self._clock())
        return reduce(say.after, (*told, say.text("noted.wrong"))) if news else ""

    async def used_beside(
        self, chat: Chat, items: Sequence[Item], levels: Iterable[Level] = Level
    ) -> Sequence[Item]:
        """Other answers in use at these levels, or at that of each, as far as this chat may show them."""
        if self._store.read_only or not items:
            return ()
        async with self._store.transaction() as tx:
            others = [(one, item) for item in items for one in await answers_beside(tx, item, *levels)]
        own = {item.memory_id for item in items}
        beside = [
            one.memory_id
            for one, item in others
            if one.memory_id not in own and not same_value(one.fact, item.fact)
        ]
        return [*(await self._store.memories.own_by_id(beside, self._access(chat))).values()]

    async def undo(self, chat: Chat) -> Undone:
        """Take back what the speaker did last, in whatever chat, of what this one may show.

        What they have forgotten, accepted, shared or unshared is again as it was. What was noted for them is
        forgotten, and what it replaced comes back. What cannot come back is told once.
        Raises RefusedError while read-only, and while an operator pauses the speaker.
        """
        if await self.paused_by(chat) == PAUSED_BY_OPERATOR:
            raise RefusedError(PAUSED_BY_OPERATOR)
        access = await self._every_persona(chat)
        steps, shown = await self._undoable(chat, access)
        for step in steps:
            if step.switched:
                return Undone(switched=step)
            back, taken = await self._put_back(step.changed, access, leaving=step.noted)
            self._components.undo.drop(chat, step, again=step.undid if back else None)
            used = {one.memory_id for one in step.states if one.before.get("status") is Status.ACTIVE}
            is_sharing = step.is_sharing
            changed = back if is_sharing else [each for each in back if each not in used]
            live = [shown[each] for each in changed if shown[each].status is not Status.DELETED]
            over = dict.fromkeys(one.memory_id for each in back for one in step.changed[each])
            left = [shown[each] for each in over if each in shown and shown[each].status not in LIVE_STATUSES]
            shared = {item.fact for item in live} if is_sharing else ()  # a group's own version is no news
            restored = [item for item in left if item not in live and item.fact not in shared]
            undone = Undone(restored, taken=taken)._replace(**{"sharing" if is_sharing else "waiting": live})
            if step.noted:
                undone = await self._unnoted(chat, shown, step, undone)
            self._components.embedding.notify()
            if any(undone):
                return undone
        return Undone()

    async def forgot_last(self, chat: Chat) -> bool:
        """Whether an undo in this chat would bring back what was forgotten."""
        steps, _ = await self._undoable(chat, await self._every_persona(chat))
        return any("deleted_at" in one.before for step in steps[:1] for one in step.states)

    async def _undoable(self, chat: Chat, access: Access) -> tuple[Sequence[Step], Mapping[str, Item]]:
        """The steps that this chat may see, the last first, and what they are about."""
        steps, later, seen = self._components.undo.recent(chat, self._clock()), set[str](), list[Step]()
        every = {each for step in steps for each in step.ids}
        shown = await self._store.memories.own_by_id([*every], access)
        for step in steps:
            needed = {*step.changed, *(() if chat.private else step.noted)}
            hidden = not shown.keys() >= needed or (step.is_sharing and not chat.private)
            if not step.switched and (hidden or shown.keys().isdisjoint(step.ids) or step.ids & later):
                later |= step.ids  # an earlier step of the same memory waits for this one
            else:
                seen.append(step)
        return seen, shown

    async def _put_back(
        self, changed: Mapping[str, PriorStates], access: Access, leaving: Collection[str] = ()
    ) -> tuple[Sequence[str], Sequence[tuple[Item, Item | None]]]:
        """The ids of those that nobody has changed since, and those whose place another has, with that."""
        decision = self._decision(access.owner.scope_id)
        async with self._store.transaction() as tx:
            outcomes = {
                each: await put_back(tx, changed[each], decision, leaving=leaving)
                for each in [*changed][::-1]
            }
        taken = [both for each in changed if isinstance(both := outcomes[each], tuple)]
        shown = await self._store.memories.own_by_id(
            [one.memory_id for both in taken for one in both], access
        )
        named = [(one, shown.get(other.memory_id)) for one, other in taken if one.memory_id in shown]
        return [memory_id for memory_id in changed if not outcomes[memory_id]], named

    async def _unnoted(self, chat: Chat, shown: Mapping[str, Item], step: Step, undone: Undone) -> Undone:
        """Forget what was noted in its last wording, and bring back what it replaced."""
        access, now = await self._every_persona(chat), self._clock()
        noted = [shown[each] for each in step.noted if each in shown]
        last = {one.memory_id: one for each in noted if (one := await self._last_wording(access, each))}
        gone = await self._forget(chat, access, [*last.values()])
        replaced_ids = [each for item in gone for each in item.supersedes if each not in step.noted]
        replaced = await self._store.memories.own_by_id(replaced_ids, access)
        back = [*undone.restored]
        for item in replaced.values():
            status = status_before([line for _, line in await self._store.history(item.memory_id)])
            if item.status is not Status.SUPERSEDED or item.updated_at < step.since or status is None:
                continue
            before = {"status": status, "reason": "" if status is Status.ACTIVE else "mode"}
            before |= {"superseded_by": None, "updated_at": now}
            former = PriorState(memory_id=item.memory_id, at=item.updated_at, before=before)
            if (await self._put_back({item.memory_id: [former]}, access))[0]:  # else its place is taken
                back.append(item)
        log = self._components.undo
        if gone and not back:
            log.undid(chat, step)
        elif gone and (again := log.recent(chat, now)):
            log.drop(chat, again[0])  # it would be in use beside what came back
            over = {"status": Status.SUPERSEDED, "reason": "superseded", "deleted_at": None}
            over |= {"superseded_by": back[-1].memory_id}
            as_before = {
                one.memory_id: [PriorState(memory_id=one.memory_id, at=one.updated_at, before=over)]
                for one in gone
                if await self._was_replaced(one, step.since)  # noted again, it is replaced as before
            }
            if as_before:
                await self._put_back(as_before, access)
        return undone._replace(restored=back, forgotten=[one for one in gone if one.memory_id in last])

    async def _was_replaced(self, item: Item, at: datetime) -> bool:
        history = await self._store.history(item.memory_id)
        return [line.after for when, line in history if when < at][-1:] == [Status.SUPERSEDED]

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

    async def _forget(self, chat: Chat, access: Access, items: Sequence[Item]) -> Sequence[Item]:
        """Delete these with all their versions, as one step of undoing; what is deleted by that."""
        versions = {item.memory_id: item for item in items}
        for item in items:
            found = await self._store.memories.own_versions(item, access)
            versions |= {one.memory_id: one for one in found}
        return await self._delete(chat, [*versions.values()], self._decision(access.owner.scope_id))
