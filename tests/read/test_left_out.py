from dataclasses import replace
from itertools import islice
from typing import Any, cast, override

from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.reading import Omitted, met
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import MemoryReadPolicy
from astrbot_plugin_ltm.long_term_memory.read.budget import left_out

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
    ranking.visible.signals.shadowed[5] = True
    ranking = replace(ranking, best=range(5), rest=lambda: [5, 6])
    omitted = list(left_out(ranking, MemoryReadPolicy(max_per_type=1, max_items=2)))
    assert [(each.memory_id, each.rule) for each in omitted] == [
        ("same", "max_per_type"),
        ("more", "max_per_type"),
        ("longer", "max_per_type"),
        ("older", "shadowed"),
        ("else", "not_relevant"),
    ]
    assert omitted[0] == Omitted(**met(items[1]), rule="max_per_type", score=float(ranking.scores[1]))


def test_repetition_and_the_budget_are_named_too() -> None:
    items = [item("a", "likes tea"), item("b", "Likes tea."), item("c", "fact"), item("d", "x" * 400)]
    omitted = left_out(in_this_order(items), MemoryReadPolicy(max_tokens=60))
    assert {each.memory_id: each.rule for each in omitted} == {"b": "duplicate", "d": "max_tokens"}


def test_of_thousands_left_out_only_those_are_worked_out_that_somebody_looks_at() -> None:
    looked_at = list[int]()

    class Watched(list[Item]):
        @override
        def __getitem__(self, at: Any) -> Any:
            looked_at.append(at)
            return cast("Item", items[at])

    items = [item(f"m{n}") for n in range(9)]
    omitted = left_out(in_this_order(Watched(items), best=(), rest=lambda: range(9)), MemoryReadPolicy())
    looked_at.clear()
    assert [each.memory_id for each in islice(omitted, 2)] == ["m0", "m1"]
    assert looked_at == [0, 1]
    assert [each.rule for each in omitted] == ["not_relevant"] * 7
