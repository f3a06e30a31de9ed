"""Documents to bring in: what other stores have exported, about things of their own."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.domain.chat import Turn

from tests.faults.loop import SteppedLoop
from tests.running import private
from tests.stores import migrated
from tests.torture.crashes.loops import let_time_pass
from tests.torture.crashes.outside import Outside
from tests.torture.crashes.things import Kind, word_of

FIRST_WORD = 90_000


def documents(folder: Path, number: int) -> Sequence[tuple[str, Sequence[str]]]:
    """So many, with the words in each."""
    return [_document(folder / f"donor{one}", one) for one in range(number)]


def _document(folder: Path, number: int) -> tuple[str, Sequence[str]]:
    folder.mkdir()
    words = [word_of(FIRST_WORD + 10 * number + one) for one in range(3)]
    with asyncio.Runner(loop_factory=partial(SteppedLoop, 0.0)) as runner:
        return str(runner.run(_exported(migrated(folder / "store.db"), number, words))), words


async def _exported(file: Path, number: int, words: Sequence[str]) -> Path:
    let_time_pass()
    outside = Outside(file=file, run=4_000 + number)  # no other store makes such ids
    async with outside.begin() as memory:
        for word in words:
            await memory.record_turn(
                Turn(
                    chat=private(f"donor{number}"),
                    message_id=word,
                    user_text=Kind.BROUGHT.of(word),
                    reply_text="",
                    at=outside.clock(),
                )
            )
        made = await memory.transferring.export(None)
        return made.path.rename(file.with_suffix(".json"))
