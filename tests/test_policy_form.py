"""Policies are read by the rules of the settings, whole or with what is missing as by default."""

from collections.abc import Mapping
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType, Mode
from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError
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
    assert read_policies(policies.as_json(), whole=True) == policies
    assert read_policies(policies.as_json(), whole=False) == policies


@given(
    st.sampled_from([(section, name) for section, names in Policies().as_json().items() for name in names]),
    JSON,
)
def test_a_policy_takes_what_the_settings_take_and_nothing_else(place: tuple[str, str], value: Any) -> None:
    section, name = place
    changed: dict[str, dict[str, Any]] = {**Policies().as_json()}
    changed[section] = {**changed[section], name: value}
    of_settings = read_settings({f"{section}_policy": changed[section]})
    if value is not None and not of_settings.problems:
        of = of_settings.settings
        assert of is not None
        assert read_policies(changed, whole=True) == Policies(write=of.write, read=of.read)
        return
    with pytest.raises(InvalidInputError) as refused:
        read_policies(changed, whole=True)
    assert refused.value.field.startswith(f"{section}.")
    assert refused.value.message == (of_settings.problems[0].why if value is not None else "must be given")


@pytest.mark.parametrize(
    "sections", [{}, {"write": None, "read": 7}, {"write": [], "read": "x"}, {"write": {"mode": "auto"}}]
)
def test_what_is_no_section_lacks_every_setting(sections: Mapping[str, object]) -> None:
    with pytest.raises(InvalidInputError, match=r"^write\.\w+: must be given$"):
        read_policies(sections, whole=True)


def test_what_is_missing_takes_its_default_when_it_need_not_be_whole() -> None:
    read = read_policies({"write": {"mode": "auto"}, "smell": {}}, whole=False)
    assert read == Policies().in_mode(Mode.AUTO)
