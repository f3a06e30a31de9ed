"""Whatever is written, what is in memory is what the store would answer at that moment."""

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Audience, Level, MemoryType, Scope, Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import LtmError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.models import EVENTS, EVIDENCE, ITEMS
from astrbot_plugin_ltm.long_term_memory.storage import evidence
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.vectors import Embedded
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy.exc import IntegrityError

from tests.storage.index.looking import (
    GLOBAL,
    MODEL,
    Clock,
    assert_same,
    indexed,
    look,
    seen_by_query,
    uncounted,
)
from tests.stores import (
    ALICE,
    BOB,
    GROUP,
    GROUP_CHAT,
    NOW,
    an_access,
    an_event,
    an_evidence,
    an_item,
    migrated,
    opened,
)
from tests.torture.form import either

OTHER_GROUP = ScopeRef(scope=Scope.GROUP, scope_id="qq:GroupMessage:7")
PLACES = (ALICE, GROUP, OTHER_GROUP)
OWNERS = (ALICE, BOB, GROUP, GLOBAL)
SAYINGS = ("likes green tea", "hikes with Bob", "hiked in Peking 北京", "喜欢喝绿茶", "keeps bees")
IN_GROUP = an_access(
    umo=GROUP_CHAT, private=False, level=Level.PUBLIC, group=GROUP, readable=(ALICE, GROUP, GLOBAL)
)
ACCESSES: tuple[Access, ...] = (
    an_access(),
    an_access(readable=(ALICE, BOB, GLOBAL)),
    an_access(level=Level.PUBLIC, readable=(ALICE,)),
    IN_GROUP,
    replace(IN_GROUP, group=OTHER_GROUP, level=Level.INTERNAL, readable=(ALICE, OTHER_GROUP)),
    replace(IN_GROUP, also_here=(OTHER_GROUP,)),
    replace(IN_GROUP, level=Level.CONFIDENTIAL, cross_group=True),
    an_access(readable=()),
)
POINTS = ((1.0, 0.0), (0.0, 1.0), (-3.0, 1e-9), (1.0, 1.0), (1.0, 2.0, 2.0))

STATE = st.fixed_dictionaries(
    {},
    optional={
        "fact": st.sampled_from(SAYINGS),
        "fact_key": st.sampled_from(["drink", "sport", "place", "home", "pet"]),
        "owner": st.sampled_from(OWNERS),
        "level": st.sampled_from(Level),
        "audience": st.sampled_from(Audience),
        "status": st.sampled_from([Status.ACTIVE, Status.ACTIVE, Status.SHADOW, Status.DELETED]),
        "confidence": st.sampled_from([0.4, 0.5, 1.0]),
        "importance": st.sampled_from([0.0, 0.25, 1.0]),
        "type": st.sampled_from(MemoryType),
        "person": st.sampled_from(["", "Bob"]),
        "relationship": st.sampled_from(["", "brother"]),
        "last_confirmed_at": st.sampled_from([NOW, NOW - timedelta(days=9, microseconds=1)]),
        "expires_at": st.sampled_from([None, NOW + timedelta(minutes=1), NOW + timedelta(minutes=2)]),
        "tags": st.sampled_from([(), ("a", "b")]),
    },
)
EVENT = st.fixed_dictionaries(
    {
        "at_scope": st.sampled_from(PLACES),
        "level": st.sampled_from(Level),
        "created_at": st.sampled_from([NOW, NOW - timedelta(days=3)]),
        "text": st.sampled_from(SAYINGS),
    }
)


class UndoneError(LtmError):
    """Makes a transaction end without a trace."""


@dataclass
class World:
    """A store, and the writes that the drawn steps are."""

    database: Database
    clock: Clock
    store: Store = field(init=False)
    items: list[Item] = field(default_factory=list[Item])
    events: list[Event] = field(default_factory=list[Event])

    def __post_init__(self) -> None:
        self.store = Store(self.database, self.clock)

    async def insert(self, state: dict[str, Any], said: dict[str, Any], *, undone: bool) -> None:
        event, item = an_event(**said), replace(an_item("likes green tea", fact_key="drink"), **state)
        async with self.store.transaction() as tx:
            await tx.add_events([event])
            await tx.insert_item(item, [an_evidence(item, event)])
            if undone:
                raise UndoneError
        self.items.append(item)
        self.events.append(event)

    async def update(self, number: int, state: dict[str, Any], said: dict[str, Any] | None) -> None:
        item = replace(self._item(number), **state)
        event = None if said is None else an_event(**said)
        async with self.store.transaction() as tx:
            await tx.add_events([event] if event else [])
            await tx.update_item(item, [an_evidence(item, event)] if event else [])
        self.items[self.items.index(self._item(number))] = item
        self.events += [event] if event else []

    async def say_again(self, number: int, other: int) -> None:
        item, event = self._item(number), self.events[other % len(self.events)]
        async with self.database.write() as seat:
            await seat.change(EVIDENCE.insert(), evidence.values_of(an_evidence(item, event)))

    async def embed(self, number: int, point: tuple[float, ...], model_id: str) -> None:
        item = self._item(number)
        await self.store.vectors.put(model_id, [Embedded(key=item.memory_id, fact=item.fact, vector=point)])

    async def forget_vectors(self, number: int, *, whole_model: bool) -> None:
        item = self._item(number)
        if whole_model:
            await self.store.vectors.drop(MODEL, limit=99)
        else:
            await self.store.delete_vectors(item.owner, item.memory_id)

    async def remove(self, number: int) -> None:
        item = self._item(number)
        async with self.database.write() as seat:
            await seat.change(ITEMS.delete().where(ITEMS.c.memory_id == item.memory_id))
        if len(self.items) > 1:
            self.items.remove(item)

    async def count(self, number: int) -> None:
        async with self.database.write() as seat:
            counted = ITEMS.update().where(ITEMS.c.memory_id == self._item(number).memory_id)
            await seat.change(counted.values(access_count=ITEMS.c.access_count + 1))

    async def rewrite_event(self, number: int, level: Level, place: ScopeRef) -> None:
        event = self.events[number % len(self.events)]
        async with self.database.write() as seat:
            moved = EVENTS.update().where(EVENTS.c.event_id == event.event_id)
            await seat.change(moved.values(level=level, scope=place.scope, scope_id=place.scope_id))

    async def drop_evidence(self, number: int) -> None:
        event = self.events[number % len(self.events)]
        async with self.database.write() as seat:
            await seat.change(EVIDENCE.delete().where(EVIDENCE.c.event_id == event.event_id))
            await seat.change(EVENTS.delete().where(EVENTS.c.event_id == event.event_id))

    async def wait(self, seconds: int) -> None:
        self.clock.move(timedelta(seconds=seconds))

    def _item(self, number: int) -> Item:
        return self.items[number % len(self.items)]


