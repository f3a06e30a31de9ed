"""Exports, imports and snapshots: for operators only."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from ..domain.chat import ScopeRef
from ..domain.errors import UnavailableError
from ..domain.transfer import ImportResult, Kind, NamedItem, Snapshot, SnapshotList
from ..domain.writing import AuditEntry
from ..policies.succession import status_rank
from ..storage.store import StoreTransaction
from ..text_analysis.fact_relation import says_otherwise
from ..text_analysis.sanitize import plain_name
from ..web import Download
from ..write.conflicts import NEAREST
from .components import Components
from .operations import Operations


class Transferring(Operations):
    """Everything or one scope as a file, and back."""

    def __init__(self, components: Components) -> None:
        super().__init__(components)
        self._transfers = components.store.transfers
        self._snapshots = components.snapshots
        self._transit = components.transit
        self.arriving = components.transit.arriving
        self.imports = self._transfers.imports
        self.undo = self._transfers.undo

    async def export(self, scope: ScopeRef | None) -> Download:
        """Write all that is remembered, or one scope of it, into a file, which the caller removes.

        Raises UnavailableError, also when a person is erased meanwhile, whom the file may tell of.
        """
        cleared, at, path = self._transit.cleared, self._clock(), await self._transit.place()
        await self._transfers.export(path, scope=scope, plugin_version=self._components.ports.version)
        if self._transit.cleared != cleared:
            path.unlink(missing_ok=True)
            raise UnavailableError("somebody was erased meanwhile: export again")
        return Download(path=path, filename=f"ltm-export-{at:%Y-%m-%d}.json")

    async def check(self, file: Path) -> ImportResult:
        """What `bring_in` would do, and what says otherwise here than those it names. Raises as that."""
        found = await self._transfers.check(file)
        return replace(found, named=await self._store.in_snapshot(partial(_with_otherwise, found.named)))

    async def bring_in(self, file: Path, *, actor: str, name: str = "") -> ImportResult:
        """Bring in what the store does not hold, or nothing. Raises InvalidInputError, RefusedError."""
        own = plain_name(name.replace("\\", "/").rpartition("/")[2])
        return await self._arrive(file, Kind.IMPORT, actor=actor, name=own)

    async def snapshots(self) -> SnapshotList:
        """All snapshots, the newest first, and the one that the operator may want back."""
        found = await self._snapshots.listed()
        return SnapshotList(snapshots=found, offer=await self._snapshots.offered(found))

    async def snapshot(self, *, actor: str) -> Snapshot | None:
        """A new snapshot; None when there is nothing to keep."""
        made = await self._snapshots.make()
        if made is not None and not self._store.read_only:
            line = AuditEntry(actor=actor, action="snapshot", after=made.name, reason=f"items={made.items}")
            await self._audit(line)
        return made

    async def restore(self, name: str, *, actor: str) -> ImportResult:
        """Bring in a snapshot with its links, as an import. Raises NotFoundError and as that."""
        return await self._arrive(await self._snapshots.file(name), Kind.RESTORE, actor=actor, name=name)

    async def check_restore(self, name: str) -> ImportResult:
        """What `restore` would do. Raises as that."""
        return await self._transfers.check(await self._snapshots.file(name), Kind.RESTORE)

    async def _arrive(self, file: Path, kind: Kind, *, actor: str, name: str) -> ImportResult:
        own_id = self._components.ports.make_id()
        try:
            return await self._transfers.bring_in(file, import_id=own_id, kind=kind, actor=actor, name=name)
        finally:
            self._components.embedding.notify()
            await self._resolver.links_changed()


async def _with_otherwise(named: Sequence[NamedItem], tx: StoreTransaction) -> list[NamedItem]:
    compared = list[NamedItem]()
    for one in named:
        alike = await tx.similar(one.owner, None, one.fact, limit=NEAREST)
        here = [it.fact for it in alike if status_rank(it.status) and it.person == one.person]
        compared.append(replace(one, otherwise=[fact for fact in here if says_otherwise(one.fact, fact)]))
    return compared
