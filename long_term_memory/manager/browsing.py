"""What operators look at: everybody's memories, what was said and done, people, and the log of recalls."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from ..access.identity import IdentityRules, account_of, sender_of, without_persona
from ..access.persons import Person, chat_named, is_of_group, person_named, private_chat
from ..domain.chat import Access, Chat, ScopeRef
from ..domain.errors import NotFoundError
from ..domain.memory import EvidenceInContext, Item, ItemFilter, Page, reworded_at
from ..domain.reading import Given, Omitted, Query, Recall
from ..domain.recalls import ListedRecall, LoggedRecall, RecallFilter
from ..domain.words import Audience, Level, Scope
from ..domain.writing import AuditFilter, AuditLine
from ..storage.accounts import Account, Place
from ..text_analysis.tokens import tokens
from ..upkeep.recall_log import MAX_LEFT_OUT, given_of, held_back
from .components import Components
from .conversation import PAUSED
from .operations import Operations

MAX_IDS = 10_000
AUDIT_LINES = 200


@dataclass(frozen=True, kw_only=True)
class Surfaces:
    """In which chats a memory may be used, of those of its level and above."""

    scope: Scope
    level: Level
    everywhere: bool
    chats: Sequence[str]
    """The origins of the chats unless it is everywhere, as far as they are known from what was said."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A memory with all that there is to know of it."""

    item: Item
    evidence: Sequence[EvidenceInContext]
    older: Sequence[Item]
    """What it took the place of, latest first."""
    reworded_at: datetime | None
    """When an operator last put it into other words than it was learnt in."""
    audience: Surfaces
    audit: Sequence[AuditLine]


@dataclass(frozen=True, kw_only=True)
class KnownAccount:
    """An account that spoke or is paused, and what is kept of its person, under all joined accounts."""

    account: str
    """`platform_id:sender_id`, as commands and rules name it."""
    name: str
    scope_id: str
    """Where memories of the person are written."""
    items: int
    """How many live memories the person has, of all personas."""
    chats: Sequence[Place]
    last_seen: datetime | None
    paused: bool


@dataclass(frozen=True, kw_only=True)
class ExplainedRecall:
    """A recall of the log, and those of its memories that are still there."""

    recall: LoggedRecall
    reply: str
    """What the bot answered; empty when that is not kept."""
    items: Mapping[str, Item]
    worded: Mapping[str, str]
    """What those said then that were reworded since."""
    not_here: int
    """Memories in use of the person that this chat may not show."""


@dataclass(frozen=True, kw_only=True)
class TriedRecall:
    """What a request would have carried, and what not."""

    block: str
    tokens: int
    reason: str
    vectors: bool
    given: Sequence[Given]
    left_out: Sequence[Omitted]
    """The next best, as many as the log would name; then the person's own that are held back."""
    items: Mapping[str, Item]
    not_here: int


class Browsing(Operations):
    """Reads only: everybody's memories, `events` and `audit` by pages."""

    def __init__(self, components: Components) -> None:
        super().__init__(components)
        self.events = components.store.browsing.events
        self.audit = components.store.browsing.audit

    async def items(self, wanted: ItemFilter) -> Page[Item]:
        """One page of everybody's memories."""
        return await self._store.browsing.items(wanted, *self._named(wanted))

    async def item_ids(self, wanted: ItemFilter) -> Sequence[str]:
        """The ids of all of everybody's memories that fit, MAX_IDS at most."""
        return await self._store.browsing.item_ids(wanted, *self._named(wanted), limit=MAX_IDS)

    async def item(self, memory_id: str) -> Shown:
        """One memory. Raises NotFoundError."""
        item = await self._store.item(memory_id)
        if item is None:
            raise NotFoundError("no such memory")
        lines = await self.audit(AuditFilter(memory_id=memory_id, page_size=AUDIT_LINES))
        evidence, older = await self._store.evidence(memory_id), await self._store.older(memory_id)
        everywhere = item.audience is Audience.EVERYWHERE or item.owner.scope is Scope.GLOBAL
        return Shown(
            item=item,
            evidence=evidence,
            older=older,
            reworded_at=reworded_at(item, older),
            audience=Surfaces(
                scope=item.owner.scope,
                level=item.level,
                everywhere=everywhere,
                chats=() if everywhere else await self._chats_of(item, evidence),
            ),
            audit=lines.rows,
        )

    async def accounts(self, query: str, *, page: int, page_size: int) -> Page[KnownAccount]:
        """One page of the accounts that spoke, who spoke last first."""
        found = await self._store.browsing.accounts(query, page=page, page_size=page_size)
        kept = await asyncio.to_thread(_by_sender, await self._store.browsing.live_items())
        people = [await self._known(account, kept) for account in found.rows]
        return found.of(people)

    async def facts(self, memory_ids: Sequence[str]) -> Mapping[str, str]:
        """What those of the memories say that are still stored."""
        return {key: item.fact for key, item in (await self._store.recalls.items(memory_ids)).items()}

    def _named(self, wanted: ItemFilter) -> tuple[Person | None, Person | None]:
        """Whose accounts `person` and `author` are."""
        rules = self._people.rules
        return person_named(wanted.person or "", rules), person_named(wanted.author or "", rules)

    async def _chats_of(self, item: Item, evidence: Sequence[EvidenceInContext]) -> Sequence[str]:
        chats = {*(each.umo for each in evidence), item.origin_umo}
        if item.owner.scope is Scope.USER:
            own = without_persona(item.owner).scope_id
            person = person_named(own, self._people.rules)
            ids = {own, item.owner.scope_id, *(person.ids if person else ())}
            chats |= set(await self._store.browsing.private_chats(sorted(ids)))
        return sorted(chats - {""})

    async def _known(self, spoke: Account, kept: Mapping[tuple[str, str], int]) -> KnownAccount:
        chat = private_chat(spoke.platform_id, spoke.sender_id)
        account = account_of(chat, IdentityRules())
        person = person_named(account, self._people.rules)
        senders = person.senders if person else {(spoke.platform_id, spoke.sender_id)}
        return KnownAccount(
            account=account,
            name=spoke.name,
            scope_id=self._people.scopes(chat)[0].scope_id,
            items=sum(kept.get(sender, 0) for sender in senders),
            chats=spoke.places,
            last_seen=spoke.last_seen,
            paused=await self._store.paused(*self._people.pausable(chat)[0]),
        )


