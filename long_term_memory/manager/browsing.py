"""What operators look at: everybody's memories, and what was said and done."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..access.personas import without_persona
from ..access.persons import Person, person_named
from ..domain.errors import NotFoundError
from ..domain.memory import Event, EventFilter, EvidenceInContext, Item, ItemFilter, Page
from ..domain.words import Audience, Scope
from ..domain.writing import AuditFilter, AuditLine
from .parts import Parts

MAX_IDS = 10_000
"""Memories that are chosen at once."""
AUDIT_LINES = 200
"""Lines of one memory that are shown beside it."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """Where a memory may surface, beside what its level says."""

    chats: Sequence[str]
    """The origins of the chats, as far as they are known from what was said."""
    everywhere: bool


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A memory with all that there is to know of it."""

    item: Item
    evidence: Sequence[EvidenceInContext]
    older: Sequence[Item]
    told: Told
    audit: Sequence[AuditLine]


class Browsing:
    """Reads only."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._store = parts.store

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
        evidence = await self._store.evidence(memory_id)
        return Shown(
            item=item,
            evidence=evidence,
            older=await self._store.older(memory_id),
            told=await self._told(item, evidence),
            audit=lines.rows,
        )

    async def events(self, wanted: EventFilter) -> Page[Event]:
        """One page of what was said and done, the newest first."""
        return await self._store.browsing.events(wanted)

    async def audit(self, wanted: AuditFilter) -> Page[AuditLine]:
        """One page of who changed what, the newest first."""
        return await self._store.browsing.audit(wanted)

    def _named(self, wanted: ItemFilter) -> tuple[Person | None, Person | None]:
        """Whose accounts `person` and `author` are."""
        rules = self._parts.people.rules
        return person_named(wanted.person or "", rules), person_named(wanted.author or "", rules)

    async def _told(self, item: Item, evidence: Sequence[EvidenceInContext]) -> Told:
        everywhere = item.audience is Audience.EVERYWHERE or item.owner.scope is Scope.GLOBAL
        said = [*(each.umo for each in evidence), item.origin_umo]
        private: Sequence[str] = ()
        if item.owner.scope is Scope.USER:
            own = without_persona(item.owner).scope_id
            person = person_named(own, self._parts.people.rules)
            ids = {own, item.owner.scope_id, *(person.ids if person else ())}
            private = await self._store.browsing.private_chats(sorted(ids))
        chats = set[str]() if everywhere else {umo for umo in (*said, *private) if umo}
        return Told(chats=sorted(chats), everywhere=everywhere)
