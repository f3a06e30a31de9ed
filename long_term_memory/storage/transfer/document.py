"""The document of exports and snapshots: an object with an entry a line, its manifest and its checksum.

Its first line holds the manifest, each list begins with a line of its own. `sha256` is of the canonical JSON
of the whole document without that very field: keys sorted, no white space, as UTF-8, nothing escaped that
need not be.
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol, cast

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from ...domain import transfer
from ...domain.errors import InvalidInputError, NotFoundError
from ...domain.words import Scope

FORMAT = "astrbot_plugin_ltm"
FORMAT_VERSION = 1
# An import holds the host's only write lock for about a second for each 10,000 memories.
MAX_ROWS: Mapping[str, int] = {
    "events": 500_000,
    "items": 100_000,
    "evidence": 500_000,
    "links": 100_000,
    "paused": 100_000,
}
"""The lists, in the order in which they are written, and how long each may be."""
SECTIONS = tuple(MAX_ROWS)
MAX_ENTRY = 256 * 1024
"""Characters of one line."""
MAX_CHARACTERS = 2**30
"""Of a whole document; a packed one may hold far more than its size tells."""
MANIFEST = "manifest"
_BEGIN = f'{{"{MANIFEST}":'
_GZIP = b"\x1f\x8b"
_MAX_SHOWN = 50
"""Characters that are shown of a name which stands in the file."""

Number = Annotated[int, Field(ge=0, le=10**15)]
Name = Annotated[str, Field(max_length=10_000)]


class Strict(BaseModel):
    """A part of the document: nothing unknown, nothing converted."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", allow_inf_nan=False)


class _Scope(Strict):
    scope: Scope
    scope_id: Name


class _Counts(Strict):
    items: Number
    evidence: Number
    events: Number


class _Manifest(Strict):
    format: Literal["astrbot_plugin_ltm"]
    format_version: Literal[1]
    plugin_version: Annotated[str, Field(max_length=100)]
    exported_at: AwareDatetime
    store_id: Annotated[str, Field(max_length=200)]
    scope: _Scope | None
    counts: _Counts
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Sink(Protocol):
    """Where bytes go."""

    def write(self, data: bytes, /) -> int:
        """Take these."""
        ...


@dataclass(frozen=True, kw_only=True)
class Checksums:
    """Of the rows alone, and of the document with its manifest."""

    content: str
    document: str


def damaged(why: str) -> InvalidInputError:
    """The document cannot be read."""
    return InvalidInputError("file", f"cannot be read, it is damaged or no export: {why}")


def canonical(value: object) -> str:
    """The one way to write a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def write(file: Sink, manifest: Mapping[str, Any], rows: Mapping[str, Iterable[str]]) -> None:
    """The document; `rows` has each list's entries as canonical JSON."""
    file.write(f"{_BEGIN}{canonical(manifest)}".encode())
    for section in SECTIONS:
        file.write(f',\n"{section}":[\n'.encode())
        between = b""
        for entry in rows[section]:
            file.write(between + entry.encode())
            between = b",\n"
        file.write(b"]")
    file.write(b"}\n")


def checksums(manifest: Mapping[str, Any], rows: Mapping[str, Iterable[str]]) -> Checksums:
    """The checksums of a document; `rows` has each list's entries as canonical JSON, gone through once."""
    content, document = hashlib.sha256(), hashlib.sha256()
    before = "{"
    for name in sorted((*SECTIONS, MANIFEST)):
        if name == MANIFEST:
            rest = canonical({key: value for key, value in manifest.items() if key != "sha256"})
            document.update(f'{before}"{name}":{rest}'.encode())
        else:
            for part in _list(f'{before}"{name}":[', rows[name]):
                content.update(part)
                document.update(part)
        before = ","
    document.update(b"}")
    return Checksums(content=content.hexdigest(), document=document.hexdigest())


def _list(begin: str, entries: Iterable[str]) -> Generator[bytes]:
    yield begin.encode()
    between = ""
    for entry in entries:
        yield (between + entry).encode()
        between = ","
    yield b"]"


