"""What is asked while the write lock is held, or again and again, looks at few rows of however many."""

import sqlite3
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction, Level
from astrbot_plugin_ltm.long_term_memory.storage.columns import Ready
from astrbot_plugin_ltm.long_term_memory.storage.connection import Connection
from astrbot_plugin_ltm.long_term_memory.storage.index.cache import IndexCache
from astrbot_plugin_ltm.long_term_memory.storage.index.search import IndexedTranscript
from astrbot_plugin_ltm.long_term_memory.storage.index.visible_documents import EventVectors, event_views
from astrbot_plugin_ltm.long_term_memory.storage.store import StoreTransaction
from sqlalchemy import Engine, create_engine, event

from tests.stores import ALICE, GROUP, NOW, a_store, an_access, an_event, migrated, opened

type Asking = Callable[[StoreTransaction], Awaitable[object]]

BY_ID = "USING INDEX sqlite_autoindex_ltm_events_1 (event_id=?)"
EVENT = an_event()
IDS = [EVENT.event_id]
OF_EVENTS: Mapping[str, Asking] = {
    "claim": lambda tx: tx.claim([EVENT], lease="mine", now=NOW),
    "held": lambda tx: tx.held(IDS, "mine"),
    "postpone": lambda tx: tx.postpone(IDS, until=NOW, error="no", attempted=False, lease="mine"),
    "mark": lambda tx: tx.mark_events(IDS, Extraction.DONE),
    "waiting": lambda tx: tx.waiting_turns(EVENT),
}
BY_WORDS: Mapping[str, Asking] = {
    "similar": lambda tx: tx.similar(ALICE, Level.INTERNAL, "tea", limit=5),
    "known": lambda tx: tx.known(an_access(), ["tea"], limit=5),
}


@contextmanager
def statements() -> Generator[list[tuple[str, Any]]]:
    """Every statement of the block, with its values."""
    seen: list[tuple[str, Any]] = []

    def note(_connection: object, _cursor: object, statement: str, values: Any, *_: object) -> None:
        seen.append((statement, values))

    async def noted(
        self: Connection, query: Ready, parameters: Mapping[str, object]
    ) -> list[tuple[Any, ...]]:
        seen.append((query.sql, query.values(parameters)))
        return await rows(self, query, parameters)

    rows = Connection.rows
    event.listen(Engine, "before_cursor_execute", note)
    Connection.rows = noted
    try:
        yield seen
    finally:
        Connection.rows = rows
        event.remove(Engine, "before_cursor_execute", note)


def plan(file: Path, asked: list[tuple[str, Any]]) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return [
            step
            for statement, values in asked
            for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)
        ]


