"""What a change of policy changes and does."""

from dataclasses import replace

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Mode
from astrbot_plugin_ltm.long_term_memory.manager.policy_changes import (
    Change,
    changes_between,
    effects_of,
    recalled_from,
    sections_of,
)
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import (
    LivePolicies,
    MemoryReadPolicy,
    MemoryWritePolicy,
    Policies,
)
from astrbot_plugin_ltm.long_term_memory.storage.statistics import Statistics

NOW = Policies()


class Counts(Statistics):
    """So many memories in any range, full scopes and memories that wait."""

    def __init__(self, between: int, over_capacity: int, waiting: int) -> None:
        self._counted = between, over_capacity, waiting

    async def active_between(self, lower: float, upper: float) -> int:
        assert lower < upper
        return self._counted[0]

    async def fuller_than(self, capacity: int) -> int:
        assert capacity == 1
        return self._counted[1]

    async def waiting(self) -> int:
        return self._counted[2]


def reading(**changes: object) -> Policies:
    return replace(NOW, read=replace(NOW.read, **changes))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("before", "after", "effects"),
    [
        (NOW, NOW, {}),
        (NOW, reading(max_items=1), {}),
        (NOW, reading(min_confidence=0.9), {"no_longer_recalled": 3}),
        (reading(min_confidence=0.9), NOW, {"recalled_again": 3}),
        (NOW, reading(enable=False), {"no_longer_recalled": 3}),
        (reading(enable=False), NOW, {"recalled_again": 3}),
        (reading(enable=False), reading(enable=False, min_confidence=0.9), {}),
        (NOW, NOW.in_mode(Mode.AUTO), {"waiting": 1}),
        (NOW, Policies(write=MemoryWritePolicy(max_items_per_scope=1)), {"over_capacity_scopes": 2}),
    ],
)
async def test_a_change_does_what_it_changes(
    before: Policies, after: Policies, effects: dict[str, int]
) -> None:
    found = await effects_of(before, after, Counts(3, 2, 1))
    assert {each.what: each.count for each in found} == effects


async def test_what_a_change_does_to_nothing_is_left_out() -> None:
    other = Policies(
        write=MemoryWritePolicy(mode=Mode.AUTO, max_items_per_scope=1), read=reading(enable=False).read
    )
    assert await effects_of(NOW, other, Counts(0, 0, 0)) == []


def test_nothing_is_recalled_while_reading_is_off() -> None:
    assert recalled_from(MemoryReadPolicy(min_confidence=0.4)) == 0.4
    assert recalled_from(MemoryReadPolicy(enable=False)) > 1


def test_changes_are_told_setting_by_setting_also_those_that_come_and_go() -> None:
    before = {"write": {"mode": "auto", "old": 1}, "gone": {"x": True}}
    after = {"write": {"mode": "auto", "new": 2}, "read": {"y": 0.5}}
    assert changes_between(before, after) == [
        Change(field="write.new", before=None, after=2),
        Change(field="write.old", before=1, after=None),
        Change(field="read.y", before=None, after=0.5),
        Change(field="gone.x", before=True, after=None),
    ]


def test_what_is_on_record_and_no_section_is_passed_over() -> None:
    assert sections_of({"mode": "auto", "read": {"max_items": 1}}) == {"read": {"max_items": 1}}


def test_what_is_taken_is_in_force() -> None:
    live = LivePolicies(NOW.write, NOW.read)
    live.both = reading(max_items=1).in_mode(Mode.MANUAL)
    assert (live.read().max_items, live.write().mode, live.both.read) == (1, Mode.MANUAL, live.read())
