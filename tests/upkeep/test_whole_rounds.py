"""Whatever is in the store and whenever it comes: a round loses no evidence and brings nothing to light."""

import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import (
    Audience,
    Extraction,
    Level,
    MemoryType,
    Origin,
    Scope,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.models import METADATA
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.vectors import Embedded
from astrbot_plugin_ltm.long_term_memory.text_analysis.word_forms import normal_words
from astrbot_plugin_ltm.long_term_memory.upkeep.duplicates import Duplicates
from astrbot_plugin_ltm.long_term_memory.upkeep.housekeeping import Housekeeping, retention
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from tests.running import settings as configured
from tests.stores import (
    ALICE,
    BOB,
    NOW,
    a_store,
    an_access,
    an_event,
    an_evidence,
    an_item,
    visible_to,
)
from tests.torture.form import either
from tests.upkeep.fakes import Hands

DAY = timedelta(days=1)
UMOS = {name: f"qq:GroupMessage:{name}" for name in ("kitchen", "garden")}
KITCHEN, GARDEN = (ScopeRef(scope=Scope.GROUP, scope_id=umo) for umo in UMOS.values())
PLACES = ("telegram:FriendMessage:alice", *UMOS.values())
ACCESSES = [
    *(an_access(level=level) for level in Level),
    *(
        an_access(level=level, private=False, owner=owner, group=group, readable=(owner, group))
        for level in (Level.PUBLIC, Level.INTERNAL)
        for owner in (ALICE, BOB)
        for group in (KITCHEN, GARDEN)
    ),
    an_access(owner=BOB, readable=(BOB,)),
]
PLAIN = [
    "User likes tea",
    "user likes tea!",
    "User loves tea",
    "User hates tea",
    "User is a software engineer",
    "User develops software for a living",
    "用户喜欢绿茶",
    "用户喜欢喝绿茶",
    "用户不喜欢绿茶",
]
TOWNS = ("Oslo", "Bergen", "Bonn", "Kyoto", "Quito", "Lima", "Cairo", "Perth")
HIKES = [f"User went hiking near {town}" for town in TOWNS]
WHERE = st.sets(st.sampled_from(PLACES), min_size=1)


@dataclass(frozen=True)
class Known:
    """An item and the chats its words were said in."""

    item: Item
    umos: frozenset[str]


def known(fact: str, umos: set[str], **changes: Any) -> Known:
    item = an_item(fact, origin_umo=min(umos), **changes)
    secret = f"{item.backstory} {item.memory_id}" if item.backstory else ""
    item = replace(item, fact_key=item.memory_id, backstory=secret, evidence_count=len(umos))
    return Known(item, frozenset(umos))


ITEM = st.builds(
    known,
    st.sampled_from(PLAIN),
    WHERE,
    owner=st.sampled_from([ALICE, ALICE, ALICE, BOB, KITCHEN]),
    level=st.sampled_from([Level.PUBLIC, Level.INTERNAL]),
    audience=st.sampled_from([Audience.CHAT, Audience.CHAT, Audience.EVERYWHERE]),
    origin=st.sampled_from([Origin.RULE, Origin.LLM_EXTRACT, Origin.USER_EXPLICIT]),
    status=st.sampled_from([*[Status.ACTIVE] * 5, *Status]),
    importance=st.floats(0, 1),
    backstory=st.sampled_from(["", "", "said at the vet's"]),
    relationship=st.sampled_from(["", "", "dentist"]),
    expires_at=st.sampled_from([None, NOW - DAY, NOW + 20 * DAY]),
    last_confirmed_at=st.sampled_from([NOW, NOW - 20 * DAY]),
)
EPISODES = st.lists(WHERE, min_size=len(HIKES), max_size=len(HIKES)).map(
    lambda umos: [
        replace(one, item=replace(one.item, origin_umo=PLACES[0]))
        for fact, where in zip(HIKES, umos, strict=True)
        for one in [known(fact, where, type=MemoryType.EPISODE, last_confirmed_at=NOW - 20 * DAY)]
    ]
)
EVENT = st.builds(
    an_event,
    extraction=st.sampled_from(Extraction),
    created_at=st.sampled_from([NOW, NOW - 31 * DAY, NOW - 400 * DAY]),
)
QUICKLY = (Phase.explicit, Phase.reuse, Phase.generate)
"""Each case opens a store of its own: making a failure smaller would take minutes."""
WORLD = st.tuples(st.lists(ITEM, max_size=10), st.one_of(st.just([]), EPISODES), st.lists(EVENT, max_size=5))
LATER = st.sampled_from([0, 1, 21, 100]).map(lambda days: days * DAY)


def rounds(store: Store, hands: Hands) -> Housekeeping:
    kept = replace(configured(), event_retention=30 * DAY, deleted_retention=None, recall_log=None)
    aging = retention(store, cast("Any", None), kept, hands.clock, hands.breathe)
    duplicates = Duplicates(
        store,
        model_id=lambda: "model",
        clock=hands.clock,
        make_id=hands.make_id,
        breathe=hands.breathe,
    )
    steps = {
        "duplicates": duplicates.work,
        **{name: step for name, step in aging.items() if not name.endswith(("vectors", "too long"))},
    }
    return Housekeeping(steps, read_only=lambda: store.read_only)


def said_in(umo: str, item: Item) -> Event:
    """The words for an item in one chat, long ago and done with."""
    text, long_ago = f"{item.fact} in {umo}", NOW - 99 * DAY
    return an_event(text, umo=umo, level=item.level, created_at=long_ago, extraction=Extraction.DONE)


@asynccontextmanager
async def filled(
    items: Sequence[Known], episodes: Sequence[Known], events: Sequence[Event]
) -> AsyncGenerator[Store]:
    with tempfile.TemporaryDirectory() as folder:
        async with a_store(Path(folder)) as store:
            async with store.transaction() as tx:
                await tx.add_events([replace(event, event_id=f"extra {n}") for n, event in enumerate(events)])
                for one in (*items, *episodes):
                    said = [said_in(umo, one.item) for umo in sorted(one.umos)]
                    await tx.add_events(said)
                    await tx.insert_item(one.item, [an_evidence(one.item, event) for event in said])
            embedded = [
                Embedded(key=one.item.memory_id, fact=one.item.fact, vector=(1.0, 0.0)) for one in items
            ]
            await store.vectors.put("model", embedded)
            yield store


async def dump(store: Store) -> dict[str, list[Any]]:
    """Every row of every table."""
    async with store._database.read() as connection:  # pyright: ignore[reportPrivateUsage] - the rows themselves
        tables = METADATA.sorted_tables
        return {table.name: list((await connection.execute(select(table))).all()) for table in tables}


async def shown(store: Store, hands: Hands, access: Access) -> tuple[set[str], set[str]]:
    """The texts and the quotes that come to light there."""
    visible = await visible_to(store, access, now=hands.now)
    quotes = {
        one.quote for item in visible for one in await store.memories.own_evidence(item.memory_id, access)
    }
    texts = {
        text for item in visible for text in (normal_words(item.fact), item.backstory, item.relationship)
    }
    return texts, quotes


@settings(max_examples=either(10, 100), phases=QUICKLY)
@given(world=WORLD, later=LATER)
async def test_a_round_deletes_no_evidence_brings_nothing_to_light_and_need_not_be_repeated(
    world: tuple[list[Known], list[Known], list[Event]], later: timedelta
) -> None:
    async with filled(*world) as store:
        hands = Hands()
        hands.move(later)
        before = await dump(store)
        seen = [await shown(store, hands, access) for access in ACCESSES]
        await rounds(store, hands).work()
        after = await dump(store)
        assert all(link in after["ltm_evidence"] for link in before["ltm_evidence"])
        resting = {row.event_id for row in after["ltm_evidence"]}
        assert resting <= {row.event_id for row in after["ltm_events"]}
        assert {row.memory_id for row in before["ltm_items"]} <= {row.memory_id for row in after["ltm_items"]}
        assert len(before["ltm_audit"]) <= len(after["ltm_audit"])
        for access, (texts, quotes) in zip(ACCESSES, seen, strict=True):
            now_texts, now_quotes = await shown(store, hands, access)
            assert now_texts <= texts
            assert now_quotes <= quotes
        counts = {row.memory_id: row.evidence_count for row in after["ltm_items"]}
        links = [row.memory_id for row in after["ltm_evidence"]]
        assert counts == {memory_id: links.count(memory_id) for memory_id in counts}
        await rounds(store, hands).work()
        assert await dump(store) == after


@settings(max_examples=5, phases=QUICKLY)
@given(world=WORLD, later=LATER)
async def test_read_only_changes_no_row(
    world: tuple[list[Known], list[Known], list[Event]], later: timedelta
) -> None:
    async with filled(*world) as store:
        hands = Hands()
        hands.move(later)
        store.read_only = True
        before = await dump(store)
        await rounds(store, hands).work()
        assert await dump(store) == before
