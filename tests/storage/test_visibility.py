"""The choke point against the same rule said in plain Python."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Audience, Level, Role, Scope, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.models import EVENTS, EVIDENCE, ITEMS, METADATA
from astrbot_plugin_ltm.long_term_memory.storage import events, evidence, items
from astrbot_plugin_ltm.long_term_memory.storage.visibility import quotable, reachable, searchable, visible
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import ColumnElement, Engine, create_engine, select

from tests.stores import (
    ALICE,
    BOB,
    GROUP,
    GROUP_CHAT,
    NOW,
    PRIVATE_CHAT,
    an_access,
    an_event,
    an_evidence,
    an_item,
    migrated,
)

SCOPES = [
    ALICE,
    BOB,
    GROUP,
    ScopeRef(scope=Scope.PROJECT, scope_id=ALICE.scope_id),
    ScopeRef(scope=Scope.GLOBAL, scope_id=""),
    ScopeRef(scope=Scope.USER, scope_id="telegram:alicE"),
    ScopeRef(scope=Scope.USER, scope_id="telegram_alice"),
]
GROUPS = [
    ScopeRef(scope=Scope.GROUP, scope_id=name)
    for name in (GROUP_CHAT, "qq:GroupMessage:4_", "qq:groupmessage:42")
]
PLACES = [(ALICE,), *((group,) for group in GROUPS), (ALICE, GROUPS[0], GROUPS[1])]
"""Where an item was said: in private, in a group, in several chats."""
STATES: list[dict[str, Any]] = [
    *({"status": status} for status in Status),
    *({"confidence": confidence} for confidence in (0.0, 0.49, 0.5)),
    *({"expires_at": NOW + timedelta(microseconds=late)} for late in (-1, 0, 1)),
]
POOL = [
    (replace(item, fact_key=item.memory_id, **state), places)
    for owner, level, audience, places, state in product(SCOPES, Level, Audience, PLACES, STATES)
    for item in [an_item(owner=owner, level=level, audience=audience)]
]
SAID = {
    (place, level): an_event(at_scope=place, level=level) for place, level in product([ALICE, *GROUPS], Level)
}
ACCESS = st.builds(
    Access,
    umo=st.just(PRIVATE_CHAT),
    private=st.booleans(),
    level=st.sampled_from(Level),
    owner=st.just(ALICE),
    group=st.sampled_from([None, *GROUPS]),
    readable=st.lists(st.sampled_from(SCOPES), unique=True).map(tuple),
    cross_group=st.booleans(),
)


def filled(drawn: Sequence[tuple[Item, Sequence[ScopeRef]]]) -> Engine:
    engine = create_engine("sqlite://")
    METADATA.create_all(engine)
    said = [an_evidence(item, SAID[place, item.level]) for item, places in drawn for place in places]
    with engine.begin() as connection:
        connection.execute(ITEMS.insert(), [items.values_of(item) for item, _ in drawn])
        connection.execute(EVENTS.insert(), [events.values_of(event) for event in SAID.values()])
        connection.execute(EVIDENCE.insert(), [evidence.values_of(one) for one in said])
    return engine


ENGINE = filled(POOL)


def among(rule: ColumnElement[bool], engine: Engine = ENGINE) -> set[str]:
    with engine.connect() as connection:
        return set(connection.execute(select(ITEMS.c.memory_id).where(rule)).scalars())


def may_reach(access: Access, item: Item, places: Sequence[ScopeRef]) -> bool:
    return (
        item.owner in access.readable
        and item.level <= access.level
        and (
            item.owner.scope is not Scope.USER
            or access.private
            or item.audience is Audience.EVERYWHERE
            or access.group in places
            or (access.cross_group and any(place.scope is Scope.GROUP for place in places))
        )
    )


def may_see(
    access: Access, item: Item, places: Sequence[ScopeRef], now: datetime, min_confidence: float
) -> bool:
    return (
        may_reach(access, item, places)
        and item.status is Status.ACTIVE
        and (item.expires_at is None or item.expires_at > now)
        and item.confidence >= min_confidence
    )


@given(ACCESS, st.sampled_from([0.0, 0.5, 1.0]))
def test_what_may_be_injected_is_what_scope_level_audience_and_state_allow(
    access: Access, min_confidence: float
) -> None:
    allowed = {one.memory_id for one, places in POOL if may_see(access, one, places, NOW, min_confidence)}
    assert among(visible(access, now=NOW, min_confidence=min_confidence)) == allowed


@given(ACCESS)
def test_what_may_be_listed_is_what_scope_level_and_audience_allow(access: Access) -> None:
    assert among(reachable(access)) == {
        one.memory_id for one, places in POOL if may_reach(access, one, places)
    }


@given(ACCESS, st.sampled_from(SCOPES), st.sampled_from(Level))
def test_a_wider_access_never_shows_less(access: Access, more: ScopeRef, level: Level) -> None:
    wider = replace(access, readable=(*access.readable, more), level=max(level, access.level), private=True)
    assert among(reachable(access)) <= among(reachable(wider))


@given(ACCESS)
def test_words_are_quoted_in_the_chat_they_were_said_in_and_in_private_and_ones_own_across_groups(
    access: Access,
) -> None:
    with ENGINE.connect() as connection:
        found = set(connection.execute(select(EVENTS.c.event_id).where(quotable(access))).scalars())
    assert found == {
        event.event_id
        for (place, level), event in SAID.items()
        if level <= access.level
        and (
            access.private
            or place == access.group
            or (access.cross_group and place in GROUPS and ALICE in access.readable)
        )
    }


def test_across_groups_nobody_is_quoted_but_the_person_themselves() -> None:
    words = {
        (place, owner, role): an_event(at_scope=place, owner=owner, role=role, level=Level.PUBLIC)
        for place, owner, role in product(GROUPS[:2], [ALICE, BOB], Role)
    }
    engine = told_into([*words.values()])
    with engine.connect() as connection:
        rule = quotable(replace(IN_GROUP, cross_group=True))
        found = set(connection.execute(select(EVENTS.c.event_id).where(rule)).scalars())
    assert {key for key, event in words.items() if event.event_id in found} == {
        (place, owner, role)
        for place, owner, role in words
        if place == GROUP or (owner, role) == (ALICE, Role.USER)
    }
    engine.dispose()


SAID_IN_PRIVATE = an_item("told in private")
SAID_IN_GROUP = an_item("told in the group", origin_umo=GROUP_CHAT, level=Level.PUBLIC)
SHARED = an_item("shared", audience=Audience.EVERYWHERE, level=Level.PUBLIC)
OF_GROUP = an_item("of the group", owner=GROUP, origin_umo=GROUP_CHAT, level=Level.PUBLIC)
IN_GROUP = an_access(umo=GROUP_CHAT, private=False, level=Level.PUBLIC, group=GROUP, readable=(ALICE, GROUP))


@pytest.mark.parametrize(
    ("access", "seen"),
    [
        (an_access(), {"told in private", "told in the group", "shared"}),
        (IN_GROUP, {"told in the group", "shared", "of the group"}),
        (replace(IN_GROUP, group=GROUPS[1], readable=(ALICE,)), {"shared"}),
        (replace(IN_GROUP, level=Level.INTERNAL, group=GROUPS[1], readable=(ALICE,)), {"shared"}),
        (replace(IN_GROUP, group=None, readable=(ALICE,)), {"shared"}),
        (
            replace(IN_GROUP, group=GROUPS[1], also_here=(GROUP,), readable=(ALICE,)),
            {"told in the group", "shared"},
        ),
        (replace(IN_GROUP, owner=BOB, readable=(BOB, GROUP)), {"of the group"}),
        (an_access(owner=BOB, readable=(BOB,)), set[str]()),
        (an_access(readable=()), set[str]()),
    ],
)
def test_each_chat_sees_its_own(access: Access, seen: set[str]) -> None:
    in_private, in_group = (SAID_IN_PRIVATE, SHARED), (SAID_IN_GROUP, OF_GROUP)
    kept = {item.memory_id: item.fact for item in (*in_private, *in_group)}
    engine = filled([*((item, (ALICE,)) for item in in_private), *((item, (GROUP,)) for item in in_group)])
    assert {kept[one] for one in among(reachable(access), engine)} == seen
    engine.dispose()


@pytest.mark.parametrize("rule", [reachable(IN_GROUP), visible(IN_GROUP, now=NOW, min_confidence=0)])
def test_the_filter_is_answered_from_an_index(rule: ColumnElement[bool], tmp_path: Path) -> None:
    query = select(ITEMS.c.id).where(rule).compile(ENGINE)
    values = tuple(str(query.params[name]) for name in query.positiontup or ())
    with closing(sqlite3.connect(migrated(tmp_path / "file.db"))) as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {query}", values).fetchall()
    assert plan
    assert all("USING INDEX ltm_items_" in row[3] for row in plan if "ltm_items" in row[3]), plan


TOLD = [
    an_event(at_scope=place, owner=owner, role=role, level=level)
    for place, owner, role, level in product([*SCOPES, *GROUPS], [ALICE, BOB], Role, Level)
]


def told_into(events_told: Sequence[Event]) -> Engine:
    engine = create_engine("sqlite://")
    METADATA.create_all(engine)
    with engine.begin() as connection:
        connection.execute(EVENTS.insert(), [events.values_of(event) for event in events_told])
    return engine


TOLD_ENGINE = told_into(TOLD)


def may_search(access: Access, event: Event) -> bool:
    if event.level > access.level:
        return False
    if not access.private:
        return access.group is not None and event.at_scope in (access.group, *access.also_here)
    own_words = (
        event.owner.scope is Scope.USER
        and event.owner in access.readable
        and event.role is Role.USER
        and event.at_scope.scope is not Scope.USER
    )
    return own_words or (
        event.at_scope in access.readable and event.at_scope.scope in (Scope.USER, Scope.PROJECT)
    )


@given(ACCESS, st.lists(st.sampled_from(GROUPS), max_size=1))
def test_what_may_be_searched_is_what_was_said_here_and_in_private_what_one_said_oneself(
    access: Access, also_here: list[ScopeRef]
) -> None:
    access = replace(access, also_here=tuple(also_here))
    with TOLD_ENGINE.connect() as connection:
        found = set(connection.execute(select(EVENTS.c.event_id).where(searchable(access))).scalars())
    assert found == {event.event_id for event in TOLD if may_search(access, event)}
