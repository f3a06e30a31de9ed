"""`ltm_audit`: who changed what and why, and `ltm_policy_versions`: every policy ever in force."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import RowMapping, Select, select

from ..domain.errors import RefusedError
from ..domain.writing import AuditEntry, AuditLine
from ..models import AUDIT, POLICY_VERSIONS
from .columns import values_in
from .connection import Connection
from .database import OnDatabaseWithClock, reads

_INSERT = AUDIT.insert()
_NEWEST = select(POLICY_VERSIONS).order_by(POLICY_VERSIONS.c.version.desc())
_FIELDS = [field.name for field in fields(AuditEntry)]


async def extend(connection: Connection, entries: Sequence[AuditEntry], *, at: datetime) -> None:
    """Add lines, at least one, in one step."""
    await connection.change(_INSERT, [vars(entry) | {"created_at": at} for entry in entries])


async def of_item(connection: Connection, memory_id: str) -> list[tuple[datetime, AuditEntry]]:
    """What happened to an item, oldest first."""
    rows = await connection.execute(select(AUDIT).where(AUDIT.c.memory_id == memory_id).order_by(AUDIT.c.id))
    return [(row["created_at"], AuditEntry(**values_in(row, _FIELDS))) for row in rows.mappings()]


def line_of(row: RowMapping) -> AuditLine:
    """The line a row of `ltm_audit` holds."""
    return AuditLine(id=row["id"], at=row["created_at"], **values_in(row, _FIELDS))


@dataclass(frozen=True, kw_only=True)
class PolicyVersion:
    """A policy and since when it is in force."""

    version: int
    policy: Mapping[str, object]
    """As JSON holds it."""
    actor: str
    created_at: datetime


async def current(connection: Connection) -> PolicyVersion | None:
    """The policy recorded last."""
    return next(iter(await _versions(connection, _NEWEST.limit(1))), None)


async def _versions(connection: Connection, query: Select[Any]) -> Sequence[PolicyVersion]:
    return [PolicyVersion(**row) for row in (await connection.execute(query)).mappings()]


class PolicyLog(OnDatabaseWithClock):
    """The policies that were ever in force, and a line in the audit for each change."""

    current = reads(current)
    _versions = reads(_versions)

    async def get(self, version: int) -> PolicyVersion | None:
        """The version with this number."""
        return next(iter(await self._versions(_NEWEST.where(POLICY_VERSIONS.c.version == version))), None)

    async def page(self, *, page: int, page_size: int) -> tuple[Sequence[PolicyVersion], int]:
        """One page, the newest first, and how many versions there are; pages count from 1.

        Behind the page comes the version before its last, if there is one, to compare with. Versions are
        numbered from 1, and none is removed.
        """
        here = _NEWEST.limit(page_size + 1).offset((page - 1) * page_size)
        last = await self.current()
        return await self._versions(here), last.version if last else 0

    async def record(self, policy: Mapping[str, object], *, actor: str) -> PolicyVersion:
        """The version of this policy: the current one when nothing differs, else a new one.

        `policy` consists of what JSON can hold: no tuples, no sets.
        """
        async with self._database.write() as connection:
            return await self._record(connection, policy, await current(connection), actor=actor)

    async def change(
        self,
        policy: Mapping[str, object],
        *,
        instead_of: Mapping[str, object],
        actor: str,
        why: str,
        expected: int | None = None,
    ) -> PolicyVersion:
        """Put a policy on record in the place of the one in force; the same again makes no new version.

        `expected` is the version that the caller takes to be in force. Raises RefusedError: `stale_version`
        when another one is, or `emergency_read_only`.
        """
        async with self._database.write() as connection:
            last = await current(connection)
            before = version_of(last, instead_of)
            if expected is not None and expected != before:
                raise RefusedError("stale_version")
            made = await self._record(connection, policy, last, actor=actor)
            if made.version != before:
                entry = AuditEntry(
                    actor=actor, action="policy", before=str(before), after=str(made.version), reason=why
                )
                await extend(connection, [entry], at=self._clock())
            return made

    async def _record(
        self, connection: Connection, policy: Mapping[str, object], last: PolicyVersion | None, *, actor: str
    ) -> PolicyVersion:
        if last is not None and last.policy == policy:
            return last
        number = 1 if last is None else last.version + 1
        made = PolicyVersion(version=number, policy=policy, actor=actor, created_at=self._clock())
        await connection.change(POLICY_VERSIONS.insert(), vars(made))
        return made


def version_of(last: PolicyVersion | None, in_force: Mapping[str, object]) -> int:
    """The version of the policy in force; 0 when it is not on record."""
    return last.version if last is not None and last.policy == in_force else 0
