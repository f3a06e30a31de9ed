import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Audience, Level, MemoryType, Scope
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.read.protocols import KINDS, OF_ANSWERS
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.index import search
from astrbot_plugin_ltm.long_term_memory.storage.index.search import IndexedMemory
from astrbot_plugin_ltm.long_term_memory.storage.index.visible_documents import (
    ItemVectors,
    ItemView,
    item_views,
)
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.storage.index.looking import GLOBAL, MODEL, asked, facts, indexed, look, of_each
from tests.storage.test_plans import plan, statements
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
    keep,
    opened,
)

OTHER_GROUP = ScopeRef(scope=Scope.GROUP, scope_id="qq:GroupMessage:7")
IN_GROUP = an_access(
    umo=GROUP_CHAT, private=False, level=Level.PUBLIC, group=GROUP, readable=(ALICE, GROUP, GLOBAL)
)


@pytest.fixture
async def database(file: Path) -> AsyncGenerator[Database]:
    async with opened(file) as database:
        yield database


@pytest.fixture
def store(database: Database) -> Store:
    return Store(database, lambda: NOW)


@pytest.fixture
def memory(database: Database) -> IndexedMemory:
    with indexed(database) as (memory, _):
        return memory


async def say(store: Store, item: Item, *said: tuple[str, dict[str, Any]]) -> None:
    """Keep an item that rests on all of this."""
    events = [an_event(text, **where) for text, where in said]
    async with store.transaction() as tx:
        await tx.add_events(events)
        links = [an_evidence(item, each, extraction_meta={"tags": f"tag{each.text}"}) for each in events]
        await tx.insert_item(item, links)


ALONE = {"at_scope": ALICE, "level": Level.INTERNAL}
HERE = {"at_scope": GROUP, "level": Level.PUBLIC}
THERE = {"at_scope": OTHER_GROUP, "level": Level.PUBLIC}


@pytest.mark.parametrize(
    ("access", "found"),
    [
        (an_access(), {"alone", "here", "there"}),
        (an_access(level=Level.PUBLIC), {"here", "there"}),
        (IN_GROUP, {"here"}),
        (replace(IN_GROUP, level=Level.RESTRICTED), {"here"}),
        (replace(IN_GROUP, group=OTHER_GROUP), {"there"}),
        (replace(IN_GROUP, also_here=(OTHER_GROUP,)), {"here", "there"}),
        (replace(IN_GROUP, group=None), set[str]()),
    ],
)
async def test_a_fact_is_found_by_the_words_that_may_be_shown_in_this_chat(
    store: Store, memory: IndexedMemory, access: Access, found: set[str]
) -> None:
    item = an_item("lives in Berlin", level=Level.PUBLIC, audience=Audience.EVERYWHERE)
    await say(store, item, ("alone", ALONE), ("here", HERE), ("there", THERE))
    for word in ("alone", "here", "there"):
        (score,) = of_each(await look(memory, f"{word}ness {word}", access), "words").values()
        assert (score > 0) == (word in found and bool(asked(word)))
        (score,) = of_each(await look(memory, f"tag{word}", access), "words").values()
        assert (score > 0) == (word in found)


async def test_what_belongs_to_a_group_is_found_by_what_was_said_in_it(
    store: Store, memory: IndexedMemory
) -> None:
    item = an_item("meets on Friday", owner=GROUP, level=Level.PUBLIC)
    await say(store, item, ("juggling", HERE), ("chess", THERE))
    for access in (
        IN_GROUP,
        replace(IN_GROUP, owner=BOB, readable=(BOB, GROUP)),
        an_access(readable=(GROUP,)),
    ):
        for word, found in (("juggling", True), ("chess", False), ("Friday", True)):
            (score,) = of_each(await look(memory, word, access), "words").values()
            assert (score > 0) == found


async def test_only_the_newest_words_of_much_evidence_are_looked_through(
    store: Store, memory: IndexedMemory
) -> None:
    words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "eight"]
    await say(store, an_item("counts"), *((f"number{word}", ALONE) for word in words))
    for word in words:
        (score,) = of_each(await look(memory, f"number{word}"), "words").values()
        assert (score > 0) == (word != "zero")


