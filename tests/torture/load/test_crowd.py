"""Fifty chats at once, with extraction, sweeps and a dashboard: nothing is lost, doubled or out of order."""

import asyncio
import logging
import re
import statistics
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Turn
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from benchmarks.at_once import AtOnce
from benchmarks.bulk import stored
from tests.faults.stores import faults
from tests.host.harness.tables import Tables
from tests.running import private, until
from tests.stores import migrated
from tests.torture.form import LONG, chances, either, tell

from .beside import Beside, HostWrites
from .crowded import PRIVATE_CHATS, Crowd, Reader, Talk, at_once, crowded, going_on, talks
from .trend import quantile

TURNS = either(3, 40)
ROUNDS = 5
IDLE_TURNS, ALONE = 120, 0.4
"""Of one chat, and how many seconds are between them."""
FIRST_ROUNDS = 20
"""Of housekeeping, until it has seen all that was there before."""
TURNS_UNDER_LOAD = 4
"""Of each of the fifty chats in a round, one about every five seconds."""
LEAST_BESIDE = either((1, 1, 1, 1), (500, 200, 50, 20))
"""Writes of the host, pages, rounds of housekeeping and files there are at least beside the talk."""
SETTINGS = {
    "write_policy": {
        "mode": "auto",
        "max_writes_per_session": 10_000,
        "max_writes_per_hour": 100_000,
        "max_items_per_scope": 10_000,
    },
    "extraction": {"batch_turns": 3, "idle_seconds": 1, "daily_token_cap": 1_000_000_000},
}
PATIENT = {"recall_deadline_ms": 10_000}
"""A standstill of a busy machine is no failure of a provider, of which the log would tell."""

pytestmark = pytest.mark.torture


async def test_fifty_chats_at_once_lose_and_double_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file, chance = migrated(tmp_path / "data_v4.db"), chances("crowd")
    held = talks(TURNS, chance)
    caplog.set_level(logging.WARNING)
    with HostWrites(file, either(0.05, 0.02)) as host:
        async with crowded(file, {**SETTINGS, **PATIENT}) as (crowd, api):
            beside = Beside(crowd, api, rest=either(0.5, 0.02))
            async with going_on(beside.looks(), beside.tidies()):
                await at_once(crowd.holds(talk, pause=lambda: chance.uniform(0, 0.05)) for talk in held)
                await read_to_its_end(crowd)
                await until(lambda: bool(beside.rounds and beside.files), timeout=600)
            failures = dict(crowd.memory.failures)
    tell("crowd: chats, turns of each", (len(held), TURNS))
    tell(
        "crowd: pages looked at, rounds of housekeeping, exports and snapshots",
        (beside.pages, beside.rounds, beside.files),
    )
    tell("crowd: writes of the host meanwhile, failed", (host.written, len(host.failed)))
    tell("crowd: complaints in the log", len(caplog.records))
    assert [record.getMessage() for record in caplog.records] == []
    assert failures == {}
    assert host.failed == []
    went_on = (host.written, beside.pages, beside.rounds, beside.files)
    assert all(number >= least for number, least in zip(went_on, LEAST_BESIDE, strict=True)), went_on
    assert faults(file) == []
    for talk in held:
        assert spoken(file, talk) == in_order(talk)
    assert learnt(file) == Counter(
        (f"User's {thing} is called {name}", 1) for talk in held for thing, name in talk.words
    )
    assert shown(crowd) == Counter(talk.said(turn) for talk in held for turn in range(TURNS))


async def read_to_its_end(crowd: Crowd) -> None:
    """Wait until the model has read everything; what is left over of a batch is due when a chat is quiet."""
    tables = Tables(crowd.place.file)
    async with asyncio.timeout(either(600, 3_600)):
        while tables.rows("select 1 from ltm_events where extraction = 'pending' limit 1"):
            crowd.place.clock.move(timedelta(seconds=5))
            await asyncio.sleep(0.25)


def spoken(file: Path, talk: Talk) -> list[str]:
    """What the store says was said in this chat, in the order it was stored in."""
    query = (
        "select content ->> 'text' from ltm_events where session_id = ? and source_role != 'tool' order by id"
    )
    return [text for (text,) in Tables(file).rows(query, talk.umo)]


def in_order(talk: Talk) -> list[str]:
    return [text for turn in range(TURNS) for text in (talk.said(turn), f"Turn {turn}, I see.")]


