"""A copy of the tables in the plugin's folder, after which they are empty."""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path

from ..domain.errors import UnavailableError
from ..models import METADATA
from .files import forget, keep, reason_of
from .schema import VERSION_TABLE, recreate

_UNFINISHED = "set_aside.unfinished"
_COPIED = (*METADATA.tables, VERSION_TABLE)
"""The full-text index is left out: it is made of the rest."""


def copies(folder: Path) -> Sequence[Path]:
    """What was set aside in this folder and is still there, oldest first."""
    return sorted(folder.glob("set_aside_*.db"))


def forget_unfinished(folder: Path) -> None:
    """Remove what a killed start left of a copy, if the disk lets it go: the next copy takes its place."""
    forget(folder / _UNFINISHED)


async def set_aside(database: Path, folder: Path, *, at: datetime) -> Path:
    """Move every row of the plugin's tables into a file of its own in `folder`; returns that file.

    Killed at any point, the rows are still in the tables or safely in the file, never in part. Raises
    UnavailableError when the file cannot be written: then nothing has changed.
    """
    target = folder / f"set_aside_{at:%Y-%m-%dT%H-%M-%SZ}.db"
    try:
        await recreate(database, first=partial(_copy, database, target))
    except OSError as error:
        raise UnavailableError(
            f"deleted memories cannot be set aside in {folder}: {reason_of(error)}"
        ) from error
    return target


def _copy(database: Path, target: Path) -> None:
    """Write beside the target, then rename: a file with its name is complete and on the disk."""
    unfinished = target.with_name(_UNFINISHED)
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished.unlink(missing_ok=True)
    _copy_rows(database, unfinished)
    with unfinished.open("rb+") as file:
        os.fsync(file.fileno())
    keep(unfinished, target)


def _copy_rows(database: Path, copy: Path) -> None:
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        # No second file that a kill could leave behind; only a finished copy gets its name.
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("ATTACH ? AS host", (str(database),))
        connection.execute("BEGIN")
        for name in _COPIED:
            query = "SELECT sql FROM host.sqlite_master WHERE type = 'table' AND name = ?"
            ((create,),) = connection.execute(query, (name,))
            connection.execute(create)
            connection.execute(f"INSERT INTO main.{name} SELECT * FROM host.{name}")  # noqa: S608 - our own names
        connection.execute("COMMIT")