class Recalls(Operations):
    """For operators only: it tells of everybody."""

    async def page(self, wanted: RecallFilter) -> Page[ListedRecall]:
        """One page of the log, the newest first, those of a moment ago included."""
        await self._components.recall_log.settle()
        return await self._store.recalls.page(wanted)

    async def get(self, recall_id: str) -> ExplainedRecall:
        """One recall of the log. Raises NotFoundError."""
        recall = await self._store.recalls.get(recall_id)
        if recall is None:
            raise NotFoundError("no such recall")
        store = self._store.recalls
        items = await self._items(recall.given, recall.left_out)
        asked = Access(
            umo=recall.umo,
            private=not (in_group := is_of_group(recall.umo)),
            level=recall.level,
            owner=recall.owner,
            group=await store.place(recall.umo) if in_group else None,
            readable=(recall.owner, without_persona(recall.owner)),
            cross_group=self._components.settings.levels.cross_group,
        )
        return ExplainedRecall(
            recall=recall,
            reply=await store.reply(recall),
            items=items,
            worded=await store.worded(list(items), recall.at),
            not_here=await store.not_here(asked),
        )

    async def attempt(self, account: str, umo: str, text: str, *, raised: Level) -> TriedRecall:
        """What a request with these words of this account in this chat would carry now.

        It is read as for a reply, with the level that the chat has by the settings, or `raised` if that is
        higher; nothing is logged or counted. Somebody who never spoke has nothing to recall of their own.
        Raises InvalidInputError that names `account` or `umo`.
        """
        chat = await self.chat(account, umo, raised=raised)
        recall = await self._recall(chat, text)
        given, access = list(given_of(recall)), self._access(chat)
        # The person's own that this chat might show if they were in use: their status is the rule.
        left_out = [
            *islice(recall.omitted, MAX_LEFT_OUT),
            *await held_back(self._store.memories, access, text, at=self._clock()),
        ]
        return TriedRecall(
            block=recall.block,
            tokens=tokens(recall.block),
            reason=recall.reason,
            vectors=recall.vectors,
            given=given,
            left_out=left_out,
            items=await self._items(given, left_out),
            not_here=await self._store.recalls.not_here(access),
        )

    async def chat(self, account: str, umo: str, *, raised: Level) -> Chat:
        """The chat of an account at an origin. Raises InvalidInputError that names `account` or `umo`."""
        chat_named(account, umo, raised=raised)  # before the store is asked for it
        return chat_named(account, umo, known_as=await self._store.recalls.place(umo), raised=raised)

    async def _recall(self, chat: Chat, text: str) -> Recall:
        if await self.paused_by(chat):
            return PAUSED
        if self._components.policies.read().enable:
            # Before a reply this is done while the host gets ready.
            self._components.ahead.prepare(text)
            await self._components.ahead.arrived(text)
        query = Query(text=text, at=self._clock())
        return await self._components.reader.recall(self._access(chat), query)

    async def _items(self, given: Iterable[Given], left_out: Iterable[Omitted]) -> Mapping[str, Item]:
        return await self._store.recalls.items([each.memory_id for each in (*given, *left_out)])


def _by_sender(items: Mapping[str, int]) -> Mapping[tuple[str, str], int]:
    """Of how many there are in each scope, how many each sender has."""
    kept = Counter[tuple[str, str]]()
    for scope_id, number in items.items():
        own = without_persona(ScopeRef(scope=Scope.USER, scope_id=scope_id)).scope_id
        if sender := sender_of(own):
            kept[sender] += number
    return kept
