"""An opened, migrated store on a file of its own, and rows to put into it."""

import asyncio
import itertools
import tempfile
from collections.abc import AsyncGenerator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import (
    Audience,
    Level,
    MemoryType,
    Origin,
    Role,
    Scope,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Evidence, EvidenceInContext, Item
from astrbot_plugin_ltm.long_term_memory.domain.reading import Given
from astrbot_plugin_ltm.long_term_memory.domain.recalls import LoggedRecall
from astrbot_plugin_ltm.long_term_memory.models import ITEMS
from astrbot_plugin_ltm.long_term_memory.storage.connection import Connection
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.items import listed
from astrbot_plugin_ltm.long_term_memory.storage.schema import upgrade
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.visibility import visible
from sqlalchemy import select

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)
ALICE = ScopeRef(scope=Scope.USER, scope_id="telegram:alice")
BOB = ScopeRef(scope=Scope.USER, scope_id="qq:bob")
GROUP = ScopeRef(scope=Scope.GROUP, scope_id="qq:GroupMessage:42")
PRIVATE_CHAT = "telegram:FriendMessage:alice"
GROUP_CHAT = "qq:GroupMessage:42"

_numbers = itertools.count(1)


def an_id(prefix: str) -> str:
    """A fresh id that reads well in a failure."""
    return f"{prefix}-{next(_numbers)}"


@cache
def blank() -> bytes:
    """A migrated file without rows, made once."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as outside_the_loop:
        path = Path(folder) / "blank.db"
        outside_the_loop.submit(lambda: asyncio.run(upgrade(path))).result()
        return path.read_bytes()


def migrated(path: Path) -> Path:
    """Put a migrated file there."""
    path.write_bytes(blank())
    return path


@asynccontextmanager
async def opened(path: Path, *, busy: timedelta = timedelta(seconds=5)) -> AsyncGenerator[Database]:
    """The database in a migrated file."""
    database = Database(path, busy=busy)
    await database.open()
    try:
        yield database
    finally:
        await database.close()


async def in_transaction[T](database: Database, work: Callable[[Connection], Coroutine[Any, Any, T]]) -> T:
    """All of a transaction in one step."""
    async with database.writer() as connection:
        return await connection.inside(lambda: work(connection))


@asynccontextmanager
async def a_store(folder: Path, *, now: datetime = NOW) -> AsyncGenerator[Store]:
    """A new store in this folder whose clock stands still."""
    async with opened(migrated(folder / "data_v4.db")) as database:
        yield Store(database, lambda: now)


def an_event(text: str = "I live in Beijing", **changes: Any) -> Event:
    """What Alice said just now, in private or in the group of the `umo`."""
    umo: str = changes.get("umo", PRIVATE_CHAT)
    event = Event(
        event_id=an_id("event"),
        at_scope=ScopeRef(scope=Scope.GROUP, scope_id=umo) if ":GroupMessage:" in umo else ALICE,
        owner=ALICE,
        role=Role.USER,
        text=text,
        tool="",
        platform_id="telegram",
        umo=PRIVATE_CHAT,
        conversation_id="conversation",
        message_id="message",
        sender_id="alice",
        sender_name="Alice",
        level=Level.INTERNAL,
        created_at=NOW,
    )
    return replace(event, **changes)


def an_item(fact: str = "Alice lives in Beijing", **changes: Any) -> Item:
    """An active fact of Alice's, said in private."""
    item = Item(
        memory_id=an_id("memory"),
        owner=ALICE,
        type=MemoryType.PROFILE,
        fact=fact,
        fact_key=fact.casefold(),
        confidence=0.9,
        importance=0.5,
        evidence_count=1,
        ttl_days=None,
        status=Status.ACTIVE,
        reason="",
        level=Level.INTERNAL,
        audience=Audience.CHAT,
        origin=Origin.RULE,
        origin_umo=PRIVATE_CHAT,
        person="",
        teller="",
        relationship="",
        backstory="",
        slot="",
        superseded_by=None,
        supersedes=(),
        tags=(),
        emotion=0.0,
        persona_id="",
        access_count=0,
        created_at=NOW,
        updated_at=NOW,
        last_confirmed_at=NOW,
        last_accessed_at=None,
        expires_at=None,
        deleted_at=None,
    )
    return replace(item, **changes)


def an_evidence(item: Item, event: Event, **changes: Any) -> Evidence:
    """The whole event as the reason for the item."""
    evidence = Evidence(
        evidence_id=an_id("evidence"),
        memory_id=item.memory_id,
        event_id=event.event_id,
        quote=event.text,
        extraction_method=Origin.RULE,
        extraction_meta={"rule": "home", "score": 0.5},
        created_at=NOW,
    )
    return replace(evidence, **changes)


def an_access(**changes: Any) -> Access:
    """Alice in private."""
    access = Access(
        umo=PRIVATE_CHAT, private=True, level=Level.INTERNAL, owner=ALICE, group=None, readable=(ALICE,)
    )
    return replace(access, **changes)


def a_given(memory_id: str, score: float = 0.5) -> Given:
    """A memory that a request carried."""
    return Given(memory_id=memory_id, score=score, similarity=score, importance=0.0, recency=0.0)


def a_recall(**changes: Any) -> LoggedRecall:
    """What Alice asked just now in private, which gave nothing."""
    recall = LoggedRecall(
        recall_id=an_id("recall"),
        owner=ALICE,
        umo=PRIVATE_CHAT,
        conversation_id="conversation",
        level=Level.INTERNAL,
        query="What should I cook?",
        given=(),
        left_out=(),
        vectors=False,
        reason="",
        at=NOW,
    )
    return replace(recall, **changes)


async def visible_to(
    store: Store, access: Access, *, now: datetime = NOW, min_confidence: float = 0.0
) -> list[Item]:
    """What the choke point lets a request of this access see, oldest first."""
    seen = visible(access, now=now, min_confidence=min_confidence)
    async with store._database.read() as seat:  # pyright: ignore[reportPrivateUsage] - the rows themselves
        return await listed(seat, select(ITEMS).where(seen).order_by(ITEMS.c.id))


async def evidence_of(store: Store, memory_id: str) -> list[EvidenceInContext]:
    """All that an item rests on, oldest words first."""
    return (await store.evidence([memory_id])).get(memory_id, [])


async def keep(store: Store, *items: Item, said: str | None = None) -> None:
    """Store each item with an event of its own, said where the item was."""
    async with store.transaction() as transaction:
        for item in items:
            event = an_event(said or item.fact, owner=item.owner, umo=item.origin_umo, level=item.level)
            await transaction.add_events([event])
            await transaction.insert_item(item, [an_evidence(item, event)])
