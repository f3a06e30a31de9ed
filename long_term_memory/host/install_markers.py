"""The two places where the host deletes what belongs to a plugin: its folder and its key-values."""

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ..domain.errors import UnavailableError
from ..storage.files import whole_file

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

_KEY = "store_id"


class KeyValues(Protocol):
    """The key-values of a plugin, as the host's Star has them."""

    async def get_kv_data(self, key: str, default: None) -> object:
        """The value, or the default."""
        ...

    async def put_kv_data(self, key: str, value: str) -> None:
        """Keep the value; durable on return."""
        ...


class HostMarkers:
    """Implements `storage.deletion.Markers`."""

    def __init__(self, folder: Path, key_values: KeyValues) -> None:
        self._file = folder / _KEY
        self._key_values = key_values

    async def read(self) -> Sequence[str | None]:
        """The id in the file, then the one among the key-values."""
        try:
            kept = await self._key_values.get_kv_data(_KEY, None)
            return await asyncio.to_thread(_read, self._file), None if kept is None else str(kept)
        except Exception as error:
            raise UnavailableError("the plugin's folder or key-values cannot be read") from error

    async def write(self, store_id: str) -> None:
        """Keep the id in both; one that fails is logged, because the other will do."""
        results = await asyncio.gather(
            asyncio.to_thread(_write, self._file, store_id),
            self._key_values.put_kv_data(_KEY, store_id),
            return_exceptions=True,
        )
        errors = [result for result in results if result is not None]
        for error in errors:
            logger.warning("The id of the store could not be kept in one of its places.", exc_info=error)
        if len(errors) == len(results):
            raise UnavailableError("neither the plugin's folder nor its key-values can be written")


def _read(file: Path) -> str | None:
    try:
        return file.read_text("utf-8", errors="replace").strip()
    except FileNotFoundError:
        return None


def _write(file: Path, store_id: str) -> None:
    with whole_file(file.with_name(f"{file.name}.unfinished"), lambda _: file) as unfinished:
        unfinished.write(f"{store_id}\n".encode())
