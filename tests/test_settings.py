import dataclasses
import json
import math
import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from astrbot_plugin_ltm.long_term_memory.access.gatekeeper import OWN_TOOLS, LevelRules
from astrbot_plugin_ltm.long_term_memory.access.identity import IdentityRules
from astrbot_plugin_ltm.long_term_memory.config_reader import SettingsProblem
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, MemoryType, Mode
from astrbot_plugin_ltm.long_term_memory.messages import Messages
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import MemoryReadPolicy, MemoryWritePolicy
from astrbot_plugin_ltm.long_term_memory.settings import (
    ExtractionSettings,
    GroupRules,
    Settings,
    SettingsReading,
    ToolSettings,
    read_settings,
)
from hypothesis import given
from hypothesis import strategies as st

ROOT = Path(__file__).parent.parent
SCHEMA: dict[str, Any] = json.loads((ROOT / "_conf_schema.json").read_text(encoding="utf-8"))


def leaves(schema: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    for key, entry in schema.items():
        if entry["type"] == "object":
            yield from leaves(entry["items"], f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", entry


LEAVES = dict(leaves(SCHEMA))


def config(**values: object) -> dict[str, Any]:
    """The config of a host that sets these: `write_policy__mode="auto"`."""
    raw: dict[str, Any] = {}
    for path, value in values.items():
        section, _, key = path.rpartition("__")
        (raw.setdefault(section, {}) if section else raw)[key] = value
    return raw


def at(path: str, value: object) -> dict[str, Any]:
    return config(**{path.replace(".", "__"): value})


def defaults(schema: Mapping[str, Any]) -> dict[str, Any]:
    """What the host makes of the schema before anybody changes a thing."""
    return {
        key: defaults(entry["items"]) if entry["type"] == "object" else entry["default"]
        for key, entry in schema.items()
    }


def settings_of(raw: object) -> Settings:
    reading = read_settings(raw)
    assert reading.problems == ()
    assert reading.settings is not None
    return reading.settings


def problems_of(raw: object) -> dict[str, str]:
    reading = read_settings(raw)
    assert reading.settings is None
    return {problem.key: problem.why for problem in reading.problems}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=10), inner, max_size=5),
    max_leaves=20,
)
WRONG: dict[str, list[object]] = {
    "bool": [1, "true", []],
    "int": [True, 1.0, "3", math.nan, -2, 10**400],
    "float": [True, "0.5", math.nan, math.inf, -0.1, 1.1, 10**400],
    "string": [0, False, ["user"]],
    "list": ["profile", {"a": "b"}, [1], ["no such thing"], [None]],
}
ANY_TEXT = {"groups.only", "groups.except"}
"""Lists of ids: each text may be one."""
keys = st.sampled_from([*LEAVES, *SCHEMA, "nobody.knows"])


@given(json_values)
def test_no_config_whatever_makes_the_reading_raise(raw: object) -> None:
    reading = read_settings(raw)
    assert (reading.settings is None) == bool(reading.problems)


@given(st.dictionaries(keys, json_values | st.sampled_from(["auto", "=", "a=b", "a=PUBLIC", [""], ["a=b"]])))
def test_no_value_of_a_setting_makes_the_reading_raise(values: dict[str, object]) -> None:
    raw: dict[str, Any] = {}
    for path, value in values.items():
        section, _, key = path.rpartition(".")
        place = raw.setdefault(section, {}) if section else raw
        if isinstance(place, dict):
            place[key] = value
    reading = read_settings(raw)
    assert isinstance(reading, SettingsReading)
    assert all(problem.key and problem.why for problem in reading.problems)
    for problem in reading.problems:
        key = f"problem.{problem.rule}"
        assert Messages("en-US").text(key, **problem.values) == problem.why
        assert Messages("zh-CN").text(key, **problem.values) != problem.why


def test_an_untouched_config_and_an_empty_one_mean_the_same() -> None:
    assert settings_of({}) == settings_of(defaults(SCHEMA))


