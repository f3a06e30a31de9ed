"""GET snapshots, POST snapshots/create and snapshots/restore: the plugin's own copies of all memory."""

from typing import Annotated, TypedDict

from pydantic import StringConstraints

from .core import InvalidInputError, Request, Route, Service, Snapshot
from .forms import Form, body
from .shapes import Instant, instant
from .transfer import ImportAnswer, import_answer


class RestoreForm(Form):
    """Which one."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class SnapshotShape(TypedDict):
    """A snapshot; `good`: its bytes are those that were written, and `why` not."""

    name: str
    at: Instant
    bytes: int
    items: int
    good: bool
    why: str


class SnapshotsAnswer(TypedDict):
    """All snapshots, the newest first, and the one that holds what this store does not know."""

    snapshots: list[SnapshotShape]
    offer: str | None


async def list_snapshots(service: Service, request: Request) -> SnapshotsAnswer:  # noqa: ARG001  same shape for all
    """All snapshots, the newest first."""
    found = await service.manager().transferring.snapshots()
    return SnapshotsAnswer(snapshots=[_snapshot(one) for one in found.snapshots], offer=found.offer)


async def create_snapshot(service: Service, request: Request) -> SnapshotShape:
    """Write one now; when nothing has changed since the newest, that one is it."""
    made = await service.manager().transferring.snapshot(actor=request.actor)
    if made is None:
        raise InvalidInputError("snapshot", "there is nothing to keep yet")
    return _snapshot(made)


async def restore_snapshot(service: Service, request: Request) -> ImportAnswer:
    """Bring in what a snapshot holds and the store does not, all of it or nothing."""
    wanted = body(request, RestoreForm)
    return import_answer(await service.manager().transferring.restore(wanted.name, actor=request.actor))


ROUTES = (
    Route(
        path="snapshots",
        method="GET",
        summary="The copies of all memory",
        handler=list_snapshots,
        answer=SnapshotsAnswer,
    ),
    Route(
        path="snapshots/create",
        method="POST",
        summary="Make one now",
        handler=create_snapshot,
        answer=SnapshotShape,
    ),
    Route(
        path="snapshots/restore",
        method="POST",
        summary="Bring back what one holds",
        handler=restore_snapshot,
        body=RestoreForm,
        answer=ImportAnswer,
    ),
)


def _snapshot(one: Snapshot) -> SnapshotShape:
    return SnapshotShape(
        name=one.name, at=instant(one.at), bytes=one.bytes, items=one.items, good=one.good, why=one.why
    )