@pytest.mark.parametrize(
    ("fact", "slot", "asked_for"),
    [
        ("User works as a nurse", "job", ("job", "profession", "工作")),
        ("用户31岁", "age", ("年龄", "多大", "age")),
        ("User has 2 kids", "", ("小孩", "孩子")),
    ],
)
async def test_a_fact_is_found_by_what_it_answers(
    store: Store, memory: IndexedMemory, fact: str, slot: str, asked_for: tuple[str, ...]
) -> None:
    await keep(store, an_item(fact, slot=slot), an_item("likes tea"))
    for word in asked_for:
        seen = await look(memory, word, asks=True)
        words = of_each(seen, "words")
        assert (words[fact] > 0, words["likes tea"]) == (True, 0)
        assert not of_each(seen, "named")[fact]
        assert not any(of_each(await look(memory, word), "words").values())


async def test_a_preference_about_answers_is_a_kind_of_its_own(store: Store, memory: IndexedMemory) -> None:
    for number, (kind, fact) in enumerate(
        (
            (MemoryType.PREFERENCE, "User prefers short answers"),
            (MemoryType.PREFERENCE, "User prefers short trips"),
            (MemoryType.CONSTRAINT, "User wants short answers"),
        )
    ):
        await say(store, an_item(fact, memory_id=str(number), type=kind, fact_key=fact), (fact, {}))
    kinds = (await look(memory, "short")).signals.kinds.tolist()
    assert [KINDS[kind] for kind in kinds] == [OF_ANSWERS, MemoryType.PREFERENCE, MemoryType.CONSTRAINT]


async def test_each_signal_comes_from_its_column(store: Store, memory: IndexedMemory) -> None:
    early, late = datetime(2024, 2, 29, 23, 59, 59, 999_999, UTC), datetime(2025, 1, 1, tzinfo=UTC)
    item = an_item(
        "is vegan",
        type=MemoryType.CONSTRAINT,
        importance=0.25,
        person="Bob",
        relationship="brother",
        backstory="since school",
        last_confirmed_at=early,
    )
    await say(store, item, ("no meat", {"created_at": early}), ("none", {"created_at": late}))
    seen = await look(memory, "school")
    signals = seen.signals
    assert KINDS[signals.kinds.tolist()[0]] is MemoryType.CONSTRAINT
    assert signals.importance.tolist() == [0.25]
    assert signals.said.tolist() == [late.timestamp()]
    assert signals.confirmed.tolist() == pytest.approx([early.timestamp()], abs=1e-6)
    assert signals.words.tolist()[0] > 0
    assert signals.coverage.tolist() == [1]
    for text, named in (("Bob", True), ("my brother", True), ("vegan", False)):
        assert (await look(memory, text)).signals.named.tolist() == [named]


async def test_an_item_comes_back_as_it_was_stored(store: Store, memory: IndexedMemory) -> None:
    item = an_item(
        "喜欢\0绿茶",
        tags=("a", "ü"),
        supersedes=("x",),
        ttl_days=3,
        expires_at=NOW + timedelta(days=3, microseconds=7),
        last_accessed_at=NOW,
        emotion=0.5,
        persona_id="p",
        teller="Bob",
        slot="drink",
        access_count=2,
    )
    await keep(store, item, an_item("plain"))
    assert (await look(memory)).items[0] == item
    assert [await store.item(one.memory_id) for one in (await look(memory)).items] == list(
        (await look(memory)).items
    )


@pytest.mark.parametrize("many", [1, 2])
async def test_many_documents_are_searched_in_a_thread_with_the_same_outcome(
    store: Store, database: Database, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "IN_THREAD_ABOVE", many)
    await keep(store, an_item("likes tea"), an_item("keeps bees"))
    with indexed(database) as (_, cache):
        memory = IndexedMemory(cache, lambda: None)
        await memory.warm(an_access(), now=NOW, min_confidence=0.5)
        meanwhile = asyncio.Event()
        asyncio.get_running_loop().call_soon(meanwhile.set)
        seen = await look(memory, "tea")
        assert meanwhile.is_set() == (many < 2)
        assert facts(seen) == ["keeps bees", "likes tea"]
        assert (seen.signals.words > 0).tolist() == [True, False]


