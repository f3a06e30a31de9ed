"""GET export, POST import and import/check, imports and snapshots: memory as a file, and the way back."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Self

from pydantic import StringConstraints, model_validator

from . import core
from .answers import ROUTES
from .core import LTMManager, Page, Paging, Upload
from .forms import Form, QueryForm, Words

MAX_FILE = 64 << 20
"""Bytes of a file that is imported; a larger export can be imported packed (gzip)."""


class WantedExport(QueryForm):
    """Of which scope: both, or neither for all."""

    scope: core.Scope | None = None
    scope_id: Words = ""

    @model_validator(mode="after")
    def _both_or_none(self) -> Self:
        if (self.scope is None) == bool(self.scope_id):
            raise ValueError("scope and scope_id go together")
        return self


class RestoreForm(Form):
    """Which snapshot."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=200)]


@ROUTES.add("GET", "export", "All memories, or those of one scope, as a file")
async def export(manager: LTMManager, query: WantedExport) -> core.Download:
    """All that is remembered, or one scope of it."""
    scope = core.ScopeRef(scope=query.scope, scope_id=query.scope_id) if query.scope else None
    return await manager.transferring.export(scope)


@ROUTES.add("POST", "import/check", "What an import of this file would do")
async def check_import(manager: LTMManager, upload: Upload) -> core.transfer.ImportResult:
    """What an import of this file would do; nothing is written."""
    async with _saved(manager, upload) as file:
        return await manager.transferring.check(file)


@ROUTES.add("POST", "import", "Bring in a file, whole or not at all")
async def bring_in(manager: LTMManager, upload: Upload, actor: str) -> core.transfer.ImportResult:
    """Bring in what this file holds and the store does not, all of it or nothing; twice adds nothing."""
    async with _saved(manager, upload) as file:
        return await manager.transferring.bring_in(file, actor=actor, name=upload.name)


@ROUTES.add("GET", "imports", "The imports of the past")
async def list_imports(manager: LTMManager, query: Paging) -> Page[core.transfer.Imported]:
    """One page of the imports, the newest first."""
    return await manager.transferring.imports(**vars(query))


@ROUTES.add("POST", "imports/<import_id>/undo", "Take an import back")
async def undo_import(manager: LTMManager, import_id: str, actor: str) -> core.transfer.Undone:
    """Delete what this import added and nobody has changed since; a second import brings it back."""
    return await manager.transferring.undo(import_id, actor=actor)


@ROUTES.add("GET", "snapshots", "The copies of all memory")
async def list_snapshots(manager: LTMManager) -> core.transfer.SnapshotList:
    """All snapshots, the newest first."""
    return await manager.transferring.snapshots()


@ROUTES.add("POST", "snapshots/create", "Make one now")
async def create_snapshot(manager: LTMManager, actor: str) -> core.transfer.Snapshot:
    """Write one now."""
    made = await manager.transferring.snapshot(actor=actor)
    if made is None:
        raise core.InvalidInputError("snapshot", "there is nothing to keep yet")
    return made


@ROUTES.add("POST", "snapshots/restore/check", "What bringing back what one holds would do")
async def check_restore(manager: LTMManager, body: RestoreForm) -> core.transfer.ImportResult:
    """What a restore of this snapshot would do; nothing is written."""
    return await manager.transferring.check_restore(body.name)


@ROUTES.add("POST", "snapshots/restore", "Bring back what one holds")
async def restore_snapshot(manager: LTMManager, body: RestoreForm, actor: str) -> core.transfer.ImportResult:
    """Bring in what a snapshot holds and the store does not, all of it or nothing."""
    return await manager.transferring.restore(body.name, actor=actor)


@asynccontextmanager
async def _saved(manager: LTMManager, upload: Upload) -> AsyncGenerator[Path]:
    """Where the file lies that came along, until the block ends."""
    async with manager.transferring.arriving() as place:
        await upload.save(place, MAX_FILE)
        yield place
