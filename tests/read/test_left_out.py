from collections.abc import Sequence
from dataclasses import replace
from typing import overload, override

from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.reading import Omitted
from astrbot_plugin_ltm.long_term_memory.domain.words import MemoryType
from astrbot_plugin_ltm.long_term_memory.policies.read_policy import MemoryReadPolicy
from astrbot_plugin_ltm.long_term_memory.read.left_out import LeftOut

from .fakes import in_this_order, item


def test_each_memory_that_is_left_out_has_its_rule_and_its_score_the_next_best_first() -> None:
    items = [
        item("kept", "likes tea"),
        item("same", "Likes tea."),
        item("more", "fact"),
        item("task", "a task", MemoryType.TASK_STATE),
        item("longer", "another task", MemoryType.TASK_STATE),
        item("older", "an older version"),
        item("else", "something else"),
    ]
    ranking = in_this_order(items)
    ranking.signals.shadowed[5] = True
    ranking = replace(ranking, best=range(5), rest=lambda: [5, 6])
    left_out = LeftOut(ranking, MemoryReadPolicy(max_per_type=1, max_items=2))
    assert [(each.memory_id, each.rule) for each in left_out] == [
        ("same", "max_per_type"),
        ("more", "max_per_type"),
        ("longer", "max_per_type"),
        ("older", "shadowed"),
        ("else", "not_relevant"),
    ]
    assert left_out[0] == Omitted(memory_id="same", rule="max_per_type", score=ranking.score[1])
    assert list(left_out[3:]) == list(left_out)[3:]
    assert len(left_out) == 5


def test_repetition_and_the_budget_are_named_too() -> None:
    items = [item("a", "likes tea"), item("b", "Likes tea."), item("c", "fact"), item("d", "x" * 400)]
    left_out = LeftOut(in_this_order(items), MemoryReadPolicy(max_tokens=60))
    assert {each.memory_id: each.rule for each in left_out} == {"b": "duplicate", "d": "max_tokens"}


class Watched(Sequence[Item]):
    """Counts what is taken from it."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items
        self.taken = 0

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Item]: ...
    @override
    def __getitem__(self, index: int | slice) -> Item | Sequence[Item]:
        self.taken += 1
        return self._items[index]

    @override
    def __len__(self) -> int:
        return len(self._items)


def test_nothing_is_worked_out_before_somebody_looks() -> None:
    items = Watched([item("m")])
    ranking = replace(in_this_order(items), best=(), rest=lambda: [0])
    before = items.taken
    left_out = LeftOut(ranking, MemoryReadPolicy())
    assert items.taken == before
    assert left_out[0].rule == "not_relevant"
    assert items.taken == before + 1
