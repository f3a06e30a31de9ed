"""The stages that every grounded fact goes through: merge, score, gate, persist (design 5.5 to 5.8)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo

from ..domain.memory import Item
from ..domain.time import Clock, MakeId
from ..domain.writing import AuditEntry, Grounded, MergeKind
from ..policies.write_policy import MemoryWritePolicy
from .gate import gate
from .keyed import merge_by_key
from .merge import merge
from .neighbours import Neighbours
from .persist import Retention, Stamp, persist
from .protocols import Verify, WriteStore, WriteTransaction
from .score import score
from .token_budget import TokenBudget

SYSTEM = "system"
"""The actor of what nobody asked for."""


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What became of a grounded fact."""

    item: Item | None = None
    is_known: bool = False
    """Whether the item stood like that before."""
    rule: str
    refused: str = ""
    """The rule for which it is not stored at all; empty when it is, or was already."""


@dataclass(frozen=True, kw_only=True)
class WriterParts:
    """What a writer works with."""

    store: WriteStore
    budget: TokenBudget
    neighbours: Neighbours
    policy: Callable[[], MemoryWritePolicy]
    """The policy in force, asked at each use."""
    verify: Verify | None
    """None when what is grounded goes on as it is."""
    retention: Retention
    clock: Clock
    make_id: MakeId
    zone: tzinfo = UTC
    """Where the days of "tomorrow" begin."""


class Stages:
    """The last four stages, for whoever has a grounded fact."""

    def __init__(self, parts: WriterParts) -> None:
        self._parts = parts
        self._store = parts.store

    async def _keep(
        self,
        tx: WriteTransaction,
        grounded: Grounded,
        *,
        actor: str = SYSTEM,
        outdated: Sequence[Item] = (),
    ) -> Kept:
        parts, now = self._parts, self._parts.clock()
        if grounded.refused:
            await tx.audit(refusal(grounded.refused))
            return Kept(rule=grounded.refused, refused=grounded.refused)
        if grounded.candidate.key:
            merged = await merge_by_key(tx, grounded, now=now)
        else:
            merged = await merge(tx, grounded, outdated, now=now)
        verdict = await gate(tx, score(merged), parts.policy(), now=now)
        stamp = Stamp(now=now, make_id=parts.make_id, retention=parts.retention, actor=actor, zone=parts.zone)
        item, met = await persist(tx, verdict, stamp), merged.existing
        is_known = bool(item and met and met.status is item.status)
        refused = verdict.status is None and merged.kind is not MergeKind.KNOWN
        return Kept(item=item, is_known=is_known, rule=verdict.rule, refused=verdict.rule if refused else "")


def refusal(reason: str) -> AuditEntry:
    """The line about a fact that is not kept."""
    return AuditEntry(actor=SYSTEM, action="refuse", memory_id="", before="", after="", reason=reason)
