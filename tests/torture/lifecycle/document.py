"""A long export of another store, so that there is a middle in which its import can be broken off."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.storage.transfer.files import export, multiplied, read, write
from tests.stores import a_store, an_item, keep

MANY = 1_200
"""How many memories it holds: many steps of reading and of writing."""


@cache
def long_document() -> bytes:
    """The file; made once, on a loop of its own."""
    with ThreadPoolExecutor(1) as outside_the_loop:
        return outside_the_loop.submit(lambda: asyncio.run(_made())).result()


async def _made() -> bytes:
    with TemporaryDirectory() as folder:
        async with a_store(Path(folder)) as theirs:
            await keep(theirs, an_item())
            one = read(await export(theirs, Path(folder) / "one.json"))
        return write(multiplied(one, MANY), Path(folder) / "many.json").read_bytes()
