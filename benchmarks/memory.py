"""A memory of the plugin on a separate file, filled by benchmarks.

The plugin's store keeps the facts with their events, its background job embeds them, its manager recalls.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import override

from astrbot_plugin_ltm.long_term_memory.access.gatekeeper import LevelRules, access_of
from astrbot_plugin_ltm.long_term_memory.access.identity import IdentityRules
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction, Level, MemoryType
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.domain.providers import Embedder
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.upkeep.embedding import Embedding

from benchmarks.datasets import Fact, Message, Pool
from benchmarks.embedders import RememberingEmbedder
from tests.read.fakes import NoEmbedder
from tests.running import FakeMarkers, World, private, settings
from tests.stores import NOW, an_event, an_evidence, an_item, opened

SOMEBODY = "User"
"""The name of who speaks where a set of talk names nobody."""


class KeptMarkers(FakeMarkers):
    """The marks outside the tables, in a file beside the store, so that another start finds them."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file.with_suffix(".marks")

    @override
    async def read(self) -> Sequence[str | None]:
        return [self._file.read_text("utf-8")] * 2 if self._file.exists() else [None, None]

    @override
    async def write(self, store_id: str) -> None:
        self._file.write_text(store_id, "utf-8")


def world_of(file: Path, embedder: Embedder | None) -> World:
    """The outside of the memory in this file, with this embedding provider or none."""
    return World(file, embedder=embedder or NoEmbedder(), markers=KeptMarkers(file))


@asynccontextmanager
async def at_work(
    world: World, read_policy: Mapping[str, object], *, read_only: bool = True
) -> AsyncGenerator[LTMManager]:
    """The memory, with this policy of reading; read-only, so that no upkeep changes what is asked for."""
    raw = {"read_policy": read_policy, "recall_deadline_ms": 10_000, "emergency_read_only": read_only}
    async with world.memory(settings(raw)) as memory:
        yield memory


@asynccontextmanager
async def experienced(
    world: World,
    read_policy: Mapping[str, object],
    model: RememberingEmbedder | None,
    pool: str,
    *,
    read_only: bool = True,
) -> AsyncGenerator[LTMManager]:
    """The same once this person has asked something: then it learns what its embedding model is like."""
    async with at_work(world, read_policy, read_only=read_only) as memory:
        if model:
            await memory.recall(chat_of(pool), "Hello?")
            await model.idle()
        yield memory


def chat_of(pool: str) -> Chat:
    """The private chat in which a pool was said and is asked for: each is a person of its own."""
    return private(pool)


@cache
def scope_of(pool: str) -> ScopeRef:
    """The scope that the plugin gives that person."""
    return access_of(chat_of(pool), IdentityRules(), LevelRules(), Level.PUBLIC).owner


@dataclass(frozen=True, kw_only=True)
class Shelf:
    """What was put into a file: which messages each memory and each event covers."""

    covers: Mapping[str, frozenset[str]]
    """By memory id and by event id."""
    owners: Mapping[str, ScopeRef]
    """Whose each of them is."""


async def fill(file: Path, pools: Sequence[Pool]) -> Shelf:
    """Store every message as an event and every fact as an item, each pool in its own scope."""
    covers: dict[str, frozenset[str]] = {}
    owners: dict[str, ScopeRef] = {}
    async with opened(file) as database:
        store = Store(database, lambda: pools[0].questions[0].at)
        for pool in pools:
            events = {message.id: _event(pool.name, message) for message in pool.messages}
            async with store.transaction() as transaction:
                await transaction.add_events(list(events.values()))
                for number, fact in enumerate(pool.facts):
                    item = _item(pool.name, number, fact)
                    evidence = [an_evidence(item, events[message.id]) for message in fact.said]
                    await transaction.insert_item(item, evidence)
                    covers[item.memory_id], owners[item.memory_id] = fact.covers, item.owner
            covers |= {event.event_id: frozenset([said]) for said, event in events.items()}
            owners |= {event.event_id: event.owner for event in events.values()}
    return Shelf(covers=covers, owners=owners)


def _event(pool: str, message: Message) -> Event:
    owner = scope_of(pool)
    return an_event(
        message.text,
        event_id=f"{pool}/{message.id}",
        at_scope=owner,
        owner=owner,
        umo=chat_of(pool).umo,
        platform_id=chat_of(pool).platform_id,
        conversation_id=f"{pool}/{message.session}",
        message_id=message.id,
        sender_id=message.speaker or pool,
        sender_name=message.speaker or SOMEBODY,
        created_at=message.at,
        extraction=Extraction.DONE,
    )


def _item(pool: str, number: int, fact: Fact) -> Item:
    return an_item(
        fact.text,
        memory_id=f"{pool}/fact {number}",
        owner=scope_of(pool),
        type=MemoryType.EPISODE,
        fact_key=str(number),
        person=fact.person,
        origin_umo=chat_of(pool).umo,
        evidence_count=len(fact.said),
        created_at=fact.at,
        updated_at=fact.at,
        last_confirmed_at=fact.at,
    )


async def embed(file: Path, embedder: Embedder, *, transcript: bool = False) -> None:
    """Give every item its vectors, and every message if wanted, as the background job of the plugin does."""
    async with opened(file) as database:
        embedding = Embedding(
            Store(database, lambda: NOW).vectors,
            embedder,
            lambda: NOW,
            transcript_since=(lambda: None) if transcript else None,
            breathe=_at_once,
        )
        while await embedding.embed_batch():
            pass


async def _at_once() -> None:
    """No breath: nobody else is at work."""
