"""How memory stands, for an operator."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ..domain.words import Mode
from ..policies.back_off import Outage
from ..policies.spending import day_of
from .parts import Parts
from .reading import reading_times
from .review import SOON

_DAY = timedelta(days=1)


@dataclass(frozen=True, kw_only=True)
class Counts:
    """What `/ltm status` and `GET health` tell of a memory at work."""

    read_only: bool
    mode: Mode
    chat_provider: bool
    """Whether there is a model to extract with."""
    embedding_model: str | None
    embedding_error: str
    """Why memories are not embedded for now, or some of them never; empty while all is well."""
    embedded: int
    """How many memories have their vectors of that model."""
    embeddable: int
    """How many are to have them; 0 without a model."""
    not_embeddable: int
    """How many the model does not take, as it seems."""
    events: Mapping[str, int]
    """How many events are in each state of extraction."""
    items: Mapping[str, int]
    """How many items have each status."""
    waiting: int
    """How many items an approval would make active."""
    waiting_reasons: Mapping[str, int]
    """How many wait for which reason, by its name."""
    waiting_expire_soon: int
    """How many of them end soon if nobody decides."""
    paused_people: int
    paused_groups: int
    tokens_today: int
    """Model tokens that extraction has spent since midnight UTC."""
    token_cap: int
    """How many it may spend a day."""
    calls_today: int
    passed_over: int
    """How many messages only the rules have read: too many waited, or no day's tokens pay for them."""
    last_error: str
    """Of the message that failed last; empty when none has."""
    last_error_at: datetime | None
    """When that message was said."""
    recall_log: bool
    """Whether it is logged what is recalled."""
    recalls: int
    """How many recalls the log holds of the last day."""
    recalls_empty: int
    """How many of them gave no memory."""
    late_writes: int
    """How much work that a reply does not wait for any more is still to be written."""
    background_jobs: int
    next_reading_at: datetime | None = None
    """When the model is next asked about what waits; None: nothing does, or not while read-only."""
    unknown_tools: Sequence[str] = ()
    """Tools that are to raise a conversation and that the host does not have now."""
    memory_plugins: Sequence[str] = ()
    """Other memory plugins at work, which add a block of their own to each request."""
    outages: Sequence[Outage] = ()
    """The chat providers that answer nobody at the moment."""


async def counts_of(parts: Parts) -> Counts:
    """Ask everybody how it goes."""
    events = await parts.store.events.counts()
    spent = await parts.store.events.spent(day_of(parts.clock()))
    paused = await parts.store.paused_counts()
    waiting = await parts.store.sweeps.waiting_soon(now=parts.clock(), within=SOON)
    recalls = await parts.store.recalls.counts(since=parts.clock() - _DAY)
    embedded = await parts.embedding.progress()
    items = Counter[str]()
    for (status, _), number in (await parts.store.item_counts()).items():
        items[status.value] += number
    return Counts(
        read_only=parts.store.read_only,
        mode=parts.policies.write().mode,
        chat_provider=parts.has_chat_model(),
        embedding_model=parts.embedding.model_id,
        embedding_error=parts.embedding.last_error,
        embedded=embedded.done,
        embeddable=embedded.total,
        not_embeddable=parts.embedding.given_up,
        events={state.value: number for state, number in events.by_state.items()},
        items=dict(items),
        waiting=waiting.total,
        waiting_reasons=waiting.reasons,
        waiting_expire_soon=waiting.expire_soon,
        paused_people=paused.people,
        paused_groups=paused.groups,
        tokens_today=spent.tokens,
        token_cap=parts.settings.extraction.daily_token_cap,
        calls_today=spent.calls,
        passed_over=events.passed_over,
        last_error=events.last_error,
        last_error_at=events.last_error_at,
        recall_log=parts.settings.recall_log != timedelta(0),
        recalls=recalls.total,
        recalls_empty=recalls.empty,
        late_writes=parts.scheduler.late,
        background_jobs=parts.scheduler.running,
        unknown_tools=parts.levels.unknown_tools(parts.knows_tool),
        next_reading_at=min((await reading_times(parts)).values(), default=None),
        memory_plugins=parts.memory_plugins(),
        outages=parts.worker.outages,
    )