def learnt(file: Path) -> Counter[tuple[str, int]]:
    """Each fact in use, and on how much evidence it rests."""
    rows = Tables(file).rows("select fact, evidence_count from ltm_items where status = 'active'")
    return Counter((fact, number) for fact, number in rows)


def shown(crowd: Crowd) -> Counter[str]:
    """What the model was shown of what people said, in all its questions."""
    model = crowd.place.model
    assert isinstance(model, Reader)
    found = (re.findall(r"^\[\d+\] user [^:]*: (.*)$", prompt, re.MULTILINE) for prompt in model.prompts)
    return Counter(text for texts in found for text in texts)


class Loses:
    """Forgets to record a turn now and then."""

    async def record(self, memory: LTMManager, turn: Turn) -> None:
        if not turn.message_id.endswith("2"):
            await memory.record_turn(turn)


class Doubles:
    """Records each turn again as if it were another one."""

    async def record(self, memory: LTMManager, turn: Turn) -> None:
        for message_id in (turn.message_id, f"{turn.message_id} again"):
            await memory.record_turn(replace(turn, message_id=message_id))


class Overtakes:
    """Records a turn only when the next one has come."""

    def __init__(self) -> None:
        self._held: dict[str, Turn] = {}

    async def record(self, memory: LTMManager, turn: Turn) -> None:
        late = self._held.pop(turn.chat.umo, None)
        if late is None and turn.message_id.endswith("0"):
            self._held[turn.chat.umo] = turn
            return
        await memory.record_turn(turn)
        if late is not None:
            await memory.record_turn(late)


@pytest.mark.parametrize("wrong", [Loses, Doubles, Overtakes])
async def test_what_is_lost_doubled_or_out_of_order_would_be_seen(
    tmp_path: Path, wrong: Callable[[], Loses | Doubles | Overtakes]
) -> None:
    file, held = migrated(tmp_path / "data_v4.db"), talks(TURNS, chances("wrong"))[-2:]
    async with crowded(file, SETTINGS) as (crowd, _):
        crowd.record = partial(wrong().record, crowd.memory)
        await at_once(crowd.holds(talk) for talk in held)
    assert all(spoken(file, talk) != in_order(talk) for talk in held)


@pytest.mark.skipif(not LONG, reason="times are taken in the long form alone")
async def test_recall_under_the_load_of_fifty_chats_takes_at_most_three_times_as_long(tmp_path: Path) -> None:
    """Idle is one chat alone that says the same: its memory changes from turn to turn too."""
    file, chance = tmp_path / "data_v4.db", chances("load")
    await stored(file, {f"p{number}": 200 for number in range(PRIVATE_CHATS)})
    ratios: list[float] = []
    times: dict[str, list[float]] = {"idle": [], "load": []}
    async with crowded(file, SETTINGS, AtOnce()) as (crowd, api):
        for each in range(PRIVATE_CHATS):
            await crowd.recall(private(f"p{each}"), "What is new?")
        for _ in range(FIRST_ROUNDS):
            await crowd.housekeeping.work()
        for number in range(ROUNDS):
            crowd.recalls = idle = list[float]()
            await crowd.holds(talks(IDLE_TURNS, chances(f"alone {number}"))[number], pause=lambda: ALONE)
            crowd.recalls, asked = (load := list[float]()), len(shown(crowd))
            beside = Beside(crowd, api, rest=0.5)
            held = talks(TURNS_UNDER_LOAD, chances(f"load {number}"))
            async with going_on(beside.looks(), beside.tidies()):
                await at_once(crowd.holds(talk, pause=lambda: chance.uniform(0, 10)) for talk in held)
            # Else it was no load: an operator, housekeeping and the reading of what is said.
            assert min(beside.pages, beside.rounds, len(shown(crowd)) - asked) > 0
            times["idle"] += idle
            times["load"] += load
            ratios.append(quantile(load, 0.95) / quantile(idle, 0.95))
    for name, taken in times.items():
        by_share = {share: round(quantile(taken, share), 2) for share in (0.5, 0.95, 0.99)}
        tell(f"crowd: milliseconds of a recall, {name}, by quantile", by_share)
    tell(
        "crowd: 95th percentile of a recall, load over idle, each round", [round(each, 2) for each in ratios]
    )
    tell("crowd: median of these", round(statistics.median(ratios), 2))
    assert statistics.median(ratios) <= 3
