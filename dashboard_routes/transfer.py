"""GET export, POST import and import/check: memory as a file."""

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Annotated, Self, TypedDict

from pydantic import StringConstraints, model_validator

from .core import (
    Arrived,
    Download,
    InvalidInputError,
    Manifest,
    Request,
    Route,
    Scope,
    ScopeRef,
    Service,
)
from .forms import Query, asked
from .shapes import Instant, instant

MAX_FILE = 64 << 20
"""Bytes of a file that is imported; a larger export can be imported packed (gzip)."""
_FILE = "file"


class WantedExport(Query):
    """Of which scope: both, or neither for all."""

    scope: Scope | None = None
    scope_id: Annotated[str, StringConstraints(max_length=500)] = ""

    @model_validator(mode="after")
    def _both_or_none(self) -> Self:
        if (self.scope is None) == bool(self.scope_id):
            raise ValueError("scope and scope_id go together")
        return self


class AddedShape(TypedDict):
    """How many rows the store did not have."""

    items: int
    evidence: int
    events: int


class KnownShape(TypedDict):
    """How many memories the store has already, and how many of these are deleted there and stay so."""

    items: int
    deleted: int


class GaveWayShape(TypedDict):
    """How many of those added say what the store says already: they came in as superseded by that."""

    items: int


class ImportAnswer(TypedDict):
    """What the import has done."""

    import_id: str | None
    added: AddedShape
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
    exported_at: Instant
    store_id: str
    scope: ManifestScope | None
    counts: AddedShape
    sha256: str


class CheckAnswer(ImportAnswer):
    """What an import would do; nothing is written and `import_id` is null."""

    manifest: ManifestShape


async def export(service: Service, request: Request) -> Download:
    """All that is remembered, or one scope of it."""
    wanted = asked(request, WantedExport)
    manager = service.manager()
    scope = ScopeRef(scope=wanted.scope, scope_id=wanted.scope_id) if wanted.scope else None
    made = await manager.transferring.export(scope)
    return Download(path=made.path, filename=f"ltm-export-{made.at:%Y-%m-%d}.json", passing=True)


async def check_import(service: Service, request: Request) -> CheckAnswer:
    """What an import of this file would do."""
    transferring = service.manager().transferring
    async with AsyncExitStack() as stack:
        arrived = await transferring.check(await _uploaded(service, request, stack))
    return CheckAnswer(**import_answer(arrived), manifest=_manifest(arrived.manifest))


async def bring_in(service: Service, request: Request) -> ImportAnswer:
    """Bring in what this file holds and the store does not, all of it or nothing; twice adds nothing."""
    transferring = service.manager().transferring
    async with AsyncExitStack() as stack:
        file = await _uploaded(service, request, stack)
        name = request.files[_FILE].name
        return import_answer(await transferring.bring_in(file, actor=request.actor, name=name))


ROUTES = (
    Route(
        path="export",
        method="GET",
        summary="All memories, or those of one scope, as a file",
        handler=export,
        query=WantedExport,
        answer=Download,
    ),
    Route(
        path="import/check",
        method="POST",
        summary="What an import of this file would do",
        handler=check_import,
        file=_FILE,
        answer=CheckAnswer,
    ),
    Route(
        path="import",
        method="POST",
        summary="Bring in a file, whole or not at all",
        handler=bring_in,
        file=_FILE,
        answer=ImportAnswer,
    ),
)


def import_answer(arrived: Arrived) -> ImportAnswer:
    """What an import has done, as the API tells it."""
    return ImportAnswer(
        import_id=arrived.import_id,
        added=AddedShape(
            items=arrived.added.items, evidence=arrived.added.evidence, events=arrived.added.events
        ),
        known=KnownShape(items=arrived.known, deleted=arrived.known_deleted),
        gave_way=GaveWayShape(items=arrived.gave_way),
    )


async def _uploaded(service: Service, request: Request, stack: AsyncExitStack) -> Path:
    """Where the file lies that came along, for as long as the stack is open."""
    upload = request.files.get(_FILE)
    if upload is None:
        raise InvalidInputError(_FILE, "must come along as multipart/form-data")
    place = await stack.enter_async_context(service.manager().transferring.arriving())
    await upload.save(place, max_bytes=MAX_FILE)
    return place


def _manifest(manifest: Manifest) -> ManifestShape:
    scope = manifest.scope
    counts = manifest.counts
    return ManifestShape(
        format_version=manifest.format_version,
        plugin_version=manifest.plugin_version,
        exported_at=instant(manifest.exported_at),
        store_id=manifest.store_id,
        scope=ManifestScope(scope=scope[0], scope_id=scope[1]) if scope else None,
        counts=AddedShape(items=counts.items, evidence=counts.evidence, events=counts.events),
        sha256=manifest.sha256,
    )
