"""The policies in force, what a change of them would do, the change itself, and the way back."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from ..domain.enums import Mode
from ..domain.errors import InvalidInputError, NotFoundError
from ..domain.memory import Page
from ..policies.memory_policies import MemoryReadPolicy, Policies, PoliciesJson, Setting
from ..settings import read_policies
from ..storage.audit import PolicyVersion, version_of
from ..storage.long_work import finish_despite_cancel
from ..storage.statistics import Statistics
from .components import Components
from .operations import Operations
from .switches import not_kept_errors

_NEVER = 2.0
"""Above every confidence."""


@dataclass(frozen=True, kw_only=True)
class InForce(Policies):
    """What governs, since when and by whom; version 0 when it is not on record."""

    version: int
    at: datetime | None
    actor: str


@dataclass(frozen=True, kw_only=True)
class Change:
    """One setting with another value; None where the setting did not exist."""

    field: str
    before: Setting | None
    after: Setting | None


@dataclass(frozen=True, kw_only=True)
class Effect:
    """Something that a change does, and to how many."""

    what: str
    count: int


@dataclass(frozen=True, kw_only=True)
class Preview:
    """What a change would change and do."""

    changes: Sequence[Change]
    effects: Sequence[Effect]


@dataclass(frozen=True, kw_only=True)
class Version:
    """A policy that was in force, as it was recorded, and how it differs from the one before, if any."""

    version: int
    actor: str
    at: datetime
    write: Mapping[str, Setting]
    read: Mapping[str, Setting]
    changes: Sequence[Change]


class PolicyChanges(Operations):
    """A change is on record before it counts; it counts from the next statement on, and after a restart."""

    def __init__(self, components: Components) -> None:
        super().__init__(components)
        self._changing = asyncio.Lock()

    async def in_force(self) -> InForce:
        """What governs now."""
        return _in_force(self._components.policies.both, await self._store.policies.current())

    async def change(self, sections: Mapping[str, object], *, version: int | None, actor: str) -> InForce:
        """Let these policies govern: `write` and `read`, both whole.

        `version` is the one that the caller takes to be in force. Raises InvalidInputError, RefusedError
        (`stale_version`, `emergency_read_only`), and UnavailableError when it could not be kept for after the
        next restart.
        """
        return await self._govern(read_policies(sections, whole=True), actor=actor, expected=version)

    async def roll_back(self, version: int, *, expected: int | None, actor: str) -> InForce:
        """Govern by an earlier version if `expected` is in force. Raises as `change`, and NotFoundError."""
        earlier = await self._store.policies.get(version)
        if earlier is None:
            raise NotFoundError("no such version")
        try:
            policies = read_policies(earlier.policy, whole=False)
        except InvalidInputError as error:
            raise InvalidInputError("version", f"cannot be used any more: {error.field}") from None
        return await self._govern(policies, actor=actor, expected=expected)

    async def set_mode(self, mode: Mode, *, actor: str) -> None:
        """Let automatic writing go on in this mode. Raises RefusedError, NotKeptError."""
        await self._govern(mode, actor=actor)

    async def preview(self, sections: Mapping[str, object]) -> Preview:
        """What `change` would do; changes nothing. Raises InvalidInputError."""
        before, after = self._components.policies.both, read_policies(sections, whole=True)
        return Preview(
            changes=changes_between(before.as_json(), after.as_json()),
            effects=await effects_of(before, after, self._store.statistics),
        )

    async def settle(self) -> None:
        """Wait until a change under way is in the settings file as well."""
        async with self._changing:
            pass

    async def versions(self, *, page: int, page_size: int) -> Page[Version]:
        """One page of all policies ever in force, the newest first."""
        found, total = await self._store.policies.page(page=page, page_size=page_size)
        earlier = (*found[1:], *found[-1:])  # the first ever is compared with itself
        rows = [_version(*both) for both in zip(found[:page_size], earlier, strict=False)]
        return Page(rows=rows, total=total, page=page, page_size=page_size)

    async def _govern(self, wanted: Policies | Mode, *, actor: str, expected: int | None = None) -> InForce:
        with not_kept_errors():
            return await finish_despite_cancel(self._put(wanted, actor=actor, expected=expected))

    async def _put(self, wanted: Policies | Mode, *, actor: str, expected: int | None = None) -> InForce:
        # In turn: what is in force, what is on record and what is in the file are to be the same.
        async with self._changing:
            live = self._components.policies
            before = live.both
            after = before.in_mode(wanted) if isinstance(wanted, Mode) else wanted
            changes = changes_between(before.as_json(), after.as_json())
            made = await self._store.policies.change(
                after.as_json(),
                instead_of=before.as_json(),
                actor=actor,
                why=", ".join(f"{c.field}: {json.dumps(c.before)} -> {json.dumps(c.after)}" for c in changes),
                expected=expected,
            )
            live.both = after
            await self._components.ports.keep_policies(after.as_json())
        return _in_force(after, made)


def _version(recorded: PolicyVersion, before: PolicyVersion) -> Version:
    policies = sections_of(recorded.policy)
    return Version(
        version=recorded.version,
        actor=recorded.actor,
        at=recorded.created_at,
        write=policies.get("write", {}),
        read=policies.get("read", {}),
        changes=changes_between(sections_of(before.policy), policies),
    )


def _in_force(policies: Policies, last: PolicyVersion | None) -> InForce:
    if last is None or not version_of(last, policies.as_json()):
        return InForce(**vars(policies), version=0, at=None, actor="")
    return InForce(**vars(policies), version=last.version, at=last.created_at, actor=last.actor)


def recalled_from(policy: MemoryReadPolicy) -> float:
    """The confidence from which on memories are recalled."""
    return policy.min_confidence if policy.enable else _NEVER


def changes_between(before: PoliciesJson, after: PoliciesJson) -> Sequence[Change]:
    """What differs, section by section, of policies as JSON holds them; of whatever release."""
    found: list[Change] = []
    for section in dict.fromkeys((*after, *before)):
        old, new = before.get(section, {}), after.get(section, {})
        found += [
            Change(field=f"{section}.{name}", before=old.get(name), after=new.get(name))
            for name in dict.fromkeys((*new, *old))
            if old.get(name) != new.get(name)
        ]
    return found


async def effects_of(before: Policies, after: Policies, counts: Statistics) -> Sequence[Effect]:
    """What the change does; what it does to nothing is left out."""
    old, new = recalled_from(before.read), recalled_from(after.read)
    most, had = after.write.max_items_per_scope, before.write.max_items_per_scope
    found = {
        "no_longer_recalled": await counts.active_between(old, new) if old < new else 0,
        "recalled_again": await counts.active_between(new, old) if new < old else 0,
        "over_capacity_scopes": await counts.fuller_than(most) if most != had else 0,
        "waiting": await counts.waiting() if after.write.mode is not before.write.mode else 0,
    }
    return [Effect(what=what, count=count) for what, count in found.items() if count]


def sections_of(recorded: Mapping[str, object]) -> PoliciesJson:
    """The sections of policies on record, of whatever release; what is no section is passed over."""
    return {
        name: cast("Mapping[str, Setting]", section)
        for name, section in recorded.items()
        if isinstance(section, Mapping)
    }
