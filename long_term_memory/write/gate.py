"""Stage 7, gate: pauses, then the rules of `policies.admission` on counts of the same transaction."""

from datetime import datetime

from ..access.identity import without_persona
from ..domain.words import Status
from ..domain.writing import Grounded, MergeKind, Scored, Usage, Verdict
from ..policies.admission import RATE_WINDOW, decide
from ..policies.memory_policies import MemoryWritePolicy
from .protocols import WriteTransaction


async def gate(tx: WriteTransaction, scored: Scored, policy: MemoryWritePolicy, *, now: datetime) -> Verdict:
    """Decide. The store is counted only where the fact may add a live or a used item."""
    grounded, matched = scored.merged.grounded, scored.merged.existing
    if rule := await paused(tx, grounded):
        return Verdict(scored=scored, status=None, rule=rule)
    usage = Usage(new_in_chat=0, new_in_hour=0, live_in_scope=())
    waits = matched is not None and matched.status in (Status.SHADOW, Status.PENDING)
    if waits or scored.merged.kind in (MergeKind.NEW, MergeKind.REVIVE):
        umo, full_at = grounded.event.umo, policy.max_items_per_scope
        usage = await tx.usage(grounded.owner, umo, now=now, window=RATE_WINDOW, full_at=full_at)
    return decide(scored, policy, usage, now=now)


async def paused(tx: WriteTransaction, grounded: Grounded) -> str:
    """The pause that forbids to learn from this person or group; empty when none does."""
    person = [without_persona(ref) for ref in (grounded.owner, grounded.event.owner)]
    if not await tx.paused(*person, without_persona(grounded.event.at_scope)):
        return ""
    return "paused" if await tx.paused(*person) else "paused_group"
