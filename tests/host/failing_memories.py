"""A memory whose providers fail, in every way: it goes on without them, and makes up for it afterwards.

These cases import the host, which warns and sets up logging: `test_failing_providers.py` runs them alone.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import batched
from pathlib import Path

import pytest

from tests.host.harness.failing import Misbehaviour
from tests.host.harness.ways_to_fail import ANY, CHATTING, EMBEDDING, SILENT, changes_length, halved
from tests.host.provider_trial import Ear, a_trial
from tests.host.trouble import ELSEWHERE, Trouble
from tests.torture.form import LONG, either, tell

PATIENT = timedelta(seconds=30)


@pytest.fixture(autouse=True)
def ear() -> Iterator[None]:
    """Hear what the plugin and asyncio log, and keep the host's own log short."""
    ear, loggers = (
        Ear(),
        [logging.getLogger(name) for name in ("astrbot.plugin.astrbot_plugin_ltm", "asyncio")],
    )
    for name in ("astrbot", "alembic", "httpx2", "httpx", "openai"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    for logger in loggers:
        logger.setLevel(logging.INFO)
        logger.addHandler(ear)
    yield
    for logger in loggers:
        logger.removeHandler(ear)


def troubles() -> Sequence[Sequence[Trouble]]:
    """What befalls each memory, one after the other; the short form takes the most different ones."""
    any_of = {name: does for name, does in ANY.items() if name not in SILENT}
    chat = [Trouble(name=f"chat: {name}", chatting=does) for name, does in {**any_of, **CHATTING}.items()]
    embedding = [
        Trouble(name=f"embedding: {name}", embedding=does) for name, does in {**any_of, **EMBEDDING}.items()
    ]
    both = [Trouble(name=f"both: {name}", chatting=does, embedding=does) for name, does in any_of.items()]
    both += [Trouble(name=f"both: {name}", moved=moved) for name, moved in ELSEWHERE.items()]
    both.append(Trouble(name="both: refused", shut=True))
    if not LONG:
        few = (
            "chat: 429 for an hour",
            "chat: deep short content",
            "chat: prose",
            "embedding: NaN",
            "embedding: fewer vectors",
            "embedding: zero vectors",
            "both: refused",
            "both: breaks off",
            "both: TLS garbage",
        )
        chat, embedding, both = ([one for one in kind if one.name in few] for kind in (chat, embedding, both))
    return [list(lane) for kind in (chat, embedding, both) for lane in batched(kind, either(3, 8))]


async def lane(folder: Path, suffered: Sequence[Trouble], *, patience: timedelta, rounds: int) -> list[str]:
    """One memory goes through these troubles, one after the other."""
    deadline = timedelta(seconds=1 if any(each.embeds_wrongly for each in suffered) else 10)
    async with a_trial(folder, patience=patience, deadline=deadline) as trial:
        return [fault for each in suffered for fault in await trial.suffers(each, rounds=rounds)]


async def all_lanes(
    folder: Path, lanes: Sequence[Sequence[Trouble]], *, patience: timedelta, rounds: int
) -> list[str]:
    at_once = asyncio.Semaphore(6)

    async def one(number: int, suffered: Sequence[Trouble]) -> list[str]:
        async with at_once:
            return await lane(folder / str(number), suffered, patience=patience, rounds=rounds)

    for number in range(len(lanes)):
        (folder / str(number)).mkdir()
    found = await asyncio.gather(*(one(number, suffered) for number, suffered in enumerate(lanes)))
    return [fault for faults in found for fault in faults]


async def test_a_memory_goes_on_without_its_providers_and_learns_all_of_it_when_they_are_back(
    tmp_path: Path,
) -> None:
    lanes = troubles()
    assert await all_lanes(tmp_path, lanes, patience=PATIENT, rounds=either(1, 2)) == []
    tell("troubles that a memory came through", sum(map(len, lanes)))


async def test_no_reply_waits_for_a_provider_that_does_not_end_its_answer(tmp_path: Path) -> None:
    lanes = [
        [trouble]
        for name in SILENT
        for trouble in (
            Trouble(name=f"chat: {name}", chatting=ANY[name]),
            Trouble(name=f"embedding: {name}", embedding=ANY[name]),
            Trouble(name=f"both: {name}", chatting=ANY[name], embedding=ANY[name]),
        )
    ]
    lanes = either([[Trouble(name="both", chatting=ANY[SILENT[1]], embedding=ANY[SILENT[2]])]], lanes)
    assert await all_lanes(tmp_path, lanes, patience=timedelta(seconds=5), rounds=1) == []


@pytest.mark.parametrize("make", either([halved], [halved, changes_length]), ids=lambda make: make.__name__)
async def test_vectors_of_another_length_end_with_all_of_them_of_one_length(
    tmp_path: Path, make: Callable[[], Misbehaviour]
) -> None:
    async with a_trial(tmp_path, patience=PATIENT, deadline=timedelta(seconds=10)) as trial:
        trial.embedding.misbehave(make())
        await trial.tell("tortoise")
        assert "parrot" in (await trial.ask()).block
        trial.embedding.recover()
        await trial.learns("hamster")
        await trial.comes(trial.asks_with_vectors)
        dimensions = trial.rows("select distinct dimension from ltm_vectors")
    assert dimensions == [(64,)]
