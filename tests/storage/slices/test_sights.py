"""Accesses that see the same of a scope share what is kept in memory of it, and no others do."""

from dataclasses import replace

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.words import Level, Scope
from astrbot_plugin_ltm.long_term_memory.storage.slices.sights import ItemSight, sights

from tests.stores import ALICE, BOB, GROUP, GROUP_CHAT, an_access

PROJECT = ScopeRef(scope=Scope.PROJECT, scope_id="webchat:1")
IN_PRIVATE = an_access(readable=(ALICE, PROJECT))
IN_GROUP = an_access(
    umo=GROUP_CHAT, private=False, level=Level.PUBLIC, group=GROUP, readable=(ALICE, GROUP, PROJECT)
)


def of(access: Access, ref: ScopeRef) -> ItemSight:
    [found] = [each for each in sights(access, 0.5) if each.ref == ref]
    return found


@pytest.mark.parametrize("ref", [GROUP, PROJECT])
def test_what_is_a_groups_is_the_same_whether_or_not_other_groups_count(ref: ScopeRef) -> None:
    wider = replace(IN_GROUP, cross_group=True)
    assert of(wider, ref) == of(IN_GROUP, ref)
    assert of(replace(wider, owner=BOB, readable=(BOB, GROUP, PROJECT)), ref) == of(IN_GROUP, ref)


def test_what_is_ones_own_differs_where_other_groups_count() -> None:
    assert of(replace(IN_GROUP, cross_group=True), ALICE) != of(IN_GROUP, ALICE)


def test_in_private_other_groups_make_no_difference() -> None:
    assert of(replace(IN_PRIVATE, cross_group=True), ALICE) == of(IN_PRIVATE, ALICE)


@pytest.mark.parametrize("ref", [ALICE, PROJECT])
def test_another_level_sees_something_else(ref: ScopeRef) -> None:
    assert of(replace(IN_PRIVATE, level=Level.RESTRICTED), ref) != of(IN_PRIVATE, ref)
