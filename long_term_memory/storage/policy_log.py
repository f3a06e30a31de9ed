"""The policies that were ever in force, for the operator who changes them, looks back and goes back."""

from collections.abc import Mapping, Sequence

from ..domain.errors import RefusedError
from ..domain.time import Clock
from ..domain.writing import AuditEntry
from . import audit, policy_versions
from .database import Database
from .policy_versions import PolicyVersion


class PolicyLog:
    """`ltm_policy_versions`, and a line in the audit for each change."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

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
            last = await policy_versions.current(connection)
            before = version_of(last, instead_of)
            if expected is not None and expected != before:
                raise RefusedError("stale_version")
            made = await policy_versions.record(connection, policy, actor=actor, at=self._clock())
            if made.version != before:
                entry = AuditEntry(
                    actor=actor,
                    action="policy",
                    memory_id="",
                    before=str(before),
                    after=str(made.version),
                    reason=why,
                )
                await audit.append(connection, entry, at=self._clock())
            return made

    async def current(self) -> PolicyVersion | None:
        """The version recorded last."""
        async with self._database.read() as connection:
            return await policy_versions.current(connection)

    async def get(self, version: int) -> PolicyVersion | None:
        """The version with this number."""
        async with self._database.read() as connection:
            return await policy_versions.get(connection, version)

    async def page(self, *, page: int, page_size: int) -> tuple[Sequence[PolicyVersion], int]:
        """One page, the newest first, and how many versions there are.

        Behind the page comes the version before its last, if there is one, to compare with.
        """
        async with self._database.read() as connection:
            found = await policy_versions.page(connection, page=page, page_size=page_size)
            return found, await policy_versions.count(connection)


def version_of(last: PolicyVersion | None, in_force: Mapping[str, object]) -> int:
    """The version of the policy in force; 0 when it is not on record."""
    return last.version if last is not None and last.policy == in_force else 0
