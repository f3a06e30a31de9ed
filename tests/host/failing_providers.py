"""Every way to fail, against the host's own providers and their clients: one kind of error comes out of it.

These cases import the host, which warns and sets up logging: `test_failing_providers.py` runs them alone.
"""

import asyncio
import gc
import math
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from itertools import batched
from typing import TYPE_CHECKING, Any, cast

import psutil
import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import AnswerError, UnavailableError
from astrbot_plugin_ltm.long_term_memory.host.providers import (
    MAX_COST,
    MAX_DIMENSION,
    HostChatModel,
    HostEmbedder,
)
from astrbot_plugin_ltm.long_term_memory.prompts.extraction import parse
from astrbot_plugin_ltm.long_term_memory.prompts.lenient_json import MAX_THOUGHT

from tests.host.harness.failing import FailingServer, Misbehaviour
from tests.host.harness.misbehaving import HUGE
from tests.host.harness.right_answers import well
from tests.host.harness.ways_to_fail import (
    ANY,
    CHATTING,
    EMBEDDING,
    ODD,
    SILENT,
    bomb,
    huge_prose,
    huge_vector,
)
from tests.host.real_providers import Providers
from tests.host.trouble import ELSEWHERE
from tests.torture.form import LONG, either, tell

if TYPE_CHECKING:
    from astrbot.api.star import Context

PATIENT, IMPATIENT = timedelta(seconds=30), timedelta(seconds=1)
MEGABYTE = 2**20
TOLD = "<<<conversation>>>\nI keep a parrot.\n"


class Asked:
    """One provider of each kind and their server, asked as the plugin asks them."""

    def __init__(self, server: FailingServer, patience: timedelta = PATIENT) -> None:
        self.server = server
        self.providers = Providers(server.url, server.url)
        context = cast("Context", self.providers)
        self.chat = HostChatModel(context, "", patience)
        self.embedder = HostEmbedder(context, "", patience)

    async def facts(self) -> Sequence[str]:
        completion = await self.chat.complete(umo="u", system="s", prompt=TOLD)
        assert len(completion.text) <= MAX_THOUGHT
        assert 0 <= completion.prompt_tokens <= MAX_COST
        assert 0 <= completion.answer_tokens <= MAX_COST
        return [each.fact for each in parse(completion.text).candidates]

    async def vectors(self) -> Sequence[Sequence[float]]:
        vectors = await self.embedder.embed(["a parrot", "a cage"])
        assert len(vectors) == 2
        assert max(map(len, vectors)) <= MAX_DIMENSION
        assert all(type(number) is float for vector in vectors for number in vector)
        return vectors


async def fault_of(ask: Callable[[], Awaitable[Any]]) -> str:
    """What is wrong with the way a provider fails; empty when it is a failure as the pipelines know it."""
    try:
        answer = await ask()
    except (UnavailableError, AnswerError):
        return ""
    except Exception as error:  # noqa: BLE001  what must not come out
        return f"{type(error).__name__}: {error}"
    return "" if answer and all(map(has_no_direction, answer)) else f"took {str(answer)[:80]}"


def has_no_direction(answer: Any) -> bool:
    """Whether this is a vector of numbers that is refused where vectors are used."""
    try:
        return math.hypot(*answer) in {0.0, math.inf}
    except TypeError:
        return False


async def test_whatever_a_provider_does_the_plugin_hears_one_kind_of_error_and_then_the_next_answer() -> None:
    async def tried(name: str, does: Misbehaviour, kinds: str) -> list[str]:
        with FailingServer(well) as server:
            asked = Asked(server, IMPATIENT if does in (*map(ANY.get, SILENT),) else PATIENT)
            server.misbehave(does)
            asks = [ask for kind, ask in (("c", asked.facts), ("e", asked.vectors)) if kind in kinds]
            faults = [f"{name}: {fault}" for ask in asks if (fault := await fault_of(ask))]
            server.recover()
            patient = Asked(server)
            assert await patient.facts() == ["User keeps a parrot"]
            assert len(await patient.vectors()) == 2
            await patient.providers.close()
            await asked.providers.close()
            return faults

    tables = (("ce", ANY), ("c", CHATTING), ("e", EMBEDDING))
    ways = [(name, does, kinds) for kinds, table in tables for name, does in table.items()]
    faults = list[str]()
    for some in batched(ways, 12):
        for found in await asyncio.gather(*(tried(*way) for way in some)):
            faults += found
    assert not faults, "\n".join(faults)
    tell("ways in which a provider fails", len(ways) + len(ELSEWHERE) + 1)


