"""The choke point against the same rule said in plain Python."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.domain.words import Audience, Level, Scope, Status
from astrbot_plugin_ltm.long_term_memory.models import EVENTS, ITEMS, Base
from astrbot_plugin_ltm.long_term_memory.storage import events, items
from astrbot_plugin_ltm.long_term_memory.storage.visibility import quotable, reachable, visible
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import ColumnElement, Engine, Table, create_engine, select

from tests.stores import ALICE, BOB, GROUP, GROUP_CHAT, NOW, PRIVATE_CHAT, an_access, an_event, an_item

SCOPES = [
    ALICE,
    BOB,
    GROUP,
    ScopeRef(scope=Scope.PROJECT, scope_id=ALICE.scope_id),
    ScopeRef(scope=Scope.GLOBAL, scope_id=""),
    ScopeRef(scope=Scope.USER, scope_id="telegram:alicE"),
    ScopeRef(scope=Scope.USER, scope_id="telegram_alice"),
]
CHATS = st.sampled_from(["", PRIVATE_CHAT, GROUP_CHAT, "qq:GroupMessage:4_", "qq:groupmessage:42"])
ITEM = st.builds(
    an_item,
    owner=st.sampled_from(SCOPES),
    level=st.sampled_from(Level),
    status=st.sampled_from(Status),
    audience=st.sampled_from(Audience),
    origin_umo=CHATS,
    confidence=st.sampled_from([0.0, 0.49, 0.5, 1.0]),
    expires_at=st.sampled_from([None, NOW - timedelta(days=1), NOW, NOW + timedelta(microseconds=1)]),
)
ACCESS = st.builds(
    Access,
    umo=CHATS,
    private=st.booleans(),
    level=st.sampled_from(Level),
    owner=st.just(ALICE),
    group=st.just(None),
    readable=st.lists(st.sampled_from(SCOPES), unique=True).map(tuple),
)
EVENT = st.builds(an_event, umo=CHATS, level=st.sampled_from(Level))


def in_memory() -> Engine:
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    return engine


ENGINE = in_memory()


def found(table: Table, rows: Sequence[dict[str, object]], key: str, rule: ColumnElement[bool]) -> set[str]:
    with ENGINE.connect() as connection:
        if rows:
            connection.execute(table.insert(), [*rows])
        return set(connection.execute(select(table.c[key]).where(rule)).scalars())


def among(drawn: Sequence[Item], rule: ColumnElement[bool]) -> set[str]:
    """The ids of the items the rule lets through; keys differ so that all of them may live."""
    rows = [items.values_of(replace(item, fact_key=item.memory_id)) for item in drawn]
    return found(ITEMS, rows, "memory_id", rule)


def may_reach(access: Access, item: Item) -> bool:
    return (
        item.owner in access.readable
        and item.level <= access.level
        and (
            item.owner.scope is not Scope.USER
            or access.private
            or item.audience is Audience.EVERYWHERE
            or item.origin_umo == access.umo
        )
    )


def may_see(access: Access, item: Item, now: datetime, min_confidence: float) -> bool:
    return (
        may_reach(access, item)
        and item.status is Status.ACTIVE
        and (item.expires_at is None or item.expires_at > now)
        and item.confidence >= min_confidence
    )


@given(st.lists(ITEM, max_size=20), ACCESS)
def test_what_may_be_injected_is_what_scope_level_audience_and_state_allow(
    drawn: list[Item], access: Access
) -> None:
    allowed = {item.memory_id for item in drawn if may_see(access, item, NOW, 0.5)}
    assert among(drawn, visible(access, now=NOW, min_confidence=0.5)) == allowed


@given(st.lists(ITEM, max_size=20), ACCESS)
def test_what_may_be_listed_is_what_scope_level_and_audience_allow(drawn: list[Item], access: Access) -> None:
    assert among(drawn, reachable(access)) == {item.memory_id for item in drawn if may_reach(access, item)}


@given(st.lists(ITEM, max_size=20), ACCESS, st.sampled_from(SCOPES), st.sampled_from(Level))
def test_a_wider_access_never_shows_less(
    drawn: list[Item], access: Access, more: ScopeRef, level: Level
) -> None:
    wider = replace(access, readable=(*access.readable, more), level=max(level, access.level), private=True)
    assert among(drawn, reachable(access)) <= among(drawn, reachable(wider))


@given(st.lists(EVENT, max_size=20), ACCESS)
def test_words_are_quoted_in_the_chat_they_were_said_in_and_in_private(
    drawn: list[Event], access: Access
) -> None:
    rows = [events.values_of(event) for event in drawn]
    assert found(EVENTS, rows, "event_id", quotable(access)) == {
        event.event_id
        for event in drawn
        if event.level <= access.level and (access.private or event.umo == access.umo)
    }


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
        (replace(IN_GROUP, umo="another group", readable=(ALICE,)), {"shared"}),
        (replace(IN_GROUP, level=Level.INTERNAL, umo="another group", readable=(ALICE,)), {"shared"}),
        (replace(IN_GROUP, owner=BOB, readable=(BOB, GROUP)), {"of the group"}),
        (an_access(owner=BOB, readable=(BOB,)), set[str]()),
        (an_access(readable=()), set[str]()),
    ],
)
def test_each_chat_sees_its_own(access: Access, seen: set[str]) -> None:
    kept = {item.memory_id: item.fact for item in (SAID_IN_PRIVATE, SAID_IN_GROUP, SHARED, OF_GROUP)}
    ids = among([SAID_IN_PRIVATE, SAID_IN_GROUP, SHARED, OF_GROUP], reachable(access))
    assert {kept[one] for one in ids} == seen


@pytest.mark.parametrize("rule", [reachable(IN_GROUP), visible(IN_GROUP, now=NOW, min_confidence=0)])
def test_the_filter_is_answered_from_an_index(rule: ColumnElement[bool]) -> None:
    query = select(ITEMS.c.id).where(rule).compile(ENGINE)
    with ENGINE.connect() as connection:
        values = tuple(str(query.params[name]) for name in query.positiontup or ())
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", values).all()
    assert plan
    assert all("USING INDEX ltm_items_" in row[3] for row in plan if "ltm_items" in row[3]), plan
