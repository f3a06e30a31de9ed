"""The last four stages of each grounded fact: merge, score, gate, persist; before them its neighbours."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from typing import NamedTuple

from ..access.identity import without_persona
from ..domain.chat import ScopeRef
from ..domain.enums import BY_ITSELF, WAITING, Origin
from ..domain.memory import Item
from ..domain.providers import Embedder
from ..domain.time import Clock, MakeId
from ..domain.writing import AuditEntry, Grounded, Merged, MergeKind, QuotaCounts, Scored, Verdict
from ..policies.admission import decide
from ..policies.embedded import alone, bare
from ..policies.memory_policies import MemoryWritePolicy
from .merge import merge
from .persist import RetentionDays, WriteContext, persist
from .protocols import VectorIndex, Verify, WriteStore, WriteTransaction
from .reverting import PriorStates, prior_states
from .token_budget import TokenBudget
from .tool_save import merge_by_key

SOURCE_WEIGHTS: Mapping[Origin, float] = {Origin.USER_EXPLICIT: 1.0, Origin.RULE: 0.95}
"""Trust in a source, 0.8 in others. A rule repeats a person's words, but may misread them."""
TOOL_WEIGHT = 0.7
NEAR = 0.85
"""The cosine above which two facts may be one."""
MAX_NEAR = 5


type Notice = tuple[ScopeRef, PriorStates]
"""Whose memory it is, and what changed with it."""


class Neighbours:
    """Embeds the facts of a batch in one call. Without a provider the merge compares words alone."""

    def __init__(self, embedder: Embedder, vectors: VectorIndex) -> None:
        self._embedder = embedder
        self._vectors = vectors

    async def found(self, facts: Sequence[Grounded]) -> Sequence[Grounded]:
        """The facts with their `near` items; never raises. Must not run inside a transaction."""
        near: list[Mapping[str, float]] = []
        try:
            model_id = self._embedder.model_id() if facts else None
            if model_id is None:
                return facts
            vectors = await self._embedder.embed([alone(each.candidate.fact) for each in facts])
            for each, vector in zip(facts, vectors, strict=True):
                tag = bare(model_id)
                near.append(await self._vectors(each.owner).search(vector, model_id=tag, limit=MAX_NEAR))
        except Exception:  # noqa: BLE001  recall and the embedding job log that the provider is down
            return facts
        ids = (tuple(one for one, cosine in found.items() if cosine > NEAR) for found in near)
        return [replace(each, near=found) for each, found in zip(facts, ids, strict=True)]


class FactOutcome(NamedTuple):
    """The outcome of a grounded fact."""

    item: Item | None
    """None when the rule refuses it."""
    is_known: bool
    """Whether the item had this status before."""
    rule: str
    changed: PriorStates = ()
    """How what was there before stood, if that has changed."""


@dataclass(frozen=True, kw_only=True)
class WriterParts:
    """Dependencies of a writer."""

    store: WriteStore
    budget: TokenBudget
    neighbours: Neighbours
    policy: Callable[[], MemoryWritePolicy]
    """The policy in force, asked at each use."""
    verify: Verify | None
    """None: verification is off."""
    retention: RetentionDays
    clock: Clock
    make_id: MakeId
    zone: tzinfo = UTC
    """Where the days of "tomorrow" begin."""
    notices: dict[str, Notice] = field(default_factory=dict[str, Notice])
    """By memory id what people are yet to be told."""
    notify_learned: bool = False
    """Whether they are told what was learnt, and not only what was forgotten."""


async def store_fact(
    tx: WriteTransaction,
    grounded: Grounded,
    parts: WriterParts,
    *,
    actor: str = BY_ITSELF,
    by_rules: Sequence[Item] = (),
) -> FactOutcome:
    """All four stages; `by_rules` are the items of the rules from the same messages.

    The `actor` of what a person asks to remember is that person.
    """
    now, tx.updates = parts.clock(), (updates := list[tuple[Item, Item]]())
    if grounded.refused:
        await tx.audit(refusal(grounded.refused))
        return FactOutcome(None, is_known=False, rule=grounded.refused)
    if grounded.candidate.key:
        merged = await merge_by_key(tx, grounded, now=now)
    else:
        merged = await merge(tx, grounded, by_rules, now=now)
    if grounded.candidate.origin is Origin.USER_EXPLICIT:
        actor = grounded.event.owner.scope_id
    scored = score(merged)
    verdict = await gate(tx, scored, parts.policy(), now=now)
    context = WriteContext(
        now=now, make_id=parts.make_id, retention=parts.retention, actor=actor, zone=parts.zone
    )
    item, matched = await persist(tx, scored, verdict, context), merged.existing
    is_known = bool(item and matched and matched.status is item.status)
    return FactOutcome(item, is_known, verdict.rule, prior_states(updates))


def refusal(reason: str) -> AuditEntry:
    """The audit entry of a refused fact."""
    return AuditEntry(actor=BY_ITSELF, action="refuse", reason=reason)


def score(merged: Merged) -> Scored:
    """Weigh a candidate together with the evidence of the item it confirms."""
    candidate, existing = merged.grounded.candidate, merged.existing
    count = existing.evidence_count + 1 if existing else 1
    doubt, trust = merged.grounded.doubt, SOURCE_WEIGHTS.get(candidate.origin, 0.8)
    source = TOOL_WEIGHT if doubt == "tool_result" else trust
    heard = confidence(base=candidate.confidence, source=source, evidence_count=count)
    return Scored(
        **vars(merged),
        confidence=averaged(existing.confidence, existing.evidence_count, heard) if existing else heard,
        importance=max(candidate.importance, existing.importance if existing else 0.0),
        evidence_count=count,
    )


def confidence(*, base: float, source: float, evidence_count: int) -> float:
    """`base x source x min(1.5, 1 + 0.1 (n - 1))`, at most 1: more evidence adds a tenth each, up to half."""
    return min(1.0, base * source * min(1.5, 1 + 0.1 * (evidence_count - 1)))


def averaged(old: float, old_weight: int, new: float, new_weight: int = 1) -> float:
    """The average of two confidences, weighted with the evidence behind each."""
    return (old * old_weight + new * new_weight) / (old_weight + new_weight)


async def gate(tx: WriteTransaction, scored: Scored, policy: MemoryWritePolicy, *, now: datetime) -> Verdict:
    """Pauses, then the rules of `policies.admission`.

    The store is counted, in the same transaction, only where the fact may add a live or a used item.
    """
    grounded, matched = scored.grounded, scored.existing
    if rule := await paused(tx, grounded):
        return Verdict(None, rule)
    counts = QuotaCounts(new_in_chat=0, new_in_hour=0, live_in_scope=())
    waits = matched is not None and matched.status in WAITING
    if waits or scored.kind in (MergeKind.NEW, MergeKind.REVIVE):
        umo, full_at = grounded.event.umo, policy.max_items_per_scope
        counts = await tx.quota_counts(grounded.owner, umo, now=now, full_at=full_at)
    return decide(scored, policy, counts, now=now)


async def paused(tx: WriteTransaction, grounded: Grounded) -> str:
    """The pause that forbids to learn from this person or group; empty when none does."""
    person = [without_persona(ref) for ref in (grounded.owner, grounded.event.owner)]
    if not await tx.paused(*person, without_persona(grounded.event.at_scope)):
        return ""
    return "paused" if await tx.paused(*person) else "paused_group"
