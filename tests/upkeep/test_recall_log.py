"""What a recall gave and left out is written down soon after, all that waits at once, at nobody's cost."""

import asyncio
import itertools
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, cast

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.reading import Omitted, Recall
from astrbot_plugin_ltm.long_term_memory.domain.recalls import LoggedRecall, NoBlock
from astrbot_plugin_ltm.long_term_memory.upkeep.recall_log import (
    BATCH_SIZE,
    MAX_LEFT_OUT,
    MAX_QUERY,
    MAX_WAITING,
    SETTLE,
    Recalled,
    RecallLog,
    logged,
)

from tests.read.fakes import NOW, item, ranked
from tests.running import PATIENCE
from tests.stores import ALICE, PRIVATE_CHAT, an_access

ACCESS = an_access(level=Level.CONFIDENTIAL)


@dataclass
class FakeRows:
    """A store in memory that breaks while it is told to."""

    batches: list[Sequence[LoggedRecall]] = field(default_factory=list[Sequence[LoggedRecall]])
    read_only: bool = False
    broken: bool = False
    asked: int = 0
    kept: bool | None = None
    held: Sequence[Item] = ()

    async def own_held_back(self, access: Access, text: str, *, asks: bool, limit: int) -> Sequence[Item]:
        asked = (access, text, asks) == (ACCESS, "What should I cook?", True)
        return self.held[:limit] if asked else ()

    async def noted(self, rows: Sequence[LoggedRecall], *, kept: bool) -> None:
        self.asked += 1
        self.kept = kept
        if self.broken:
            raise RuntimeError("a bug")
        self.batches.append(rows)

    @property
    def rows(self) -> list[LoggedRecall]:
        return [row for batch in self.batches for row in batch]


def log_over(rows: FakeRows, *, kept: bool = True) -> RecallLog:
    numbers = itertools.count(1)
    return RecallLog(cast("Any", rows), cast("Any", rows), lambda: f"recall-{next(numbers)}", kept=kept)


def recall(*memory_ids: str, omitted: Sequence[Omitted] = (), reason: str = "") -> Recall:
    given = tuple(ranked(item(memory_id)) for memory_id in memory_ids)
    return Recall(
        block="x" if given else "", injected=given, omitted=lambda: omitted, vectors=True, reason=reason
    )


def recalled(of: Recall | None = None, **changes: Any) -> Recalled:
    made = Recalled(
        access=ACCESS,
        conversation_id="c1",
        text="What should I cook?",
        recall=of or recall("m"),
        sent=of is None or bool(of.block),
        at=NOW,
    )
    return replace(made, **changes)


def row_of(of: Recalled) -> LoggedRecall:
    return logged(of, "r")


async def run_until(log: RecallLog, condition: Callable[[], bool]) -> None:
    task = asyncio.ensure_future(log.run())
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.005)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def test_a_row_says_who_asked_what_where_and_what_came_of_it() -> None:
    left_out = [Omitted(memory_id="no", rule="not_relevant", score=0.2)]
    row = row_of(recalled(recall("a", "b", omitted=left_out, reason="deadline")))
    assert (row.recall_id, row.owner, row.umo, row.conversation_id) == ("r", ALICE, PRIVATE_CHAT, "c1")
    assert (row.level, row.query, row.at) == (Level.CONFIDENTIAL, "What should I cook?", NOW)
    assert [(each.memory_id, each.score) for each in row.given] == [("a", 0.5), ("b", 0.5)]
    assert [(each.memory_id, each.rule, each.score) for each in row.left_out] == [("no", "not_relevant", 0.2)]
    assert (row.vectors, row.reason) == (True, "deadline")


async def test_what_waits_for_a_decision_is_named_behind_what_was_outranked() -> None:
    waits = replace(item("waits"), status=Status.PENDING, created_at=NOW)
    learnt_since = replace(waits, memory_id="later", created_at=NOW + timedelta(seconds=1))
    rows = FakeRows(held=[waits, learnt_since])
    log = log_over(rows)
    left_out = [Omitted(memory_id="no", rule="not_relevant", score=0.2)]
    log.put(recalled(recall("a", omitted=left_out)))
    log.put(recalled(recall(reason=NoBlock.PAUSED)))
    await log.settle()
    first, paused = rows.rows
    assert [(each.memory_id, each.rule) for each in first.left_out] == [
        ("no", "not_relevant"),
        ("waits", "pending"),
    ]
    assert list(paused.left_out) == []


def test_the_raw_signals_of_what_was_given_are_on_record() -> None:
    of = replace(ranked(item("a")), similarity=0.4, importance=0.1, recency=0.05, words=3.2, cosine=0.7)
    [given] = row_of(recalled(replace(recall("a"), injected=(of,)))).given
    assert (given.similarity, given.importance, given.recency) == (0.4, 0.1, 0.05)
    assert (given.words, given.cosine) == (3.2, 0.7)


