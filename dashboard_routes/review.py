"""GET review, POST review/approve, review/reject and items/change: deciding about many, and back."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, StringConstraints, model_validator

from .answers import ROUTES
from .core import Decided, Edit, LTMManager, MemoryType, Status, Undoable, WaitingFilter, WaitingItems
from .forms import Form, Words, Yes

MAX_AT_ONCE = 200
"""Memories that one request names."""

type MemoryId = Annotated[str, StringConstraints(min_length=1, max_length=100)]


class Decision(Form):
    """About which memories it is decided: these, or all, or all that wait for one reason."""

    memory_ids: Annotated[list[MemoryId], Field(min_length=1, max_length=MAX_AT_ONCE)] | None = None
    all: Yes | None = None
    reason: Words | None = None
    unchanged_since: AwareDatetime | None = None

    @model_validator(mode="after")
    def _is_about_something(self) -> "Decision":
        if (self.memory_ids is None) is (self.all is None):
            raise ValueError("must name either memory_ids or all")
        if not {"reason", "unchanged_since"}.isdisjoint(self.model_fields_set) and self.all is None:
            raise ValueError("must name a reason or unchanged_since together with all")
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


@ROUTES.add("GET", "review", "What waits for approval", key="waiting")
async def list_waiting(manager: LTMManager, query: WaitingFilter) -> WaitingItems:
    """One page of what waits, oldest first."""
    return await manager.review.waiting(query)


@ROUTES.add("POST", "review/approve", "Let memories be used")
async def approve(manager: LTMManager, body: Decision, actor: str) -> Decided:
    """Let them be used; of all, those in doubt are left."""
    return await manager.review.approve(body.memory_ids, body.reason, body.unchanged_since, actor=actor)


@ROUTES.add("POST", "review/reject", "Drop memories")
async def reject(manager: LTMManager, body: Decision, actor: str) -> Decided:
    """Drop them for good: they are not learnt again by themselves."""
    return await manager.review.reject(body.memory_ids, body.reason, body.unchanged_since, actor=actor)


@ROUTES.add("POST", "items/change", "Change many memories")
async def change(manager: LTMManager, body: BulkChange, actor: str) -> Decided:
    """Give them this status or type, each as far as it may have it."""
    edit = Edit(status=Status(body.status) if body.status else None, type=body.type)
    return await manager.review.edit(body.memory_ids, edit, actor=actor)


@ROUTES.add("GET", "decisions", "The decisions that can be taken back", key="decisions")
async def list_undoable(manager: LTMManager) -> Sequence[Undoable]:
    """Decisions of the last ten minutes that can be taken back, the last first."""
    return await manager.review.undoable()


@ROUTES.add("POST", "decisions/<decision_id>/undo", "Take a decision about memories back")
async def undo(manager: LTMManager, decision_id: str, actor: str) -> Decided:
    """Put back what a decision of the last ten minutes changed, where nobody has changed it since."""
    return await manager.review.undo(decision_id, actor=actor)
