"""Proposes one statement for many old episodes of one kind (seed 004, design 5.6).

The chat model only proposes. What it says must be borne out by the episodes, and even then it waits until an
operator approves it; only then does it take their place. Each episode is looked at once, whatever came of it.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

from ..access.personas import without_persona
from ..domain.errors import AnswerError, NoProviderError, RefusedError, UnavailableError
from ..domain.memory import Item
from ..domain.time import Clock, MakeId
from ..domain.words import LIVE_STATUSES, Status
from ..domain.writing import AuditEntry
from ..policies.keys import key_of
from ..policies.spending import DAILY_CAP
from ..prompts.compaction import SYSTEM, compaction_prompt, parse
from ..storage.families import COMPACTED
from ..storage.store import Store
from ..storage.transaction import StoreTransaction
from ..write.token_budget import TokenBudget
from .representative import REASON, doubt_of, representative

OLD = timedelta(days=14)
"""How long ago an episode was last confirmed."""
LEAST, MOST = 8, 20
"""How many episodes make a group worth a statement, and how many go into one."""
MAX_PROPOSALS = 2
"""Questions to the model in one round."""
MAX_TRIES = 10
"""Questions about a group that a model does not answer: it may be the very words that it will not have."""
MAX_WITHDRAWN = 50
FORGOTTEN = "forgotten"
"""Why a proposal is withdrawn: something it stands for was deleted."""


ALLOWANCE = 100
"""Tokens that an answer is taken to have until it is there: one sentence."""


class CountedModel:
    """Asks whichever provider answers for a chat; every call is in the ledger and under the daily cap."""

    def __init__(self, budget: TokenBudget) -> None:
        self._budget = budget

    async def complete(self, *, umo: str, system: str, prompt: str) -> str:
        """One answer.

        Raises NoProviderError, UnavailableError as the model does, and RefusedError when the call would go
        over the cap or the store is read-only: then the model is not asked.
        """
        provider = await self._budget.model.provider_id(umo)
        answer = await self._budget.ask(provider, umo=umo, system=system, prompt=prompt, allowance=ALLOWANCE)
        if answer is None:
            raise RefusedError(DAILY_CAP)
        return answer


class Episodes:
    """Asks the model about one group after the other, a few in each round."""

    def __init__(
        self,
        store: Store,
        model: CountedModel,
        *,
        ttl_days: int | None,
        allowed: Callable[[], bool],
        clock: Clock,
        make_id: MakeId,
    ) -> None:
        """`ttl_days` is how long an episode lives; `allowed` says whether any may be learnt at present."""
        self._store = store
        self._model = model
        self._ttl_days = ttl_days
        self._allowed = allowed
        self._clock = clock
        self._make_id = make_id
        self._unanswered = Counter[str]()

    async def work(self) -> None:
        """Withdraw what must not be approved any more; propose what there is to propose.

        Without a model, nothing is proposed.
        """
        await self._withdraw()
        if not self._allowed():
            return
        now = self._clock()
        groups = await self._store.families.old_episodes(
            now=now, before=now - OLD, least=LEAST, most=MOST, limit=MAX_PROPOSALS
        )
        for group in groups:
            with suppress(NoProviderError):  # the chat of another group may have one
                await self._propose(group)

    async def _withdraw(self) -> None:
        """What a person forgot must not come back in a statement that sums it up."""
        orphaned = await self._store.families.orphaned(REASON, limit=MAX_WITHDRAWN)
        if not orphaned:
            return
        now = self._clock()
        async with self._store.transaction() as tx:
            for item in orphaned:
                current = await tx.get_item(item.memory_id)
                if current is None or current.status is not Status.PENDING:
                    continue
                gone = replace(
                    current, status=Status.DELETED, reason=FORGOTTEN, deleted_at=now, updated_at=now
                )
                await tx.update_item(gone)
                await tx.audit(_line(gone, "withdraw", before=current.status, reason=FORGOTTEN))

    async def _propose(self, group: Sequence[Item]) -> None:
        facts = [item.fact for item in group]
        try:
            fact = parse(await self._answer(group[0], compaction_prompt(facts)))
        except AnswerError:
            fact, doubt = "", "unreadable"
        else:
            doubt = doubt_of(fact, facts)
        async with self._store.transaction() as tx:
            await self._settle(tx, group, fact, doubt)

    async def _answer(self, first: Item, prompt: str) -> str:
        """What the model says; nothing when it was asked about this group too often."""
        try:
            answer = await self._model.complete(umo=first.origin_umo, system=SYSTEM, prompt=prompt)
        except NoProviderError:
            raise
        except UnavailableError:
            self._unanswered[first.memory_id] += 1
            if self._unanswered[first.memory_id] < MAX_TRIES:
                raise
            answer = ""
        del self._unanswered[first.memory_id]
        return answer

    async def _settle(self, tx: StoreTransaction, group: Sequence[Item], fact: str, doubt: str) -> None:
        """Keep the proposal or the reason against it, unless the group is another by now."""
        current = [await tx.get_item(item.memory_id) for item in group]
        still = [item for item in current if item is not None]
        if not _are_unchanged(still, group) or await tx.paused(without_persona(group[0].owner)):
            return
        doubt = doubt or await _known(tx, still, fact)
        if not doubt:
            item = await self._keep(tx, still, fact)
            if item is None:
                return
            await tx.audit(_line(item, "add", before="", reason=REASON))
        for item in still:
            await tx.audit(_line(item, COMPACTED, before=item.status, reason=doubt or "proposed"))

    async def _keep(self, tx: StoreTransaction, group: Sequence[Item], fact: str) -> Item | None:
        """Store the proposal; None when by now some of the group would surface where others do not."""
        places = {await tx.said_in(item.memory_id) for item in group}
        if len(places) > 1:
            return None
        links = [link for item in group for link in await tx.links_of(item.memory_id)]
        item, evidence = representative(
            group, fact, links, ttl_days=self._ttl_days, now=self._clock(), make_id=self._make_id
        )
        await tx.insert_item(item, evidence)
        return item


async def _known(tx: StoreTransaction, group: Sequence[Item], fact: str) -> str:
    """Why this very statement need not or may not be kept: it is there already, or somebody deleted it."""
    first = group[0]
    item = await tx.find_item(first.owner, first.level, key_of(fact), first.person)
    if item is None:
        return ""
    if item.status is Status.DELETED:
        return "tombstone"
    return "known" if item.status in LIVE_STATUSES else ""


def _are_unchanged(current: Sequence[Item], group: Sequence[Item]) -> bool:
    then = [(item.memory_id, item.fact, item.status, item.audience) for item in group]
    return then == [(item.memory_id, item.fact, item.status, item.audience) for item in current]


def _line(item: Item, action: str, *, before: str, reason: str) -> AuditEntry:
    return AuditEntry(
        actor="system",
        action=action,
        memory_id=item.memory_id,
        before=before,
        after=item.status,
        reason=reason,
    )
