"""The file format of exports and snapshots: a JSON object with one entry a line.

The first line holds the manifest; each list begins with a line of its own. `sha256` is of the canonical JSON
of the whole document without that field: keys sorted, no white space, UTF-8, only necessary escapes.
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, cast

from pydantic import TypeAdapter, ValidationError

from ...domain.errors import InvalidInputError, NotFoundError
from ...domain.transfer import Manifest

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
"""The lists in their order in the document, and how long each may be."""
SECTIONS = tuple(MAX_ROWS)
_MAX_LINES = sum(MAX_ROWS.values()) + 2 * len(MAX_ROWS)
MAX_ENTRY = 256 * 1024
"""Characters of one line."""
MAX_CHARACTERS = 2**30
"""Of a whole document; a packed one may hold far more than its size suggests."""
MANIFEST = "manifest"
_BEGIN = f'{{"{MANIFEST}":'
_GZIP = b"\x1f\x8b"
_MAX_SHOWN = 50
"""Characters shown of a name from the file."""
_MANIFEST = TypeAdapter(Manifest)


def damaged(why: str) -> InvalidInputError:
    """The document cannot be read."""
    return InvalidInputError("file", f"cannot be read, it is damaged or no export: {why}")


def canonical(value: object) -> str:
    """The one way to write a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


class Document(NamedTuple):
    """A manifest as JSON holds it, and what gives the rows of a list as canonical JSON."""

    manifest: Mapping[str, Any]
    rows: Callable[[str], Iterable[str]]

    def write(self, put: Callable[[bytes], object], sha256: str) -> None:
        """Write it by calls of `put`; this is its checksum."""
        put(f"{_BEGIN}{canonical({**self.manifest, 'sha256': sha256})}".encode())
        for section in SECTIONS:
            for part in _joined(f',\n"{section}":[\n', self.rows(section), ",\n"):
                put(part)
        put(b"}\n")

    def checksum(self) -> str:
        """That of all of it, without itself."""
        document = hashlib.sha256()
        before = "{"
        for name in sorted((*SECTIONS, MANIFEST)):
            if name == MANIFEST:
                rest = canonical({key: value for key, value in self.manifest.items() if key != "sha256"})
                document.update(f'{before}"{name}":{rest}'.encode())
            else:
                for part in _joined(f'{before}"{name}":[', self.rows(name), ","):
                    document.update(part)
            before = ","
        document.update(b"}")
        return document.hexdigest()


def _joined(begin: str, entries: Iterable[str], comma: str) -> Generator[bytes]:
    yield begin.encode()
    between = ""
    for entry in entries:
        yield (between + entry).encode()
        between = comma
    yield b"]"


def read_manifest(file: Path) -> tuple[Manifest, Mapping[str, Any]]:
    """The manifest, and the JSON that it stands for. Raises InvalidInputError."""
    with closing(_lines(file)) as lines:
        first = next(lines, "")
    if not (first.startswith(_BEGIN) and first.endswith(",")):
        raise damaged("its first line is not that of an export; was it written anew by another program?")
    text = first.removeprefix(_BEGIN)[:-1]
    try:
        value: object = json.loads(text)
        canonical(value).encode()  # neither infinite numbers nor half a character
    except (ValueError, RecursionError) as error:
        raise damaged("its manifest is no JSON") from error
    raw = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    if raw.get("format") != FORMAT:
        raise InvalidInputError("file", f"is no export of {FORMAT}")
    version = raw.get("format_version")
    if isinstance(version, int) and version > FORMAT_VERSION:
        raise InvalidInputError(
            "file",
            f"is of format version {str(version)[:20]} and this plugin reads up to version {FORMAT_VERSION}:"
            " update the plugin first",
        )
    return checked(_MANIFEST, text, MANIFEST), raw


def read_entries(file: Path, wanted: str) -> Generator[str]:
    """The entries of one list as they are written; that they are all the checksum tells.

    Raises InvalidInputError, NotFoundError.
    """
    section, number = "", 0
    with closing(_lines(file)) as lines:
        for count, line in enumerate(islice(lines, 1, None)):
            if count > _MAX_LINES:
                raise InvalidInputError("file", "is too long")
            if heads := line.startswith('"'):
                section = line[1:].removesuffix('":[')
            if section not in MAX_ROWS or not line:
                raise damaged("its parts are not those of an export, with an entry a line")
            if not heads and section == wanted and line not in {"],", "]}"}:
                number += 1
                if number > MAX_ROWS[section]:
                    raise InvalidInputError("file", f"holds more than {MAX_ROWS[section]} {section}")
                yield line.removesuffix("]}").removesuffix("],").removesuffix(",")


def _lines(file: Path) -> Generator[str]:
    """The lines of the document in this file, which may be packed.

    Raises InvalidInputError, and NotFoundError when the file is gone.
    """
    left = MAX_CHARACTERS
    try:
        with file.open("rb") as raw:
            packed = raw.read(2) == _GZIP
            raw.seek(0)
            with TextIOWrapper(gzip.GzipFile(fileobj=raw) if packed else raw, "utf-8", newline="\n") as text:
                while line := text.readline(MAX_ENTRY):
                    left -= len(line)
                    if left < 0:
                        raise InvalidInputError("file", "is too long")
                    if len(line) == MAX_ENTRY:
                        raise damaged(f"a line is longer than {MAX_ENTRY} characters")
                    yield line.removesuffix("\n")
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise damaged("it is packed and cannot be unpacked") from error
    except UnicodeDecodeError as error:
        raise damaged("it is not written in UTF-8") from error
    except FileNotFoundError as error:
        raise NotFoundError("the file is gone") from error


def checked[T](model: TypeAdapter[T], entry: str, name: str) -> T:
    """What an entry holds. Raises InvalidInputError, which names a wrong field and never its value."""
    try:
        return model.validate_json(entry)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join([name, *(str(part)[:_MAX_SHOWN] for part in first["loc"])])
        raise InvalidInputError("file", f"{place}: {first['msg']}") from error
