"""GET review, POST review/approve, review/reject and items/change: deciding about many, and back."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, TypedDict

from pydantic import Field, StringConstraints, model_validator

from .answers import ROUTES, PageShape, shaped
from .core import Decided, Edit, Item, MemoryType, Request, Service, Status, WaitingFilter
from .forms import Form, Words, Yes, body, form_of, wanted_by
from .items import EvidenceShape, evidence_shape

MAX_AT_ONCE = 200
"""Memories that one request names."""

type MemoryId = Annotated[str, StringConstraints(min_length=1, max_length=100)]


class Decision(Form):
    """About which memories it is decided: these, or all, or all that wait for one reason."""

    memory_ids: Annotated[list[MemoryId], Field(min_length=1, max_length=MAX_AT_ONCE)] | None = None
    all: Yes | None = None
    reason: Words | None = None

    @model_validator(mode="after")
    def _is_about_something(self) -> "Decision":
        if (self.memory_ids is None) is (self.all is None):
            raise ValueError("must name either memory_ids or all")
        if self.reason is not None and self.all is None:
            raise ValueError("must name a reason together with all")
        return self


class BulkChange(Form):
    """Which memories get which status or type."""

    memory_ids: Annotated[list[MemoryId], Field(min_length=1, max_length=MAX_AT_ONCE)]
    status: Literal["active", "disabled", "deleted"] | None = None
    type: MemoryType | None = None

    @model_validator(mode="after")
    def _changes_one_thing(self) -> "BulkChange":
        if (self.status is None) is (self.type is None):
            raise ValueError("must name either status or type")
        return self


class WaitingShape(TypedDict):
    """A memory that waits, and the words it rests on."""

    item: Item
    evidence: Sequence[EvidenceShape]
    ends_soon: bool


class ReviewAnswer(PageShape):
    """One page of what waits, oldest first, and how many wait for which reason."""

    waiting: Sequence[WaitingShape]
    reasons: Mapping[str, int]


class LeftShape(TypedDict):
    """A memory about which nothing was decided.

    `unknown`, `not_waiting`, `forgotten`, `in_doubt`, `unchanged`, `not_in_use`, `taken`, `type` or
    `changed_since`.
    """

    memory_id: str
    why: str


class DecidedAnswer(TypedDict):
    """About which it was decided, and about which not; empty is the id of what cannot be undone."""

    done: Sequence[str]
    left: Sequence[LeftShape]
    decision_id: str


@ROUTES.add("GET", "review", "What waits for approval", query=form_of(WaitingFilter))
async def list_waiting(service: Service, request: Request) -> ReviewAnswer:
    """One page of what waits, oldest first."""
    wanted = wanted_by(request, WaitingFilter)
    looked = await service.manager().review.waiting(wanted)
    waiting = [
        WaitingShape(
            item=item, evidence=list(map(evidence_shape, evidence)), ends_soon=looked.ends_soon(item)
        )
        for item, evidence in looked.found.waiting
    ]
    return shaped(ReviewAnswer, wanted, looked.found, waiting=waiting)


@ROUTES.add("POST", "review/approve", "Let memories be used", body=Decision)
async def approve(service: Service, request: Request) -> DecidedAnswer:
    """Let them be used; of all, those in doubt are left."""
    wanted, deciding = body(request, Decision), service.manager().review
    if wanted.memory_ids is None:
        return _answer(await deciding.approve_all(wanted.reason, actor=request.actor))
    return _answer(await deciding.approve(wanted.memory_ids, actor=request.actor))


@ROUTES.add("POST", "review/reject", "Drop memories", body=Decision)
async def reject(service: Service, request: Request) -> DecidedAnswer:
    """Drop them for good: they are not learnt again by themselves."""
    wanted, deciding = body(request, Decision), service.manager().review
    if wanted.memory_ids is None:
        return _answer(await deciding.reject_all(wanted.reason, actor=request.actor))
    return _answer(await deciding.reject(wanted.memory_ids, actor=request.actor))


@ROUTES.add("POST", "items/change", "Change many memories", body=BulkChange)
async def change(service: Service, request: Request) -> DecidedAnswer:
    """Give them this status or type, each as far as it may have it."""
    wanted = body(request, BulkChange)
    edit = Edit(status=Status(wanted.status) if wanted.status else None, type=wanted.type)
    deciding = service.manager().review
    return _answer(await deciding.edit(wanted.memory_ids, edit, actor=request.actor))


@ROUTES.add("POST", "decisions/<decision_id>/undo", "Take a decision about memories back")
async def undo(service: Service, request: Request) -> DecidedAnswer:
    """Put back what a decision of the last ten minutes changed, where nobody has changed it since."""
    deciding = service.manager().review
    return _answer(await deciding.undo(request.path["decision_id"], actor=request.actor))


def _answer(decided: Decided) -> DecidedAnswer:
    left = [LeftShape(memory_id=memory_id, why=why) for memory_id, why in decided.left.items()]
    return DecidedAnswer(done=decided.done, left=left, decision_id=decided.decision_id)
