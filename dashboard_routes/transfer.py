"""GET export, POST import and import/check, imports and snapshots: memory as a file, and the way back."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Self, TypedDict

from pydantic import StringConstraints, model_validator

from . import core
from .answers import ROUTES, shaped
from .core import Page, Request, Service
from .forms import Form, Paged, Query, Words, asked, body

MAX_FILE = 64 << 20
"""Bytes of a file that is imported; a larger export can be imported packed (gzip)."""
_FILE = "file"


class WantedExport(Query):
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


class KnownShape(TypedDict):
    """How many memories the store has already, and how many of these are deleted there and stay so."""

    items: int
    deleted: int


class GaveWayShape(TypedDict):
    """How many of those added say what the store says already: they came in as superseded by that."""

    items: int


class ImportAnswer(TypedDict):
    """What the import has done; `added` is how many rows the store did not have."""

    import_id: str | None
    added: core.Contents
    known: KnownShape
    gave_way: GaveWayShape


class ManifestScope(TypedDict):
    """The one scope of a file."""

    scope: str
    scope_id: str


class ManifestShape(TypedDict):
    """What the file says about itself; its checksum is right."""

    format_version: int
    plugin_version: str
    exported_at: str
    store_id: str
    scope: ManifestScope | None
    counts: core.Contents
    sha256: str


class CheckAnswer(ImportAnswer):
    """What an import would do, and of whom it brings memories while none are stored; nothing is written."""

    newcomers: Sequence[str]
    manifest: ManifestShape


class SnapshotShape(TypedDict):
    """A snapshot; `good`: its bytes are those that were written, and `why` not."""

    name: str
    at: str
    bytes: int
    items: int
    good: bool
    why: str


class SnapshotsAnswer(TypedDict):
    """All snapshots, the newest first, and the one that holds what this store does not know."""

    snapshots: Sequence[SnapshotShape]
    offer: str | None


@ROUTES.add("GET", "export", "All memories, or those of one scope, as a file", query=WantedExport)
async def export(service: Service, request: Request) -> core.Download:
    """All that is remembered, or one scope of it."""
    wanted = asked(request, WantedExport)
    manager = service.manager()
    scope = core.ScopeRef(scope=wanted.scope, scope_id=wanted.scope_id) if wanted.scope else None
    made = await manager.transferring.export(scope)
    return core.Download(path=made.path, filename=f"ltm-export-{made.at:%Y-%m-%d}.json", passing=True)


@ROUTES.add("POST", "import/check", "What an import of this file would do", file=_FILE)
async def check_import(service: Service, request: Request) -> CheckAnswer:
    """What an import of this file would do."""
    transferring = service.manager().transferring
    async with _uploaded(service, request) as file:
        arrived = await transferring.check(file)
    scope = arrived.manifest.scope
    named = ManifestScope(scope=scope[0], scope_id=scope[1]) if scope else None
    return CheckAnswer(
        **_answer(arrived),
        newcomers=arrived.newcomers,
        manifest=shaped(ManifestShape, arrived.manifest, scope=named),
    )


@ROUTES.add("POST", "import", "Bring in a file, whole or not at all", file=_FILE)
async def bring_in(service: Service, request: Request) -> ImportAnswer:
    """Bring in what this file holds and the store does not, all of it or nothing; twice adds nothing."""
    transferring = service.manager().transferring
    async with _uploaded(service, request) as file:
        name = request.files[_FILE].name
        return _answer(await transferring.bring_in(file, actor=request.actor, name=name))


@ROUTES.add("GET", "imports", "The imports of the past", query=Paged)
async def list_imports(service: Service, request: Request) -> Page[core.Imported]:
    """One page of the imports, the newest first."""
    return await service.manager().transferring.imports(**dict(asked(request, Paged)))


@ROUTES.add("POST", "imports/<import_id>/undo", "Take an import back")
async def undo_import(service: Service, request: Request) -> core.Undone:
    """Delete what this import added and nobody has changed since; a second import brings it back."""
    return await service.manager().transferring.undo(request.path["import_id"], actor=request.actor)


@ROUTES.add("GET", "snapshots", "The copies of all memory")
async def list_snapshots(service: Service, request: Request) -> SnapshotsAnswer:  # noqa: ARG001  same shape for all
    """All snapshots, the newest first."""
    found = await service.manager().transferring.snapshots()
    return SnapshotsAnswer(
        snapshots=[shaped(SnapshotShape, one) for one in found.snapshots], offer=found.offer
    )


@ROUTES.add("POST", "snapshots/create", "Make one now")
async def create_snapshot(service: Service, request: Request) -> SnapshotShape:
    """Write one now; when nothing has changed since the newest, that one is it."""
    made = await service.manager().transferring.snapshot(actor=request.actor)
    if made is None:
        raise core.InvalidInputError("snapshot", "there is nothing to keep yet")
    return shaped(SnapshotShape, made)


@ROUTES.add("POST", "snapshots/restore", "Bring back what one holds", body=RestoreForm)
async def restore_snapshot(service: Service, request: Request) -> ImportAnswer:
    """Bring in what a snapshot holds and the store does not, all of it or nothing."""
    wanted = body(request, RestoreForm)
    return _answer(await service.manager().transferring.restore(wanted.name, actor=request.actor))


def _answer(arrived: core.Arrived) -> ImportAnswer:
    return ImportAnswer(
        import_id=arrived.import_id,
        added=arrived.added,
        known=KnownShape(items=arrived.known, deleted=arrived.known_deleted),
        gave_way=GaveWayShape(items=arrived.gave_way),
    )


@asynccontextmanager
async def _uploaded(service: Service, request: Request) -> AsyncGenerator[Path]:
    """Where the file lies that came along, until the block ends."""
    upload = request.files.get(_FILE)
    if upload is None:
        raise core.InvalidInputError(_FILE, "must come along as multipart/form-data")
    async with service.manager().transferring.arriving() as place:
        await upload.save(place, max_bytes=MAX_FILE)
        yield place
