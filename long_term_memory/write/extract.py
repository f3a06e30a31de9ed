"""Stage 2, extract: what a model finds in a batch of events. What rules find without one: `rules`."""

import asyncio
from collections.abc import Sequence

from ..domain.memory import Event
from ..prompts.extraction import SYSTEM, extraction_prompt
from ..prompts.extraction_answer import ParsedAnswer, parse
from .protocols import ChatModel


async def extract(events: Sequence[Event], model: ChatModel) -> ParsedAnswer:
    """Ask the model once for the facts in the events of one chat, oldest first, at least one.

    Raises NoProviderError or another UnavailableError when the model does not answer, AnswerError when its
    answer cannot be read. Must not run inside a transaction. Long texts are worked on in a thread: nothing
    here keeps the event loop waiting.
    """
    prompt = await asyncio.to_thread(extraction_prompt, events)
    answer = await model.complete(umo=events[0].umo, system=SYSTEM, prompt=prompt)
    return await asyncio.to_thread(parse, answer)
