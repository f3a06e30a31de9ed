"""What a recall gave is worked out when somebody looks, and is then what it would have been at once."""

from astrbot_plugin_ltm.long_term_memory.domain.words import MemoryType
from astrbot_plugin_ltm.long_term_memory.read.ranking import Chosen

from .fakes import in_this_order, item


def test_what_was_chosen_is_made_as_it_is_looked_at() -> None:
    ranking = in_this_order([item("a"), item("b"), item("c")])
    chosen = Chosen(ranking, [2, 0])
    assert len(chosen) == 2
    assert [each.item.memory_id for each in chosen] == ["c", "a"]
    assert chosen[0] == ranking.ranked(2)
    assert chosen[:1] == [ranking.ranked(2)]
    assert chosen[-1].score == ranking.score[0] == 1.0
    assert not Chosen(ranking, [])


def test_the_rest_is_not_worked_out_for_what_may_be_used() -> None:
    asked: list[bool] = []

    def rest() -> list[int]:
        asked.append(True)
        return [1]

    ranking = in_this_order([item("a"), item("b")], best=[0], rest=rest)
    assert ranking.item(0).memory_id == ranking.ranked(0).item.memory_id == "a"
    assert (ranking.usable, asked) == (1, [])
    assert ranking.item(1).memory_id == "b"
    assert (ranking.rows, asked) == ([0, 1], [True])


def test_a_line_shows_the_day_on_which_its_words_were_said_not_that_on_which_they_were_read() -> None:
    ranking = in_this_order([item("trip", "went to Rome", MemoryType.EPISODE)])
    ranking.signals.said[0] -= 3 * 86_400
    assert "went to Rome (said 2025-05-29)" in ranking.line(0)[0]
