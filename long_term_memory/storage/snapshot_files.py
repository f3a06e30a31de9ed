"""The files of snapshots: the documents of `transfer`, packed, named by their time and checksums alone."""

import gzip
import hashlib
import re
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from ..domain.errors import InvalidInputError, LtmError
from ..domain.transfer import Snapshot
from .transfer.disk import whole_file
from .transfer.document import MANIFEST, ManifestJson, canonical, opened
from .transfer.members import MAX_ENTRY, members

FOLDER = "snapshots"
DAYS = 7
"""Of so many days the last one is kept."""
WEEKS = 5
"""And of so many weeks, this one among them."""
OF_OTHERS = 3
"""Snapshots of another store that are kept: what a backup brought along and nobody has restored yet."""
UNFINISHED = "snapshot.unfinished"
_NAME = re.compile(r"(\d{8}T\d{12}Z)-([0-9a-f]{16})-([0-9a-f]{16})\.json\.gz")
_AT = "%Y%m%dT%H%M%S%fZ"
_PACKED_BY = 6


class Hashed:
    """A file that is hashed as it is written."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._sha = hashlib.sha256()

    def write(self, data: Any) -> int:  # noqa: ANN401 - whatever the packer hands over
        """Write this piece."""
        self._sha.update(data)
        return self._file.write(data)

    def flush(self) -> None:
        """Nothing is held back here."""

    @property
    def checksum(self) -> str:
        """Of all that was written."""
        return self._sha.hexdigest()[:16]


@dataclass(frozen=True, kw_only=True)
class Named:
    """What the name of a snapshot tells."""

    at: datetime
    content: str
    """The beginning of the checksum of its rows."""
    checksum: str
    """The beginning of the checksum of its bytes."""


def named(name: str) -> Named | None:
    """What this name tells; None when it is not that of a snapshot."""
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    try:
        at = datetime.strptime(found[1], _AT).replace(tzinfo=UTC)
    except ValueError:
        return None
    return Named(at=at, content=found[2], checksum=found[3])


@contextmanager
def packed(folder: Path, *, at: datetime, content: str) -> Generator[gzip.GzipFile]:
    """A new snapshot in this folder; its name comes with its last byte. Raises UnavailableError."""
    hashed: Hashed | None = None

    def name() -> str:
        assert hashed is not None  # noqa: S101 - it is asked once the file is written
        return f"{at.astimezone(UTC):{_AT}}-{content[:16]}-{hashed.checksum}.json.gz"

    with whole_file(folder, UNFINISHED, name) as file:
        hashed = Hashed(file)
        with gzip.GzipFile("", "wb", _PACKED_BY, hashed, mtime=0) as writing:
            yield writing


def listed(folder: Path) -> Sequence[Snapshot]:
    """What lies there, the newest first; the bytes of each are compared with its name."""
    return sorted((_looked_at(path) for path in _files(folder)), key=lambda one: one.name, reverse=True)


def forget_unfinished(folder: Path) -> None:
    """Remove what a killed process has left of one. Raises OSError."""
    (folder / UNFINISHED).unlink(missing_ok=True)


def remove_all(folder: Path) -> int:
    """Remove every snapshot and what is left of one; how many there were. Raises OSError."""
    forget_unfinished(folder)
    files = list(_files(folder))
    for path in files:
        path.unlink(missing_ok=True)
    return len(files)


def rotate(folder: Path, store_id: str) -> None:
    """Remove those that are too many, of this store and of others; what stays goes the next time."""
    snapshots = listed(folder)
    own = [one for one in snapshots if one.store_id == store_id]
    others = [one for one in snapshots if one.store_id != store_id]
    kept = _kept(own) | {one.name for one in others[:OF_OTHERS]}
    for one in snapshots:
        if one.name not in kept:
            with suppress(OSError):
                (folder / one.name).unlink(missing_ok=True)


def _kept(newest_first: Iterable[Snapshot]) -> frozenset[str]:
    """The last one of each of the last days, and of each of the last weeks."""
    days, weeks = dict[str, str](), dict[str, str]()
    for one in newest_first:
        days.setdefault(f"{one.at:%Y-%m-%d}", one.name)
        weeks.setdefault(f"{one.at:%G-%V}", one.name)
    return frozenset({*list(days.values())[:DAYS], *list(weeks.values())[:WEEKS]})


def _files(folder: Path) -> Iterable[Path]:
    return (path for path in folder.glob("*.json.gz") if named(path.name) is not None)


def _looked_at(path: Path) -> Snapshot:
    name = named(path.name)
    assert name is not None  # noqa: S101 - only such files are listed
    size, why, manifest = 0, "", None
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            if not hashlib.file_digest(file, "sha256").hexdigest().startswith(name.checksum):
                why = "its bytes are not those that were written"
        manifest = _manifest(path)
    except (OSError, ValueError, LtmError) as error:
        why = why or f"it cannot be read: {error}"
    return Snapshot(
        name=path.name,
        at=name.at,
        bytes=size,
        items=manifest.counts.items if manifest else 0,
        store_id=manifest.store_id if manifest else "",
        good=not why,
        why=why,
    )


def _manifest(path: Path) -> ManifestJson:
    """It is the first thing in the file."""
    with opened(path) as text:
        first = next(iter(members(text, most=MAX_ENTRY)), None)
    if first is None or first.name != MANIFEST:
        raise InvalidInputError("file", "has no manifest")
    return ManifestJson.model_validate_json(canonical(first.value))
