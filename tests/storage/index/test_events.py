"""What was said, searched in memory: always what the choke point would show, and nothing else."""

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, Role, Scope
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event
from astrbot_plugin_ltm.long_term_memory.domain.reading import QueryVector
from astrbot_plugin_ltm.long_term_memory.models import EVENTS
from astrbot_plugin_ltm.long_term_memory.read.protocols import ROLES, Heard
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.index import search
from astrbot_plugin_ltm.long_term_memory.storage.index.cache import OF_EVENTS, IndexCache
from astrbot_plugin_ltm.long_term_memory.storage.index.search import IndexedTranscript
from astrbot_plugin_ltm.long_term_memory.storage.index.visible_documents import EventView, event_views
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.vectors import Embedded
from astrbot_plugin_ltm.long_term_memory.storage.visibility import searchable
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from tests.storage.index.looking import asked
from tests.storage.test_plans import plan, statements
from tests.stores import ALICE, BOB, GROUP, GROUP_CHAT, NOW, an_access, an_event, migrated, opened
from tests.torture.form import either

MODEL = "plane"
OTHER_GROUP = ScopeRef(scope=Scope.GROUP, scope_id="qq:GroupMessage:7")
PROJECT = ScopeRef(scope=Scope.PROJECT, scope_id="webchat:p1")
ALICES_OTHER = ScopeRef(scope=Scope.USER, scope_id="qq:alice")
IN_GROUP = an_access(umo=GROUP_CHAT, private=False, level=Level.PUBLIC, group=GROUP, readable=(ALICE, GROUP))
IN_PROJECT = an_access(readable=(ALICE, ALICES_OTHER, PROJECT))
ACCESSES: tuple[Access, ...] = (
    an_access(),
    an_access(level=Level.PUBLIC),
    an_access(readable=(ALICE, ALICES_OTHER)),
    IN_PROJECT,
    an_access(owner=BOB, readable=(BOB,)),
    an_access(readable=()),
    IN_GROUP,
    replace(IN_GROUP, owner=BOB, readable=(BOB, GROUP)),
    replace(IN_GROUP, group=OTHER_GROUP, also_here=(GROUP,), level=Level.RESTRICTED),
    replace(IN_GROUP, group=None),
)


@contextmanager
def searched(database: Database, **limits: int) -> Generator[tuple[IndexedTranscript, IndexCache]]:
    cache = IndexCache(database, OF_EVENTS, **limits)
    try:
        yield IndexedTranscript(cache, lambda: MODEL), cache
    finally:
        cache.close()


async def hear(
    transcript: IndexedTranscript,
    text: str = "tea",
    access: Access | None = None,
    point: tuple[float, ...] | None = None,
) -> Heard:
    vector = None if point is None else QueryVector(model_id=MODEL, numbers=point)
    return await transcript.look_up(access or an_access(), asked(text), vector, now=NOW)


async def tell(store: Store, *events: Event) -> None:
    async with store.transaction() as transaction:
        await transaction.add_events(events)


async def embed(store: Store, event: Event, point: tuple[float, ...] = (1.0, 0.0)) -> None:
    await store.vectors.put(MODEL, [Embedded(key=event.event_id, vector=point)])


async def shown(database: Database, access: Access) -> list[str]:
    """What the choke point lets through."""
    async with database.read() as seat:
        rows = await seat.execute(select(EVENTS.c.event_id).where(searchable(access)))
        return sorted(rows.scalars())


@pytest.fixture
async def database(file: Path) -> AsyncGenerator[Database]:
    async with opened(file) as database:
        yield database


@pytest.fixture
def store(database: Database) -> Store:
    return Store(database, lambda: NOW)


async def test_what_is_said_is_found_by_its_words_and_its_speaker_at_once(
    database: Database, store: Store
) -> None:
    green, black = an_event("I like green tea"), an_event("Black then", sender_name="Teapot")
    with searched(database) as (transcript, _):
        await tell(store, green)
        assert (await hear(transcript, "tea")).signals.words.tolist() > [0.0]
        await tell(store, black)
        heard = await hear(transcript, "teapot")
        assert [*heard.event_ids] == [green.event_id, black.event_id]
        assert heard.signals.words.astype(bool).tolist() == [False, True]
        assert heard.signals.named.tolist() == [False, True]


async def test_what_somebody_quotes_is_not_searched_as_theirs(database: Database, store: Store) -> None:
    await tell(store, an_event("I agree", quoted="Bob: tea is poison"))
    with searched(database) as (transcript, _):
        assert (await hear(transcript, "poison tea")).signals.words.tolist() == [0.0]


