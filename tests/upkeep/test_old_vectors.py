"""Vectors of other models go only once the model in use has embedded everything."""

from dataclasses import dataclass

import pytest
from astrbot_plugin_ltm.long_term_memory.storage.embeddables import Progress
from astrbot_plugin_ltm.long_term_memory.upkeep.old_vectors import AT_ONCE, MAX_BATCHES, OldVectors

from .fakes import Hands


@dataclass
class FakeStore:
    done: int
    total: int
    others: int = 3 * AT_ONCE + 1

    async def progress(self, model_id: str) -> Progress:
        assert model_id == "new"
        return Progress(done=self.done, total=self.total)

    async def drop_others(self, model_id: str, *, limit: int) -> int:
        assert model_id == "new"
        gone = min(limit, self.others)
        self.others -= gone
        return gone


def old_vectors(
    store: FakeStore, hands: Hands, model_id: str | None = "new", given_up: int = 0
) -> OldVectors:
    return OldVectors(store, model_id=lambda: model_id, given_up=lambda: given_up, breathe=hands.breathe)


@pytest.mark.parametrize(
    ("model_id", "done", "total", "given_up", "left"),
    [
        ("new", 10, 10, 0, 0),
        ("new", 8, 10, 2, 0),
        ("new", 9, 10, 0, 3 * AT_ONCE + 1),
        ("new", 0, 10, 10, 3 * AT_ONCE + 1),
        ("new", 0, 0, 0, 3 * AT_ONCE + 1),
        (None, 10, 10, 0, 3 * AT_ONCE + 1),
    ],
    ids=[
        "complete",
        "but for what it does not take",
        "not yet",
        "takes nothing",
        "nothing to do",
        "no model",
    ],
)
async def test_old_vectors_go_when_the_model_in_use_has_embedded_all(
    model_id: str | None, done: int, total: int, given_up: int, left: int
) -> None:
    store, hands = FakeStore(done, total), Hands()
    await old_vectors(store, hands, model_id, given_up).work()
    assert store.others == left
    assert hands.breaths == (0 if left else 4)


async def test_a_round_is_bounded_and_the_next_goes_on() -> None:
    store, hands = FakeStore(1, 1, others=AT_ONCE * (MAX_BATCHES + 2)), Hands()
    work = old_vectors(store, hands).work
    await work()
    assert store.others == 2 * AT_ONCE
    await work()
    assert store.others == 0
