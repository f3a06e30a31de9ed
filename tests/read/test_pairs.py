"""Which words bring a memory up: one beside a few others, through the whole reader, with no vectors."""

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType

from .fakes import item
from .pairs import APART, MEANT
from .test_relevance import recalled, situational

OTHERS = [
    item("a", "User plays the trumpet", MemoryType.EPISODE),
    item("b", "用户会弹吉他", MemoryType.EPISODE),
    item("c", "User broke a window", MemoryType.EPISODE),
]


async def brought_up(fact: str, question: str) -> list[str]:
    return situational(await recalled([item("m", fact, MemoryType.PREFERENCE), *OTHERS], question))


@pytest.mark.parametrize(("fact", "question"), MEANT)
async def test_what_is_meant_is_found_and_nothing_beside_it(fact: str, question: str) -> None:
    assert await brought_up(fact, question) == [fact]


@pytest.mark.parametrize(("fact", "question"), APART)
async def test_words_that_tell_nothing_bring_nothing_up(fact: str, question: str) -> None:
    assert await brought_up(fact, question) == []