def test_the_defaults_are_those_of_the_design() -> None:
    settings = settings_of({})
    assert settings.enable
    assert settings.write == MemoryWritePolicy()
    assert settings.read == MemoryReadPolicy()
    assert (settings.extraction.batch_turns, settings.extraction.idle) == (12, timedelta(minutes=2))
    assert settings.recall_deadline == timedelta(milliseconds=300)
    assert settings.injection == "user"
    assert settings.identity.user_scope_strategy == "platform_user"
    assert (settings.levels.group, settings.levels.private) == (Level.PUBLIC, Level.INTERNAL)
    assert settings.retention_days == {
        MemoryType.PROFILE: None,
        MemoryType.PREFERENCE: 90,
        MemoryType.TASK_STATE: 7,
        MemoryType.CONSTRAINT: None,
        MemoryType.EPISODE: 30,
    }
    assert not settings.emergency_read_only


@pytest.mark.parametrize("path", LEAVES)
def test_a_setting_that_is_null_takes_its_default(path: str) -> None:
    assert settings_of(at(path, None)) == settings_of({})


@pytest.mark.parametrize("path", LEAVES)
def test_every_setting_of_the_form_is_read(path: str) -> None:
    wrong: list[object] = [{}]
    assert list(problems_of(at(path, wrong))) == [path]


@pytest.mark.parametrize(
    ("holder", "fields"),
    [
        ("settings", Settings),
        ("policy", MemoryWritePolicy),
        ("policy", MemoryReadPolicy),
        ("rules", IdentityRules),
        ("rules", LevelRules),
        ("(?:settings|extraction)", ExtractionSettings),
        ("(?:groups|rules)", GroupRules),
        (r"(?:settings\.tools|settings)", ToolSettings),
    ],
)
def test_every_setting_is_used_by_production_code(holder: str, fields: type) -> None:
    modules = [path for path in (ROOT / "long_term_memory").rglob("*.py") if path.name != "settings.py"]
    code = "\n".join(path.read_text(encoding="utf-8") for path in modules)
    holders = rf"(?:{holder}|self)"
    names = [field.name for field in dataclasses.fields(fields)]
    assert [name for name in names if not re.search(rf"{holders}\.{name}\b", code)] == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (path, value)
        for path, entry in LEAVES.items()
        for value in WRONG[entry["type"]]
        if not (path in ANY_TEXT and value == ["no such thing"])
    ],
)
def test_a_wrong_value_names_its_key_and_says_what_is_allowed(path: str, value: object) -> None:
    why = problems_of(at(path, value))[path]
    assert why.partition(" must be ")[2] or why.startswith("must be ")


def test_groups_are_listened_to_by_their_ids_and_only_when_the_operator_says_so() -> None:
    assert settings_of({}).groups == GroupRules(passive_capture=False, only=frozenset(), but=frozenset())
    raw = config(
        groups__passive_capture=True, groups__only=["42", " qq:1 "], groups__except=["no such thing"]
    )
    groups = settings_of(raw).groups
    assert groups.passive_capture
    assert (groups.only, groups.but) == ({"42", "qq:1"}, {"no such thing"})


def test_the_cap_and_how_long_events_are_kept_are_read_and_bounded() -> None:
    settings = settings_of(config(extraction__daily_token_cap=0, event_retention_days=7))
    assert settings.extraction.daily_token_cap == 0
    assert settings.event_retention == timedelta(days=7)
    assert settings_of({}).extraction.daily_token_cap == 200_000
    assert settings_of({}).event_retention == timedelta(days=30)
    assert list(problems_of(config(extraction__daily_token_cap=10**10))) == ["extraction.daily_token_cap"]


@pytest.mark.parametrize(("days", "kept"), [(1, timedelta(days=1)), (-1, None)])
def test_deleted_memories_are_kept_for_some_days_or_for_ever(days: int, kept: timedelta | None) -> None:
    assert settings_of(config(deleted_retention_days=days)).deleted_retention == kept
    assert settings_of({}).deleted_retention == timedelta(days=30)
    assert list(problems_of(config(deleted_retention_days=0))) == ["deleted_retention_days"]


@pytest.mark.parametrize(("days", "kept"), [(0, timedelta(0)), (30, timedelta(days=30)), (-1, None)])
def test_recalls_are_logged_for_some_days_or_none_or_as_long_as_there_is_room(
    days: int, kept: timedelta | None
) -> None:
    assert settings_of(config(recall_log_days=days)).recall_log == kept
    assert settings_of({}).recall_log == timedelta(days=7)
    assert problems_of(config(recall_log_days=-2)) == {
        "recall_log_days": "must be a whole number of days from 0 to 36500, or -1 for ever"
    }


