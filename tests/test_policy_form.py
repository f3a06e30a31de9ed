"""Policies are read by the rules of the settings, whole or with what is missing as by default."""

from collections.abc import Mapping
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.words import MemoryType, Mode
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import (
    MemoryReadPolicy,
    MemoryWritePolicy,
    Policies,
)
from astrbot_plugin_ltm.long_term_memory.settings import read_policies, read_settings
from hypothesis import given
from hypothesis import strategies as st

SHARES = st.floats(0, 1)
TYPES = st.frozensets(st.sampled_from(MemoryType))
POLICIES = st.builds(
    Policies,
    write=st.builds(
        MemoryWritePolicy,
        mode=st.sampled_from(Mode),
        min_confidence=SHARES,
        min_evidence_count=st.integers(1, 100),
        allowed_types=TYPES,
        max_writes_per_session=st.integers(0, 10_000),
        max_writes_per_hour=st.integers(0, 100_000),
        max_items_per_scope=st.integers(1, 10_000),
        require_approval_types=TYPES,
    ),
    read=st.builds(
        MemoryReadPolicy,
        enable=st.booleans(),
        max_items=st.integers(1, 100),
        max_tokens=st.integers(1, 32_000),
        max_per_type=st.integers(1, 100),
        min_confidence=SHARES,
        similarity_weight=st.floats(0.01, 1),
        importance_weight=SHARES,
        recency_weight=SHARES,
    ),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(POLICIES)
def test_policies_come_back_as_they_went_out(policies: Policies) -> None:
    assert read_policies(policies.as_json(), whole=True).policies == policies
    assert read_policies(policies.as_json(), whole=False).policies == policies


@given(
    st.sampled_from([(section, name) for section, names in Policies().as_json().items() for name in names]),
    JSON,
)
def test_a_policy_takes_what_the_settings_take_and_nothing_else(place: tuple[str, str], value: Any) -> None:
    section, name = place
    changed: dict[str, dict[str, Any]] = {**Policies().as_json()}
    changed[section] = {**changed[section], name: value}
    of_settings = read_settings({f"{section}_policy": changed[section]})
    reading = read_policies(changed, whole=True)
    if value is None:
        assert [problem.key for problem in reading.problems] == [f"{section}.{name}"]
        return
    assert [problem.why for problem in reading.problems] == [problem.why for problem in of_settings.problems]
    assert all(problem.key.startswith(f"{section}.") for problem in reading.problems)
    if of_settings.settings is not None:
        both = Policies(write=of_settings.settings.write, read=of_settings.settings.read)
        assert reading.policies == both


@pytest.mark.parametrize(
    ("sections", "keys"),
    [
        ({}, ["write", "read"]),
        ({"write": None, "read": 7}, ["write", "read"]),
        ({"write": [], "read": "x"}, ["write", "read"]),
    ],
)
def test_what_is_no_section_lacks_every_setting(sections: Mapping[str, object], keys: list[str]) -> None:
    reading = read_policies(sections, whole=True)
    assert reading.policies is None
    assert {problem.key.partition(".")[0] for problem in reading.problems} == set(keys)
    assert len([problem for problem in reading.problems if problem.why == "must be given"]) == 17


def test_what_is_missing_takes_its_default_when_it_need_not_be_whole() -> None:
    reading = read_policies({"write": {"mode": "auto"}, "smell": {}}, whole=False)
    assert reading.policies == Policies().in_mode(Mode.AUTO)
