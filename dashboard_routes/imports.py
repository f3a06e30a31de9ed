"""GET imports and POST imports/<import_id>/undo: what came in by files, and the way back."""

from typing import TypedDict

from .core import Imported, Request, Route, Service
from .forms import Paged, asked
from .shapes import Instant, PageShape, instant, maybe, page_shape


class ImportedShape(TypedDict):
    """An import of the past."""

    import_id: str
    kind: str
    name: str
    actor: str
    at: Instant
    sha256: str
    items: int
    undone_at: Instant | None


class ImportsAnswer(PageShape):
    """One page of the imports, the newest first."""

    imports: list[ImportedShape]


class UndoAnswer(TypedDict):
    """How many memories are deleted, and how many stay because somebody has changed them since."""

    deleted: int
    kept: int


async def list_imports(service: Service, request: Request) -> ImportsAnswer:
    """One page of the imports, the newest first."""
    wanted = asked(request, Paged)
    found = await service.manager().transferring.imports(page=wanted.page, page_size=wanted.page_size)
    return ImportsAnswer(
        imports=[_imported(one) for one in found.rows],
        **page_shape(found),
    )


async def undo_import(service: Service, request: Request) -> UndoAnswer:
    """Delete what this import added and nobody has changed since; a second import brings it back."""
    undone = await service.manager().transferring.undo(request.path["import_id"], actor=request.actor)
    return UndoAnswer(deleted=undone.deleted, kept=undone.kept)


ROUTES = (
    Route(
        path="imports",
        method="GET",
        summary="The imports of the past",
        handler=list_imports,
        query=Paged,
        answer=ImportsAnswer,
    ),
    Route(
        path="imports/<import_id>/undo",
        method="POST",
        summary="Take an import back",
        handler=undo_import,
        answer=UndoAnswer,
    ),
)


def _imported(one: Imported) -> ImportedShape:
    return ImportedShape(
        import_id=one.import_id,
        kind=one.kind.value,
        name=one.name,
        actor=one.actor,
        at=instant(one.at),
        sha256=one.sha256,
        items=one.items,
        undone_at=maybe(one.undone_at),
    )
