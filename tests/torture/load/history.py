"""What was said and learnt before the traffic begins, so that caches are as full as they ever get."""

import random
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import batched
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import (
    Audience,
    Extraction,
    Level,
    MemoryType,
    Origin,
    Scope,
)
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.stores import an_event, an_evidence, an_item, migrated, opened

from .crowd import GROUPS, PEOPLE, PLATFORM, Words

_SPREAD = timedelta(days=14)


async def remembered(database: Path, *, items: int, events: int, chance: random.Random) -> None:
    """Make a database in which everybody has so many items, and private chats and groups so many events."""
    database.parent.mkdir(parents=True, exist_ok=True)
    now = datetime.fromtimestamp(time.time(), UTC)  # noqa: TID251  the host goes by the machine's clock
    words = Words(chance)
    async with opened(migrated(database)) as opening:
        store = Store(opening, lambda: now)
        for some in batched(_said(words, now, events), 1_000):
            async with store.transaction() as transaction:
                await transaction.add_events(some)
        for some in batched(_learnt(words, now, items), 200):
            async with store.transaction() as transaction:
                for item, event in some:
                    await transaction.add_events([event])
                    await transaction.insert_item(item, [an_evidence(item, event)])


def _said(words: Words, now: datetime, number: int) -> Iterator[Event]:
    for person in PEOPLE:
        for at in range(number):
            yield _event(person.id, words.chatter(), now - _SPREAD * (1 - at / number))
    for group in GROUPS:
        for at in range(number):
            person = words.chance.choice(PEOPLE)
            yield _event(person.id, words.chatter(), now - _SPREAD * (1 - at / number), group)


def _learnt(words: Words, now: datetime, number: int) -> Iterator[tuple[Item, Event]]:
    for person in PEOPLE:
        for at in range(number):
            told_at = now - _SPREAD * (1 - at / number)
            fact = f"User once spoke of {words.some(5)} {at}"
            event = _event(person.id, fact, told_at)
            item = an_item(
                fact,
                owner=_user(person.id),
                type=MemoryType.PREFERENCE,
                origin=Origin.LLM_EXTRACT,
                origin_umo=event.umo,
                audience=Audience.CHAT,
                created_at=told_at,
                updated_at=told_at,
                last_confirmed_at=told_at,
            )
            yield item, event


def _event(person: str, text: str, at: datetime, group: str = "") -> Event:
    umo = f"{PLATFORM}:GroupMessage:{group}" if group else f"{PLATFORM}:FriendMessage:{person}"
    return an_event(
        text,
        at_scope=ScopeRef(scope=Scope.GROUP, scope_id=umo) if group else _user(person),
        owner=_user(person),
        platform_id=PLATFORM,
        umo=umo,
        sender_id=person,
        sender_name=person,
        level=Level.PUBLIC if group else Level.INTERNAL,
        created_at=at,
        extraction=Extraction.DONE,
    )


def _user(person: str) -> ScopeRef:
    return ScopeRef(scope=Scope.USER, scope_id=f"{PLATFORM}:{person}")
