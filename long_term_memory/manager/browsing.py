"""What operators look at: everybody's memories, what was said and done, and people."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from ..access.identity import IdentityRules, account_of, sender_of, without_persona
from ..access.persons import Person, person_named, private_chat
from ..domain.chat import ScopeRef
from ..domain.enums import Audience, Level, Scope
from ..domain.errors import NotFoundError
from ..domain.memory import EvidenceInContext, Item, ItemFilter, Page, reworded_at, without_undone
from ..domain.reading import Met
from ..domain.review import Explained
from ..domain.writing import AuditFilter, AuditLine
from ..storage.accounts import Account, Place
from .bulk_review import beside
from .components import Components
from .operations import Operations

MAX_IDS = 10_000
AUDIT_LINES = 200


@dataclass(frozen=True, kw_only=True)
class UsableIn:
    """In which chats a memory may be used, of those of its level and above."""

    scope: Scope
    level: Level
    everywhere: bool
    chats: Sequence[str]
    """The origins of the chats unless it is everywhere, as far as they are known from what was said."""


@dataclass(frozen=True, kw_only=True)
class MemoryDetails(Explained):
    """A memory with all that there is to know of it."""

    reworded_at: datetime | None
    """When an operator last put it into other words than it was learnt in."""
    audience: UsableIn
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
    paused_by_operator: bool
    """Whether the person cannot end it."""


class Browsing(Operations):
    """Reads only: everybody's memories, `events` and `audit` by pages. Days are those of the host's zone."""

    def __init__(self, components: Components) -> None:
        super().__init__(components)
        self.events = components.store.browsing.events
        self.by_id = components.store.by_id
        self._zone = components.ports.zone
        self.actors = components.store.browsing.actors

    async def items(self, wanted: ItemFilter) -> Page[Item]:
        """One page of everybody's memories."""
        return await self._store.browsing.items(wanted, self._named(wanted), self._zone)

    async def item_ids(self, wanted: ItemFilter) -> Sequence[str]:
        """The ids of all of everybody's memories that fit, MAX_IDS at most."""
        return await self._store.browsing.item_ids(wanted, self._named(wanted), self._zone, limit=MAX_IDS)

    async def audit(self, wanted: AuditFilter) -> Page[AuditLine]:
        """One page of the audit, the newest first, with the wording that each line left."""
        found = await self._store.browsing.audit(wanted, self._zone)
        items = await self._store.by_id([line.memory_id for line in found.rows])
        older = await self._store.older(list(items))
        met = [(line, Met(memory_id=line.memory_id), items.get(line.memory_id)) for line in found.rows]
        facts = [now and one.fact_at(line.at, now, older[one.memory_id]) for line, one, now in met]
        return found.of([replace(line, fact=fact) for line, fact in zip(found.rows, facts, strict=True)])

    async def item(self, memory_id: str) -> MemoryDetails:
        """One memory. Raises NotFoundError."""
        item = await self._store.item(memory_id)
        if item is None:
            raise NotFoundError("no such memory")
        evidence = (await self._store.evidence([memory_id])).get(memory_id, ())
        older = without_undone(item, (await self._store.older([memory_id]))[memory_id])
        replaces, otherwise = await self._store.in_snapshot(partial(beside, item))
        everywhere = item.audience is Audience.EVERYWHERE or item.owner.scope is Scope.GLOBAL
        chats = () if everywhere else await self._chats_of(item, evidence)
        return MemoryDetails(
            item=item,
            evidence=evidence,
            older=older,
            replaces=replaces,
            otherwise=otherwise,
            reworded_at=reworded_at(item, older),
            audience=UsableIn(scope=item.owner.scope, level=item.level, everywhere=everywhere, chats=chats),
            audit=(await self.audit(AuditFilter(memory_id=memory_id, page_size=AUDIT_LINES))).rows,
        )

    async def accounts(self, query: str, *, page: int, page_size: int) -> Page[KnownAccount]:
        """One page of the accounts: paused ones first, then who spoke last, then who was only imported."""
        found = await self._store.browsing.accounts(query, page=page, page_size=page_size)
        kept = await asyncio.to_thread(_by_sender, await self._store.browsing.live_items())
        return found.of([await self._known(account, kept) for account in found.rows])

    def _named(self, wanted: ItemFilter) -> tuple[Person | None, Person | None]:
        """Whose accounts `person` and `author` are."""
        rules = self._resolver.rules
        return person_named(wanted.person or "", rules), person_named(wanted.author or "", rules)

    async def _chats_of(self, item: Item, evidence: Sequence[EvidenceInContext]) -> Sequence[str]:
        chats = {*(each.umo for each in evidence), item.origin_umo}
        if item.owner.scope is Scope.USER:
            own = without_persona(item.owner).scope_id
            person = person_named(own, self._resolver.rules)
            ids = {own, item.owner.scope_id, *(person.ids if person else ())}
            chats |= set(await self._store.browsing.private_chats(sorted(ids)))
        return sorted(chats - {""})

    async def _known(self, spoke: Account, kept: Mapping[tuple[str, str], int]) -> KnownAccount:
        chat = private_chat(spoke.platform_id, spoke.sender_id)
        pausable, _ = self._resolver.pausable(chat)
        paused = await self._store.paused(*pausable)
        account = account_of(chat, IdentityRules())
        person = person_named(account, self._resolver.rules)
        senders = person.senders if person else {(spoke.platform_id, spoke.sender_id)}
        return KnownAccount(
            account=account,
            name=spoke.name,
            scope_id=self._resolver.scopes(chat)[0].scope_id,
            items=sum(kept.get(sender, 0) for sender in senders),
            chats=spoke.places,
            last_seen=spoke.places[0].last_seen if spoke.places else None,
            paused=paused,
            paused_by_operator=paused and await self._store.paused_by_operator(*pausable),
        )


def _by_sender(items: Mapping[str, int]) -> Mapping[tuple[str, str], int]:
    """Of how many there are in each scope, how many each sender has."""
    kept = Counter[tuple[str, str]]()
    for scope_id, number in items.items():
        own = without_persona(ScopeRef(scope=Scope.USER, scope_id=scope_id)).scope_id
        if sender := sender_of(own):
            kept[sender] += number
    return kept
