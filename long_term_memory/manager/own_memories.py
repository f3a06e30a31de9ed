"""What people see and decide about their own memories, as far as the chat may show them."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial

from ..access.identity import persona_of, without_persona
from ..domain.chat import Access, Chat
from ..domain.enums import BY_ITSELF, WAITING, ListedType, MemoryType, Scope
from ..domain.errors import InvalidInputError, NotFoundError, RefusedError
from ..domain.memory import Item, Page, Paging, without_undone
from ..domain.review import Explained
from ..domain.writing import AuditEntry, AuditFilter
from ..messages import LOCALES, Messages
from ..policies.admission import as_judged
from ..policies.memory_policies import MemoryWritePolicy
from ..policies.succession import BY_POLICY
from ..storage.store import StoreTransaction
from ..write.reverting import CHANGED
from ..write.transitions import Decision, approve
from .bulk_review import beside, open_beside
from .components import Components
from .operations import BATCH_SIZE, NotChangedError, Operations, id_prefix, only
from .status import Unread, unread
from .why_not import MAX_LOOKED_AT, WhyNot, why_not, with_words

SWITCHED_OFF = "self_approval"
"""The rule: here only admins approve."""
_EXPORTED_AT_ONCE = 100
MAX_AT_ONCE = 100
"""Memories that one `keep all` compares with others: a second at most."""
ACCEPTED_BY_PEOPLE = BY_POLICY | {"unverified"}
"""Reasons to wait that a person settles: what no model has verified yet they can answer for."""
NOTICE_EVERY = timedelta(days=1)
NOTICE = "review_notice"


@dataclass(frozen=True, kw_only=True)
class OwnWaiting:
    """The speaker's own memories that wait, as far as the chat may show them."""

    acceptable: Sequence[Item] = ()
    """Those that the speaker may accept, oldest first."""
    others: Mapping[str, str] = field(default_factory=dict[str, str])
    """Why only an admin may approve each other one, by its id."""

    @property
    def undisputed(self) -> Sequence[Item]:
        """Those that the speaker may accept all at once."""
        return [item for item in self.acceptable if item.reason in BY_POLICY]


@dataclass(frozen=True, kw_only=True)
class AcceptResult:
    """What came of accepting some."""

    used: Sequence[Item]
    replaced: Sequence[Item]
    """What those took the place of, some that were accepted with them among it."""
    left: Sequence[Item] = ()
    """What the speaker may not accept, or need not."""


