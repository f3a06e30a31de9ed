"""Whether the file may still hold bytes of what was erased, and their overwriting."""

from functools import partial

from . import meta
from .database import Database
from .scrub import TEXTS, empty_the_log, rewrite


class Scrubber:
    """Implements `upkeep.scrubbing.ScrubStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def mark(self) -> str | None:
        """The mark of the last erasure whose bytes may still be there; None when the file is clean."""
        async with self._database.read() as connection:
            return await meta.to_scrub(connection)

    async def rewrite(self) -> None:
        """Overwrite what is left of deleted rows. Raises RefusedError, UnavailableError.

        Between two tables others write.
        """
        for table in TEXTS:
            await self._database.alone(partial(rewrite, table=table, may_go_on=self._may_go_on))

    async def empty_the_log(self) -> bool:
        """Cut the write-ahead log to nothing; False while another connection is in its way."""
        return await self._database.alone(empty_the_log)

    async def done(self, mark: str) -> None:
        """Note that the file is clean, unless something was erased since that mark."""
        async with self._database.write() as connection:
            await meta.scrubbed(connection, mark)

    def _may_go_on(self) -> bool:
        return not self._database.read_only