def test_a_block_that_found_no_place_gave_nothing() -> None:
    left_out = [Omitted(memory_id="no", rule="not_relevant")]
    row = row_of(recalled(recall("a", omitted=left_out), sent=False))
    assert (list(row.given), row.reason) == ([], NoBlock.NOT_SENT)
    assert [(each.memory_id, each.rule) for each in row.left_out] == [
        ("a", "not_sent"),
        ("no", "not_relevant"),
    ]


def test_a_recall_that_found_nothing_says_why() -> None:
    row = row_of(recalled(recall(reason=NoBlock.NOTHING_RELEVANT)))
    assert (list(row.given), row.reason) == ([], "nothing_relevant")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("my wifi password is hunter2!", "my wifi password is [secret:password]"),
        ("我的密码是 hunter2abc，记住", "我的密码是 [secret:password]，记住"),
        ("half a \ud83d character", "half a ? character"),
        ("", ""),
    ],
)
def test_secrets_are_masked_in_what_was_asked(text: str, kept: str) -> None:
    assert row_of(recalled(text=text)).query == kept


def test_only_the_beginning_of_what_was_asked_is_kept_and_no_part_of_a_secret_at_its_end() -> None:
    query = row_of(recalled(text="x" * 5_000)).query
    assert len(query) == MAX_QUERY
    cut = row_of(recalled(text="a word " * 42 + "the password is hunter2hunter2hunter2hunter2")).query
    assert "hunter" not in cut


async def test_what_is_far_too_long_does_not_wait_in_whole() -> None:
    rows = FakeRows()
    log = log_over(rows)
    log.put(recalled(text=" " * 10_000 + "hello " + "x" * 1_000_000))
    await log.settle()
    assert rows.rows[0].query.startswith("hello xxx")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("What should I cook?", NoBlock.PAUSED),
        ("Please don't remember that I was fired", ""),
        ("请不要记住我被开除了", ""),
    ],
)
def test_no_words_are_kept_of_somebody_who_is_paused_or_asks_for_that(text: str, reason: str) -> None:
    assert row_of(recalled(recall(reason=reason), text=text)).query == ""


def test_so_many_are_named_that_were_left_out_and_no_more() -> None:
    left_out = [Omitted(memory_id=str(n), rule="max_items") for n in range(MAX_LEFT_OUT + 9)]
    row = row_of(recalled(recall("a", omitted=left_out)))
    assert [each.memory_id for each in row.left_out] == [str(n) for n in range(MAX_LEFT_OUT)]


async def test_all_that_waits_is_written_after_one_pause_in_bounded_batches() -> None:
    rows = FakeRows()
    log = log_over(rows)
    for _ in range(2 * BATCH_SIZE + 1):
        log.put(recalled())
    loop = asyncio.get_running_loop()
    began = loop.time()
    await run_until(log, lambda: len(rows.rows) == 2 * BATCH_SIZE + 1)
    assert loop.time() - began < 3 * SETTLE.total_seconds()
    assert [len(batch) for batch in rows.batches] == [BATCH_SIZE, BATCH_SIZE, 1]
    assert len({row.recall_id for row in rows.rows}) == 2 * BATCH_SIZE + 1


async def test_who_cannot_wait_has_it_written_at_once() -> None:
    rows = FakeRows()
    log = log_over(rows)
    log.put(recalled())
    await log.settle()
    await log.settle()
    assert len(rows.batches) == 1


async def test_without_a_log_only_what_was_given_is_noted() -> None:
    rows = FakeRows()
    log = log_over(rows, kept=False)
    log.put(recalled(recall(reason=NoBlock.NOTHING_RELEVANT)))
    log.put(recalled())
    await log.settle()
    assert [[given.memory_id for given in row.given] for row in rows.rows] == [["m"]]
    assert rows.kept is False


async def test_while_read_only_nothing_is_noted() -> None:
    rows = FakeRows(read_only=True)
    log = log_over(rows)
    log.put(recalled())
    rows.read_only = False
    await log.settle()
    assert rows.asked == 0


async def test_whatever_breaks_the_next_one_is_written_and_it_is_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rows = FakeRows(broken=True)
    log = log_over(rows)
    with caplog.at_level(logging.INFO):
        for _ in range(2):
            log.put(recalled())
            await log.settle()
        rows.broken = False
        for _ in range(2):
            log.put(recalled())
            await log.settle()
    assert rows.asked == 4
    assert len(rows.rows) == 2
    assert [record.getMessage() for record in caplog.records] == [
        "Recalls are neither logged nor counted for now: RuntimeError",
        "Recalls are logged and counted again.",
    ]


async def test_a_full_queue_loses_rows_and_nothing_else() -> None:
    rows = FakeRows()
    log = log_over(rows)
    for _ in range(MAX_WAITING + 5):
        log.put(recalled())
    await log.settle()
    assert len(rows.rows) == MAX_WAITING