class OwnMemories(Operations):
    """The speaker's own. What takes a short id raises NotFoundError, AmbiguousError and InvalidInputError."""

    async def own_items(
        self, chat: Chat, *, kind: ListedType | None, page: int, page_size: int
    ) -> Page[Item]:
        """Live ones, last changed first; pages count from 1."""
        wanted = Paging(page=page, page_size=page_size)
        return await self._store.memories.own_items(self._access(chat), wanted, kind)

    async def search_own(
        self, chat: Chat, words: str, *, page: int, page_size: int, every: bool = False
    ) -> Page[Item]:
        """Live ones with these words, all of them if `every`, or else those that answer them, best first."""
        kept = await self._store.memories.own_kept(words, self._access(chat), live=True, limit=MAX_LOOKED_AT)
        found, _ = await asyncio.to_thread(with_words, words, kept.values(), stated=True, every=every)
        first = (page - 1) * page_size
        return Page(rows=found[first : first + page_size], total=len(found), page=page, page_size=page_size)

    async def why(self, chat: Chat, short_id: str) -> Explained:
        """One item that is not forgotten, with its words."""
        access, memories = self._access(chat), self._store.memories
        item = await self._own_of_any_status(access, short_id)
        waits = item.status in WAITING
        used, others = await self._store.in_snapshot(partial(beside, item)) if waits else ((), ())
        shown = await memories.own_by_id([one.memory_id for one in (*used, *others)], access)
        return Explained(
            item=as_judged(item, self._components.policies.write()),
            evidence=await memories.own_evidence(item.memory_id, access),
            older=without_undone(item, (await memories.own_older([item.memory_id], access))[item.memory_id]),
            replaces=[one for one in used if one.memory_id in shown],
            otherwise=[one for one in others if one.memory_id in shown],
        )

    async def why_not(self, chat: Chat, words: str, *, recall_id: str | None = None) -> WhyNot:
        """What became of those that have these words, at the last recall or at this one.

        Raises NotFoundError, and InvalidInputError for a recall of others or in another chat.
        """
        recall = await self._store.recalls.get(recall_id) if recall_id else None
        if recall_id and not recall:
            raise NotFoundError("no such recall")
        if recall:
            chat = replace(chat, persona_id=persona_of(recall.owner))
        access = self._access(chat)
        if recall and (recall.umo != access.umo or without_persona(recall.owner) not in access.own):
            raise InvalidInputError("recall_id", "must be a recall of this account in this chat")
        paused = await self.paused_by(chat)
        return await why_not(self._components, access, words, paused=paused, recall=recall)

    async def unread(self, chat: Chat) -> Unread:
        """How many of the speaker's own messages are unread, as far as this chat may know, and when."""
        return await unread(self._components, self._access(chat))

    async def export_own(self, chat: Chat) -> Sequence[Explained]:
        """All live items of whatever persona with their words. Raises InvalidInputError in a group."""
        if not chat.private:
            raise InvalidInputError("chat", "an export works in a private chat only")
        access, memories = await self._every_persona(chat), self._store.memories
        exported, after = list[Explained](), ""
        while part := await memories.own_part(access, after=after, limit=_EXPORTED_AT_ONCE):
            exported += [Explained(item=item, evidence=said, older=older) for item, said, older in part]
            after = exported[-1].item.memory_id
        return exported

    async def own_waiting(self, chat: Chat) -> OwnWaiting:
        """What waits for whom; nothing while paused."""
        if await self.paused_by(chat):
            return OwnWaiting()
        return await self._own_waiting(self._access(chat))

    async def keep(self, chat: Chat, *short_ids: str) -> AcceptResult:
        """Let these be used that wait for the speaker. Raises RefusedError, as where only admins approve."""
        access = await self._unless_paused(chat)
        items = [await self._own_item(access, short_id) for short_id in short_ids]
        acceptable = {one.memory_id for one in (await self._own_waiting(access)).acceptable}
        sure = [item for item in items if item.memory_id in acceptable]
        if any(item.status in WAITING for item in items if item not in sure):
            self._refuse_where_switched_off()
        kept = await self._accept(chat, sure, access)
        if sure and not kept.used:
            raise NotFoundError("no such memory")
        return replace(kept, left=[item for item in items if item not in sure])

    async def keep_all(self, chat: Chat) -> tuple[AcceptResult, OwnWaiting]:
        """Let all be used that are undisputed and uncontested; with what still waits. Raises as `keep`.

        What the chat may not show contests nothing there. Only the oldest `MAX_AT_ONCE` are looked at.
        """
        access = await self._unless_paused(chat)
        self._refuse_where_switched_off()
        sure = (await self._own_waiting(access)).undisputed[:MAX_AT_ONCE]
        contested = await self._contested(sure, access)
        kept = await self._accept(chat, [one for one in sure if one not in contested], access)
        return replace(kept, left=contested), await self._own_waiting(access)

    async def keeps_at_once(self, chat: Chat, waiting: OwnWaiting) -> bool:
        """Whether `keep_all` would take one of the first that wait."""
        first = waiting.undisputed[:BATCH_SIZE]
        return len(await self._contested(first, self._access(chat))) < len(first)

    async def _contested(self, items: Sequence[Item], access: Access) -> list[Item]:
        """Those than which another that the chat may show says otherwise."""
        others = await self._store.in_snapshot(partial(open_beside, items))
        shown = await self._store.memories.own_by_id([other for _, other in others], access)
        return [*dict.fromkeys(item for item, other in others if other in shown)]

    async def _own_item(self, access: Access, short_id: str) -> Item:
        return only(await self._store.memories.own_matching(id_prefix(short_id), access))

    async def _own_waiting(self, access: Access) -> OwnWaiting:
        policy, found = self._components.policies.write(), await self._store.memories.own_waiting(access)
        why = {item.memory_id: _for_admins(item, policy, in_own_words=own) for item, own in found}
        acceptable = [item for item, _ in found if not why[item.memory_id]]
        return OwnWaiting(acceptable=acceptable, others={each: rule for each, rule in why.items() if rule})

    @property
    def self_approval(self) -> bool:
        """Whether people may accept memories at all."""
        return self._components.policies.write().self_approval

    def _refuse_where_switched_off(self) -> None:
        if not self.self_approval:
            raise RefusedError(SWITCHED_OFF)

    async def _accept(self, chat: Chat, items: Sequence[Item], access: Access) -> AcceptResult:
        """Let these be used, but those changed since they were found."""
        found = {item.memory_id: item for item in items}

        async def accept(tx: StoreTransaction, item: Item, decision: Decision) -> None:
            if item != found[item.memory_id]:
                raise NotChangedError(CHANGED)
            await approve(tx, item, decision, action="keep")

        done, _ = await self._change_each(found, accept, actor=access.owner.scope_id)
        self._components.undo.add(chat, "keep", done)
        changed = {one.memory_id for prior in done.values() for one in prior}
        now = (await self._store.memories.own_by_id([*changed], access)).values()
        replaced = [one for one in now if one.superseded_by in done]
        used = {*done}.difference(one.memory_id for one in replaced)
        return AcceptResult(used=[item for item in items if item.memory_id in used], replaced=replaced)


def _for_admins(item: Item, policy: MemoryWritePolicy, *, in_own_words: bool) -> str:
    """Why only an admin may accept it, the first of several reasons; empty where its person may."""
    reasons = {
        SWITCHED_OFF: not policy.self_approval,
        "of_group": item.owner.scope is Scope.GROUP,
        "about": bool(item.person),
        "disputed": item.reason not in ACCEPTED_BY_PEOPLE,
        "require_approval_types": item.type in policy.require_approval_types,
        "allowed_types": item.type not in policy.allowed_types,
        "not_own": not in_own_words,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def self_approved(policy: MemoryWritePolicy) -> Collection[MemoryType]:
    """Kinds of facts that people may accept about themselves."""
    return policy.allowed_types - policy.require_approval_types if policy.self_approval else ()


async def send_review_notice(components: Components, tell: Callable[[str], Awaitable[int]]) -> None:
    """Once a day by the audit, `tell` the admins what waits that people may not accept for themselves."""
    store = components.store
    last = (await store.browsing.audit(AuditFilter(action=NOTICE, page_size=1))).rows
    if last and components.ports.clock() < last[0].at + NOTICE_EVERY:
        return
    kinds = self_approved(components.policies.write())
    count, owners = await store.browsing.waiting_for_admins(ACCEPTED_BY_PEOPLE, kinds)
    texts = (Messages(locale).text("review.notice", count=count, owners=owners) for locale in LOCALES)
    if count and (told := await tell("\n".join(texts))):
        async with store.transaction() as tx:
            await tx.audit(AuditEntry(actor=BY_ITSELF, action=NOTICE, reason=f"admins={told}"))
