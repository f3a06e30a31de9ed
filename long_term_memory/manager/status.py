"""How memory is doing: what is unread, the operators' counts and overview."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from ..domain.chat import Access
from ..domain.enums import MemoryType, Mode, Status
from ..domain.review import WaitingFilter
from ..domain.statistics import Growth, Overview, RecallsOfDay, TokensOfDay
from ..policies.back_off import Outage
from ..policies.token_cap import day_of
from ..storage.events import EventCounts
from .bulk_review import SOON
from .components import Components
from .operations import Operations

DAYS = 30
DAYS_OF_RECALLS = 14
_DAY = timedelta(days=1)
_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Unread:
    """The speaker's own messages that are yet to be read, as far as the chat may know of them."""

    count: int
    at: datetime | None
    """When the first of them is; None: not while read-only or paused, or there is none."""
    stopped: bool
    """Whether that is because of read-only."""
    soon: bool
    """Whether it is due, or within a minute."""


async def extraction_times(components: Components) -> Mapping[tuple[str, str], datetime]:
    """When each chat is read, by its origin and scope id; none while read-only."""
    if components.store.read_only:
        return {}
    settings = components.settings.extraction
    return await components.store.events.extraction_at(settings=settings, now=components.ports.clock())


async def unread(components: Components, access: Access) -> Unread:
    """How many, and when."""
    chats = await components.store.memories.own_unread(access)
    times = await extraction_times(components)
    at = min((times[each] for each in chats if each in times), default=None)
    soon = at is not None and at < components.ports.clock() + _MINUTE
    return Unread(len(chats), at, components.store.read_only, soon)


@dataclass(frozen=True, kw_only=True)
class Counts(EventCounts):
    """What `/ltm status` and `GET health` tell of a memory at work."""

    read_only: bool
    mode: Mode
    chat_provider: bool
    """Whether there is a model to extract with."""
    embedding_model: str | None
    embedding_error: str
    embedded: int
    embeddable: int
    not_embeddable: int
    items: Mapping[str, int]
    waiting: int
    """How many memories wait for approval, why, and how many of them expire soon if nobody decides."""
    waiting_reasons: Mapping[str, int]
    waiting_expire_soon: int
    paused_people: int
    paused_groups: int
    tokens_today: int
    token_cap: int
    calls_today: int
    recall_log: bool
    recalls: int
    """How many recalls the log holds of the last day."""
    recalls_empty: int
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


class StatusReport(Operations):
    """For operators. Counted anew each time: nothing of it is kept."""

    async def counts(self) -> Counts:
        """Ask everybody how it goes."""
        parts, store, now = self._components, self._store, self._clock()
        events = await store.events.counts()
        calls_today, tokens_today = await store.events.spent(day_of(now))
        paused_people, paused_groups = await store.paused_counts()
        waiting = await store.browsing.waiting(WaitingFilter(page_size=1), soon=now + SOON)
        recalls, empty = await store.recalls.counts(since=now - _DAY)
        embedded, embeddable = await parts.embedding.progress()
        items = Counter[str]()
        for (status, _), number in (await store.item_counts()).items():
            items[status.value] += number
        return Counts(
            **vars(events),
            read_only=store.read_only,
            mode=parts.policies.write().mode,
            chat_provider=parts.ports.has_chat_model(),
            embedding_model=parts.embedding.model_id,
            embedding_error=parts.embedding.last_error,
            embedded=embedded,
            embeddable=embeddable,
            not_embeddable=len(parts.embedding.given_up),
            items=dict(items),
            waiting=waiting.total,
            waiting_reasons=waiting.reasons,
            waiting_expire_soon=waiting.expire_soon,
            paused_people=paused_people,
            paused_groups=paused_groups,
            tokens_today=tokens_today,
            token_cap=parts.settings.extraction.daily_token_cap,
            calls_today=calls_today,
            recall_log=parts.settings.recall_log != timedelta(0),
            recalls=recalls,
            recalls_empty=empty,
            late_writes=parts.scheduler.late,
            background_jobs=parts.scheduler.running,
            unknown_tools=parts.levels.unknown_tools(parts.ports.knows_tool),
            next_reading_at=min((await extraction_times(parts)).values(), default=None),
            memory_plugins=parts.ports.memory_plugins(),
            outages=parts.worker.providers.outages,
        )

    async def overview(self, *, page: int, page_size: int) -> Overview:
        """How much there is of what, and what each of the last days brought; the pages are of the scopes."""
        counted = self._store.statistics
        midnight = datetime.combine(self._clock().astimezone(UTC), time(), UTC)
        days = [(midnight - back * _DAY).date() for back in reversed(range(DAYS))]
        fewer = days[-DAYS_OF_RECALLS:]
        items = await counted.new_items(since=midnight - (DAYS - 1) * _DAY)
        events = await counted.new_events(since=midnight - (DAYS - 1) * _DAY)
        recalls = await counted.recalls(since=midnight - (DAYS_OF_RECALLS - 1) * _DAY)
        tokens = await counted.tokens(since=days[0].isoformat())
        types = await self._store.item_counts()
        return Overview(
            **vars(await counted.scopes(page=page, page_size=page_size)),
            types={kind: {s: types[s, kind] for s in Status if (s, kind) in types} for kind in MemoryType},
            growth=[Growth(day=day, items=_of(items, day)[0], events=_of(events, day)[0]) for day in days],
            recalls=[
                RecallsOfDay(day=day, total=_of(recalls, day)[0], empty=_of(recalls, day)[1]) for day in fewer
            ],
            tokens=[
                TokensOfDay(day=day, calls=calls, prompt_tokens=asked, answer_tokens=answered)
                for day in days
                for calls, asked, answered in [_of(tokens, day)]
            ],
        )


def _of(rows: Mapping[str, tuple[int, ...]], day: date) -> tuple[int, ...]:
    return rows.get(day.isoformat(), (0, 0, 0))
