"""The two policies as their sections of the settings hold them: the one place that knows what is allowed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from .config_form import ConfigForm, SettingsProblem
from .domain.words import MemoryType, Mode
from .policies.memory_policies import MemoryReadPolicy, MemoryWritePolicy, Policies


@dataclass(frozen=True, kw_only=True)
class PoliciesReading:
    """What became of two sections: policies, or the problems that stand in their way."""

    policies: Policies | None
    """None exactly when there are problems."""
    problems: tuple[SettingsProblem, ...]


def read_policies(sections: Mapping[str, object], *, whole: bool) -> PoliciesReading:
    """Read `write` and `read`; problems are named like `read.max_items`. Never raises.

    With `whole` every setting must be there and no other; else a missing one takes its default and an unknown
    one is passed over, as in the settings.
    """
    form = ConfigForm(values=sections)
    if whole:
        for problem in _not_whole(sections):
            form.refuse(problem.key, problem.why)
    policies = Policies(
        write=read_write_policy(form.section("write")), read=read_read_policy(form.section("read"))
    )
    return PoliciesReading(policies=None if form.problems else policies, problems=tuple(form.problems))


def read_write_policy(form: ConfigForm) -> MemoryWritePolicy:
    """The settings `write_policy`."""
    std = MemoryWritePolicy()
    return MemoryWritePolicy(
        mode=form.choice("mode", _MODES, std.mode),
        min_confidence=form.share("min_confidence", std.min_confidence),
        min_evidence_count=form.whole("min_evidence_count", std.min_evidence_count, low=1, high=100),
        allowed_types=form.choices("allowed_types", _TYPES, std.allowed_types),
        max_writes_per_session=form.whole(
            "max_writes_per_session", std.max_writes_per_session, low=0, high=10_000
        ),
        max_writes_per_hour=form.whole("max_writes_per_hour", std.max_writes_per_hour, low=0, high=100_000),
        max_items_per_scope=form.whole("max_items_per_scope", std.max_items_per_scope, low=1, high=10_000),
        require_approval_types=form.choices("require_approval_types", _TYPES, std.require_approval_types),
        self_approval=form.flag("self_approval", default=std.self_approval),
    )


def read_read_policy(form: ConfigForm) -> MemoryReadPolicy:
    """The settings `read_policy`."""
    std = MemoryReadPolicy()
    policy = MemoryReadPolicy(
        enable=form.flag("enable", default=std.enable),
        max_items=form.whole("max_items", std.max_items, low=1, high=100),
        max_tokens=form.whole("max_tokens", std.max_tokens, low=1, high=32_000),
        max_per_type=form.whole("max_per_type", std.max_per_type, low=1, high=100),
        min_confidence=form.share("min_confidence", std.min_confidence),
        similarity_weight=form.share("similarity_weight", std.similarity_weight),
        importance_weight=form.share("importance_weight", std.importance_weight),
        recency_weight=form.share("recency_weight", std.recency_weight),
    )
    if not (policy.similarity_weight or policy.importance_weight or policy.recency_weight):
        form.refuse("similarity_weight", "must be above 0 if the two other weights are 0", "weights")
    return policy


def _not_whole(sections: Mapping[str, object]) -> Iterator[SettingsProblem]:
    """What is missing, and what nobody knows."""
    for section, settings in Policies().as_json().items():
        given = sections.get(section)
        values = cast("Mapping[str, object]", given if isinstance(given, Mapping) else {})
        for name in settings:
            if values.get(name) is None:
                yield SettingsProblem(key=f"{section}.{name}", why="must be given")
        for name in values:
            if name not in settings:
                yield SettingsProblem(key=f"{section}.{name}", why="must be left out: it is not known here")


_MODES: Mapping[str, Mode] = {mode.value: mode for mode in Mode}
_TYPES: Mapping[str, MemoryType] = {kind.value: kind for kind in MemoryType}