def read_manifest(file: Path) -> Mapping[str, Any]:
    """The manifest, of which nothing is believed yet but the format and its version.

    Raises InvalidInputError for a manifest of another format, or of a version that is not known here.
    """
    with _lines(file) as lines:
        first = next(lines)
    if not (first.startswith(_BEGIN) and first.endswith(",")):
        raise damaged("its first line is not that of an export; was it written anew by another program?")
    value = read(first.removeprefix(_BEGIN)[:-1], MANIFEST)
    said = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    if said.get("format") != FORMAT:
        raise InvalidInputError("file", f"is no export of {FORMAT}")
    version = said.get("format_version")
    if isinstance(version, int) and not isinstance(version, bool) and version > FORMAT_VERSION:
        raise InvalidInputError(
            "file",
            f"is of format version {str(version)[:20]} and this plugin reads up to version {FORMAT_VERSION}:"
            " update the plugin first",
        )
    return said


def read_entries(file: Path, wanted: str) -> Generator[str]:
    """The entries of one list as they are written, in their order. Raises InvalidInputError, NotFoundError.

    What stands before that list is passed over, and what follows it is not looked at.
    """
    with _lines(file) as lines:
        next(lines)
        for section in SECTIONS:
            if next(lines) != f'"{section}":[':
                raise damaged("its parts are not those of an export, with an entry a line")
            for number, entry in enumerate(_of_list(lines, "]}" if section == SECTIONS[-1] else "],")):
                if number == MAX_ROWS[section]:
                    raise InvalidInputError("file", f"holds more than {number} {section}")
                if section == wanted:
                    yield entry
            if section == wanted:
                break
        if wanted == SECTIONS[-1] and next(lines):
            raise damaged("something follows its end")


def _of_list(lines: Iterator[str], end: str) -> Generator[str]:
    line = next(lines)
    while line != end:
        if line.endswith(end):
            yield line[: -len(end)]
            return
        if not line.endswith(","):
            raise damaged("it ends too early, or has not an entry a line")
        yield line[:-1]
        line = next(lines)


@contextmanager
def _lines(file: Path) -> Generator[Generator[str]]:
    """The lines of the document in this file, which may be packed, and empty ones behind its end.

    Raises InvalidInputError, and NotFoundError when the file went: an erasure takes each of them along.
    """
    try:
        with file.open("rb") as raw:
            packed = raw.read(2) == _GZIP
            raw.seek(0)
            with TextIOWrapper(gzip.GzipFile(fileobj=raw) if packed else raw, "utf-8", newline="\n") as text:
                yield _bounded(text)
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise damaged("it is packed and cannot be unpacked") from error
    except UnicodeDecodeError as error:
        raise damaged("it is not written in UTF-8") from error
    except FileNotFoundError as error:
        raise NotFoundError("the file is gone") from error


def _bounded(text: TextIOWrapper) -> Generator[str]:
    left = MAX_CHARACTERS
    while True:
        line = text.readline(MAX_ENTRY)
        left -= len(line)
        if left < 0:
            raise InvalidInputError("file", "is too long")
        if len(line) == MAX_ENTRY:
            raise damaged(f"a line is longer than {MAX_ENTRY} characters")
        yield line.removesuffix("\n")


def _no_number(said: str) -> None:
    raise ValueError(f"{said} is no number")


def read(text: str, name: str) -> object:
    """The value; `name` says what it is. Raises InvalidInputError."""
    try:
        value: object = json.loads(text, parse_constant=_no_number)
        canonical(value).encode()
    except (ValueError, RecursionError) as error:  # of these is a text that is no Unicode
        raise damaged(f"{name} is no JSON, or holds what nobody can read") from error
    return value


def manifest_of(said: Mapping[str, Any]) -> transfer.Manifest:
    """The manifest as the rest of the plugin knows it. Raises InvalidInputError."""
    read = checked(_Manifest, canonical(said), MANIFEST)
    return transfer.Manifest(
        format_version=read.format_version,
        plugin_version=read.plugin_version,
        exported_at=read.exported_at,
        store_id=read.store_id,
        scope=(read.scope.scope, read.scope.scope_id) if read.scope else None,
        counts=transfer.Contents(**read.counts.model_dump()),
        sha256=read.sha256,
    )


def checked[M: Strict](model: type[M], entry: str, name: str) -> M:
    """The entry, or what is wrong with it first; never what it says."""
    try:
        return model.model_validate_json(entry)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join([name, *(str(part)[:_MAX_SHOWN] for part in first["loc"])])
        raise InvalidInputError("file", f"{place}: {first['msg']}") from error
