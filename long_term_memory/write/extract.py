"""Stage 2, extract: what a model finds in a batch of events. What rules find without one: `rules`."""

import asyncio

from ..prompts.extraction_answer import ParsedAnswer, parse
from .claim import Claim
from .meter import Meter


async def extract(claim: Claim, meter: Meter) -> ParsedAnswer:
    """Ask the model once for the facts in a claimed batch.

    Raises NoProviderError or another UnavailableError when the model does not answer, AnswerError when its
    answer cannot be read. Must not run inside a transaction. A long answer is read in a thread: nothing here
    keeps the event loop waiting.
    """
    answer = await meter.complete(claim.booking, umo=claim.umo, prompt=claim.prompt)
    return await asyncio.to_thread(parse, answer, claim.known)