@pytest.mark.parametrize("path", [path for path, entry in LEAVES.items() if "options" in entry])
def test_every_option_the_form_offers_is_taken(path: str) -> None:
    options = LEAVES[path]["options"]
    choices: list[object] = [options, []] if LEAVES[path]["type"] == "list" else list(options)
    for choice in choices:
        settings_of(at(path, choice))


def test_each_of_several_problems_is_reported() -> None:
    raw = {"enable": "yes", "write_policy": {"mode": "AUTO", "min_confidence": 7}, "levels": "PUBLIC"}
    assert problems_of(raw) == {
        "enable": "must be true or false",
        "write_policy.mode": "must be one of shadow, auto, manual",
        "write_policy.min_confidence": "must be a number from 0 to 1",
        "levels": "must be an object",
    }


@pytest.mark.parametrize("raw", [None, [], "x", 3])
def test_a_config_that_is_no_object_is_one_problem(raw: object) -> None:
    problem = SettingsProblem(key="", why="the settings must be an object", rule="whole_config")
    assert read_settings(raw) == SettingsReading(settings=None, problems=(problem,))


def test_an_unknown_key_is_passed_over() -> None:
    assert settings_of({"theme": "dark", "write_policy": {"colour": 3}}) == settings_of({})


def test_the_write_policy_carries_every_setting() -> None:
    raw = {
        "mode": "manual",
        "min_confidence": 1,
        "min_evidence_count": 2,
        "allowed_types": ["profile", "profile"],
        "max_writes_per_session": 0,
        "max_writes_per_hour": 5,
        "max_items_per_scope": 9,
        "require_approval_types": ["constraint"],
    }
    assert settings_of({"write_policy": raw}).write == MemoryWritePolicy(
        mode=Mode.MANUAL,
        min_confidence=1.0,
        min_evidence_count=2,
        allowed_types=frozenset({MemoryType.PROFILE}),
        max_writes_per_session=0,
        max_writes_per_hour=5,
        max_items_per_scope=9,
        require_approval_types=frozenset({MemoryType.CONSTRAINT}),
    )


def test_the_read_policy_carries_every_setting() -> None:
    raw = {
        "enable": False,
        "max_items": 1,
        "max_tokens": 2,
        "max_per_type": 3,
        "min_confidence": 0,
        "similarity_weight": 0,
        "importance_weight": 0.5,
        "recency_weight": 0.25,
    }
    assert settings_of({"read_policy": raw}).read == MemoryReadPolicy(
        enable=False,
        max_items=1,
        max_tokens=2,
        max_per_type=3,
        min_confidence=0.0,
        similarity_weight=0.0,
        importance_weight=0.5,
        recency_weight=0.25,
    )


def test_three_weights_of_zero_rank_nothing_and_are_refused() -> None:
    raw = {"similarity_weight": 0, "importance_weight": 0.0, "recency_weight": 0}
    assert list(problems_of({"read_policy": raw})) == ["read_policy.similarity_weight"]


def test_the_other_settings_arrive_in_the_units_of_the_code() -> None:
    settings = settings_of(
        {
            "enable": False,
            "extraction_provider_id": " gpt ",
            "extraction": {"batch_turns": 2, "idle_seconds": 30},
            "embedding_provider_id": "e5",
            "recall_deadline_ms": 50,
            "injection": "system",
            "retention_days": {"profile": 1, "preference": -1},
            "emergency_read_only": True,
        }
    )
    assert not settings.enable
    assert (settings.extraction_provider_id, settings.embedding_provider_id) == ("gpt", "e5")
    assert (settings.extraction.batch_turns, settings.extraction.idle) == (2, timedelta(seconds=30))
    assert settings.recall_deadline == timedelta(milliseconds=50)
    assert settings.injection == "system"
    assert settings.retention_days[MemoryType.PROFILE] == 1
    assert settings.retention_days[MemoryType.PREFERENCE] is None
    assert settings.emergency_read_only


def test_zero_days_are_refused_because_nothing_would_ever_be_kept() -> None:
    assert list(problems_of(at("retention_days.episode", 0))) == ["retention_days.episode"]


