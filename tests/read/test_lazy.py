"""What a recall gave is worked out when somebody looks, and is then what it would have been at once."""

from astrbot_plugin_ltm.long_term_memory.domain.words import MemoryType
from astrbot_plugin_ltm.long_term_memory.read.reader import Lazy

from .fakes import in_this_order, item


def test_a_lazy_sequence_is_made_once_when_somebody_looks() -> None:
    made: list[int] = []

    def numbers() -> list[int]:
        made.append(1)
        return [3, 1, 2]

    lazy = Lazy(numbers)
    assert made == []
    assert (len(lazy), [*lazy], lazy[0], lazy[-1], [*lazy[1:]]) == (3, [3, 1, 2], 3, 2, [1, 2])
    assert made == [1]
    assert not Lazy(tuple[int])


def test_a_line_shows_the_day_on_which_its_words_were_said_not_that_on_which_they_were_read() -> None:
    ranking = in_this_order([item("trip", "went to Rome", MemoryType.EPISODE)])
    ranking.signals.said[0] -= 3 * 86_400
    assert "went to Rome (said 2025-05-29)" in ranking.line(0)[0]
