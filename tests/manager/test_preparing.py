"""What a reply will want is begun while the host still waits, and never for whom memory is paused."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from tests.running import AUTO, World, group, private, settings, until

ALICE = private("alice")
QUESTION = "Which tea?"


@dataclass
class Embedder:
    texts: list[str] = field(default_factory=list[str])

    def model_id(self) -> str | None:
        return "fake"

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        self.texts.extend(texts)
        return [[1.0, float(len(text))] for text in texts]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "host.db", embedder=Embedder())


@pytest.fixture
async def memory(world: World) -> AsyncGenerator[LTMManager]:
    async with world.memory(settings()) as manager:
        yield manager


def asked(world: World, question: str = QUESTION) -> int:
    """How often the provider was asked to embed the question."""
    assert isinstance(world.embedder, Embedder)
    return world.embedder.texts.count(question)


async def others_had_their_turn() -> None:
    """More turns of the loop than it takes to begin what was begun."""
    for _ in range(100):
        await asyncio.sleep(0)


@pytest.mark.parametrize("chat", [ALICE, group("alice")], ids=["private", "group"])
async def test_the_question_is_embedded_ahead_and_once(world: World, memory: LTMManager, chat: Chat) -> None:
    memory.prepare(chat, f" {QUESTION} ")
    assert asked(world) == 0
    await until(lambda: asked(world) == 1)
    await memory.recall(chat, QUESTION)
    assert asked(world) == 1


async def test_of_who_has_paused_nothing_is_sent_to_the_provider(world: World, memory: LTMManager) -> None:
    await memory.pausing.own(ALICE, on=True)
    await memory.pausing.group(group("bob"), on=True, actor="admin")
    memory.prepare(ALICE, QUESTION)
    memory.prepare(group("bob"), QUESTION)
    memory.prepare(private("carol"), "And cake?")
    await until(lambda: asked(world, "And cake?") == 1)
    assert asked(world) == 0


async def test_while_reading_is_off_nothing_is_prepared(world: World) -> None:
    off = {**AUTO, "read_policy": {"enable": False}}
    async with world.memory(settings(off)) as memory:
        memory.prepare(ALICE, QUESTION)
        await memory.recall(ALICE, QUESTION)
        await others_had_their_turn()
        assert asked(world) == 0


async def test_after_a_stop_nothing_is_prepared(world: World) -> None:
    async with world.memory(settings()) as memory:
        await memory.recall(ALICE, "Hello")  # who is paused is known from then on
    memory.prepare(ALICE, QUESTION)
    await others_had_their_turn()
    assert asked(world) == 0