@asynccontextmanager
async def a_world() -> AsyncGenerator[World]:
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        async with opened(migrated(Path(folder) / "world.db")) as database:
            world = World(database, clock)
            said: dict[str, Any] = {"at_scope": GROUP, "level": Level.PUBLIC}
            await world.insert({"level": Level.PUBLIC}, said, undone=False)
            await world.insert({"fact_key": "pet"}, {}, undone=False)
            await world.embed(1, POINTS[0], MODEL)
            yield world


type Step = Callable[[World], Awaitable[None]]


def steps(verb: Callable[..., Awaitable[None]], *values: st.SearchStrategy[Any]) -> st.SearchStrategy[Step]:
    """What this method of a world does with any of these values."""

    def bound(*given: Any) -> Step:
        return lambda world: verb(world, *given)

    return st.builds(bound, *values)


NUMBER = st.integers(0, 9)
EMBEDDED_BY = st.sampled_from([MODEL, MODEL, "other"])
STEP = st.one_of(
    steps(partial(World.insert, undone=False), STATE, EVENT),
    steps(partial(World.insert, undone=False), STATE, EVENT),
    steps(partial(World.insert, undone=True), STATE, EVENT),
    steps(World.update, NUMBER, STATE, st.none() | EVENT),
    steps(World.update, NUMBER, STATE, st.none() | EVENT),
    steps(World.say_again, NUMBER, NUMBER),
    steps(World.embed, NUMBER, st.sampled_from(POINTS[:2]), EMBEDDED_BY),
    steps(partial(World.forget_vectors, whole_model=False), NUMBER),
    steps(partial(World.forget_vectors, whole_model=True), NUMBER),
    steps(World.remove, NUMBER),
    steps(World.count, NUMBER),
    steps(World.rewrite_event, NUMBER, st.sampled_from(Level), st.sampled_from(PLACES)),
    steps(World.drop_evidence, NUMBER),
    steps(World.wait, st.sampled_from([1, 30, 60])),
)


@dataclass(frozen=True)
class Round:
    """Some writes, and what is asked after them."""

    steps: list[Step]
    query: str
    point: tuple[float, ...] | None
    model_id: str


ROUND = st.builds(
    Round,
    st.lists(STEP, min_size=1, max_size=2),
    st.sampled_from(SAYINGS),
    st.none() | st.sampled_from(POINTS),
    EMBEDDED_BY,
)
LIMITS: list[dict[str, int]] = [{}, {}, {}, {"max_bytes": 10_000}, {"max_bytes": 1}]


@settings(max_examples=either(10, 100))
@given(
    rounds=st.lists(ROUND, min_size=4, max_size=12),
    limits=st.sampled_from(LIMITS),
    min_confidence=st.sampled_from([0.0, 0.5]),
)
async def test_what_is_kept_is_what_the_store_would_show_now(
    rounds: list[Round], limits: dict[str, int], min_confidence: float
) -> None:
    async with a_world() as world:
        with indexed(world.database, **limits) as (memory, _):
            for each in rounds:
                before: dict[str, Any] = {"now": world.clock.now, "min_confidence": min_confidence}
                meanwhile = [asyncio.ensure_future(look(memory, "", access, **before)) for access in ACCESSES]
                for step in each.steps:
                    with suppress(LtmError, IntegrityError):  # refused as a whole
                        await step(world)
                when: dict[str, Any] = {**before, "now": world.clock.now}
                asked: dict[str, Any] = {"point": each.point, "model_id": each.model_id, **when}
                with indexed(world.database) as (anew, _):
                    for access in ACCESSES:
                        mine = await look(memory, each.query, access, **asked)
                        assert uncounted(mine.items) == await seen_by_query(world.database, access, **when)
                        assert_same(mine, await look(anew, each.query, access, **asked))
                await asyncio.gather(*meanwhile)
