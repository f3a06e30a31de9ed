"""Proposes one statement for many old episodes of one kind (seed 004, design 5.6).

The chat model only proposes. What it says must be borne out by the episodes, and even then it waits until an
operator approves it; only then does it take their place. Each episode is looked at once, whatever came of it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from ..access.identity import without_persona
from ..domain.errors import AnswerError, NoProviderError, RefusedError, UnavailableError
from ..domain.memory import Evidence, Item
from ..domain.time import Clock, MakeId
from ..domain.words import LIVE_STATUSES, Origin, Status
from ..policies.keys import key_of
from ..policies.retention import expiry
from ..policies.spending import DAILY_CAP
from ..policies.succession import COMPACTION
from ..prompts.compaction import SYSTEM, compaction_prompt, parse
from ..storage.families import COMPACTED
from ..storage.store import Store, StoreTransaction
from ..text_analysis.fact_words import polarity, shared_words, unsupported
from ..write.token_budget import TokenBudget
from ..write.transitions import Decision, audit_line, leave
from .duplicates import combined, copied

OLD = timedelta(days=14)
LEAST, MOST = 8, 20
"""How many episodes make a group worth a statement, and how many go into one."""
MAX_PROPOSALS = 2
MAX_TRIES = 10
"""Questions about a group that a model does not answer: it may reject the very words."""
MAX_WITHDRAWN = 50
FORGOTTEN = "forgotten"
"""Why a proposal is withdrawn: something it stands for was deleted."""
ALLOWANCE = 100
"""Tokens that an answer is taken to have until it is there: one sentence."""
ENOUGH = 0.4
"""The share of the statement's words that the episodes must have: what sums up needs words of its own."""
_HABIT = re.compile(
    r"\b(?:often|usually|regularly|sometimes|frequently|repeatedly|always|every time"
    r"|(?:several|many|a few) times)\b"
    r"|经常|时常|常常?|多次|有时|总是?|每次|习惯|好几次|几次",
    re.IGNORECASE,
)
"""What only a sum of several can say."""


class CountedModel:
    """Asks whichever provider answers for a chat; every call is in the ledger and under the daily cap."""

    def __init__(self, budget: TokenBudget) -> None:
        self._budget = budget

    async def complete(self, *, umo: str, system: str, prompt: str) -> str:
        """One answer. Raises as the model does, and RefusedError when the call would go over the cap."""
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
        """Withdraw what must not be approved any more; propose what there is. Raises UnavailableError."""
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
        orphaned = await self._store.families.orphaned(COMPACTION, limit=MAX_WITHDRAWN)
        if not orphaned:
            return
        async with self._store.transaction() as tx:
            for item in orphaned:
                current = await tx.get_item(item.memory_id)
                if current is not None and current.status is Status.PENDING:
                    await leave(tx, current, Status.DELETED, self._decision(), "withdraw", FORGOTTEN)

    async def _propose(self, group: Sequence[Item]) -> None:
        facts = [item.fact for item in group]
        answer = await self._answer(group[0], compaction_prompt(facts))
        try:
            fact = parse(answer)
        except AnswerError:
            fact, doubt = "", "unreadable"
        else:
            doubt = doubt_of(fact, facts)
        async with self._store.transaction() as tx:
            await self._settle(tx, group, fact, doubt)

    async def _answer(self, first: Item, prompt: str) -> str:
        """The model's answer; empty after too many failures, so that other groups have their turn."""
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
        current = [item for each in group if (item := await tx.get_item(each.memory_id))]
        if _identity(current) != _identity(group) or await tx.paused(without_persona(group[0].owner)):
            return
        doubt = doubt or await _known(tx, group[0], fact)
        if not doubt:
            if len({await tx.said_in(item.memory_id) for item in group}) > 1:
                return  # by now some of the group would surface where others do not
            links = [link for item in group for link in await tx.links_of(item.memory_id)]
            item, evidence = representative(
                current, fact, links, ttl_days=self._ttl_days, now=self._clock(), make_id=self._make_id
            )
            await tx.insert_item(item, evidence)
            await tx.audit(audit_line(self._decision(), "add", None, item, reason=COMPACTION))
        for item in current:
            await tx.audit(audit_line(self._decision(), COMPACTED, item, item, reason=doubt or "proposed"))

    def _decision(self) -> Decision:
        return Decision(actor="system", now=self._clock())


async def _known(tx: StoreTransaction, first: Item, fact: str) -> str:
    """Why this very statement need not or may not be kept: it is there already, or somebody deleted it."""
    item = await tx.find_item(first.owner, first.level, key_of(fact), first.person)
    if item is None or item.status not in {*LIVE_STATUSES, Status.DELETED}:
        return ""
    return "tombstone" if item.status is Status.DELETED else "known"


def _identity(group: Sequence[Item]) -> Sequence[object]:
    return [(item.memory_id, item.fact, item.status, item.audience) for item in group]


def doubt_of(fact: str, facts: Sequence[str]) -> str:
    """Why these facts do not bear out a statement: its names, numbers and most words must be theirs."""
    told = "\n".join(facts)
    if not fact:
        return "nothing_in_common"
    if unsupported(fact, told):
        return "not_in_evidence"
    if shared_words(_HABIT.sub(" ", fact), told) < ENOUGH:
        return "unrelated"
    nearest = max(facts, key=lambda each: shared_words(fact, each))
    return "negation_differs" if _is_against(fact) and not _is_against(nearest) else ""


def representative(
    group: Sequence[Item],
    fact: str,
    links: Sequence[Evidence],
    *,
    ttl_days: int | None,
    now: datetime,
    make_id: MakeId,
) -> tuple[Item, list[Evidence]]:
    """What stands for a group and waits for approval, resting on all of its `links`, each event once."""
    memory_id = make_id()
    evidence = copied(links, memory_id, make_id)
    item = replace(
        group[0],
        **combined(group),
        memory_id=memory_id,
        fact=fact,
        fact_key=key_of(fact),
        evidence_count=len(evidence),
        ttl_days=ttl_days,
        status=Status.PENDING,
        reason=COMPACTION,
        origin=Origin.LLM_EXTRACT,
        teller=_common(item.teller for item in group),
        relationship=_common(item.relationship for item in group),
        backstory="",
        slot="",
        superseded_by=None,
        supersedes=tuple(item.memory_id for item in group),
        tags=(),
        access_count=0,
        created_at=now,
        updated_at=now,
        last_accessed_at=None,
        expires_at=expiry(ttl_days, now),
        deleted_at=None,
    )
    return item, evidence


def _is_against(text: str) -> bool:
    """Whether it denies, or says that somebody dislikes something."""
    sides = polarity(text)
    return sides.is_denied or False in sides.likes


def _common(texts: Iterable[str]) -> str:
    """The text that all have, else nothing."""
    different = set(texts)
    return different.pop() if len(different) == 1 else ""
