from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from astrbot_plugin_ltm.long_term_memory.domain.reading import Omitted
from astrbot_plugin_ltm.long_term_memory.domain.words import MemoryType
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import MemoryReadPolicy
from astrbot_plugin_ltm.long_term_memory.read.budget import left_out
from astrbot_plugin_ltm.long_term_memory.read.reader import Lazy

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
    omitted = list(left_out(ranking, MemoryReadPolicy(max_per_type=1, max_items=2)))
    assert [(each.memory_id, each.rule) for each in omitted] == [
        ("same", "max_per_type"),
        ("more", "max_per_type"),
        ("longer", "max_per_type"),
        ("older", "shadowed"),
        ("else", "not_relevant"),
    ]
    assert omitted[0] == Omitted(memory_id="same", rule="max_per_type", score=float(ranking.scores[1]))


def test_repetition_and_the_budget_are_named_too() -> None:
    items = [item("a", "likes tea"), item("b", "Likes tea."), item("c", "fact"), item("d", "x" * 400)]
    omitted = left_out(in_this_order(items), MemoryReadPolicy(max_tokens=60))
    assert {each.memory_id: each.rule for each in omitted} == {"b": "duplicate", "d": "max_tokens"}


def test_of_thousands_left_out_only_those_are_worked_out_that_somebody_looks_at() -> None:
    ids, taken = [f"m{n}" for n in range(9)], list[str]()
    ranking = in_this_order([item(each) for each in ids], best=(), rest=lambda: range(9))

    def watched() -> Iterator[Omitted]:
        for each in left_out(ranking, MemoryReadPolicy()):
            taken.append(each.memory_id)
            yield each

    omitted = Lazy(watched)
    assert taken == []
    for _ in range(2):
        assert [each.memory_id for each in islice(omitted, 2)] == taken == ids[:2]
    assert ([each.memory_id for each in omitted], len(omitted), omitted[8].rule) == (ids, 9, "not_relevant")
    assert taken == ids