async def test_of_the_versions_of_a_fact_the_highest_counts_then_the_last_confirmed(
    store: Store, memory: IndexedMemory
) -> None:
    early = NOW - timedelta(days=1)
    await keep(
        store,
        an_item("old but high", fact_key="home", level=Level.INTERNAL, last_confirmed_at=early),
        an_item("new but low", fact_key="home", level=Level.PUBLIC),
        an_item("another's", fact_key="home", level=Level.PUBLIC, person="Bob"),
        an_item("of the other account", fact_key="home", owner=BOB, level=Level.INTERNAL),
        an_item("the group's", fact_key="home", owner=GROUP, level=Level.PUBLIC, last_confirmed_at=early),
        an_item("another key", fact_key="work"),
    )
    seen = await look(memory, access=an_access(readable=(ALICE, BOB, GROUP)))
    shadowed = {fact for fact, flag in of_each(seen, "shadowed").items() if flag}
    assert shadowed == {"old but high", "new but low"}
    alone = await look(memory)
    assert [fact for fact, flag in of_each(alone, "shadowed").items() if flag] == ["new but low"]


@pytest.mark.parametrize(
    ("ref", "same", "different"),
    [
        (
            ALICE,
            [
                an_access(),
                an_access(umo="other", owner=BOB, group=GROUP, also_here=(OTHER_GROUP,)),
                an_access(cross_group=True),
            ],
            [
                IN_GROUP,
                replace(IN_GROUP, group=OTHER_GROUP),
                replace(IN_GROUP, cross_group=True),
                an_access(level=Level.PUBLIC),
            ],
        ),
        (
            GROUP,
            [
                IN_GROUP,
                replace(IN_GROUP, umo="other", owner=BOB, private=True),
                replace(IN_GROUP, cross_group=True),
            ],
            [replace(IN_GROUP, also_here=(OTHER_GROUP,)), replace(IN_GROUP, level=Level.INTERNAL)],
        ),
        (GLOBAL, [IN_GROUP, an_access(level=Level.PUBLIC)], [an_access()]),
    ],
)
def test_accesses_that_see_the_same_of_a_scope_share_it(
    ref: ScopeRef, same: list[Access], different: list[Access]
) -> None:
    def view(access: Access) -> ItemView:
        return item_views(replace(access, readable=(ref,)), 0.5)[0]

    shared = {view(access) for access in same}
    assert len(shared) == 1
    assert len(shared | {view(access) for access in different}) == 1 + len(different)


def test_a_scope_named_twice_is_seen_once() -> None:
    found = item_views(an_access(readable=(ALICE, BOB, ALICE)), 0.5)
    assert [view.ref for view in found] == [ALICE, BOB]


@pytest.mark.parametrize("access", [an_access(), replace(IN_GROUP, readable=(ALICE,))])
@pytest.mark.parametrize("only", [None, frozenset({1, 2})])
async def test_a_view_is_read_by_its_scope_and_what_changed_by_its_id(
    file: Path, database: Database, store: Store, access: Access, only: frozenset[int] | None
) -> None:
    await keep(store, an_item("likes tea", memory_id="a", audience=Audience.EVERYWHERE, level=Level.PUBLIC))
    (view,) = item_views(access, 0.5)
    async with database.read() as seat:
        with statements() as asked_for:
            for key in (view, ItemVectors(ref=view.ref, model_id=MODEL)):
                found = await seat.run(lambda connection, key=key: key.load(connection, NOW, only))
                assert len(found) == (key is view)
    steps = [step for step in plan(file, asked_for) if "ltm_" in step]
    assert not [step for step in steps if step.startswith("SCAN")], steps
    by = (
        "ltm_items_scope (scope=? AND scope_id=? AND status=?)"
        if only is None
        else "INTEGER PRIMARY KEY (rowid=?)"
    )
    assert by in steps[0], steps
    for table, key in (
        ("ltm_evidence", "(memory_id=?"),
        ("ltm_events", "(event_id=?)"),
        ("ltm_vectors", "(memory_id=? AND model_id=?)"),
    ):
        assert all(key in step for step in steps if f"{table} " in step), steps


async def test_what_is_a_persons_own_is_told_from_what_is_a_groups(
    store: Store, memory: IndexedMemory
) -> None:
    await keep(store, an_item("mine"), an_item("ours", owner=GROUP))
    seen = await look(memory, "", an_access(readable=(ALICE, GROUP)))
    own = {item.fact: mine for item, mine in zip(seen.items, seen.own.tolist(), strict=True)}
    assert own == {"mine": True, "ours": False}
