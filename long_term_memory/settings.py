"""The host's config, checked once and frozen.

`read_settings` never raises: what cannot be used comes back as a list of problems, so that the plugin can
load paused and show them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal, cast, get_args

from .access.gatekeeper import OWN_TOOLS, GroupRules, LevelRules
from .access.identity import IdentityRules, UserScopeStrategy
from .config_reader import ConfigReader, SettingsProblem, broken
from .domain.enums import Level, MemoryType
from .domain.errors import InvalidInputError
from .policies.memory_policies import MemoryReadPolicy, MemoryWritePolicy, Policies

type Injection = Literal["user", "system"]

DEFAULT_RETENTION_DAYS: Mapping[MemoryType, int | None] = {
    MemoryType.PROFILE: None,
    MemoryType.PREFERENCE: 90,
    MemoryType.TASK_STATE: 7,
    MemoryType.CONSTRAINT: None,
    MemoryType.EPISODE: 30,
}
"""Days from the last confirmation until a memory expires; None is permanent."""


@dataclass(frozen=True, kw_only=True)
class ExtractionSettings:
    """When a chat's events go to the model: so many turns wait, or nobody spoke for so long."""

    batch_turns: int = field(default=12, metadata={"low": 1, "high": 100})
    idle: timedelta = timedelta(seconds=120)
    daily_token_cap: int = field(default=200_000, metadata={"low": 0, "high": 1_000_000_000})
    """Model tokens a day (UTC), questions and answers together; 0 asks no model at all."""
    verify: bool = True
    """Whether the model is asked a second time, if the conversation says what was found in it."""


@dataclass(frozen=True, kw_only=True)
class ToolSettings:
    """Which groups of tools a model is offered."""

    memory: bool = True
    session_search: bool = True
    """While it is on, what people and the bot say is embedded as well."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything an operator decides, in values that are known to be good."""

    enable: bool = True
    write: MemoryWritePolicy
    read: MemoryReadPolicy
    extraction_provider_id: str = ""
    """Empty: the provider the chat itself uses."""
    extraction: ExtractionSettings
    embedding_provider_id: str = ""
    """Empty: the first embedding provider there is."""
    recall_deadline: timedelta
    """How long a reply may wait for the query's embedding; after that words alone answer."""
    injection: Injection
    identity: IdentityRules
    levels: LevelRules
    groups: GroupRules
    tools: ToolSettings
    retention_days: Mapping[MemoryType, int | None]
    deleted_retention: timedelta | None
    """How long a deleted memory is kept, and so not learnt again by itself; None is for ever."""
    event_retention: timedelta | None
    """How long messages are kept on which no memory rests; None is for ever."""
    recall_log: timedelta | None
    """How long it is kept what was recalled; zero is not at all, None as long as there is room."""
    emergency_read_only: bool = False
    notify_learned: bool = False
    """Whether a reply says in a line what was learnt about the person it answers."""
    review_notice: bool = False
    """Whether admins are told once a day how much waits for them."""


@dataclass(frozen=True, kw_only=True)
class SettingsReading:
    """What became of the config: settings, or the problems that stand in their way."""

    settings: Settings | None
    """None exactly when there are problems."""
    problems: tuple[SettingsProblem, ...]


def read_settings(raw: object) -> SettingsReading:
    """Read the host's config.

    Whatever `raw` is, this never raises. A missing key, or one that is null, takes its default; an unknown
    one is passed over.
    """
    if not isinstance(raw, Mapping):
        return SettingsReading(settings=None, problems=(broken("", "whole_config"),))
    form = ConfigReader(values=cast("Mapping[str, object]", raw))
    settings = _settings(form)
    return SettingsReading(settings=None if form.problems else settings, problems=tuple(form.problems))