async def test_the_last_recall_of_a_chat_is_found_by_its_index(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        with statements() as asked:
            await store.memories.own_last_recall(an_access())
    [step] = plan(tmp_path / "data_v4.db", asked)
    assert "ltm_recalls_chat (session_id=? AND owner_scope=? AND owner_scope_id=?)" in step


@pytest.mark.parametrize(
    ("access", "index"),
    [
        (an_access(private=False, group=GROUP), "ltm_events_scope (scope=? AND scope_id=?)"),
        (an_access(), "ltm_events_owner (owner_scope=? AND owner_scope_id=?)"),
    ],
    ids=["group", "private"],
)
async def test_what_was_said_is_loaded_by_whose_it_is_and_a_group_s_newest_alone(
    tmp_path: Path, access: Access, index: str
) -> None:
    file = migrated(tmp_path / "data_v4.db")
    async with opened(file) as database:
        cache = IndexCache(database)
        with statements() as asked:
            await IndexedTranscript(cache, lambda: "plane").warm(access, now=NOW)
        cache.close()
    steps = plan(file, asked)
    assert any(index in step for step in steps), steps
    assert not any("ltm_events_age" in step for step in steps), steps
    assert any("ORDER BY" in step for step in steps) == access.private, steps


@pytest.mark.parametrize(
    ("ref", "index"),
    [(GROUP, "ltm_events_scope (scope=? AND scope_id=?)"), (ALICE, "ltm_events_owner (owner_scope=?")],
    ids=["group", "person"],
)
async def test_vectors_of_what_was_said_are_looked_up_by_whose_or_which_it_is(
    tmp_path: Path, ref: ScopeRef, index: str
) -> None:
    file, key = migrated(tmp_path / "data_v4.db"), EventVectors(ref=ref, model_id="plane")
    access = an_access(private=ref is ALICE, group=GROUP)
    [view] = [view for view in event_views(access) if view.ref == ref]
    engine = create_engine(f"sqlite:///{file}")
    for only in (None, [1, 2]):
        with engine.connect() as connection, statements() as asked:
            key.load(connection, NOW, only)
            view.load(connection, NOW, only)
        for one in asked:
            steps = plan(file, [one])
            whose = [step for step in steps if index in step]
            by_id = [step for step in steps if "ltm_events USING INTEGER PRIMARY KEY (rowid=?)" in step]
            assert bool(by_id) if only else bool(whose), steps
            assert not (whose and only), steps
            assert not any("SCAN" in step or "vectors_model" in step for step in steps), steps
    engine.dispose()


def of_chat(step: str) -> bool:
    return "ltm_events_queue (extraction=? AND session_id=?" in step


@pytest.mark.parametrize("name", OF_EVENTS)
async def test_what_is_done_with_some_events_leaves_the_rest_of_the_queue_alone(
    tmp_path: Path, name: str
) -> None:
    async with a_store(tmp_path) as store, store.transaction() as tx:
        await tx.add_events([EVENT])
        with statements() as asked:
            await OF_EVENTS[name](tx)
    steps = [step for step in plan(tmp_path / "data_v4.db", asked) if "ltm_events" in step]
    assert steps
    assert all(BY_ID in step or of_chat(step) for step in steps), steps


async def test_what_was_asked_before_is_found_among_the_messages_of_its_chat(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        with statements() as asked:
            await store.in_snapshot(lambda tx: tx.asked_before("umo", ALICE.scope_id, before=NOW))
    [step, *_] = [each for each in plan(tmp_path / "data_v4.db", asked) if "ltm_events" in each]
    assert "ltm_events_queue (extraction=? AND session_id=? AND created_at>? AND created_at<?)" in step


@pytest.mark.parametrize("lease", ["", "mine"])
async def test_the_queue_is_not_looked_through_for_those_that_fail(tmp_path: Path, lease: str) -> None:
    async with a_store(tmp_path) as store:
        with statements() as asked:
            await store.events.postpone(IDS, until=NOW, error="no", lease=lease)
            await store.events.give_up(IDS, error="no", lease="mine")
    steps = [step for step in plan(tmp_path / "data_v4.db", asked) if "ltm_events" in step]
    assert len(steps) == 2
    assert all(BY_ID in step for step in steps), steps


async def test_the_deleted_items_of_an_event_are_found_by_its_evidence(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store, store.transaction() as tx:
        with statements() as asked:
            await tx.deleted_on("event")
    steps = plan(tmp_path / "data_v4.db", asked)
    assert [step for step in steps if "ltm_evidence_event (event_id=?)" in step]
    assert not [step for step in steps if "ltm_items_status" in step]


async def test_who_is_paused_is_looked_up_and_not_searched_for(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store, store.transaction() as tx:
        with statements() as asked:
            assert not await tx.paused(ALICE, GROUP)
    steps = plan(tmp_path / "data_v4.db", asked)
    assert [step for step in steps if "ltm_paused" in step and step.startswith("SEARCH")]
    assert not [step for step in steps if step.startswith("SCAN ltm_paused")]


@pytest.mark.parametrize("name", BY_WORDS)
async def test_words_are_looked_up_among_the_items_of_the_scope(tmp_path: Path, name: str) -> None:
    async with a_store(tmp_path) as store, store.transaction() as tx:
        with statements() as asked:
            await BY_WORDS[name](tx)
    steps = plan(tmp_path / "data_v4.db", asked[:1])
    assert "LIST SUBQUERY 1" in steps
    assert "(scope=? AND scope_id=?" in steps[steps.index("LIST SUBQUERY 1") + 1]
