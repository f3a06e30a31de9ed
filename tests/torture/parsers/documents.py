"""Documents as an export writes them, and what may become of them on the way back."""

import asyncio
import gzip
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from hypothesis import strategies as st

from tests.storage.transfer.files import export, text_of
from tests.storage.transfer.test_round import fill
from tests.stores import a_store
from tests.torture.parsers.spoiling import Draw, Json, bytes_of, damaged, marred, spoilt

_SHA = re.compile(r'("sha256": ?)"[^"]*"')


@cache
def good() -> str:
    """A document with everything in it, as it is written."""

    async def made() -> str:
        with TemporaryDirectory() as folder:
            async with a_store(Path(folder)) as store:
                await fill(store)
                return (await export(store, Path(folder) / "good.json")).read_text("utf-8")

    return asyncio.run(made())


def written(document: Json, *, indent: int | None = None, plain: bool = False) -> str:
    """As JSON, as exports have it with an entry a line; "[[[..." for what is nested too deeply for that."""
    try:
        if isinstance(document, dict) and indent is None and not plain:
            return text_of(_part(document))
        return json.dumps(document, ensure_ascii=plain, indent=indent)
    except RecursionError:
        return "[" * 3_000


def sealed(text: str) -> str:
    """The text with the checksum that it would have, as far as that can be told."""
    try:
        document = json.loads(text)
        manifest: dict[str, Any] = {**document["manifest"]}
        manifest.pop("sha256", None)
        whole = json.dumps(
            {**document, "manifest": manifest}, sort_keys=True, separators=(",", ":"), ensure_ascii=False
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        return text
    return _SHA.sub(rf'\g<1>"{hashlib.sha256(bytes_of(whole)).hexdigest()}"', text, count=1)


def counted(document: Json) -> Json:
    """The document whose manifest says how many rows there are, if it is one."""
    counts = _part(_part(_part(document).get("manifest")).get("counts"))
    for name in counts:
        rows = _part(document).get(name)
        if isinstance(rows, list):
            counts[name] = len(cast("list[Json]", rows))
    return document


def _part(value: Json) -> dict[str, Json]:
    return cast("dict[str, Json]", value) if isinstance(value, dict) else {}


@st.composite
def _documents(draw: Draw) -> bytes:
    """Spoilt as a value, or as text; the counts and the checksum are mostly made right again."""
    value = draw(spoilt(st.builds(lambda: json.loads(good()))))
    if draw(st.integers(0, 3)):
        value = counted(value)
    text = written(value, indent=draw(st.sampled_from((*[None] * 9, 1))), plain=not draw(st.integers(0, 9)))
    if draw(st.booleans()):  # Python writes what is beyond all numbers in its own way
        text = text.replace("Infinity", "1e999")
    if not draw(st.integers(0, 4)):
        text = draw(marred(st.just(text), most=2))
    if draw(st.integers(0, 9)):
        text = sealed(text)
    return bytes_of(text)


@st.composite
def _packed(draw: Draw) -> bytes:
    """At times as a program packs it."""
    data = draw(_documents())
    return gzip.compress(data, 1, mtime=0) if draw(st.booleans()) else data


documents: st.SearchStrategy[bytes] = st.one_of(_packed(), _packed(), _packed(), damaged(_packed()))


def valid(items: int) -> bytes:
    """A good document with about so many memories."""
    document = json.loads(good())
    for section in ("events", "items", "evidence"):
        rows = document[section]
        document[section] = [_numbered(rows[n % len(rows)], n // len(rows)) for n in range(items)]
    for item in document["items"]:
        item["superseded_by"] = None
    ids = {section: [row[key] for row in document[section]] for section, key in _IDS.items()}
    for number, row in enumerate(document["evidence"]):
        row |= {"memory_id": ids["items"][number], "event_id": ids["events"][number]}
    return bytes_of(sealed(written(counted(document))))


_IDS = {"events": "event_id", "items": "memory_id"}
_NAMED = ("event_id", "memory_id", "evidence_id", "fact_key")


def _numbered(row: Mapping[str, Json], number: int) -> dict[str, Json]:
    return {**row, **{key: f"{row[key]} {number}" for key in _NAMED if key in row}}
