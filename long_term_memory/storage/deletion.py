"""What the operator deletes through the host must not come back.

The host deletes the plugin's folder and its key-values but cannot reach the tables. So a random store id
stands in the tables, in the folder and among the key-values: left in the tables alone, the data was deleted.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from sqlalchemy import exists, select

from ..domain.errors import UnusableStoreError
from ..models import META, METADATA, POLICY_VERSIONS
from . import meta
from .database import Database
from .seat import Seat
from .set_aside import copies, forget_unfinished, set_aside

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

_ABOUT_PEOPLE = [table for table in METADATA.sorted_tables if table not in (META, POLICY_VERSIONS)]


class Markers(Protocol):
    """The store id in the places that the host deletes with the plugin's data, and only then."""

    async def read(self) -> Sequence[str | None]:
        """The id found at each place, None where there is none.

        Raises UnavailableError when a place cannot be read: then nobody can tell.
        """
        ...

    async def write(self, store_id: str) -> None:
        """Put the id at every place. Raises UnavailableError when it is kept at none of them."""
        ...


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What lies around the tables."""

    database: Path
    """The host's SQLite file."""
    folder: Path
    """The plugin's own; the host deletes it with the plugin's data."""
    markers: Markers


async def settle(database: Database, around: Surroundings, *, new_id: str, at: datetime) -> None:
    """Set the rows aside if the operator has deleted the data; else see that the id is at its places.

    One missing or foreign marker means a folder was moved or restored: it is written again and no row is
    touched. Raises UnusableStoreError when there is something to set aside while nothing may be written.
    """
    async with database.read() as connection:
        store_id = await meta.store_id(connection)
        filled = await _tells_of_people(connection)
    found = await around.markers.read()
    deleted = store_id is not None and all(marker is None for marker in found)
    if database.read_only:
        if deleted:
            raise UnusableStoreError(
                "the plugin's data was deleted through the host; what is left of it in the tables is set"
                " aside once emergency_read_only is off"
            )
        return
    forget_unfinished(around.folder)
    if deleted and filled:
        await set_aside(around.database, around.folder, at=at)
        logger.warning("The plugin's data was deleted through the host, so memory starts empty.")
        store_id = None
    await _mark(database, around.markers, found, store_id=store_id, new_id=new_id)


def notes(folder: Path) -> Sequence[str]:
    """A line for each copy that is still there, for the operator."""
    return [
        f"What was remembered before its data was deleted is in {copy}; remove it freely."
        for copy in copies(folder)
    ]


async def _tells_of_people(connection: Seat) -> bool:
    for table in _ABOUT_PEOPLE:
        if (await connection.execute(select(exists().select_from(table)))).scalar():
            return True
    return False


async def _mark(
    database: Database, markers: Markers, found: Sequence[str | None], *, store_id: str | None, new_id: str
) -> None:
    """The markers come first: an id in the tables alone would look like deleted data at the next start.

    Tables made anew are another store than the one whose folder was restored beside them: a snapshot that
    lies there is of that other one.
    """
    wanted = store_id or new_id
    if any(marker != wanted for marker in found):
        await markers.write(wanted)
    if store_id is None:
        async with database.write() as connection:
            named = await meta.store_id(connection)
            if named is None:
                await meta.name_store(connection, wanted)
        if named is not None:  # another start was faster
            await markers.write(named)
