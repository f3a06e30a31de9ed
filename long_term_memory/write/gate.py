"""Stage 6, gate: the policy's decision on a scored candidate, on counts read in the same transaction."""

from datetime import datetime

from ..domain.writing import MergeKind, Scored, Usage, Verdict
from ..policies.admission import RATE_WINDOW, decide
from ..policies.write_policy import MemoryWritePolicy
from .protocols import WriteTransaction

_UNCOUNTED = Usage(new_in_chat=0, new_in_hour=0, live_in_scope=())


async def gate(tx: WriteTransaction, scored: Scored, policy: MemoryWritePolicy, *, now: datetime) -> Verdict:
    """Decide by `policies.admission`; the store is counted only for what would be one more live item."""
    usage = _UNCOUNTED
    if scored.merged.kind in (MergeKind.NEW, MergeKind.REVIVE):
        grounded = scored.merged.grounded
        usage = await tx.usage(
            grounded.owner,
            grounded.event.umo,
            now=now,
            window=RATE_WINDOW,
            full_at=policy.max_items_per_scope,
        )
    return decide(scored, policy, usage, now=now)
