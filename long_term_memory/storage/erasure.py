"""Erasing a person: all of it in one transaction, and then no row tells what they said."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import batched

from sqlalchemy import ColumnElement, and_, func, or_, select, true

from ..access.persons import Person
from ..domain.chat import ScopeRef
from ..domain.enums import LIVE_STATUSES, Role, Scope, Status
from ..domain.memory import Item
from ..domain.time import Clock
from ..domain.writing import AuditEntry
from ..models import EVENT_VECTORS, EVENTS, EVIDENCE, ITEMS, LINKS, RECALLS, VECTORS
from ..policies.succession import RETURNED, status_before, waited_as
from ..text_analysis.quotes import replaced
from . import audit, items, keywords, meta
from . import evidence as evidence_rows
from .connection import Connection
from .database import Database, OnDatabaseWithClock
from .events import FREE
from .person_rows import is_of, kept_of, of_person, quoting, resting_on, said_by, said_with, unquote

BATCH_SIZE = 500
"""Items of one statement."""
CUT = "[…]"
"""In the place of words that were cut out of a message."""
MAX_KEPT = 1_000
"""Erased persons that are known at a time: what is late is minutes late at most."""


@dataclass(frozen=True, kw_only=True)
class Gone:
    """How many rows there were."""

    items: int
    events: int
    others: int
    """Recalls, links between accounts, and messages of others that quoted them."""
    names: Sequence[str]
    """What they were called when they spoke."""


class ErasedPersons:
    """Who was erased lately: what was said before may still come to be written.

    Lives as long as the process: a restart has nothing late in memory.
    """

    def __init__(self) -> None:
        self._kept = deque[tuple[Person, datetime]](maxlen=MAX_KEPT)
        self.times = 0
        """How often somebody was erased."""

    def add(self, person: Person, at: datetime) -> None:
        """All they said before is to be forgotten."""
        self._kept.append((person, at))
        self.times += 1

    def take_back(self, person: Person, at: datetime) -> None:
        """They were not erased after all."""
        self._kept.remove((person, at))
        self.times -= 1

    def includes_sender(self, platform_id: str, sender_id: str, at: datetime) -> bool:
        """Whether what this account said until then is erased."""
        account = platform_id, sender_id
        return any(at < erased_at and account in person.senders for person, erased_at in tuple(self._kept))

    def includes(self, owner: ScopeRef, at: datetime) -> bool:
        """Whether what this person said or asked then is erased."""
        return any(at < erased_at and person.owns(owner) for person, erased_at in tuple(self._kept))


class Erasure(OnDatabaseWithClock):
    """Removes rows; what their bytes leave in the file is overwritten by `scrubbing`."""

    def __init__(self, database: Database, clock: Clock, erased: ErasedPersons) -> None:
        """`erased` hears of it, so that nothing comes back that is late."""
        super().__init__(database, clock)
        self._erased = erased

    async def erase(
        self, person: Person, *, actor: str, action: str, subject: str, mark: str, known: bool
    ) -> Gone:
        """Remove all that is kept of this person, whole or not at all; the audit keeps that it happened.

        `subject` is the account as the audit names it. `mark` tells whoever scrubs the file that there is
        something to do, which there is whenever they are `known`. Raises RefusedError while read-only.
        """
        now = self._clock()

        async def work(connection: Connection) -> Gone:
            gone = await _erased(connection, person, now=now)
            counts = f"items={gone.items} events={gone.events}"
            line = AuditEntry(actor=actor, action=action, before=subject, reason=counts)
            await audit.extend(connection, [line], at=now)
            # Strangers ask as often as they like: where nothing was there is nothing to overwrite, but for
            # what housekeeping has dropped of them.
            if known or gone.items or gone.events or gone.others or await meta.is_dropped(connection):
                await meta.ask_to_scrub(connection, mark)
            return gone

        # Before the first row goes: whoever writes next in this process knows of it.
        self._erased.add(person, now)
        try:
            async with self._database.writer() as connection:
                return await connection.inside(lambda: work(connection))
        except Exception:
            self._erased.take_back(person, now)
            raise

    async def knows(self, person: Person) -> bool:
        """Whether there is anything to erase. Raises UnavailableError."""
        events = said_with(person)
        async with self._database.read() as connection:
            chats = await _chats(connection, person, events)
            for column, condition in (
                (ITEMS.c.id, kept_of(person, events)),
                (EVENTS.c.id, or_(events, quoting(person))),
                (RECALLS.c.id, _recalls_of(person, chats)),
                (LINKS.c.account, _links_of(person)),
            ):
                if (await connection.execute(select(column).where(condition).limit(1))).first():
                    return True
        return False


async def _erased(connection: Connection, person: Person, *, now: datetime) -> Gone:
    events = said_with(person)
    doomed = await _ids(connection, kept_of(person, events))
    for some in batched(doomed, BATCH_SIZE):
        await connection.change(ITEMS.delete().where(ITEMS.c.memory_id.in_(some)))
    await _leave_to_others(connection, events, now=now)
    quoted = await unquote(connection, person, events)
    chats = await _chats(connection, person, events)
    called = select(EVENTS.c.sender_name).where(said_by(person, EVENTS.c), EVENTS.c.sender_name != "")
    names = await connection.scalars(called.distinct())
    # A model may be reading their words beside those of others: no answer that is under way counts.
    await connection.change(EVENTS.update().where(EVENTS.c.lease != "").values(**FREE))
    said = await connection.change(EVENTS.delete().where(events))
    recalls = await connection.change(RECALLS.delete().where(_recalls_of(person, chats)))
    links = await connection.change(LINKS.delete().where(_links_of(person)))
    return Gone(items=len(doomed), events=said, others=recalls + links + quoted, names=names)


async def retract(connection: Connection, event_ids: Sequence[str], *, now: datetime) -> Sequence[str]:
    """Remove these events with the items that were made of them; returns the ids of those items.

    An item that was heard more than once, from a person, stays without these words. What a removed item had
    taken the place of is used again, or waits as it did before. The recalls for these messages leave the
    log.
    """
    events = EVENTS.c.event_id.in_(event_ids)
    others = select(EVIDENCE.c.memory_id).join(EVENTS, EVENTS.c.event_id == EVIDENCE.c.event_id)
    elsewhere = others.where(EVIDENCE.c.event_id.not_in(event_ids), EVENTS.c.source_role == Role.USER)
    heard_again = and_(ITEMS.c.evidence_count > 1, ITEMS.c.memory_id.in_(elsewhere))
    doomed = await _ids(connection, and_(resting_on(events), ~heard_again))
    left = and_(ITEMS.c.superseded_by.in_(doomed), ITEMS.c.status == Status.SUPERSEDED, ~items.IMPORT_UNDONE)
    displaced = await items.listed(connection, select(ITEMS).where(left))
    await connection.change(ITEMS.delete().where(ITEMS.c.memory_id.in_(doomed)))
    for item in displaced:
        holder = await items.find(connection, item.owner, item.level, item.fact_key, item.person)
        if holder is None or holder.status not in LIVE_STATUSES:
            lines = [line for _, line in await audit.of_item(connection, item.memory_id)]
            was_used = status_before(lines) is Status.ACTIVE
            waits = waited_as(lines) or (Status.PENDING, RETURNED)
            status, reason = (Status.ACTIVE, "") if was_used else waits
            back = replace(item, status=status, reason=reason, superseded_by=None, updated_at=now)
            await items.update(connection, back)
            await keywords.refresh(connection, back)
    await _leave_to_others(connection, events, now=now)
    # A model may be reading these words: no answer that is under way counts.
    await connection.change(EVENTS.update().where(EVENTS.c.lease != "").values(**FREE))
    at, where = (select(column).where(events) for column in (EVENTS.c.created_at, EVENTS.c.session_id))
    for_these = and_(RECALLS.c.created_at.in_(at), RECALLS.c.session_id.in_(where))
    await connection.change(RECALLS.delete().where(for_these))
    await connection.change(EVENTS.delete().where(events))
    await meta.note_dropped(connection)
    return doomed


async def redact(connection: Connection, event_id: str, words: str) -> None:
    """Cut words out of an event and of the quotes from it, and all that was answered in its turn.

    The recalls for it leave the log. A model may be reading these words: no answer under way counts.
    """
    event = EVENTS.c.event_id == event_id
    told = (await connection.execute(select(EVENTS).where(event))).mappings().first()
    if told is None or not words.strip():
        return
    cut = {key: replaced(words, CUT, text) for key, text in told["content"].items()}
    await connection.change(EVENTS.update().where(event).values(content=cut))
    here, at = EVENTS.c.session_id == told["session_id"], EVENTS.c.created_at == told["created_at"]
    answers = and_(
        here, at, EVENTS.c.owner_scope_id == told["owner_scope_id"], EVENTS.c.source_role != Role.USER
    )
    await connection.change(EVENTS.update().where(answers).values(content={"text": CUT}))
    sender = func.coalesce(EVENTS.c.content["quoted_sender"].as_string(), "")
    theirs = sender.in_(("", told["sender_id"])) if told["source_role"] is Role.USER else true()
    quoting = and_(here, theirs, EVENTS.c.content["quoted"].as_string().contains(words, autoescape=True))
    of_others = select(EVENTS.c.id, EVENTS.c.content).where(quoting)
    for row_id, content in (await connection.execute(of_others)).all():
        left = {**content, "quoted": replaced(words, CUT, content["quoted"])}
        await connection.change(EVENTS.update().where(EVENTS.c.id == row_id).values(content=left))
    changed = await connection.scalars(select(EVENTS.c.event_id).where(or_(event, answers)))
    of_these = EVIDENCE.c.event_id.in_(changed)
    quotes = select(EVIDENCE.c.id, EVIDENCE.c.event_id, EVIDENCE.c.quote).where(of_these)
    for row_id, of_event, quote in (await connection.execute(quotes)).all():
        left = replaced(words, CUT, quote) if of_event == event_id else CUT
        await connection.change(EVIDENCE.update().where(EVIDENCE.c.id == row_id).values(quote=left))
    # A vector is made of the words, too; there will be a new one.
    await connection.change(EVENT_VECTORS.delete().where(EVENT_VECTORS.c.event_id.in_(changed)))
    resting_on_these = ITEMS.c.memory_id.in_(select(EVIDENCE.c.memory_id).where(of_these))
    for item in await items.listed(connection, select(ITEMS).where(resting_on_these)):
        await connection.change(VECTORS.delete().where(VECTORS.c.memory_id == item.memory_id))
        await keywords.refresh(connection, item)
    recalled = and_(RECALLS.c.created_at == told["created_at"], RECALLS.c.session_id == told["session_id"])
    await connection.change(RECALLS.delete().where(recalled))
    await connection.change(EVENTS.update().where(here, EVENTS.c.lease != "").values(**FREE))
    await meta.note_dropped(connection)


async def resting(connection: Connection, event_ids: Sequence[str]) -> Sequence[Item]:
    """The live items that rest on any of these events."""
    on_these = and_(resting_on(EVENTS.c.event_id.in_(event_ids)), ITEMS.c.status.in_(LIVE_STATUSES))
    return await items.listed(connection, select(ITEMS).where(on_these).order_by(ITEMS.c.id))


def _recalls_of(person: Person, chats: Sequence[str]) -> ColumnElement[bool]:
    own = of_person(person, RECALLS.c.owner_scope, RECALLS.c.owner_scope_id)
    return or_(own, RECALLS.c.session_id.in_(chats))


def _links_of(person: Person) -> ColumnElement[bool]:
    accounts = sorted(person.ids)
    return or_(LINKS.c.account.in_(accounts), LINKS.c.joined_to.in_(accounts))


async def _ids(connection: Connection, condition: ColumnElement[bool]) -> Sequence[str]:
    return await connection.scalars(select(ITEMS.c.memory_id).where(condition).order_by(ITEMS.c.id))


async def _leave_to_others(connection: Connection, events: ColumnElement[bool], *, now: datetime) -> None:
    """Take these words away from the items that others have told as well."""
    shared = await items.listed(connection, select(ITEMS).where(resting_on(events)).order_by(ITEMS.c.id))
    await connection.change(EVIDENCE.delete().where(is_of(events)))
    for item in shared:
        # A vector is made of the words, too; there will be a new one.
        await connection.change(VECTORS.delete().where(VECTORS.c.memory_id == item.memory_id))
        told = (await evidence_rows.of_items(connection, [item.memory_id], true()))[item.memory_id]
        teller = item.teller and told[0].sender_name
        # What was told beside the fact may have been the other's words.
        left = replace(
            item, evidence_count=len(told), teller=teller, relationship="", backstory="", updated_at=now
        )
        await items.update(connection, left)
        await keywords.refresh(connection, left)


async def _chats(connection: Connection, person: Person, events: ColumnElement[bool]) -> Sequence[str]:
    """The origins of their private chats, those that are known from what was said among them."""
    private = select(EVENTS.c.session_id).where(events, EVENTS.c.scope != Scope.GROUP).distinct()
    return sorted({*person.chats, *await connection.scalars(private)})
