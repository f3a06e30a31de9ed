"""`ltm_policy_versions`: every policy ever in force."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from ..models import POLICY_VERSIONS
from .seat import Seat


@dataclass(frozen=True, kw_only=True)
class PolicyVersion:
    """A policy and since when it is in force."""

    version: int
    policy: Mapping[str, object]
    """As JSON holds it."""
    actor: str
    created_at: datetime


async def current(connection: Seat) -> PolicyVersion | None:
    """The policy recorded last."""
    newest = select(POLICY_VERSIONS).order_by(POLICY_VERSIONS.c.version.desc()).limit(1)
    row = (await connection.execute(newest)).mappings().first()
    return None if row is None else PolicyVersion(**row)


async def get(connection: Seat, version: int) -> PolicyVersion | None:
    """The version with this number."""
    query = select(POLICY_VERSIONS).where(POLICY_VERSIONS.c.version == version)
    row = (await connection.execute(query)).mappings().first()
    return None if row is None else PolicyVersion(**row)


async def page(connection: Seat, *, page: int, page_size: int) -> Sequence[PolicyVersion]:
    """One page, the newest first, and one more behind it if there is one; pages count from 1."""
    newest = select(POLICY_VERSIONS).order_by(POLICY_VERSIONS.c.version.desc())
    rows = await connection.execute(newest.limit(page_size + 1).offset((page - 1) * page_size))
    return [PolicyVersion(**row) for row in rows.mappings()]


async def count(connection: Seat) -> int:
    """How many there are."""
    counted = await connection.execute(select(func.count()).select_from(POLICY_VERSIONS))
    return int(counted.scalar_one())


async def record(
    connection: Seat, policy: Mapping[str, object], *, actor: str, at: datetime
) -> PolicyVersion:
    """The version of this policy: the current one when nothing differs, else a new one.

    `policy` consists of what JSON can hold: no tuples, no sets.
    """
    last = await current(connection)
    if last is not None and last.policy == policy:
        return last
    version = 1 if last is None else last.version + 1
    await connection.change(
        POLICY_VERSIONS.insert().values(version=version, policy=dict(policy), actor=actor, created_at=at)
    )
    return PolicyVersion(version=version, policy=policy, actor=actor, created_at=at)
