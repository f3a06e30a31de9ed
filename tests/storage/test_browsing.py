"""Operators' lists look at few rows of however many, and come in a whole order."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from astrbot_plugin_ltm.long_term_memory.access.identity import IdentityRules
from astrbot_plugin_ltm.long_term_memory.access.persons import person_named
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Scope, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import EventFilter, ItemFilter, Sort
from astrbot_plugin_ltm.long_term_memory.domain.review import WaitingFilter
from astrbot_plugin_ltm.long_term_memory.domain.writing import AuditFilter
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.storage.test_plans import plan, statements
from tests.stores import ALICE, GROUP, NOW, an_event, an_item, keep

SORTS: tuple[Sort, ...] = get_args(Sort.__value__)


def steps(folder: Path, asked: list[tuple[str, object]]) -> list[str]:
    return plan(folder / "data_v4.db", asked)


@pytest.mark.parametrize("sort", ["created", "-created"])
async def test_the_newest_items_are_found_by_their_index_and_not_sorted(
    store: Store, tmp_path: Path, sort: Sort
) -> None:
    with statements() as asked:
        await store.browsing.items(ItemFilter(sort=sort))
    found = steps(tmp_path, asked)
    assert any("ltm_items_age" in step for step in found), found
    assert not any("ORDER BY" in step for step in found), found


async def test_the_newest_events_and_lines_are_found_by_their_index_and_not_sorted(
    store: Store, tmp_path: Path
) -> None:
    with statements() as asked:
        await store.browsing.events(EventFilter())
        await store.browsing.audit(AuditFilter())
    found = steps(tmp_path, asked)
    assert any("ltm_events_age" in step for step in found), found
    assert not any("ORDER BY" in step for step in found), found


async def test_what_waits_is_found_by_its_status(store: Store, tmp_path: Path) -> None:
    await keep(store, an_item(status=Status.SHADOW))
    with statements() as asked:
        await store.browsing.waiting(WaitingFilter(), soon=NOW)
    found = [step for step in steps(tmp_path, asked) if "ltm_items" in step]
    assert all("status=?" in step or "(rowid=?)" in step for step in found), found


async def test_the_senders_of_messages_are_looked_for_once(store: Store, tmp_path: Path) -> None:
    with statements() as asked:
        await store.browsing.accounts("alice", page=1, page_size=50)
    found = steps(tmp_path, asked)
    assert len([step for step in found if step.startswith("SCAN ltm_events")]) == 1, found


async def test_the_live_items_of_people_are_counted_in_an_index_alone(store: Store, tmp_path: Path) -> None:
    with statements() as asked:
        await store.browsing.live_items()
    [step] = steps(tmp_path, asked)
    assert "COVERING INDEX" in step


@pytest.mark.parametrize(("up", "down"), list(zip(SORTS[:6], SORTS[6:], strict=True)))
async def test_the_pages_of_any_order_are_one_list_and_its_reverse(
    store: Store, up: Sort, down: Sort
) -> None:
    random = Random(up)  # noqa: S311 - no secret
    items = [
        an_item(f"fact {number}", importance=random.choice([0.1, 0.5]), confidence=random.choice([0.2, 0.9]))
        for number in range(23)
    ]
    await keep(store, *items)

    async def listed(sort: Sort) -> list[str]:
        pages = [
            await store.browsing.items(ItemFilter(sort=sort, page=page, page_size=5)) for page in range(1, 6)
        ]
        return [item.memory_id for page in pages for item in page.rows]

    backwards = await listed(down)
    assert sorted(backwards) == sorted(item.memory_id for item in items)
    assert await listed(up) == backwards[::-1]


async def test_a_person_is_found_under_every_form_of_their_account(store: Store) -> None:
    forms = (
        "telegram:alice",
        "telegram:FriendMessage:alice",
        "telegram:GroupMessage:g:alice",
        "!pcat:telegram:alice",
    )
    owners = [ScopeRef(scope=Scope.USER, scope_id=form) for form in (*forms, "telegram:alice2")]
    await keep(store, *(an_item(f"fact {owner.scope_id}", owner=owner) for owner in owners))
    person = person_named("telegram:alice", IdentityRules())
    found = await store.browsing.items(ItemFilter(person="telegram:alice"), (person, None))
    assert {item.owner.scope_id for item in found.rows} == set(forms)
    assert found.total == 4


async def test_a_person_is_found_by_a_part_of_the_name_they_write_under(store: Store) -> None:
    bob = ScopeRef(scope=Scope.USER, scope_id="qq:1")
    await keep(store, an_item("of Bob", owner=bob), an_item("of a group", owner=GROUP))
    async with store.transaction() as tx:
        await tx.add_events(
            [an_event(owner=bob, sender_name="Robert"), an_event(owner=GROUP, sender_name="R")]
        )
    found = await store.browsing.items(ItemFilter(person="rob"))
    assert [item.fact for item in found.rows] == ["of Bob"]


async def test_the_private_chats_of_somebody_are_those_they_were_in_last(store: Store) -> None:
    async with store.transaction() as tx:
        await tx.add_events([an_event(umo="telegram:FriendMessage:a"), an_event(umo="web:FriendMessage:b")])
    chats = await store.browsing.private_chats([ALICE.scope_id, "nobody"])
    assert sorted(chats) == ["telegram:FriendMessage:a", "web:FriendMessage:b"]


async def test_words_of_a_search_are_taken_as_written(store: Store, tmp_path: Path) -> None:
    await keep(store, an_item("100% sure_"), an_item("half sure"))
    for query, number in (("%", 1), ("sure_", 1), ("sure", 2), ("\0", 2), ("/", 0)):
        assert (await store.browsing.items(ItemFilter(query=query))).total == number
    with closing(sqlite3.connect(tmp_path / "data_v4.db")) as connection:
        assert connection.execute("select count(*) from ltm_items").fetchone() == (2,)