@pytest.mark.parametrize("way", ["401", "truncated JSON", "NaN", "strings for numbers", "fewer vectors"])
async def test_what_the_hosts_client_lets_through_is_noticed_by_these_trials(way: str) -> None:
    with FailingServer(well) as server:
        providers = Providers(server.url, server.url)
        server.misbehave({**ANY, **EMBEDDING}[way])
        assert await fault_of(lambda: providers.embedding.get_embeddings(["a parrot", "a cage"]))
        await providers.close()


@pytest.mark.parametrize("where", ELSEWHERE)
async def test_a_provider_that_is_not_where_it_should_be_is_unavailable(where: str) -> None:
    with FailingServer(well) as server:
        asked = Asked(server)
        url = ELSEWHERE[where](server.url)
        asked.providers.set_up(url, url)
        for ask in (asked.facts, asked.vectors):
            assert await fault_of(ask) == ""
        await asked.providers.close()


@pytest.mark.parametrize("way", ODD)
async def test_an_odd_answer_is_taken_when_it_is_right(way: str) -> None:
    with FailingServer(well) as server:
        asked = Asked(server)
        server.misbehave(ODD[way])
        assert await asked.facts() == ["User keeps a parrot"]
        await asked.providers.close()


@pytest.mark.parametrize("huge", [huge_prose, huge_vector, bomb], ids=lambda make: make.__name__)
async def test_of_a_huge_answer_little_is_kept(huge: Callable[[int], Misbehaviour]) -> None:
    # The host's client takes some seconds for each megabyte of numbers, and holds up everybody meanwhile.
    size = either(HUGE // 100, HUGE // 10 if huge is huge_vector else HUGE)
    with FailingServer(well) as server:
        asked = Asked(server, timedelta(minutes=5))
        ask = asked.vectors if huge is huge_vector else asked.facts
        server.misbehave(huge(size))
        host, still = await standstill(asked.providers, vectors=huge is huge_vector)
        gc.collect()
        before = psutil.Process().memory_info().rss
        watch = asyncio.get_running_loop().time()
        assert await fault_of(ask) == ""
        watch = asyncio.get_running_loop().time() - watch
        gc.collect()
        kept = psutil.Process().memory_info().rss - before
        if LONG:
            tell(f"{huge.__name__} of {size} bytes: kept, MB", round(kept / MEGABYTE, 1))
            tell(f"{huge.__name__}: seconds of the host's client alone", round(host, 2))
            tell(f"{huge.__name__}: seconds with the plugin", round(watch, 2))
            tell(f"{huge.__name__}: longest standstill of the host's client, seconds", round(still, 2))
            assert kept < 20 * MEGABYTE
        server.recover()
        assert len(await asked.facts()) == 1
        assert len(await asked.vectors()) == 2
        await asked.providers.close()


async def standstill(providers: Providers, *, vectors: bool) -> tuple[float, float]:
    """How long the host's own client takes over an answer, and holds up everybody else meanwhile."""
    loop = asyncio.get_running_loop()
    longest, began = 0.0, loop.time()

    async def tick() -> None:
        nonlocal longest
        while True:
            at = loop.time()
            await asyncio.sleep(0.001)
            longest = max(longest, loop.time() - at)

    ticking = asyncio.ensure_future(tick())
    try:
        if vectors:
            await providers.embedding.get_embeddings(["a", "b"])
        else:
            await providers.llm_generate(chat_provider_id="chat", prompt="p", system_prompt="s")
    except Exception:  # noqa: BLE001, S110  however it ends
        pass
    await asyncio.sleep(0.002)
    ticking.cancel()
    return loop.time() - began, longest