async def test_it_is_known_who_spoke_when_and_in_which_talk(database: Database, store: Store) -> None:
    later = NOW + timedelta(microseconds=1)
    said = [
        an_event("Tea?"),
        an_event("Yes", role=Role.ASSISTANT, sender_name="", created_at=later),
        an_event("Tea!", conversation_id="next"),
        an_event("So", umo=GROUP_CHAT, conversation_id=""),
        an_event("Yes", umo=GROUP_CHAT),
    ]
    await tell(store, *said)
    with searched(database) as (transcript, _):
        heard = await hear(transcript)
    places = {each: at for at, each in enumerate(heard.event_ids)}
    asked_, answered, next_, in_group, in_group_too = (places[event.event_id] for event in said)
    threads, signals = heard.threads.tolist(), heard.signals
    assert threads[asked_] == threads[answered] != threads[next_]
    assert threads[in_group] == threads[in_group_too] not in (threads[asked_], threads[next_])
    assert ROLES[signals.kinds[answered]] is Role.ASSISTANT
    assert signals.said[answered] - signals.said[asked_] == pytest.approx(1e-6, rel=0.3)


async def test_the_words_of_what_was_found_are_read_as_far_as_they_may_be_shown(
    database: Database, store: Store
) -> None:
    mine = an_event("I like tea", created_at=NOW - timedelta(hours=1))
    page = an_event("Tea is a drink", role=Role.TOOL, tool="fetch")
    reply = an_event("Noted", role=Role.ASSISTANT, sender_name="", sender_id="")
    bobs = an_event("I like coffee", owner=BOB, at_scope=BOB)
    secret = an_event("My tea is stolen", level=Level.RESTRICTED)
    await tell(store, mine, page, reply, bobs, secret)
    ids = [event.event_id for event in (mine, page, reply, bobs, secret)]
    with searched(database) as (transcript, _):
        found = await transcript.read(an_access(), [*ids, "gone"])
    assert [*found] == ids[:3]
    assert [found[each] for each in ids[:3]] == [mine, page, reply]


async def test_vectors_are_compared_once_they_are_there(database: Database, store: Store) -> None:
    old, new = an_event("tea"), an_event("coffee", created_at=NOW + timedelta(hours=1))
    await tell(store, old)
    with searched(database) as (transcript, _):
        assert not await transcript.warm(an_access(), now=NOW)
        await embed(store, old)
        assert await transcript.warm(an_access(), now=NOW)
        await tell(store, new)
        heard = await hear(transcript, point=(0.6, 0.8))
        cosines = dict(zip(heard.event_ids, heard.signals.cosine.tolist(), strict=True))
        assert cosines[old.event_id] == pytest.approx(0.6)
        assert np.isnan(cosines[new.event_id])


async def test_without_a_model_there_is_nothing_to_compare(database: Database, store: Store) -> None:
    event = an_event("tea")
    await tell(store, event)
    await embed(store, event)
    with searched(database) as (_, cache):
        assert not await IndexedTranscript(cache, lambda: None).warm(an_access(), now=NOW)


async def test_ones_own_words_in_a_project_are_there_once(database: Database, store: Store) -> None:
    event = an_event("tea", at_scope=PROJECT)
    await tell(store, event)
    with searched(database) as (transcript, _):
        for access in (IN_PROJECT, an_access()):
            assert [*(await hear(transcript, access=access)).event_ids] == [event.event_id]