def read_policies(sections: Mapping[str, object], *, whole: bool) -> Policies:
    """Read `write` and `read`. Raises InvalidInputError for the first problem, named like `read.max_items`.

    With `whole` every setting must be there and no other; else a missing one takes its default and an unknown
    one is passed over, as in the settings.
    """
    form = ConfigReader(values=sections)
    for key, rule in _not_whole(sections) if whole else ():
        form.refuse(key, rule)
    write, read = form.section("write").filled(MemoryWritePolicy), parse_read_policy(form.section("read"))
    policies = Policies(write=write, read=read)
    if form.problems:
        raise InvalidInputError(form.problems[0].key, form.problems[0].why)
    return policies


def parse_read_policy(form: ConfigReader) -> MemoryReadPolicy:
    """The settings `read_policy`."""
    policy = form.filled(MemoryReadPolicy)
    if not (policy.similarity_weight or policy.importance_weight or policy.recency_weight):
        form.refuse("similarity_weight", "weights")
    return policy


def _not_whole(sections: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """What is missing, and what nobody knows, each with the rule."""
    for section, settings in Policies().as_json().items():
        given = sections.get(section)
        values = cast("Mapping[str, object]", given if isinstance(given, Mapping) else {})
        yield from ((f"{section}.{name}", "missing") for name in settings if values.get(name) is None)
        yield from ((f"{section}.{name}", "unknown") for name in values if name not in settings)


def _settings(form: ConfigReader) -> Settings:
    event_days = form.days("event_retention_days", 30, high=36_500)
    deleted_days = form.days("deleted_retention_days", 30, high=36_500)
    recall_days = form.days("recall_log_days", 7, low=0, high=36_500)
    groups, ends = form.section("groups"), form.section("retention_days")
    return form.filled(
        Settings,
        write=form.section("write_policy").filled(MemoryWritePolicy),
        read=parse_read_policy(form.section("read_policy")),
        extraction=_extraction(form.section("extraction")),
        recall_deadline=timedelta(milliseconds=form.whole("recall_deadline_ms", 300, low=10, high=10_000)),
        injection=form.choice("injection", _INJECTIONS, "user"),
        identity=_identity(form.section("identity")),
        levels=_levels(form.section("levels")),
        groups=groups.filled(GroupRules, only=groups.names("only"), but=groups.names("except")),
        tools=form.section("tools").filled(ToolSettings),
        retention_days={
            kind: ends.days(kind.value, days, high=36_500) for kind, days in DEFAULT_RETENTION_DAYS.items()
        },
        deleted_retention=None if deleted_days is None else timedelta(days=deleted_days),
        event_retention=None if event_days is None else timedelta(days=event_days),
        recall_log=None if recall_days is None else timedelta(days=recall_days),
    )


def _extraction(form: ConfigReader) -> ExtractionSettings:
    idle = int(ExtractionSettings.idle.total_seconds())
    seconds = form.whole("idle_seconds", idle, low=1, high=86_400)
    return form.filled(ExtractionSettings, idle=timedelta(seconds=seconds))


def _identity(form: ConfigReader) -> IdentityRules:
    return form.filled(
        IdentityRules,
        user_scope_strategy=form.choice(
            "user_scope_strategy", _STRATEGIES, IdentityRules.user_scope_strategy
        ),
        aliases=form.pairs(
            "cross_platform_aliases",
            lambda account, other: other if account != other and "=" not in account else None,
            "line_accounts",
        ),
        links={},
    )


def _levels(form: ConfigReader) -> LevelRules:
    names = ", ".join(Level.__members__)
    return form.filled(
        LevelRules,
        chats=form.pairs("chats", lambda _, name: _LEVELS.get(name.upper()), "line_chat", names=names),
        tools=form.pairs(
            "tools",
            lambda tool, name: None if tool in OWN_TOOLS else _LEVELS.get(name.upper()),
            "line_tool",
            names=names,
        ),
    )


_INJECTIONS: Mapping[str, Injection] = {each: each for each in get_args(Injection.__value__)}
_STRATEGIES: Mapping[str, UserScopeStrategy] = {each: each for each in get_args(UserScopeStrategy.__value__)}
_LEVELS = dict(zip((*Level.__members__, "公开", "内部", "机密", "受限"), [*Level] * 2, strict=True))
"""As lines name them: the Chinese words are those of the Chinese form."""
