"""What is kept together is what would be worked out anew, and no longer than that."""

import gc
import weakref
from collections.abc import AsyncGenerator
from pathlib import Path

import numpy as np
import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.reading import QueryVector, Term
from astrbot_plugin_ltm.long_term_memory.domain.words import Scope
from astrbot_plugin_ltm.long_term_memory.read.signals import Visible
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.slices.cache import MOST_TOGETHER, Slices
from astrbot_plugin_ltm.long_term_memory.storage.slices.memory import SlicedMemory
from astrbot_plugin_ltm.long_term_memory.storage.slices.search import search, seen_before
from astrbot_plugin_ltm.long_term_memory.storage.slices.sights import ItemSight, sights
from astrbot_plugin_ltm.long_term_memory.storage.slices.together import Together
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.storage.slices.looking import MODEL, asked, assert_same, look, sliced
from tests.storage.slices.papers import Paper, a_slice
from tests.stores import ALICE, BOB, GROUP, NOW, an_access, an_event, an_evidence, an_item, keep, opened

BOTH = an_access(readable=(ALICE, BOB))
TERMS = asked("green tea")
VECTOR = QueryVector(model_id=MODEL, numbers=(1.0, 0.0))


@pytest.fixture
async def database(file: Path) -> AsyncGenerator[Database]:
    async with opened(file) as database:
        yield database


async def together(slices: Slices[ItemSight, Item], access: Access = BOTH) -> Together[Item]:
    return await slices.get(sights(access, 0.5), now=NOW, model_id=None, else_model_id=MODEL)


async def add(database: Database, fact: str, owner: ScopeRef = ALICE) -> Item:
    item = an_item(fact, owner=owner, fact_key=fact)
    await keep(Store(database, lambda: NOW), item)
    return item


async def test_slices_stay_together_until_one_of_them_changes(database: Database) -> None:
    await add(database, "likes tea")
    with sliced(database) as (_, slices):
        first = await together(slices)
        assert await together(slices) is first
        await add(database, "likes bees", BOB)
        after = await together(slices)
        assert after is not first
        assert (len(first), len(after)) == (1, 2)
        assert await together(slices) is after


async def test_only_what_was_asked_for_last_stays_together(database: Database) -> None:
    with sliced(database) as (_, slices):
        first = await together(slices)
        for number in range(MOST_TOGETHER):
            assert await together(slices) is first
            await together(slices, an_access(readable=(ScopeRef(scope=Scope.USER, scope_id=str(number)),)))
        for number in range(MOST_TOGETHER):
            await together(slices, an_access(readable=(ScopeRef(scope=Scope.USER, scope_id=str(number)),)))
        assert await together(slices) is not first


async def test_what_is_let_go_is_held_by_nothing_it_was_together_with(database: Database) -> None:
    for owner in (ALICE, BOB):
        for number in range(3):
            await add(database, f"fact {number}", owner)
    with sliced(database, max_documents=3) as (_, slices):
        alices = an_access(readable=(ALICE,))
        first = weakref.ref(await together(slices, alices))
        assert first() is not None
        await together(slices, an_access(readable=(BOB,)))
        assert slices.documents == 3
        gc.collect()
        assert first() is None


def test_a_column_of_one_slice_is_not_copied() -> None:
    alone = a_slice(Paper(name="a", text="tea"))
    for slices in ([alone], [a_slice(ref=GROUP), alone]):
        assert Together(slices).said is alone.contents.columns.said


def test_what_was_found_is_found_again_for_the_same_question_only() -> None:
    slices = Together([a_slice(Paper(name="a", text="green tea"), Paper(name="b", text="bees"))])
    assert seen_before(slices, TERMS, VECTOR) is None
    found = search(slices, TERMS, VECTOR)
    assert seen_before(slices, TERMS, VECTOR) is found
    for terms, vector in (
        ([Term("bees")], VECTOR),
        (TERMS, None),
        (TERMS, QueryVector(model_id=MODEL, numbers=(0.0, 1.0))),
    ):
        assert seen_before(slices, terms, vector) is None
    search(slices, (), None)
    assert seen_before(slices, TERMS, VECTOR) is None


@pytest.mark.parametrize("many", [0, 2_000])
async def test_a_look_up_that_was_prepared_is_what_it_would_be_unprepared(
    database: Database, many: int
) -> None:
    await add(database, "likes green tea")
    await add(database, "keeps bees", BOB)
    with sliced(database) as (plain, slices):
        memory = SlicedMemory(slices, lambda: MODEL, many=many)

        async def ask(terms: list[Term]) -> Visible:
            return await memory.look_up(BOTH, terms, None, now=NOW, min_confidence=0.5)

        prepared = await ask(TERMS)
        again = await ask(TERMS)
        assert again.signals is prepared.signals
        assert_same(again, await look(plain, "green tea", BOTH))
        await add(database, "likes green tea with milk")
        changed = await ask(TERMS)
        assert np.count_nonzero(changed.signals.words) == 2
        assert_same(changed, await look(plain, "green tea", BOTH))


async def test_what_several_accounts_of_a_person_answer_is_one_question(database: Database) -> None:
    store = Store(database, lambda: NOW)
    homes = [
        an_item(fact, owner=owner, fact_key=fact, slot=slot, person=person)
        for fact, owner, slot, person in (
            ("lives in Rome", ALICE, "home_city", ""),
            ("lives in Oslo", BOB, "home_city", ""),
            ("lives in Bonn", BOB, "home_city", "Carol"),
            ("is a baker", BOB, "job", ""),
            ("likes tea", BOB, "", ""),
        )
    ]
    async with store.transaction() as transaction:
        for home in homes:
            event = an_event(home.fact, at_scope=home.owner, owner=home.owner)
            await transaction.add_events([event])
            await transaction.insert_item(home, [an_evidence(home, event)])
    with sliced(database) as (memory, _):
        seen = await look(memory, access=BOTH)
    answers = {item.fact: answer for item, answer in zip(seen.items, seen.answers.tolist(), strict=True)}
    assert answers["lives in Rome"] == answers["lives in Oslo"] != 0
    assert len({*answers.values()}) == 4
    assert answers["likes tea"] == 0
