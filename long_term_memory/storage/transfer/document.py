"""The document of exports and snapshots: its parts, its manifest, its checksum and its bounds.

`sha256` is of the canonical JSON of the whole document without that very field: keys sorted, no white space,
as UTF-8, nothing escaped that need not be.
"""

import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from ...domain import transfer
from ...domain.errors import InvalidInputError, NotFoundError
from ...domain.words import Scope
from .members import damaged

FORMAT = "astrbot_plugin_ltm"
FORMAT_VERSION = 1
SECTIONS = ("events", "items", "evidence", "links", "paused")
"""The lists, in the order in which they are written."""
# An import holds the host's only write lock for about a second for each 10,000 memories.
MAX_ROWS: Mapping[str, int] = {
    "events": 500_000,
    "items": 100_000,
    "evidence": 500_000,
    "links": 100_000,
    "paused": 100_000,
}
MAX_CHARACTERS = 2**30
"""Of a whole document; a packed one may hold far more than its size tells."""
MANIFEST = "manifest"
_IN_ORDER = sorted((*SECTIONS, MANIFEST))
_GZIP = b"\x1f\x8b"


class Strict(BaseModel):
    """A part of the document: nothing unknown, nothing converted."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", allow_inf_nan=False)


Number = Annotated[int, Field(ge=0, le=10**15)]
Name = Annotated[str, Field(max_length=10_000)]


class ScopeJson(Strict):
    """The one scope of a document."""

    scope: Scope
    scope_id: Name


class CountsJson(Strict):
    """How many rows there are."""

    items: Number
    evidence: Number
    events: Number


class ManifestJson(Strict):
    """What the document says about itself."""

    format: Literal["astrbot_plugin_ltm"]
    format_version: Literal[1]
    plugin_version: Annotated[str, Field(max_length=100)]
    exported_at: AwareDatetime
    store_id: Annotated[str, Field(max_length=200)]
    scope: ScopeJson | None
    counts: CountsJson
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]

    @property
    def manifest(self) -> transfer.Manifest:
        """As the rest of the plugin knows it."""
        return transfer.Manifest(
            format_version=self.format_version,
            plugin_version=self.plugin_version,
            exported_at=self.exported_at,
            store_id=self.store_id,
            scope=(self.scope.scope, self.scope.scope_id) if self.scope else None,
            counts=transfer.Contents(**self.counts.model_dump()),
            sha256=self.sha256,
        )


def canonical(value: object) -> str:
    """The one way to write a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


@dataclass(frozen=True, kw_only=True)
class Checksums:
    """Of the rows alone, and of the document with its manifest."""

    content: str
    document: str


def checksums(manifest: Mapping[str, Any], rows: Mapping[str, Iterable[str]]) -> Checksums:
    """The checksums of a document; `rows` has each list's entries as canonical JSON, gone through once.

    Raises InvalidInputError for text that is no Unicode.
    """
    content, document = hashlib.sha256(), hashlib.sha256()
    before = "{"
    for name in _IN_ORDER:
        if name == MANIFEST:
            rest = canonical({key: value for key, value in manifest.items() if key != "sha256"})
            document.update(_utf8(f'{before}"{name}":{rest}'))
        else:
            for part in _list(f'{before}"{name}":[', rows[name]):
                content.update(part)
                document.update(part)
        before = ","
    document.update(b"}")
    return Checksums(content=content.hexdigest(), document=document.hexdigest())


def _list(begin: str, entries: Iterable[str]) -> Generator[bytes]:
    yield _utf8(begin)
    between = ""
    for entry in entries:
        yield _utf8(between + entry)
        between = ","
    yield b"]"


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise damaged("a text is no Unicode") from error


def part(value: object) -> Mapping[str, object]:
    """An object of the document; an empty one for anything else."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def see_version(manifest: object) -> None:
    """Raise InvalidInputError for a manifest of another format, or of a version that is not known here."""
    said = part(manifest)
    if said.get("format") != FORMAT:
        raise InvalidInputError("file", f"is no export of {FORMAT}")
    version = said.get("format_version")
    if isinstance(version, int) and not isinstance(version, bool) and version > FORMAT_VERSION:
        raise InvalidInputError(
            "file",
            f"is of format version {str(version)[:20]} and this plugin reads up to version {FORMAT_VERSION}:"
            " update the plugin first",
        )


@contextmanager
def opened(path: Path) -> Generator[io.TextIOBase]:
    """The text of the document in this file, which may be packed.

    Raises InvalidInputError, and NotFoundError when the file went: an erasure takes each of them along.
    """
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == _GZIP
            raw.seek(0)
            plain = gzip.GzipFile(fileobj=raw) if packed else raw
            with io.TextIOWrapper(plain, encoding="utf-8", newline="") as text:
                yield text
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise damaged("it is packed and cannot be unpacked") from error
    except FileNotFoundError as error:
        raise NotFoundError("the file is gone") from error
