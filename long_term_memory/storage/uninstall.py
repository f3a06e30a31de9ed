"""Data of a plugin that was uninstalled with its data must not come back.

The host deletes the plugin's folder and its key-values but cannot reach the tables. So a random store id
stands in the tables, in the folder and among the key-values: left in the tables alone, the data was deleted.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ..domain.errors import UnavailableError, UnusableStoreError
from ..domain.log import logger
from . import meta
from .database import Database
from .files import whole_file
from .schema import recreate
from .snapshots import Snapshots

_KEY = "store_id"


class KeyValues(Protocol):
    """The key-values of a plugin, as the host's Star has them."""

    async def get_kv_data(self, key: str, default: None) -> object:
        """The value, or the default."""
        ...

    async def put_kv_data(self, key: str, value: str) -> None:
        """Keep the value; durable on return."""
        ...


class StoreMarkers:
    """The store id in the places that the host deletes with the plugin's data, and only then."""

    def __init__(self, folder: Path, key_values: KeyValues) -> None:
        self._file = folder / _KEY
        self._key_values = key_values

    async def read(self) -> Sequence[str | None]:
        """The id in the file, then the one among the key-values; None where there is none.

        Raises UnavailableError when a place cannot be read: then nobody can tell.
        """
        try:
            kept = await self._key_values.get_kv_data(_KEY, None)
            return await asyncio.to_thread(_read, self._file), None if kept is None else str(kept)
        except Exception as error:
            raise UnavailableError("the plugin's folder or key-values cannot be read") from error

    async def write(self, store_id: str) -> None:
        """Keep the id in both. Raises UnavailableError when a place cannot be written."""
        try:
            await asyncio.to_thread(_write, self._file, store_id)
            await self._key_values.put_kv_data(_KEY, store_id)
        except Exception as error:
            raise UnavailableError("the plugin's folder or key-values cannot be written") from error


def _read(file: Path) -> str | None:
    try:
        return file.read_text("utf-8", errors="replace").strip()
    except FileNotFoundError:
        return None


def _write(file: Path, store_id: str) -> None:
    with whole_file(file.with_name(f"{file.name}.unfinished"), lambda _: file) as unfinished:
        unfinished.write(f"{store_id}\n".encode())


async def settle(database: Database, snapshots: Snapshots, markers: StoreMarkers, *, new_id: str) -> None:
    """Empty the tables if the operator has deleted the data, after a last snapshot; else write the markers.

    One missing or foreign marker means a folder was moved or restored: it is written again and no row is
    touched. Raises UnusableStoreError when there is something to remove while nothing may be written.
    """
    async with database.read() as connection:
        store_id = await meta.store_id(connection)
    found = await markers.read()
    deleted = store_id is not None and all(marker is None for marker in found)
    if database.read_only:
        if deleted:
            raise UnusableStoreError(
                "the plugin's data was deleted through the host; what is left of it in the tables is removed"
                " once emergency_read_only is off"
            )
        return
    if deleted:
        await snapshots.make()
        await recreate(database.path)
        logger.warning("The plugin's data was deleted through the host, so memory starts empty.")
        store_id = None
    # The markers come first: an id in the tables alone would look like deleted data at the next start.
    wanted = store_id or new_id
    if any(marker != wanted for marker in found):
        await markers.write(wanted)
    if store_id is None:
        await snapshots.came_now()
        async with database.write() as connection:
            named = await meta.store_id(connection)
            if named is None:
                await meta.name_store(connection, wanted)
        if named is not None:  # another start was faster
            await markers.write(named)
