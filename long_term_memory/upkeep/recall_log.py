"""Writes down what each recall gave and left out, and counts what it gave, once the request has gone out."""

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from itertools import chain, islice

from ..domain.chat import Access
from ..domain.reading import Given, Omitted, Recall, met
from ..domain.recalls import LoggedRecall, NoBlock
from ..domain.time import MakeId
from ..policies.back_off import FailureLog
from ..policies.requests import asks_not_to_keep
from ..policies.secrets import mask_and_cut
from ..read.query_terms import query_terms
from ..storage.memories import Memories
from ..storage.recalls import RecallStore

MAX_WAITING = 200
"""Recalls that wait to be written; each may hold on to what it was worked out from."""
BATCH_SIZE = 50
SETTLE = timedelta(seconds=1)
"""How long after a recall the writing begins: the turn it belongs to ends first."""
MAX_QUERY = 300
MAX_LEFT_OUT = 50
MAX_HELD_BACK = 10
"""Memories that wait for a decision and are named beside them."""
_MAX_HELD = 2_000
"""Characters of what was asked that wait to be masked: more than are looked at."""


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """One recall, and what became of it."""

    access: Access
    conversation_id: str
    text: str
    recall: Recall
    sent: bool
    at: datetime


class RecallLog:
    """A bounded queue between the hot path and the store: a row may be lost, a reply never waits."""

    def __init__(self, store: RecallStore, memories: Memories, make_id: MakeId, *, kept: bool) -> None:
        """`kept`: recalls are written down; else what they gave is counted and nothing more."""
        self._store = store
        self._memories = memories
        self._make_id = make_id
        self._kept = kept
        self._waiting = deque[Recalled]()
        self._news = asyncio.Event()
        self._turn = asyncio.Lock()
        self._failure = FailureLog(
            "Recalls are neither logged nor counted for now: %s", "Recalls are logged and counted again."
        )

    def put(self, recalled: Recalled) -> None:
        """Note this recall."""
        if len(self._waiting) < MAX_WAITING and (self._kept or recalled.sent) and not self._store.read_only:
            self._waiting.append(replace(recalled, text=recalled.text.strip()[:_MAX_HELD]))
            self._news.set()

    async def run(self) -> None:
        """Write what comes, for ever."""
        while True:
            await self._news.wait()
            await asyncio.sleep(SETTLE.total_seconds())
            await self.settle()

    async def settle(self) -> None:
        """Write what waits now; whoever reads the log next finds it there. Never raises."""
        async with self._turn:
            self._news.clear()
            while self._waiting:
                taken = [self._waiting.popleft() for _ in range(min(BATCH_SIZE, len(self._waiting)))]
                await self._write(taken)

    async def _write(self, taken: Sequence[Recalled]) -> None:
        with self._failure.outer_edge():
            ids = [self._make_id() for _ in taken]
            # Masking takes milliseconds a message, and the loop is for the chats.
            rows = await asyncio.to_thread(lambda: list(map(logged, taken, ids)))
            if self._kept:
                rows = [await self._with_held_back(*pair) for pair in zip(rows, taken, strict=True)]
            await self._store.noted(rows, kept=self._kept)

    async def _with_held_back(self, row: LoggedRecall, recalled: Recalled) -> LoggedRecall:
        """The row with what might have been given if nobody had to decide about it first."""
        if row.reason in (NoBlock.PAUSED, NoBlock.READING_OFF):
            return row
        held = await held_back(self._memories, recalled.access, recalled.text, at=recalled.at)
        return replace(row, left_out=(*row.left_out, *held))


async def held_back(memories: Memories, access: Access, text: str, *, at: datetime) -> Sequence[Omitted]:
    """The person's own that waited at `at` and might be told in this chat; their status is the rule."""
    asks = any(term.tells for term in query_terms(text))
    found = await memories.own_held_back(access, text, asks=asks, limit=MAX_HELD_BACK)
    held = [item for item in found if item.created_at <= at]
    return [Omitted(**met(item), rule=item.status.value) for item in held]


def logged(recalled: Recalled, recall_id: str) -> LoggedRecall:
    """The row of a recall: bounded, masked, without any memory's text.

    No words are kept of somebody who is paused, nor of a message that asks not to be kept.
    """
    recall, access = recalled.recall, recalled.access
    unkept = recall.reason == NoBlock.PAUSED or asks_not_to_keep(recalled.text)
    lost = recall.injected if not recalled.sent else ()
    not_sent = [Omitted(**met(one.item), rule=NoBlock.NOT_SENT, score=one.score) for one in lost]
    return LoggedRecall(
        recall_id=recall_id,
        owner=access.owner,
        umo=access.umo,
        conversation_id=recalled.conversation_id,
        level=access.level,
        query="" if unkept else mask_and_cut(recalled.text, MAX_QUERY),
        given=() if lost else tuple(given_of(recall)),
        left_out=tuple(islice(chain(not_sent, recall.omitted()), MAX_LEFT_OUT)),
        vectors=recall.vectors,
        reason=NoBlock.NOT_SENT if lost else recall.reason,
        at=recalled.at,
    )


def given_of(recall: Recall) -> Iterator[Given]:
    """What it gave, the best first."""
    kept = [field.name for field in fields(Given)]
    return (Given(**{name: getattr(each, name) for name in kept}) for each in recall.injected)
