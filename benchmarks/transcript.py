"""Recall from the transcript: the same questions on turns instead of facts.

The turns are in a separate file without facts; with a model the plugin's own job embeds them.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.domain.reading import Said
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.read.transcript import MAX_RESULTS
from astrbot_plugin_ltm.long_term_memory.text_analysis.tokens import tokens

from benchmarks.datasets import Pool, Question
from benchmarks.embedders import RememberingEmbedder
from benchmarks.measures import Asked
from benchmarks.memory import Shelf, at_work, chat_of, embed, experienced, fill, scope_of, world_of
from tests.stores import migrated

ROOM = 800
"""Tokens."""


class Turns:
    """A memory that holds nothing but turns."""

    def __init__(self, file: Path, model: RememberingEmbedder | None) -> None:
        self._world = world_of(migrated(file), model)
        self._model = model
        self._shelf = Shelf(covers={}, owners={})
        self.foreign = 0
        """How many results came from another scope than the one that was asked."""

    async def ask(self, pools: Sequence[Pool]) -> list[Asked]:
        """Every question of these pools, and what a search finds; called once."""
        self._shelf = await fill(self._world.file, [replace(pool, facts=()) for pool in pools])
        if self._model:
            await embed(self._world.file, self._model, transcript=True)
        async with at_work(self._world, {}, read_only=False):
            pass  # the first start makes what a read-only one needs
        asked = [(pool.name, question) for pool in pools for question in pool.questions]
        async with experienced(self._world, {}, self._model, pools[0].name) as memory:
            return [
                await self._answer(memory, pool, question)
                for pool, question in sorted(asked, key=lambda each: each[1].at)
            ]

    async def _answer(self, memory: LTMManager, pool: str, question: Question) -> Asked:
        self._world.clock.now = question.at
        found = await memory.search_transcript(chat_of(pool), question.text, max_results=MAX_RESULTS)
        self.foreign += sum(self._shelf.owners[said.event_id] != scope_of(pool) for said in found)
        covered = [self._shelf.covers[said.event_id] for said in found]
        return Asked(
            category=question.category,
            answered_by=question.answered_by,
            found=covered,
            blocks={"recall_800": covered[: _fitting(found)]},
        )


def _fitting(found: Sequence[Said]) -> int:
    """How many of the results, each a line with its speaker, have room in a block of 800 tokens."""
    left = ROOM
    for number, said in enumerate(found):
        left -= tokens(f"\n- {said.speaker}: {said.text}")
        if left < 0:
            return number
    return len(found)
