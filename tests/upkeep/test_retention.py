"""Old events and old counts go; what memories rest on stays."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.storage.sweeps import Dropped
from astrbot_plugin_ltm.long_term_memory.upkeep.retention import AT_ONCE, KEEP_TOKENS, MAX_EVENTS, Retention

from tests.stores import NOW
from tests.upkeep.fakes import Hands

MONTH = timedelta(days=30)


@dataclass
class FakeEvents:
    """A store with so many events that may go; each tenth was given up."""

    number: int = 0
    asked: list[tuple[datetime, int]] = field(default_factory=list[tuple[datetime, int]])
    batches: list[int] = field(default_factory=list[int])
    days: list[tuple[date, int]] = field(default_factory=list[tuple[date, int]])
    breaks_at: int = -1

    async def unneeded_events(self, *, before: datetime, limit: int) -> Sequence[int]:
        self.asked.append((before, limit))
        return range(min(self.number, limit))

    async def drop_events(self, rows: Sequence[int]) -> Dropped:
        if len(self.batches) == self.breaks_at:
            raise RuntimeError("a bug")
        self.batches.append(len(rows))
        self.number -= len(rows)
        return Dropped(total=len(rows), failed=len(rows) // 10)

    async def unread_events(self, *, before: datetime, limit: int) -> Sequence[int]:
        return await self.unneeded_events(before=before, limit=limit)

    async def pass_over(self, rows: Sequence[int]) -> int:
        return (await self.drop_events(rows)).total

    async def drop_token_days(self, *, before: date, limit: int) -> int:
        self.days.append((before, limit))
        return 0


def retention(events: FakeEvents, hands: Hands, keep_events: timedelta | None = MONTH) -> Retention:
    return Retention(events, hands.clock, hands.breathe, keep_events=keep_events)


async def test_old_events_go_in_short_transactions_with_a_breath_after_each(hands: Hands) -> None:
    events = FakeEvents(number=2 * AT_ONCE + 1)
    await retention(events, hands).drop_events()
    assert (events.batches, hands.breaths) == ([AT_ONCE, AT_ONCE, 1], 3)
    assert events.asked == [(NOW - MONTH, MAX_EVENTS)]


async def test_a_round_is_bounded_and_the_next_goes_on(hands: Hands) -> None:
    events = FakeEvents(number=MAX_EVENTS + 5)
    await retention(events, hands).drop_events()
    assert events.number == 5
    await retention(events, hands).drop_events()
    assert events.number == 0


async def test_events_may_be_kept_for_ever(hands: Hands) -> None:
    events = FakeEvents(number=3)
    await retention(events, hands, None).drop_events()
    assert (events.asked, events.number) == ([], 3)


@pytest.mark.parametrize("breaks_at", [-1, 2])
async def test_how_many_were_never_extracted_is_logged_once_a_round_even_when_it_breaks(
    hands: Hands, caplog: pytest.LogCaptureFixture, breaks_at: int
) -> None:
    caplog.set_level(logging.INFO)
    job = retention(FakeEvents(number=3 * AT_ONCE, breaks_at=breaks_at), hands)
    if breaks_at < 0:
        await job.drop_events()
        await job.drop_events()
    else:
        with pytest.raises(RuntimeError):
            await job.drop_events()
    number = (3 if breaks_at < 0 else breaks_at) * AT_ONCE // 10
    (record,) = caplog.records
    assert record.getMessage() == f"{number} events are dropped that could not be extracted in time."


async def test_what_waits_for_a_model_is_passed_over_as_others_are_dropped_and_told_once(
    hands: Hands, caplog: pytest.LogCaptureFixture
) -> None:
    events = FakeEvents(number=MAX_EVENTS + 1)
    await retention(events, hands).pass_over()
    assert (events.number, events.batches) == (1, [AT_ONCE] * (MAX_EVENTS // AT_ONCE))
    assert events.asked == [(NOW - MONTH, MAX_EVENTS)]
    assert hands.breaths == len(events.batches)
    (record,) = caplog.records
    assert (
        record.getMessage()
        == f"{MAX_EVENTS} events are passed over that no model could be asked about in time."
    )
    await retention(events, hands, None).pass_over()
    assert events.number == 1


async def test_the_ledger_remembers_a_year_and_a_month(hands: Hands) -> None:
    events = FakeEvents()
    await retention(events, hands).drop_tokens()
    ((before, limit),) = events.days
    assert before == (NOW - KEEP_TOKENS).date() == date(2024, 4, 27)
    assert limit > 0