async def test_many_are_searched_in_a_thread_to_the_same_end(
    database: Database, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await tell(store, an_event("tea"), an_event("coffee"))
    with searched(database) as (transcript, _):
        plain = await hear(transcript)
        monkeypatch.setattr(search, "IN_THREAD_ABOVE", 1)
        threaded = await hear(transcript)
    assert plain.signals.words.tolist() == threaded.signals.words.tolist()
    assert [*plain.event_ids] == [*threaded.event_ids]


class NewestEvents(EventView):
    """Shows three, and grows to four before it is loaded anew."""

    max_rows = 4


async def test_of_a_long_transcript_the_newest_part_is_kept(database: Database, store: Store) -> None:
    events = [an_event(f"tea {number}", created_at=NOW + timedelta(number)) for number in range(12)]
    [view] = event_views(an_access())
    with searched(database) as (_, cache):
        for number, event in enumerate(events):
            await tell(store, event)
            [index] = await cache.get([NewestEvents(ref=view.ref, access=view.access)], NOW)
            assert index.columns["row"].tolist()[-3:] == [each.event_id for each in events[: number + 1][-3:]]
            assert len(index) <= 4


async def test_a_person_is_searched_by_index_however_much_others_say(file: Path, database: Database) -> None:
    with searched(database) as (transcript, _), statements() as said:
        for access in ACCESSES:
            await hear(transcript, access=access)
    steps = [step for step in plan(file, said) if "ltm_events" in step]
    assert steps
    assert all("USING INDEX ltm_events_" in step and "ltm_events_age" not in step for step in steps), steps


EVENT = st.fixed_dictionaries(
    {
        "at_scope": st.sampled_from([ALICE, BOB, ALICES_OTHER, GROUP, OTHER_GROUP, PROJECT]),
        "owner": st.sampled_from([ALICE, BOB, ALICES_OTHER]),
        "role": st.sampled_from(Role),
        "level": st.sampled_from(Level),
        "text": st.sampled_from(["green tea", "绿茶很好", "coffee"]),
        "created_at": st.sampled_from([NOW, NOW - timedelta(days=3)]),
    }
)


@dataclass
class World:
    """A store, and the writes that the drawn steps are."""

    database: Database
    store: Store = field(init=False)
    events: list[Event] = field(default_factory=list[Event])

    def __post_init__(self) -> None:
        self.store = Store(self.database, lambda: NOW)

    async def say(self, said: dict[str, Any]) -> None:
        self.events.append(an_event(**said))
        await tell(self.store, self.events[-1])

    async def rewrite(self, number: int, said: dict[str, Any]) -> None:
        event = replace(self._event(number), **said)
        mine = EVENTS.update().where(EVENTS.c.event_id == event.event_id)
        async with self.database.write() as seat:
            await seat.change(
                mine.values(
                    scope=event.at_scope.scope,
                    scope_id=event.at_scope.scope_id,
                    owner_scope=event.owner.scope,
                    owner_scope_id=event.owner.scope_id,
                    source_role=event.role,
                    level=event.level,
                    content={"text": event.text},
                )
            )

    async def embed(self, number: int) -> None:
        await embed(self.store, self._event(number))

    async def forget(self, number: int) -> None:
        async with self.database.write() as seat:
            await seat.change(EVENTS.delete().where(EVENTS.c.event_id == self._event(number).event_id))

    def _event(self, number: int) -> Event:
        return self.events[number % len(self.events)]


@asynccontextmanager
async def a_world() -> AsyncGenerator[World]:
    with tempfile.TemporaryDirectory() as folder:
        async with opened(migrated(Path(folder) / "world.db")) as database:
            world = World(database)
            await world.say({"text": "tea with Alice"})
            yield world


type Step = Callable[[World], Awaitable[None]]


def steps(verb: Callable[..., Awaitable[None]], *values: st.SearchStrategy[Any]) -> st.SearchStrategy[Step]:
    """What this method of a world does with any of these values."""

    def bound(*given: Any) -> Step:
        return lambda world: verb(world, *given)

    return st.builds(bound, *values)


NUMBER = st.integers(0, 9)
STEP = st.one_of(
    steps(World.say, EVENT),
    steps(World.say, EVENT),
    steps(World.rewrite, NUMBER, EVENT),
    steps(World.embed, NUMBER),
    steps(World.forget, NUMBER),
)


def of_each(heard: Heard) -> dict[str, tuple[object, ...]]:
    """Event id to everything that is known of it."""
    signals = heard.signals
    columns = (signals.words, signals.coverage, signals.cosine, signals.kinds, signals.said, heard.threads)
    rows = zip(*(np.nan_to_num(each, nan=-9.0).round(6).tolist() for each in columns), strict=True)
    return dict(zip(heard.event_ids, rows, strict=True))


@settings(max_examples=either(10, 100))
@given(
    rounds=st.lists(st.lists(STEP, min_size=1, max_size=4), max_size=8),
    limits=st.sampled_from([{}, {"max_bytes": 10_000}, {"max_bytes": 1}]),
    point=st.none() | st.just((0.6, 0.8)),
)
async def test_nothing_is_searched_but_what_the_store_would_show_now_and_that_once(
    rounds: list[list[Step]], limits: dict[str, int], point: tuple[float, ...] | None
) -> None:
    async with a_world() as world:
        with searched(world.database, **limits) as (transcript, _):
            for together in [[], *rounds]:
                meanwhile = [asyncio.ensure_future(hear(transcript, "tea", each)) for each in ACCESSES]
                for step in together:
                    await step(world)
                with searched(world.database) as (anew, _):
                    for access in ACCESSES:
                        mine = await hear(transcript, "tea", access, point)
                        assert sorted(mine.event_ids) == await shown(world.database, access)
                        assert of_each(mine) == of_each(await hear(anew, "tea", access, point))
                        everything = [event.event_id for event in world.events]
                        assert sorted(await transcript.read(access, everything)) == sorted(mine.event_ids)
                await asyncio.gather(*meanwhile)