def test_accounts_are_joined_line_by_line() -> None:
    lines = ["telegram:7=qq:42", "", "  飞书:小明 = qq:42 ", "telegram:7=qq:42"]
    rules = settings_of(at("identity.cross_platform_aliases", lines)).identity
    assert rules.aliases == {"telegram:7": "qq:42", "飞书:小明": "qq:42"}


@pytest.mark.parametrize("line", ["qq:1", "=qq:1", "qq:1=", "qq:1=qq:1", "a=b=c", "="])
def test_a_line_that_joins_no_two_accounts_is_refused_by_its_number(line: str) -> None:
    why = problems_of(at("identity.cross_platform_aliases", ["a:1=b:2", line]))
    assert why["identity.cross_platform_aliases"].startswith('line 2 must be "account=account"')


def test_personas_are_told_apart_only_where_the_operator_says_so() -> None:
    assert not settings_of({}).identity.per_persona
    assert settings_of(at("identity.per_persona", True)).identity.per_persona


def test_an_account_joined_to_two_others_is_a_contradiction() -> None:
    why = problems_of(at("identity.cross_platform_aliases", ["a:1=b:2", "a:1=c:3"]))
    assert why == {"identity.cross_platform_aliases": "line 2 contradicts an earlier line"}


def test_the_level_of_a_chat_is_what_follows_the_last_equals_sign() -> None:
    lines = ["qq:GroupMessage:a=b=CONFIDENTIAL", "qq:FriendMessage:1=public"]
    assert settings_of(at("levels.chats", lines)).levels.chats == {
        "qq:GroupMessage:a=b": Level.CONFIDENTIAL,
        "qq:FriendMessage:1": Level.PUBLIC,
    }


@pytest.mark.parametrize("line", ["qq:GroupMessage:1=secret", "qq:GroupMessage:1=3", "CONFIDENTIAL"])
def test_a_level_is_taken_only_by_its_name(line: str) -> None:
    assert (
        "PUBLIC, INTERNAL, CONFIDENTIAL, RESTRICTED"
        in problems_of(at("levels.chats", [line]))["levels.chats"]
    )


def test_a_tool_raises_to_the_level_that_its_line_names() -> None:
    lines = ["search_web=INTERNAL", "", "hr = Confidential", "a=b=RESTRICTED"]
    assert settings_of({}).levels.tools == {}
    assert settings_of(at("levels.tools", lines)).levels.tools == {
        "search_web": Level.INTERNAL,
        "hr": Level.CONFIDENTIAL,
        "a=b": Level.RESTRICTED,
    }


@pytest.mark.parametrize(
    "line", ["hr=secret", "hr", "=PUBLIC", *(f"{own}=PUBLIC" for own in sorted(OWN_TOOLS))]
)
def test_a_line_of_a_tool_that_cannot_be_used_is_named_with_its_key(line: str) -> None:
    why = problems_of(at("levels.tools", ["search_web=PUBLIC", line]))["levels.tools"]
    assert why.startswith('line 2 must be "tool=LEVEL", where LEVEL is one of PUBLIC, INTERNAL')
    assert why.endswith("and the tool is not one of this plugin")


@pytest.mark.parametrize(
    ("name", "level"),
    [*zip(("公开", "内部", "机密", "受限", "internal"), (*Level, Level.INTERNAL), strict=True)],
)
def test_a_level_may_be_named_in_chinese(name: str, level: Level) -> None:
    levels = settings_of(
        config(levels__chats=[f"a:GroupMessage:1={name}"], levels__tools=[f"hr={name}"])
    ).levels
    assert (levels.chats, levels.tools) == ({"a:GroupMessage:1": level}, {"hr": level})


def test_a_tool_with_two_levels_is_a_contradiction() -> None:
    why = problems_of(at("levels.tools", ["hr=PUBLIC", "hr=INTERNAL"]))
    assert why == {"levels.tools": "line 2 contradicts an earlier line"}


def test_what_is_said_in_one_group_stays_there_unless_the_operator_says_so() -> None:
    assert not settings_of({}).levels.cross_group
    assert settings_of(at("levels.cross_group", True)).levels.cross_group


def test_a_problem_never_repeats_the_value() -> None:
    reading = read_settings({"injection": "sk-secret", "levels": {"chats": ["sk-secret"]}})
    assert "sk-secret" not in repr(cast("object", reading.problems))
